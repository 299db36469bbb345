import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { createTestSealwright } from '../../../extension/testing/testing.ts';
import type {
  TestAnswers,
  TestPrompt,
  TestSealwright,
} from '../../../extension/testing/testing.ts';
import { connectSealwright } from '../../../src/client/connect.ts';
import type { Capability, Sealwright } from '../../../src/client/page-api.ts';
import { watchSealwright } from '../../../src/client/watch.ts';
import { codeOf } from '../../support/outcomes.ts';

const capabilities: readonly Capability[] = ['seal', 'open'];
const REQUEST = { purpose: 'Keep notes private', capabilities };

/** Milliseconds: a process that a timer holds would be ended by it. It is no measure of speed. */
const KILLED_AFTER_MS = 60_000;

/** Runs `node --test` over a file that connects and seals: with a client's ping timers under way. */
async function tested(end: string, begin = ''): Promise<{ code: number | null; errors: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-testing-'));
  const file = join(folder, 'app.test.mjs');
  const testing = pathToFileURL(resolve('extension/testing/testing.ts')).href;
  writeFileSync(
    file,
    `import { test as named } from 'node:test';
    ${begin}
    const { createTestSealwright } = await import(${JSON.stringify(testing)});
    named('an app', async () => {
      const test = await createTestSealwright();
      await test.sealwright.connect(${JSON.stringify(REQUEST)});
      await test.sealwright.seal('text');
      ${end}
      // Work of the next tasks may be under way; a timer of seconds outlasts a hundred of them.
      const isHeld = () => process.getActiveResourcesInfo().includes('Timeout');
      for (let i = 0; i < 100 && isHeld(); i++) await new Promise((done) => setTimeout(done, 1));
      if (isHeld()) throw new Error('a timer holds the process');
    });`,
  );
  const node = spawn(process.execPath, ['--import=tsx', '--test', file], {
    timeout: KILLED_AFTER_MS,
    stdio: 'pipe',
  });
  let errors = '';
  for (const stream of [node.stdout, node.stderr]) {
    stream.on('data', (bytes) => (errors += String(bytes)));
  }
  const [code] = (await once(node, 'close')) as [number | null];
  rmSync(folder, { recursive: true });
  return { code, errors };
}

function heard(sealwright: Sealwright, name: string): Promise<Event> {
  return new Promise((resolve) => sealwright.addEventListener(name, resolve, { once: true }));
}

