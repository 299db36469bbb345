import { expect } from 'chai';
import { encryptingDecrypts } from '../../../src/crypto/subtle/table.ts';
import {
  CACHED_SHARDS_MAX,
  SessionKeyShards,
} from '../../../src/service/subtle/session-key-shards.ts';
import { DEFINITIONS } from '../../../src/subtle/algorithms/table.ts';
import { SESSION_KEY_LIMITS, SessionKeys } from '../../../src/service/subtle/session-keys.ts';
import type { WireKeyInfo } from '../../../src/rpc/methods/subtle-values.ts';
import { MemoryLocks } from '../../../extension/testing/memory.ts';
import { MemorySession } from '../../support/stores/memory-store.ts';
import { errorName, pageSubtle } from '../../support/page-subtle.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const GCM = { name: 'AES-GCM', length: 256 };
const IV = { name: 'AES-GCM', iv: new Uint8Array(12) };
const CBC = { name: 'AES-CBC', length: 256 };
const CBC_IV = { name: 'AES-CBC', iv: new Uint8Array(16) };
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const DATA = new Uint8Array(32);
const USAGES: ('encrypt' | 'decrypt')[] = ['encrypt', 'decrypt'];
const REQUEST = { extractable: true, usages: USAGES };

/** Each in a tab of its own. */
const document = (documentId: string, rest: object = {}) =>
  pageCaller({ documentId, tabId: hashOf(documentId), ...rest });
const hashOf = (text: string) =>
  Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 0);
const shards = (world: World) =>
  [...world.session.values.keys()].filter((name) => name.startsWith('subtle/keys/'));
const documentsWithKeys = (world: World) => [
  ...new Set(shards(world).map((name) => name.split('/').slice(2, -1).join('/'))),
];
const index = (world: World) =>
  Object.values(
    JSON.parse(world.session.values.get('subtle/documents')!) as Record<string, object>,
  );

/** The handles of what a method of `subtle` made: of a key, or of a pair. */
function handlesOf(result: object): string[] {
  const { value } = result as { value: WireKeyInfo | Record<string, WireKeyInfo> };
  const keys = 'handle' in value ? [value as WireKeyInfo] : Object.values(value);
  return keys.map(({ handle }) => handle);
}

/** A length that the algorithm takes. */
const ivBytes = (name: string): number =>
  ({ 'AES-CBC': 16, 'XChaCha20-Poly1305': 24, Salsa20: 8 })[name] ?? 12;
/** Whether eight bytes of both are equal from there on, or as many as there are. */
const sameText = (a: Uint8Array, b: Uint8Array, at: number): boolean =>
  Buffer.from(a.subarray(at, at + 8)).equals(Buffer.from(b.subarray(at, at + 8)));

function generated(subtle: SubtleCrypto): Promise<CryptoKey> {
  return subtle.generateKey(GCM, true, ['encrypt', 'decrypt']);
}

describe('The shards of session keys', () => {
  it('are remembered up to a number, whatever documents callers name', async () => {
    const session = new MemorySession();
    const shards = new SessionKeyShards(session);
    const origin = 'https://a.example';
    for (let i = 0; i < CACHED_SHARDS_MAX + 100; i++) {
      await shards.madeBy({ documentId: `1/0/made-up-${i}`, origin }, 'r-1');
    }
    expect(shards.cachedCount).to.equal(CACHED_SHARDS_MAX);
  });
});

