import { expect } from 'chai';
import sinon from 'sinon';
import { METHODS } from '../../../src/rpc/methods/methods.ts';
import type { Capability } from '../../../src/rpc/key-kinds.ts';
import type { Method, MethodName, ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { JOURNAL } from '../../../src/service/calls/journal.ts';
import { CONSENT } from '../../../src/service/consent/consent-state.ts';
import type { Usage } from '../../../src/subtle/key.ts';
import { CASES } from '../../support/samples/method-cases.ts';
import { packedOf } from '../../support/packed.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const PLAINTEXT = new TextEncoder().encode('once');

async function usesLeft(world: World): Promise<number | null | undefined> {
  const [grant] = await world.surface('ui.sites', {}).then((sites) => sites[0]!.grants);
  return grant!.usesLeft;
}

describe('A call that is replayed', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('is charged once, in one worker and over several', async () => {
    await world.connect({ maxUses: 3 });
    for (let i = 0; i < 5; i++) {
      await world.call('seal', { plaintext: PLAINTEXT }, A, 'same');
      expect(await usesLeft(world)).to.equal(2);
      world.restart();
    }
  });

  it('is answered although its own charge took the last use', async () => {
    await world.connect({ maxUses: 1 });
    const sealed = await world.call('seal', { plaintext: PLAINTEXT }, A, 'last');
    world.restart();
    expect(await world.call('seal', { plaintext: PLAINTEXT }, A, 'last')).to.not.deep.equal(sealed);
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, A, 'next'))).to.equal(
      'EXPIRED',
    );
  });

  it('is answered when the worker died between charge and answer', async () => {
    await world.connect({ maxUses: 2 });
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    world.restart();
    // The worker of this call dies as soon as its charge is stored: its answer is lost.
    const lost = world.begin('open', { sealed }, A, 'open 1');
    while ((await usesLeft(world)) !== 0) await settled();
    lost.close();
    world.restart();
    expect(await world.call('open', { sealed }, A, 'open 1')).to.deep.equal(PLAINTEXT);
    expect(await usesLeft(world)).to.equal(0);
    expect(await codeOf(world.call('open', { sealed }, A, 'open 2'))).to.equal('EXPIRED');
  });

  it('is refused, and counts as a protocol error, when it asks for something else', async () => {
    await world.connect({ maxUses: 4 });
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    const other = await world.call('seal', { plaintext: Uint8Array.of(1, 2, 3) });
    expect(await world.call('open', { sealed }, A, 'same')).to.deep.equal(PLAINTEXT);
    expect(await usesLeft(world)).to.equal(1);
    for (const restarts of [false, true]) {
      if (restarts) world.restart();
      const under = (method: string, params: object) =>
        codeOf(world.begin(method, params, A, 'same').answer);
      expect(await under('open', { sealed: other })).to.equal('INVALID_ARGUMENT');
      expect(await under('openMany', { items: packedOf(sealed, other) })).to.not.equal('ok');
      expect(await under('seal', { plaintext: PLAINTEXT })).to.equal('INVALID_ARGUMENT');
      expect(await under('releaseSeal', { purpose: 'page', totalBytes: 9 })).to.not.equal('ok');
      expect(await under('open', { sealed, context: PLAINTEXT })).to.equal('INVALID_ARGUMENT');
      expect(await under('open', { sealed })).to.equal('ok');
    }
    expect(await usesLeft(world)).to.equal(1);
    await world.saved();
    const [usage] = await world.surface('ui.activityUsage', { days: 1 });
    expect(usage!.days[0]!.refused).to.be.at.least(5); // in the second worker
  });

  it('tells long messages apart, too', async () => {
    await world.connect({ maxUses: 9 });
    const long = new Uint8Array(300_000);
    await world.call('seal', { plaintext: long }, A, 'long');
    const again = world.call('seal', { plaintext: long.with(299_999, 1) }, A, 'long');
    expect(await codeOf(again)).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(world.call('seal', { plaintext: long }, A, 'long'))).to.equal('ok');
    expect(await usesLeft(world)).to.equal(8);
  });

  it('is a new call after the time for which calls are remembered', async () => {
    await world.connect({ maxUses: 2 });
    const seal = () => world.call('seal', { plaintext: PLAINTEXT }, A, 'one');
    await seal();
    world.now += JOURNAL.keepMs - 1;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await seal();
    expect(await usesLeft(world)).to.equal(1);
    world.now += 1;
    await seal();
    expect(await usesLeft(world)).to.equal(0);
    world.now += JOURNAL.keepMs;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await codeOf(seal())).to.equal('EXPIRED');
  });

  it('is another call when it comes from another origin in the same frame', async () => {
    // Where the browser names no documents, both are called by tab and frame.
    const place = { documentId: '1/0' };
    const [a, b] = ['https://a.example', 'https://b.example'].map((origin) =>
      pageCaller({ ...place, origin }),
    );
    const ask = (caller: typeof A) => {
      const request = { purpose: 'Once', capabilities: ['seal'] };
      return world.begin('connect', request, caller, 'connect 1').answer;
    };
    const first = ask(a!);
    await settled();
    await world.surface('ui.answerPrompt', { promptId: world.prompter.shown[0]!, allow: false });
    expect(await codeOf(first)).to.equal('USER_REJECTED');
    world.now += CONSENT.firstCooldownMs;
    void ask(b!);
    await settled();
    expect(world.prompter.shown).to.have.length(2); // not the answer that the other page got
  });

  it('is another call when it comes from another document, or under another id', async () => {
    await world.connect({ maxUses: 9 });
    await world.call('seal', { plaintext: PLAINTEXT }, A, 'one');
    await world.call('seal', { plaintext: PLAINTEXT }, pageCaller({ documentId: 'doc-2' }), 'one');
    await world.call('seal', { plaintext: PLAINTEXT }, A, 'two');
    expect(await usesLeft(world)).to.equal(6);
  });

  it('is not answered once the grant was revoked, or its time is over', async () => {
    await world.connect({ maxUses: 9, expiresInMs: 1000 });
    await world.call('seal', { plaintext: PLAINTEXT }, A, 'one');
    world.now += 1000;
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, A, 'one'))).to.equal(
      'EXPIRED',
    );
    await world.connect({ maxUses: 9 });
    await world.call('seal', { plaintext: PLAINTEXT }, A, 'two');
    await world.call('revoke', {});
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, A, 'two'))).to.equal(
      'NOT_GRANTED',
    );
  });

  it('revokes once: a grant that came after it stays', async () => {
    await world.connect();
    await world.call('revoke', {}, A, 'revoke 1');
    const [granted] = await world.connect();
    world.restart();
    await world.call('revoke', {}, A, 'revoke 1');
    expect(await world.call('grants', {})).to.deep.equal([granted]);
  });

  it('connects once: one grant, one question, the same answer', async () => {
    const requested = { purpose: 'Once', capabilities: ['seal'], maxUses: 2 } as const;
    const params = { ...requested, capabilities: [...requested.capabilities] };
    world.begin('connect', params, A, 'connect 1');
    await settled();
    world.restart();
    const [promptId] = world.prompter.shown;
    await world.surface('ui.answerPrompt', { promptId: promptId!, allow: true });
    world.restart();
    const [grant] = await world.call('connect', params, A, 'connect 1');
    await world.call('seal', { plaintext: PLAINTEXT }, A);
    world.restart();
    const [again] = await world.call('connect', params, A, 'connect 1');
    expect(again).to.deep.equal({ ...grant, usesLeft: 1 });
    expect(world.prompter.shown).to.deep.equal([promptId]);
  });

  it('makes one key, though the worker dies between the commit and the answer', async () => {
    const made = await world.call('ui.createKey', { label: 'Letters' }, POPUP, 'create 1');
    world.restart();
    const again = await world.call('ui.createKey', { label: 'Letters' }, POPUP, 'create 1');
    expect(again).to.deep.equal(made);
    await world.call('ui.createKey', { label: 'Letters' }, POPUP, 'create 2');
    expect(await world.surface('ui.keys', {})).to.have.length(3);
  });

  it('renames once: a later name stays', async () => {
    const key = await world.surface('ui.createKey', { label: 'Letters' });
    const rename = { ref: key.ref, label: 'Post', note: '', tone: '' };
    await world.call('ui.editKey', rename, POPUP, 'rename 1');
    await world.surface('ui.editKey', { ...rename, label: 'Mail' });
    world.restart();
    await world.call('ui.editKey', rename, POPUP, 'rename 1');
    const labels = (await world.surface('ui.keys', {})).map(({ label }) => label);
    expect(labels).to.include('Mail').and.not.include('Post');
  });

  it('creates one vault, though the worker dies at any point before the answer', async () => {
    const fresh = World.fresh();
    const create = () => fresh.call('ui.createVault', { passphrase: PASSPHRASE }, POPUP, 'new 1');
    await create();
    const stored = fresh.stored();
    fresh.restart();
    expect(await create()).to.deep.equal({});
    await fresh.surface('ui.lock', {});
    fresh.restart();
    expect(await create()).to.deep.equal({});
    expect(await fresh.surface('ui.state', {})).to.include({ vault: 'unlocked' });
    expect(fresh.stored()).to.equal(stored);
  });

  it('creates one vault, wherever in between the worker dies', async () => {
    for (let operations = 0; ; operations++) {
      const fresh = World.fresh();
      const parts = { passphrase: PASSPHRASE };
      const died = dieAfter(operations, [fresh.primary, fresh.copy, fresh.session]);
      const { answer } = fresh.begin('ui.createVault', parts, POPUP, 'new 1');
      const end = await Promise.race([answer.then(() => 'answered'), died.promise]);
      died.restore();
      fresh.restart();
      const again = fresh.call('ui.createVault', parts, POPUP, 'new 1');
      expect(await codeOf(again), `after ${operations} operations`).to.equal('ok');
      expect(await fresh.surface('ui.state', {})).to.include({ vault: 'unlocked' });
      if (end === 'answered') {
        expect(operations).to.be.greaterThan(20);
        return;
      }
    }
  });

  it('does not pass off another vault as the one it was to create', async () => {
    const again = (passphrase: string, id: string) =>
      codeOf(world.call('ui.createVault', { passphrase }, POPUP, id));
    await world.surface('ui.lock', {});
    expect(await again(PASSPHRASE, 'new 2')).to.equal('INVALID_ARGUMENT');
    expect(await again(`${PASSPHRASE}!`, 'new 3')).to.equal('INVALID_ARGUMENT');
    expect(await again(`${PASSPHRASE}!`, 'new 3')).to.equal('INVALID_ARGUMENT');
    expect(await world.surface('ui.state', {})).to.include({ vault: 'locked' });
  });

  it('answers one question once, with one new key and one grant', async () => {
    const requested = { purpose: 'Once', capabilities: ['seal'], key: { kind: 'sealing' } };
    world.begin('connect', requested, A, 'connect 1');
    await settled();
    const [promptId] = world.prompter.shown;
    const answer = { promptId: promptId!, allow: true, newKeyLabel: 'Letters' };
    // The grant is saved, and the worker dies before it can write down that the question is over.
    const set = sinon.stub(world.session, 'set').callThrough();
    set.withArgs('consent').returns(new Promise(() => undefined));
    world.begin('ui.answerPrompt', answer, POPUP, 'answer 1');
    while (!set.calledWith('consent')) await settled();
    set.restore();
    world.restart();
    await world.call('ui.answerPrompt', answer, POPUP, 'answer 1');
    expect(await world.call('grants', {})).to.have.length(1);
    expect(await world.surface('ui.keys', {})).to.have.length(2);
    expect(await world.call('connect', requested as never, A, 'connect 1')).to.have.length(1);
  });

  it('leaves no key behind where its grant cannot be saved', async () => {
    const requested = { purpose: 'Once', capabilities: ['seal'], key: { kind: 'sealing' } };
    world.begin('connect', requested, A, 'connect 1');
    await settled();
    const [promptId] = world.prompter.shown;
    const answer = { promptId: promptId!, allow: true, newKeyLabel: 'Letters' };
    const write = sinon.stub(world.copy, 'write');
    write.rejects(new DOMException('full', 'QuotaExceededError'));
    expect(await codeOf(world.call('ui.answerPrompt', answer, POPUP))).to.equal('INTERNAL');
    write.restore();
    expect(await world.surface('ui.keys', {})).to.have.length(1);
  });

  it('takes exactly the uses there are when many calls come at once', async () => {
    await world.connect({ maxUses: 5 });
    const calls = Array.from({ length: 12 }, (_, i) =>
      codeOf(world.call('seal', { plaintext: PLAINTEXT }, pageCaller({ documentId: `d${i % 3}` }))),
    );
    const codes = await Promise.all(calls);
    expect(codes.filter((code) => code === 'ok')).to.have.length(5);
    expect(codes.filter((code) => code === 'EXPIRED')).to.have.length(7);
  });
});