describe('sealwright/testing', () => {
  let test: TestSealwright;
  let sealwright: Sealwright;

  beforeEach(async () => {
    test = await createTestSealwright();
    ({ sealwright } = test);
  });

  describe('seals and opens as the extension does', () => {
    for (const length of [0, 1, 65_535, 65_536, 3_000_000]) {
      it(`${length} bytes, which stay the caller's`, async () => {
        await sealwright.connect(REQUEST);
        const plaintext = new Uint8Array(length).fill(7);
        const sealed = await sealwright.seal(plaintext, { context: 'a note' });
        expect(sealed).to.have.length(sealwright.sealedLength(length));
        const opened = await sealwright.open(sealed, { context: 'a note' });
        expect(Buffer.compare(opened, plaintext)).to.equal(0);
        expect(await codeOf(sealwright.open(sealed, { context: 'b' }))).to.equal('AUTH_FAILED');
      });
    }

    it('text, batches, Blobs and streams', async () => {
      await sealwright.connect(REQUEST);
      expect(await sealwright.openText(await sealwright.sealText('grüezi'))).to.equal('grüezi');
      const results = await sealwright.sealMany(['a', 'b']);
      expect(results.map(({ ok }) => ok)).to.deep.equal([true, true]);
      const blob = await sealwright.sealBlob(new Blob(['x'.repeat(200_000)]));
      expect((await (await sealwright.openBlob(blob)).text()).length).to.equal(200_000);
      const pieces = new Blob(['y'.repeat(150_000)]).stream();
      const stream = pieces
        .pipeThrough(sealwright.sealStream())
        .pipeThrough(sealwright.openStream());
      expect((await new Response(stream).text()).length).to.equal(150_000);
    });

    it('MACs, signatures, sync records and keys of subtle', async () => {
      const [mac] = await sealwright.connect({ ...REQUEST, capabilities: ['mac'] });
      const data = Uint8Array.of(1, 2, 3);
      const tag = await sealwright.mac(data, { key: mac!.keyId });
      expect(await sealwright.verifyMac(data, tag)).to.equal(true);
      const signing = { ...REQUEST, key: { kind: 'signing' }, capabilities: ['sign'] } as const;
      const key = (await sealwright.connect(signing))[0]!.keyId;
      const signature = await sealwright.sign(data, { key });
      expect(await sealwright.verify(data, signature, { key })).to.equal(true);
      const notes = { kind: 'sync', collections: ['notes'] } as const;
      await sealwright.connect({ ...REQUEST, key: notes, capabilities: ['sync'] });
      const record = { id: 'abc', payload: { text: 'hello' } };
      const [sealed] = await sealwright.sync.encryptRecords('notes', [record]);
      if (!sealed?.ok) throw sealed!.error;
      const [opened] = await sealwright.sync.decryptRecords('notes', [sealed.value]);
      expect(opened).to.deep.include({ ok: true, value: record });
      const algorithm = { name: 'AES-GCM', length: 256 };
      const session = await sealwright.subtle.generateKey(algorithm, false, ['encrypt']);
      expect(session).to.include({ type: 'secret', extractable: false });
    });

    it('for one site: what another one sealed does not open', async () => {
      const other = test.pageOf('https://other.example');
      await sealwright.connect(REQUEST);
      await other.connect(REQUEST);
      const sealed = await sealwright.seal('text');
      expect(await codeOf(other.open(sealed))).to.equal('NEEDS_KEY');
    });
  });

  describe('refuses as the extension does', () => {
    it('calls without a grant, wrong arguments, and too large ones', async () => {
      expect(await codeOf(sealwright.seal('text'))).to.equal('NOT_GRANTED');
      expect(await codeOf(sealwright.seal(7 as never))).to.equal('INVALID_ARGUMENT');
      expect(await codeOf(sealwright.random(2 ** 21))).to.equal('TOO_LARGE');
    });

    it('origins that it would not serve, and options that are none', async () => {
      for (const options of [
        { origin: 'http://app.example' },
        { origin: 'null' },
        { user: 1 },
        { state: 'none' },
      ]) {
        const error = await createTestSealwright(options).catch((reason: unknown) => reason);
        expect(error, JSON.stringify(options)).to.be.instanceOf(TypeError);
      }
      expect(() => test.pageOf('file://')).to.throw(TypeError);
      const local = await createTestSealwright({ origin: 'http://localhost:5173' });
      await local.sealwright.connect(REQUEST);
      expect(local.user.prompts[0]!.origin).to.equal('http://localhost:5173');
    });
  });

  describe('has a user by script, who', () => {
    it('sees what the app asks', async () => {
      await sealwright.connect({ ...REQUEST, maxUses: 3 });
      const [prompt] = test.user.prompts as [TestPrompt];
      expect(prompt).to.deep.include({ ...REQUEST, origin: 'https://app.example', maxUses: 3 });
      expect(prompt.key).to.equal('app');
    });

    for (const answers of ['deny', 'close'] as const) {
      it(`can ${answers} a prompt`, async () => {
        test.user.answers(answers);
        expect(await codeOf(sealwright.connect(REQUEST))).to.equal('USER_REJECTED');
      });
    }

    it('can narrow what the app asks for', async () => {
      test.user.answers(() => ({ allow: true, maxUses: 1 }));
      const [grant] = await sealwright.connect(REQUEST);
      expect(grant!.usesLeft).to.equal(1);
      await sealwright.seal('text');
      expect(await codeOf(sealwright.seal('text'))).to.equal('EXPIRED');
    });

    it('can limit what the app opens in an hour, also where it asks for more once', async () => {
      test.user.answers(() => ({ allow: true, maxPerHour: 1 }));
      await sealwright.connect({ ...REQUEST, maxPerHour: 9, bulk: { records: 2 } });
      const [prompt] = test.user.prompts as [TestPrompt];
      expect(prompt).to.deep.include({ maxPerHour: 9, bulk: { records: 2 } });
      const sealed = await sealwright.seal('text');
      for (let i = 0; i < 3; i++) await sealwright.open(sealed);
      expect(await codeOf(sealwright.open(sealed))).to.equal('QUOTA');
    });

    it('is asked after a decoy was opened, and lets the app go on', async () => {
      await sealwright.connect(REQUEST);
      const [note, decoy] = [
        await sealwright.seal('text'),
        await sealwright.seal('lure', { decoy: true }),
      ];
      expect(await codeOf(sealwright.open(decoy))).to.equal('FROZEN');
      expect(await codeOf(sealwright.open(note))).to.equal('FROZEN');
      await test.user.letGoOn();
      expect(await sealwright.open(note)).to.have.length(4);
    });

    it('picks a key, or makes one', async () => {
      const asked = { ...REQUEST, key: { kind: 'sealing', label: 'Diary' } } as const;
      test.user.answers(() => ({ allow: true, newKeyLabel: 'Mine' }));
      const [first] = await sealwright.connect(asked);
      expect((await sealwright.keys()).map(({ label }) => label)).to.include('Mine');
      test.user.answers(({ keys }) => ({ allow: true, ref: keys[0]!.ref }));
      const [second] = await test.pageOf('https://other.example').connect(asked);
      expect(second!.keyId).to.not.equal(first!.keyId);
      expect(test.user.prompts[1]!.keys.map(({ label }) => label)).to.deep.equal(['Mine']);
    });

    it('ends the wait of connect() where the test’s own function throws', async () => {
      const thrown = new Error('of the test');
      const unhandled = new Promise((resolve) => process.once('unhandledRejection', resolve));
      const mochas = process.listeners('unhandledRejection').slice(0, -1);
      for (const each of mochas) process.off('unhandledRejection', each);
      try {
        test.user.answers(() => {
          throw thrown;
        });
        expect(await codeOf(sealwright.connect(REQUEST))).to.equal('USER_REJECTED');
        expect(await unhandled).to.equal(thrown);
      } finally {
        for (const each of mochas) process.on('unhandledRejection', each);
      }
    });

    it('locks, unlocks and revokes, and the page gets the events', async () => {
      await sealwright.connect(REQUEST);
      const locked = heard(sealwright, 'lock');
      await test.user.lock();
      await locked;
      expect(await codeOf(sealwright.seal('text'))).to.equal('LOCKED');
      const unlocked = heard(sealwright, 'unlock');
      await test.user.unlock();
      await unlocked;
      await sealwright.seal('text');
      const changed = heard(sealwright, 'grantchange');
      await test.user.revoke();
      await changed;
      expect(await codeOf(sealwright.seal('text'))).to.equal('NOT_GRANTED');
    });

    it('lets an app open what it sealed at its old address', async () => {
      const old = test.pageOf('https://old.example');
      await old.connect(REQUEST);
      const sealed = await old.seal('text');
      await sealwright.connect(REQUEST);
      expect(await codeOf(sealwright.open(sealed))).to.equal('NEEDS_KEY');
      expect(await codeOf(test.user.moveDataFrom('https://never.example'))).to.equal(
        'INVALID_ARGUMENT',
      );
      const changed = heard(sealwright, 'grantchange');
      await test.user.moveDataFrom('https://old.example');
      await changed;
      expect(Buffer.from(await sealwright.open(sealed)).toString()).to.equal('text');
    });

    it('unlocks in the prompt of an app that asks while the vault is locked', async () => {
      await test.user.lock();
      const key = { kind: 'sealing' } as const;
      await sealwright.connect({ ...REQUEST, key });
      expect((await sealwright.status()).locked).to.equal(false);
    });
  });

  describe('has a browser by script, which', () => {
    it('ends the background: keys, grants and calls survive it', async () => {
      await sealwright.connect(REQUEST);
      const sealed = await sealwright.seal('text');
      const opening = sealwright.open(sealed);
      test.restartBackground();
      expect(Buffer.from(await opening).toString()).to.equal('text');
      expect((await sealwright.grants()).length).to.equal(1);
    });

    it('removes the extension and brings it back', async () => {
      await sealwright.connect(REQUEST);
      const gone = heard(sealwright, 'disconnect');
      test.disconnect();
      await gone;
      expect(await codeOf(sealwright.seal('text'))).to.equal('DISCONNECTED');
      const back = heard(sealwright, 'reconnect');
      test.reconnect();
      await back;
      await sealwright.seal('text');
    });
  });

  describe('stands where the client looks for it', () => {
    it('until it is taken away', async () => {
      const target = new EventTarget();
      const remove = test.install(target);
      expect(target).to.have.property('sealwright', sealwright);
      expect((await connectSealwright(REQUEST, { target })).sealwright).to.equal(sealwright);
      remove();
      expect(target).to.not.have.property('sealwright');
      expect(await codeOf(connectSealwright(REQUEST, { target, waitMs: 1 }))).to.equal('ABSENT');
    });

    it('with the states that an app shows', async () => {
      const target = new EventTarget();
      const watch = watchSealwright({ target, waitMs: Infinity, capabilities });
      const states: string[] = [];
      const until = (name: string) =>
        new Promise<void>((resolve) => {
          const look = () => {
            if (watch.state.name === name) resolve();
          };
          watch.subscribe(look);
          look();
        });
      watch.subscribe(({ name }) => states.push(name));
      test.install(target);
      await sealwright.connect(REQUEST);
      await until('ready');
      await test.user.lock();
      await until('locked');
      watch.stop();
      expect(states).to.include.members(['ready', 'locked']);
    });

    it('on the global object of Node, which has no events until then', async () => {
      const remove = test.install();
      expect((globalThis as { sealwright?: unknown }).sealwright).to.equal(sealwright);
      expect((await connectSealwright(REQUEST)).sealwright).to.equal(sealwright);
      remove();
      expect(globalThis).to.not.have.any.keys('sealwright', 'addEventListener', 'dispatchEvent');
    });
  });

  it('takes every way to answer', async () => {
    const ways: readonly TestAnswers[] = [
      'allow',
      () => 'allow',
      () => Promise.resolve({ allow: true }),
    ];
    for (const answers of ways) {
      const { sealwright: each } = await createTestSealwright({ answers });
      expect(await each.connect(REQUEST)).to.have.length(1);
    }
  });
});