describe('The session keys of a document', function () {
  this.timeout(30_000);
  let world: World;
  beforeEach(() => (world = World.fresh()));

  it('outlive the worker, and are nowhere on the disk', async () => {
    const subtle = pageSubtle(world);
    const key = await generated(subtle);
    const sealed = await subtle.encrypt(IV, key, DATA);
    const raw = Buffer.from(await subtle.exportKey('raw', key));
    world.restart();
    expect(await subtle.decrypt(IV, key, sealed)).to.deep.equal(DATA.buffer);
    const session = JSON.stringify([...world.session.values]);
    expect(session).to.include(raw.toString('base64url'));
    expect(world.stored()).to.not.include(raw.toString('base64url'));
    expect(world.stored()).to.not.include(raw.toString('hex'));
  });

  it('are made once, however often the request is repeated', async () => {
    const caller = pageCaller();
    const params = { algorithm: GCM, ...REQUEST, usages: ['encrypt' as const] };
    const ask = () => world.call('subtle.generateKey', params, caller, 'one');
    const first = await ask();
    const stored = JSON.stringify([...world.session.values]);
    expect(await ask()).to.deep.equal(first);
    world.restart();
    expect(await ask()).to.deep.equal(first);
    expect(JSON.stringify([...world.session.values])).to.equal(stored);
    expect(await world.call('subtle.generateKey', params, caller, 'two')).to.not.deep.equal(first);
  });

  it('are made once even if the worker died between index and keys', async () => {
    const params = { algorithm: GCM, ...REQUEST, usages: ['encrypt' as const] };
    const set = world.session.set.bind(world.session);
    world.session.set = (name, value) =>
      name.startsWith('subtle/keys/') ? Promise.reject(new Error('died')) : set(name, value);
    const dying = world.call('subtle.generateKey', params, pageCaller(), 'one');
    expect(await codeOf(dying)).to.equal('INTERNAL');
    world.session.set = set;
    world.restart();
    await world.call('subtle.generateKey', params, pageCaller(), 'one');
    expect(index(world)).to.have.length(1);
    expect(index(world)[0]).to.include({ keys: 1 });
  });

  it('are no one else’s: not of another document, and not of another origin in its place', async () => {
    const made = await world.call(
      'subtle.generateKey',
      { algorithm: GCM, ...REQUEST },
      document('a'),
    );
    const { handle } = (made as { value: { handle: string } }).value;
    const use = { algorithm: IV, key: handle, data: DATA } as const;
    for (const other of [document('b'), document('a', { origin: 'https://b.example' })]) {
      for (const [method, params] of [
        ['subtle.encrypt', use],
        ['subtle.exportKey', { format: 'raw', key: handle }],
      ] as const) {
        const result = (await world.call(method, params, other)) as object;
        expect(result).to.have.nested.property('error.name', 'InvalidAccessError');
      }
    }
    for (const forged of [
      '',
      '#',
      `${handle}9`,
      'toString#0',
      handle.replace('#0', '#1'),
      handle.slice(0, -1),
    ]) {
      if (forged === '') continue;
      const params = { ...use, key: forged };
      const result = (await world.call('subtle.encrypt', params, document('a'))) as object;
      expect(result, forged).to.have.nested.property('error.name', 'InvalidAccessError');
    }
    expect(await world.call('subtle.encrypt', use, document('a'))).to.have.property('value');
  });

  it(`are at most ${SESSION_KEY_LIMITS.keysPerOrigin} for an origin, in whichever documents`, async () => {
    const [one, two] = [pageSubtle(world, document('a')), pageSubtle(world, document('b'))];
    const { session, documents } = world;
    const { random } = world;
    const sessionKeys = new SessionKeys({ session, documents, random, locks: new MemoryLocks() });
    const info = { type: 'secret', extractable: true, usages: ['deriveBits'] } as const;
    const record = { ...info, algorithm: { name: 'HKDF' }, format: 'bytes', content: '' } as const;
    for (const [name, count] of [
      ['a', SESSION_KEY_LIMITS.keysPerOrigin - 3],
      ['b', 1],
    ] as const) {
      const maker = { caller: document(name), requestId: 'many-1' };
      await sessionKeys.keep(maker, Array<typeof record>(count).fill(record));
    }
    const kept = [await generated(two), await generated(one)] as const;
    for (const subtle of [one, two]) {
      expect(await errorName(generated(subtle))).to.equal('QuotaExceededError');
    }
    const elsewhere = pageSubtle(world, document('c', { origin: 'https://c.example' }));
    expect(await errorName(generated(elsewhere))).to.equal('none');
    world.documents.gone.add('b');
    expect(await errorName(generated(one))).to.equal('none');
    expect(await errorName(one.exportKey('raw', kept[1]))).to.equal('none');
    expect(await errorName(two.exportKey('raw', kept[0]))).to.equal('InvalidAccessError');
  });

  it('have 1 MiB for an origin, 4 MiB for all beyond their shares, and a share for each site', async () => {
    const secret = new Uint8Array(600 * 1024);
    const add = (subtle: SubtleCrypto) =>
      errorName(subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']));
    const outcomes: string[] = [];
    for (let i = 0; i < 8; i++) {
      const origin = `https://site-${i}.example`;
      outcomes.push(await add(pageSubtle(world, document(`d${i}`, { origin }))));
    }
    // 800 KiB each in base64url.
    expect(outcomes.indexOf('QuotaExceededError')).to.equal(5);
    const other = pageSubtle(world, document('d0', { origin: 'https://site-0.example' }));
    expect(await add(other)).to.equal('QuotaExceededError');
    const addSome = (origin: string, kib: number) => {
      const subtle = pageSubtle(world, document(origin, { origin }));
      const some = new Uint8Array(kib * 1024);
      return errorName(subtle.importKey('raw', some, 'HKDF', false, ['deriveBits']));
    };
    expect(await addSome('https://rest.example', 330), 'nearly all that is left').to.equal('none');
    expect(await addSome('https://one.late.example', 40)).to.equal('none');
    expect(await addSome('https://two.late.example', 40)).to.equal('QuotaExceededError');
    expect(await addSome('https://later.example', 40)).to.equal('none');
  });

  it('ask no other document when the document alone has too much', async () => {
    const origin = 'https://site.example';
    const subtle = pageSubtle(world, document('full', { origin }));
    await generated(pageSubtle(world, document('other', { origin })));
    await generated(subtle);
    world.documents.asked.length = 0;
    const secret = new Uint8Array(SESSION_KEY_LIMITS.bytesPerOrigin);
    const adding = subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
    expect(await errorName(adding)).to.equal('QuotaExceededError');
    expect(world.documents.asked).to.deep.equal([]);
  });

  it('go with their document, when another one makes its first key', async () => {
    await generated(pageSubtle(world, document('a')));
    await generated(pageSubtle(world, document('b')));
    world.documents.gone.add('a');
    const third = pageSubtle(world, document('c'));
    await generated(third);
    expect(documentsWithKeys(world)).to.have.members(['b', 'c']);
    world.documents.asked.length = 0;
    await generated(third);
    expect(world.documents.asked).to.deep.equal([]);
  });

  it('go when another document makes its first key in the same frame, without a question to the frame', async () => {
    const place = { tabId: 7, frameId: 0 };
    await generated(pageSubtle(world, document('before', place)));
    await generated(pageSubtle(world, document('after', place)));
    expect(documentsWithKeys(world)).to.deep.equal(['after']);
    expect(world.documents.asked).to.deep.equal([]);
  });

  it('are of one document also where the browser names none', async () => {
    // As runtime-channel-caller.ts calls a frame; a content script's ids share their beginning.
    const caller = pageCaller({ documentId: '7/0', tabId: 7 });
    const make = (id: string) =>
      world.call('subtle.generateKey', { algorithm: GCM, ...REQUEST }, caller, id);
    const use = async (handle: string) =>
      world.call('subtle.exportKey', { format: 'raw', key: handle }, caller, 'any-1');
    const [first] = handlesOf(await make('first-1'));
    await make('first-2');
    expect(await use(first!)).to.have.property('value');
    const [second] = handlesOf(await make('second-1'));
    expect(await use(first!)).to.have.nested.property('error.name', 'InvalidAccessError');
    expect(await use(second!)).to.have.property('value');
    expect(index(world)).to.have.length(1);
  });

  it('are written a few at a time', async () => {
    const subtle = pageSubtle(world);
    for (let i = 0; i < 160; i++) await generated(subtle);
    expect(shards(world)).to.have.length(16);
    const writes: number[] = [];
    const set = world.session.set.bind(world.session);
    world.session.set = (name, value) => {
      writes.push(JSON.stringify(value).length);
      return set(name, value);
    };
    await generated(subtle);
    expect(writes).to.have.length(2);
    expect(Math.max(...writes)).to.be.below(5_000);
  });

  it('are removed when the page drops them, a pair one by one', async () => {
    const caller = pageCaller();
    const drop = (...keys: string[]) => world.call('subtle.dropKeys', { keys }, caller);
    const make = (algorithm: { name: string }, usages: ('sign' | 'verify')[], id: string) =>
      world.call('subtle.generateKey', { algorithm, extractable: true, usages }, caller, id);
    const [one] = handlesOf(await make(HMAC, ['sign'], 'one-1'));
    const pair = handlesOf(await make({ name: 'Ed25519' }, ['sign', 'verify'], 'pair-2'));
    const handles = [one!, ...pair];
    const outcome = async (key: string) => {
      const format = key === one ? 'raw' : 'jwk';
      const result = await world.call('subtle.exportKey', { format, key }, caller);
      return 'value' in result ? 'there' : 'gone';
    };
    const outcomes = () => Promise.all(handles.map(outcome));
    const another = pair[0]!.replace('#0', '#7');
    await drop(pair[0]!, another, 'pair-2#1', 'nobodys-1#0', 'nonsense', 'toString#0');
    expect(await outcomes()).to.deep.equal(['there', 'gone', 'there']);
    expect(index(world)[0]).to.include({ keys: 2 });
    await drop(pair[1]!);
    expect(await outcomes()).to.deep.equal(['there', 'gone', 'gone']);
    world.restart();
    expect(await outcomes()).to.deep.equal(['there', 'gone', 'gone']);
    await drop(one!);
    expect(shards(world)).to.deep.equal([]);
    expect(index(world)[0]).to.include({ keys: 0, bytes: 0 });
  });

  it('are removed by their own document only', async () => {
    const params = { algorithm: GCM, ...REQUEST };
    const made = await world.call('subtle.generateKey', params, document('a'), 'one-1');
    const [key] = handlesOf(made);
    await world.call('subtle.dropKeys', { keys: [key!] }, document('b'));
    const use = { format: 'raw', key: key! } as const;
    expect(await world.call('subtle.exportKey', use, document('a'))).to.have.property('value');
  });

  it('never come back under a handle of keys that were dropped', async () => {
    const caller = pageCaller();
    const make = () =>
      world.call('subtle.generateKey', { algorithm: GCM, ...REQUEST }, caller, 'one-1');
    const [first] = handlesOf(await make());
    await world.call('subtle.dropKeys', { keys: [first!] }, caller);
    const [second] = handlesOf(await make());
    const use = async (key: string) =>
      world.call('subtle.exportKey', { format: 'raw', key }, caller);
    expect(await use(first!)).to.have.nested.property('error.name', 'InvalidAccessError');
    expect(await use(second!)).to.have.property('value');
  });

  it('are not what another method under the id of their request is answered with', async () => {
    const caller = pageCaller();
    await world.call('subtle.generateKey', { algorithm: GCM, ...REQUEST }, caller, 'one-1');
    const pair = { algorithm: { name: 'ML-KEM-768' }, extractable: true };
    const usages = ['encapsulateKey' as const, 'decapsulateKey' as const];
    const [publicKey] = handlesOf(
      await world.call('subtle.generateKey', { ...pair, usages }, caller),
    );
    const params = { algorithm: { name: 'ML-KEM-768' }, key: publicKey!, sharedKeyAlgorithm: GCM };
    const call = world.call('subtle.encapsulateKey', { ...params, ...REQUEST }, caller, 'one-1');
    expect(await codeOf(call)).to.equal('INVALID_ARGUMENT');
  });
});

describe('A key of the user in subtle', function () {
  this.timeout(30_000);
  let world: World;
  let subtle: SubtleCrypto;
  const named = (keyId: string, algorithm: object = GCM, usages: KeyUsage[] = ['encrypt']) =>
    subtle.importKey('sealwright' as 'raw', keyId as never, algorithm as never, false, usages);

  beforeEach(async () => {
    world = await World.unlocked();
    subtle = pageSubtle(world);
  });

  async function granted(requested = {}): Promise<string> {
    return (await world.connect(requested))[0]!.keyId;
  }

  it('encrypts under its grant, and is the same in every document and after a restart', async () => {
    const keyId = await granted();
    const key = await named(keyId, GCM, ['encrypt', 'decrypt']);
    expect(key).to.deep.include({ type: 'secret', extractable: false });
    expect(key.algorithm).to.deep.equal(GCM);
    const sealed = await subtle.encrypt(IV, key, DATA);
    world.restart();
    subtle = pageSubtle(world, document('another'));
    const again = await named(keyId, GCM, ['decrypt']);
    expect(await subtle.decrypt(IV, again, sealed)).to.deep.equal(DATA.buffer);
    expect(JSON.stringify([...world.session.values])).to.not.match(/content/);
  });

  it('has bytes of its own for each algorithm, length and origin', async () => {
    const keyId = await granted();
    const ocb = { name: 'AES-OCB', length: 256 };
    const keys = [
      await named(keyId),
      await named(keyId, ocb),
      await named(keyId, { ...GCM, length: 128 }),
    ];
    const block = new Uint8Array(16);
    const sealed = [
      await subtle.encrypt(IV, keys[0]!, block),
      await subtle.encrypt({ ...IV, name: 'AES-OCB' }, keys[1]!, block),
      await subtle.encrypt(IV, keys[2]!, block),
    ];
    expect(new Set(sealed.map((one) => Buffer.from(one).toString('hex'))).size).to.equal(3);
  });

  it('authenticates and derives under the permission for MACs, by hash', async () => {
    const keyId = await granted({ capabilities: ['mac'] });
    const tags = ['SHA-256', 'SHA-512'].map(async (hash) => {
      const key = await named(keyId, { ...HMAC, hash }, ['sign', 'verify']);
      const tag = await subtle.sign('HMAC', key, DATA);
      expect(await subtle.verify('HMAC', key, tag, DATA)).to.equal(true);
      return Buffer.from(tag).subarray(0, 32).toString('hex');
    });
    const base = await named(keyId, { name: 'HKDF' }, ['deriveBits', 'deriveKey']);
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: DATA, info: DATA };
    const bits = Buffer.from(await subtle.deriveBits(hkdf, base, 256)).toString('hex');
    const type = { name: 'HMAC', hash: 'SHA-256', length: 256 };
    const derived = await subtle.deriveKey(hkdf, base, type, true, ['sign']);
    expect(Buffer.from(await subtle.exportKey('raw', derived)).toString('hex')).to.equal(bits);
    expect(new Set([...(await Promise.all(tags)), bits]).size).to.equal(3);
  });

  it('is never extractable, and only for what the grant covers', async () => {
    const keyId = await granted({ capabilities: ['seal'] });
    const key = await named(keyId, CBC);
    const fails = async (work: Promise<unknown>, name: string) =>
      expect(await errorName(work)).to.equal(name);
    await fails(subtle.exportKey('raw', key), 'InvalidAccessError');
    const wrapper = await subtle.generateKey({ name: 'AES-KW', length: 256 }, false, ['wrapKey']);
    await fails(subtle.wrapKey('raw', key, wrapper, 'AES-KW'), 'InvalidAccessError');
    await fails(named(keyId, CBC, ['decrypt']), 'InvalidAccessError');
    await fails(named('unknown'), 'InvalidAccessError');
    await fails(named(keyId, GCM, []), 'SyntaxError');
    await fails(named(keyId, GCM, ['sign']), 'SyntaxError');
    await fails(named(keyId, HMAC, ['sign']), 'InvalidAccessError');
    await fails(named(keyId, { name: 'AES-GCM', length: 100 }), 'OperationError');
    await fails(named(keyId, { ...CBC, generation: 2 }), 'none');
    const second = await named(keyId, { ...CBC, generation: 2 });
    await fails(subtle.encrypt(CBC_IV, second, DATA), 'OperationError');
    await fails(
      subtle.importKey('sealwright' as 'raw', keyId as never, GCM, true, ['encrypt']),
      'SyntaxError',
    );
    await fails(subtle.decrypt(CBC_IV, key, DATA), 'InvalidAccessError');
  });

  it('encrypts under the permission to seal alone exactly where that decrypts nothing', async () => {
    const keyId = await granted();
    const sealOnly = await World.unlocked();
    const [grant] = await sealOnly.connect({ capabilities: ['seal'] });
    const restricted = pageSubtle(sealOnly);
    const bits: Record<string, number> = { 'AES-SIV': 512 };
    // Two blocks and a half: in OCB the end of a message is enciphered in another way.
    const [block, text] = [new Uint8Array(16), new TextEncoder().encode('a'.repeat(40))];
    let tried = 0;
    for (const { name, encrypt, importKey } of DEFINITIONS) {
      if (!encrypt || !importKey || name.startsWith('RSA')) continue;
      const algorithm = { name, length: bits[name] ?? 256, hazardous: true };
      const iv = new Uint8Array(ivBytes(name));
      const counter = name === 'AES-CTR' ? block : 0;
      const nonce = name === 'AES-SIV' ? {} : { iv, nonce: iv };
      const params = { ...algorithm, ...nonce, counter, length: 64 };
      const key = await named(keyId, algorithm, ['encrypt']);
      const whole = name === 'AES-ECB' ? text.subarray(0, 32) : text;
      const once = new Uint8Array(await subtle.encrypt(params, key, whole)).slice(0, whole.length);
      const twice = new Uint8Array(await subtle.encrypt(params, key, once)).slice(0, whole.length);
      const recovers = twice.some((_, i) => i % 8 === 0 && sameText(twice, whole, i));
      expect(encryptingDecrypts(name), name).to.equal(recovers);
      const sealing = restricted.importKey(
        ...(['sealwright' as 'raw', grant!.keyId as never, algorithm, false, ['encrypt']] as const),
      );
      const error = await sealing.then(
        () => undefined,
        (reason: unknown) => reason as Error,
      );
      expect(error?.name, name).to.equal(recovers ? 'InvalidAccessError' : undefined);
      if (recovers) expect(error!.message).to.match(/seal and open/);
      tried++;
    }
    expect(tried).to.be.at.least(11);
  });

  it('is in the log with each use', async () => {
    const key = await named(await granted(), GCM, ['encrypt', 'decrypt']);
    await subtle.encrypt(IV, key, DATA);
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 100 });
    const uses = entries.filter(({ operation }) => operation === 'subtle.encrypt');
    expect(uses).to.have.length(1);
    expect(uses[0]).to.include({ origin: pageCaller().origin, result: 'ok', uses: 1 });
  });

  it('needs open for its next use when only seal is left, and wraps no key either', async () => {
    const keyId = await granted();
    const key = await named(keyId, GCM, ['encrypt', 'wrapKey']);
    const session = await generated(subtle);
    expect(await errorName(subtle.wrapKey('raw', session, key, IV))).to.equal('none');
    await world.call('revoke', {});
    await granted({ capabilities: ['seal'] });
    for (const use of [
      subtle.encrypt(IV, key, DATA),
      subtle.wrapKey('raw', session, key, IV),
      named(keyId, GCM, ['wrapKey']),
    ]) {
      expect(await errorName(use)).to.equal('InvalidAccessError');
    }
  });

  it('takes one use each time, once for each request, and none without a grant or while locked', async () => {
    const keyId = await granted({ capabilities: ['seal'], maxUses: 3 });
    const made = await world.call('subtle.importNamedKey', {
      keyId,
      algorithm: CBC,
      extractable: false,
      usages: ['encrypt'],
    });
    const { handle } = (made as { value: { handle: string } }).value;
    const params = { algorithm: CBC_IV, key: handle, data: DATA };
    const use = (id?: string) => world.call('subtle.encrypt', params, pageCaller(), id);
    const usesLeft = async () => (await world.call('grants', {}))[0]?.usesLeft;
    await use('same');
    await use('same');
    expect(await usesLeft()).to.equal(2);
    await use();
    await use();
    expect(await codeOf(use())).to.equal('EXPIRED');
    await granted({ capabilities: ['seal'] });
    expect(await codeOf(use())).to.equal('ok');
    await world.surface('ui.lock', {});
    expect(await codeOf(use())).to.equal('LOCKED');
    await world.surface('ui.unlock', { passphrase: 'correct horse battery staple' });
    await world.call('revoke', {});
    expect(await codeOf(use())).to.equal('NOT_GRANTED');
  });
});