const DATA = new Uint8Array(32).fill(7);
const CTR = { name: 'AES-CTR', counter: DATA.subarray(16), length: 64, hazardous: true };
const HKDF = { name: 'HKDF', hash: 'SHA-256', salt: DATA, info: DATA };

/** Makes a session key under an id that does not change, and another key each time. */
type MakeKey = (world: World, version: number, keyId: string) => Promise<object>;

const named =
  (algorithm: { name: string; hash?: string }, usage: Usage): MakeKey =>
  (world, version, keyId) => {
    const length = algorithm.name === 'X25519' ? {} : { length: 128 * version };
    const params = { keyId, algorithm: { ...algorithm, ...length }, extractable: false };
    return world.call('subtle.importNamedKey', { ...params, usages: [usage] }, A, 'named');
  };
const secretKey: MakeKey = (world, version) => {
  const params = { format: 'raw', algorithm: { name: 'AES-GCM' }, extractable: true } as const;
  const keyData = new Uint8Array(16).fill(version);
  return world.call('subtle.importKey', { ...params, keyData, usages: ['encrypt'] }, A, 'other');
};
const publicKey: MakeKey = (world, version) => {
  const params = { format: 'raw', algorithm: { name: 'X25519' }, extractable: true } as const;
  const keyData = new Uint8Array(32).fill(8 + version);
  return world.call('subtle.importKey', { ...params, keyData, usages: [] }, A, 'other');
};

