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
      for (const options of [{ origin: 'http://app.example' }, { origin: 'null' }, { user: 1 }]) {
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

    it('locks, unlocks and revokes, and the page hears of it', async () => {
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