describe('sealwright/testing, with heads,', () => {
  it('tells two devices what a server leaves out or rolls back', async () => {
    const request = {
      ...REQUEST,
      key: { kind: 'sync', label: 'Notes', collections: ['notes'] },
      capabilities: ['sync'],
    } as const;
    const here = await createTestSealwright();
    await here.sealwright.connect(request);
    const there = await createTestSealwright({ state: here.state() });
    await there.sealwright.connect(request);
    const [one, two] = [here.sealwright.sync, there.sealwright.sync];
    const sealed = async (generation: number) => {
      const [result] = await one.encryptRecords('notes', [{ id: 'a', payload: {}, generation }]);
      if (!result?.ok) throw result!.error;
      return { id: 'a', payload: result.value.payload };
    };
    const [older, newer] = [await sealed(1), await sealed(2)];
    const first = await one.checkpoint('notes', [older]);
    const old = [first.head, ...first.chunks];
    const quiet = { ok: true, missing: [], rolledBack: [], forked: false, unconfirmed: 0 };
    expect(await two.verify('notes', [older], old)).to.deep.include(quiet);
    const { head, chunks } = await one.checkpoint('notes', [newer]);
    const heads = [head, ...chunks];
    expect(await two.verify('notes', [newer], heads)).to.deep.include(quiet);
    const rolledBack = await two.verify('notes', [older], heads);
    expect(rolledBack).to.deep.include({ ok: false, rolledBack: ['a'] });
    expect(await two.verify('notes', [], heads)).to.include({ ok: false, missingCount: 1 });
    expect(await one.verify('notes', [], heads)).to.deep.include({ missing: ['a'] });
    const all = await two.verify('notes', [older], old);
    expect(all, 'all as it was before').to.deep.include({ ok: false, rolledBack: [head.id] });
    // What a device has seen stays with it.
    const later = await createTestSealwright({ state: there.state() });
    await later.sealwright.connect(request);
    const again = await later.sealwright.sync.verify('notes', [older], old);
    expect(again).to.deep.include({ ok: false, rolledBack: [head.id] });
  });
});