interface SubtleCase {
  readonly asks: Partial<ParamsOf<'connect'>>;
  readonly keys: Readonly<Record<string, MakeKey>>;
  readonly params: (handles: Readonly<Record<string, string>>) => object;
}
const app = (capability: Capability) => ({ capabilities: [capability] });

/** The counted methods of `subtle`, with all that they can name by a handle. */
const SUBTLE: readonly (readonly [MethodName, SubtleCase])[] = [
  [
    'subtle.encrypt',
    {
      asks: app('seal'),
      keys: { key: named({ name: 'AES-CBC' }, 'encrypt') },
      params: (keys) => ({
        algorithm: { name: 'AES-CBC', iv: DATA.subarray(16) },
        ...keys,
        data: DATA,
      }),
    },
  ],
  [
    'subtle.decrypt',
    {
      asks: app('open'),
      keys: { key: named(CTR, 'decrypt') },
      params: (keys) => ({ algorithm: CTR, ...keys, data: DATA }),
    },
  ],
  [
    'subtle.sign',
    {
      asks: app('mac'),
      keys: { key: named({ name: 'HMAC', hash: 'SHA-256' }, 'sign') },
      params: (keys) => ({ algorithm: { name: 'HMAC' }, ...keys, data: DATA }),
    },
  ],
  [
    'subtle.verify',
    {
      asks: app('mac'),
      keys: { key: named({ name: 'HMAC', hash: 'SHA-256' }, 'verify') },
      params: (keys) => ({ algorithm: { name: 'HMAC' }, ...keys, signature: DATA, data: DATA }),
    },
  ],
  [
    'subtle.deriveBits',
    {
      asks: app('mac'),
      keys: { baseKey: named({ name: 'HKDF' }, 'deriveBits') },
      params: (keys) => ({ algorithm: HKDF, ...keys, length: 256 }),
    },
  ],
  [
    'subtle.deriveBits',
    {
      asks: { key: { kind: 'jose' }, capabilities: ['openToken'] },
      keys: { public: publicKey, baseKey: named({ name: 'X25519' }, 'deriveBits') },
      params: ({ baseKey, public: key }) => ({
        algorithm: { name: 'X25519', public: { key } },
        baseKey,
        length: 256,
      }),
    },
  ],
  [
    'subtle.wrapKey',
    {
      asks: app('seal'),
      keys: { key: secretKey, wrappingKey: named({ name: 'AES-KW' }, 'wrapKey') },
      params: (keys) => ({ format: 'raw', ...keys, wrapAlgorithm: { name: 'AES-KW' } }),
    },
  ],
];