describe('sealwright/testing, for the runners of tests,', () => {
  let test: TestSealwright;
  let sealwright: Sealwright;

  beforeEach(async () => {
    test = await createTestSealwright();
    ({ sealwright } = test);
  });

  describe('answers an app that asks again while the vault is locked', () => {
    it('for what is granted already, with one prompt and no error after it', async () => {
      const [first] = await sealwright.connect(REQUEST);
      await test.user.lock();
      // An error of the script that answers is no call's, and ends a process of Node.
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', note);
      try {
        const [again] = await sealwright.connect(REQUEST);
        expect(again!.id).to.equal(first!.id);
        expect(test.user.prompts).to.have.length(2);
        await test.user.lock();
        await test.user.unlock();
      } finally {
        process.off('unhandledRejection', note);
      }
      expect(unhandled).to.deep.equal([]);
    });

    it('and gives its request up while the user thinks', async () => {
      const abort = new AbortController();
      test.user.answers(() => {
        abort.abort();
        return 'allow';
      });
      const error = await sealwright
        .connect(REQUEST, { signal: abort.signal })
        .catch((reason: unknown) => reason);
      expect(error).to.have.property('name', 'AbortError');
      test.user.answers('allow');
      await sealwright.connect(REQUEST);
    });
  });

  describe('ends', () => {
    it('by close(): pages get `disconnect`, calls reject, and what was installed is gone', async () => {
      const target = new EventTarget();
      test.install(target);
      await sealwright.connect(REQUEST);
      const gone = heard(sealwright, 'disconnect');
      test.close();
      await gone;
      expect(target).to.not.have.property('sealwright');
      expect(await codeOf(sealwright.seal('text'))).to.equal('DISCONNECTED');
      test.close();
    });

    it('with the scope that made it', async () => {
      const target = new EventTarget();
      test.install(target);
      await test[Symbol.asyncDispose]();
      expect(target).to.not.have.property('sealwright');
    });

    for (const end of ['', 'test.close();']) {
      it(`with the test's process, ${end || 'whether closed or not'}`, async () => {
        const { code, errors } = await tested(end);
        expect(code, errors).to.equal(0);
      });
    }
  });

  it('runs in a simulated page, which may have no class Crypto', async () => {
    const { code, errors } = await tested('', `Reflect.deleteProperty(globalThis, 'Crypto');`);
    expect(code, errors).to.equal(0);
  });

  it('goes on from the state of an earlier one: keys and grants', async () => {
    await sealwright.connect(REQUEST);
    const sealed = await sealwright.seal('text');
    const later = await createTestSealwright({ state: test.state() });
    expect(Buffer.from(await later.sealwright.open(sealed)).toString()).to.equal('text');
    expect(later.user.prompts).to.deep.equal([]);
  });
});