/** Options that a case does not name and that its row has. */
const MORE = { context: DATA, pad: true, portable: true, generation: 1, accept: 'shared' };

/** The same value, changed once in each place where it can change. */
function changed(value: unknown): unknown[] {
  if (value instanceof Uint8Array) {
    return [Uint8Array.from([...value, 1]), value.with(-1, value.at(-1)! ^ 1)];
  }
  if (typeof value === 'number') return [value + 8];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return [`${value}x`];
  const fields = Object.entries(value as object);
  return fields.flatMap(([name, field]) =>
    changed(field).map((other) => ({ ...(value as object), [name]: other })),
  );
}

/** What a page gets for it: "ok", or the name or code of an error. */
async function outcomeOf(world: World, method: string, params: object): Promise<string> {
  return world.begin(method, params, A, 'one id').answer.then(
    (result) => (result as { error?: { name: string } }).error?.name ?? 'ok',
    (error: unknown) => (error as { code: string }).code,
  );
}

describe('One request id pays for one call', function () {
  this.timeout(60_000);
  const counted = (Object.keys(METHODS) as MethodName[]).filter(
    (name) => METHODS[name].replay === 'counted' && METHODS[name].access === 'page',
  );

  it('of every counted method: each is in a table of this test', () => {
    const ofSubtle = new Set(SUBTLE.map(([method]) => method));
    expect(counted.filter((name) => name.startsWith('subtle.'))).to.have.members([...ofSubtle]);
  });

  for (const method of counted.filter((name) => !name.startsWith('subtle.'))) {
    it(`of ${method}, and none with other values`, async () => {
      const world = await World.unlocked();
      const { capability = [] } = METHODS[method] as Method;
      const capabilities = [capability].flat();
      const kind = { sign: 'signing', sync: 'sync' }[capabilities[0] as string] ?? 'sealing';
      const key = kind === 'sync' ? { kind, collections: ['notes'] } : { kind };
      const answer = { newKeyLabel: 'Once' };
      const [full] = await world.connect(
        {
          key,
          capabilities: kind === 'sealing' ? ['seal', 'open', 'mac', 'blindIndex'] : capabilities,
        } as never,
        A,
        answer,
      );
      const keyId = full!.keyId;
      const seals = kind === 'sealing';
      const sealed = seals ? await world.call('seal', { plaintext: DATA, key: keyId }) : DATA;
      await world.call('revoke', {});
      const ref = (await world.surface('ui.keys', {})).at(-1)!.ref;
      await world.connect({ key, capabilities, maxUses: 90 } as never, A, { ref });
      const params = CASES[method as 'seal']({ sealed, keyId, grantId: full!.id });
      const first = await outcomeOf(world, method, params);
      const left = await usesLeft(world);
      expect(left, first).to.be.below(90);
      const others = [
        ...(changed(params) as object[]),
        ...Object.entries(MORE).map(([name, value]) => ({ ...params, [name]: value })),
      ];
      for (const other of others) {
        const outcome = await outcomeOf(world, method, other);
        expect(outcome, JSON.stringify(other)).to.not.equal('ok');
        expect(await usesLeft(world)).to.equal(left);
      }
    });
  }

  for (const [method, { asks, keys, params }] of SUBTLE) {
    it(`of ${method}, and none with other values or keys: ${Object.keys(keys).join(' and ')}`, async () => {
      const world = await World.unlocked();
      const [grant] = await world.connect({ ...asks, maxUses: 90 }, A, { newKeyLabel: 'Once' });
      const make = async (name: string, version: number): Promise<string> => {
        const result = await keys[name]!(world, version, grant!.keyId);
        return (result as { value: { handle: string } }).value.handle;
      };
      const handles: Record<string, string> = {};
      for (const name of Object.keys(keys)) handles[name] = await make(name, 2);
      expect(await outcomeOf(world, method, params(handles))).to.equal('ok');
      const left = await usesLeft(world);
      expect(left).to.equal(89);
      expect(await outcomeOf(world, method, params(handles))).to.equal('ok');
      for (const other of changed(params(handles)) as object[]) {
        expect(await outcomeOf(world, method, other), JSON.stringify(other)).to.not.equal('ok');
      }
      for (const name of Object.keys(keys)) {
        await world.call('subtle.dropKeys', { keys: [handles[name]!] }, A);
        handles[name] = await make(name, 1);
        expect(await outcomeOf(world, method, params(handles)), name).to.equal('INVALID_ARGUMENT');
      }
      expect(await usesLeft(world)).to.equal(left);
    });
  }
});

/** The worker's end at its n-th operation on storage: neither that one nor any other comes back. */
function dieAfter(operations: number, stores: readonly object[]) {
  let count = 0;
  let die: (how: 'died') => void = () => undefined;
  const promise = new Promise<'died'>((resolve) => (die = resolve));
  const stubs: sinon.SinonStub[] = [];
  for (const store of stores as Record<string, (...args: unknown[]) => Promise<unknown>>[]) {
    for (const name of ['get', 'set', 'remove', 'write', 'keys'] as const) {
      const method = store[name]?.bind(store);
      if (!method) continue;
      const stub = sinon.stub(store, name).callsFake((...args: unknown[]) => {
        count += 1;
        if (count <= operations) return method(...args);
        die('died');
        return new Promise(() => undefined);
      });
      stubs.push(stub);
    }
  }
  return { promise, restore: () => stubs.forEach((stub) => stub.restore()) };
}
