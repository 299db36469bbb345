import { readFileSync } from 'node:fs';
import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { SealwrightSubtle } from '../../extension/page/subtle/subtle.ts';
import { ARGUMENTS } from '../../src/client/bridge/arguments.ts';
import { PageKeys } from '../../src/client/bridge/keys.ts';
import { serveSealwright } from '../../src/client/bridge/page-end.ts';
import { sealwrightOver } from '../../src/client/bridge/worker-end.ts';
import type { WorkerSealwright } from '../../src/client/bridge/worker-end.ts';
import { sealedCollection } from '../../src/client/adapters/collection.ts';
import type { CallOptions, Sealwright } from '../../src/client/page-api.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';
import { FakeLocks } from './fake-locks.ts';
import { FakeProvider } from './fake-provider.ts';

type Options = CallOptions & { readonly context?: unknown };

/** Records its calls, and returns the answers that a test has set. */
class Provider extends FakeProvider {
  readonly asked: { readonly args: readonly unknown[]; readonly options: Options }[] = [];
  answering: (options: Options) => unknown = () => new Uint8Array([1, 2, 3]);

  readonly #noting =
    (count: number) =>
    async (...given: unknown[]) => {
      const options = given[count] as Options;
      this.asked.push({ args: given.slice(0, count), options });
      return await this.answering(options);
    };

  readonly seal = this.#noting(1);
  readonly revoke = this.#noting(1);
  readonly verify = this.#noting(2);

  /** Node's own, whose keys no message can take with it. */
  readonly subtle = crypto.subtle;

  sealStream({ context }: Options = {}) {
    return new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, out) => {
        if (context === 'fails') throw new SealwrightError('EXPIRED', 'No uses are left');
        out.enqueue(piece.map((byte) => byte ^ 255));
      },
    });
  }
}

/** The methods of an interface of the contract. */
function methodsIn(name: string): string[] {
  const types = readFileSync('src/client/page-api.ts', 'utf8');
  const body = types.match(new RegExp(`interface ${name} (?:extends \\w+ )?\\{([^]*?)\n\\}`))![1]!;
  return Array.from(body.matchAll(/^ {2}(\w+)\(/gm), (match) => match[1]!);
}

/** All of `subtle` but what answers at once: the twelve of SubtleCrypto, and five of the draft. */
function methodsOfSubtle(): string[] {
  const names = Object.getOwnPropertyNames(SealwrightSubtle.prototype);
  return names.filter((name) => name !== 'constructor' && name !== 'supports');
}

/* Both ends over a real MessageChannel. Real workers, in browsers: test/browser/examples/examples.test.ts. */
describe('the bridge to workers', () => {
  let provider: Provider;
  let locks: FakeLocks;
  let stop: () => void;
  let worker: WorkerSealwright;

  beforeEach(async () => {
    provider = new Provider();
    locks = new FakeLocks();
    const { port1, port2 } = new MessageChannel() as unknown as globalThis.MessageChannel;
    const options = { locks: locks.api };
    stop = serveSealwright(provider.api, port1, options);
    worker = await sealwrightOver(port2, options);
  });

  afterEach(() => stop());

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it was done'),
      (error: unknown) => error as SealwrightError,
    );

  it('has all members of the contract that a port can offer', () => {
    expect(worker.info).to.deep.equal(provider.info);
    expect(worker).to.not.have.any.keys('sealedLength');
    expect(Object.keys(worker.subtle)).to.have.members(methodsOfSubtle());
    const all = [
      ...methodsIn('Sealwright'),
      ...methodsIn('SealwrightSync').map((n) => `sync.${n}`),
    ];
    expect(Object.keys(ARGUMENTS)).to.have.members(all.filter((name) => name !== 'sealedLength'));
    for (const name of ['connect', 'openMany', 'blindIndex', 'openStream'] as const) {
      expect(worker[name], name).to.be.a('function');
    }
    expect(Object.keys(worker.sync)).to.have.length(6);
  });

  it('separates arguments and options of each method', () => {
    const types = readFileSync('src/client/page-api.ts', 'utf8');
    for (const [method, count] of Object.entries(ARGUMENTS)) {
      const [name, group] = method.split('.').toReversed() as [string, string?];
      const owner = types.slice(group === 'sync' ? types.indexOf('interface SealwrightSync ') : 0);
      const own = group ? owner : owner.slice(types.indexOf('interface Sealwright '));
      const [, list] = own.match(new RegExp(`^ {2}${name}\\(([^]*?)\\): [PT]`, 'm'))!;
      const named = list!.match(/^\s*\w+\??:|,\s*\w+\??:/gm) ?? [];
      expect(
        named.filter((one) => !one.includes('options')),
        method,
      ).to.have.length(count);
    }
  });

  it('passes the arguments to the provider, and its result to the worker', async () => {
    expect(await worker.seal('text', { context: 'note' })).to.deep.equal(new Uint8Array([1, 2, 3]));
    expect(provider.asked[0]!.args).to.deep.equal(['text']);
    expect(provider.asked[0]!.options).to.include({ context: 'note' });
    await worker.revoke(undefined, { timeoutMs: 7 });
    await worker.revoke();
    for (const { args } of provider.asked.slice(1)) expect(args).to.deep.equal([undefined]);
    expect(provider.asked[1]!.options).to.include({ timeoutMs: 7 });
    expect(provider.asked[2]!.options).to.have.all.keys('signal');
  });

  it('sends only a view’s own bytes, and does not transfer its buffer', async () => {
    const buffer = new Uint8Array([9, 8, 7, 6, 5]).buffer;
    await worker.verify(new Uint8Array(buffer, 1, 2), new DataView(buffer, 3), {
      key: 'k',
    });
    const [data, signature] = provider.asked[0]!.args as [ArrayBuffer, ArrayBuffer];
    expect([...new Uint8Array(data)]).to.deep.equal([8, 7]);
    expect([...new Uint8Array(signature)]).to.deep.equal([6, 5]);
    await worker.seal('', { context: new Uint8Array(buffer, 4) });
    expect((provider.asked[1]!.options.context as ArrayBuffer).byteLength).to.equal(1);
    expect(buffer.byteLength).to.equal(5);
  });

  it('transfers the bytes of a result without a copy', async () => {
    const made = new Uint8Array(5).fill(4);
    provider.answering = () => made;
    expect(await worker.seal('text')).to.deep.equal(new Uint8Array(5).fill(4));
    expect(made.byteLength, 'given away').to.equal(0);
    const shared = new Uint8Array([1, 2]);
    provider.answering = () => [0, 1].map((i) => ({ ok: true, value: shared.subarray(i, i + 1) }));
    expect(await worker.seal('two, in one buffer')).to.deep.equal([
      { ok: true, value: new Uint8Array([1]) },
      { ok: true, value: new Uint8Array([2]) },
    ]);
  });

  it('rejects with the provider’s error', async () => {
    provider.answering = () => {
      throw new SealwrightError('QUOTA', 'Too many calls at once', { retryAfterMs: 40 });
    };
    const error = await failureOf(worker.seal('text'));
    expect(error).to.be.instanceOf(Error).with.property('name', 'SealwrightError');
    expect(error).to.include({
      code: 'QUOTA',
      message: 'Too many calls at once',
      retryable: true,
    });
    expect(error.data).to.deep.equal({ retryAfterMs: 40 });
    const reported = JSON.stringify(new SealwrightError('QUOTA', error.message, error.data));
    expect(JSON.stringify(error)).to.equal(reported);
    provider.answering = () => {
      throw new RangeError('another');
    };
    expect(await failureOf(worker.seal('text'))).to.be.instanceOf(RangeError);
  });

  it('keeps the error of each record of a batch', async () => {
    const [opened] = await worker.sync.decryptRecords('notes', [{ id: 'a', payload: 'rubbish' }]);
    expect(opened).to.have.property('ok', false);
    expect(opened).to.have.property('error').that.includes({ name: 'SealwrightError' });
    expect(opened).to.have.nested.property('error.code', 'AUTH_FAILED');
  });

  it('is accepted by the adapters', async () => {
    const notes = sealedCollection(worker, 'notes');
    const { payload } = await notes.seal({ id: 'n1', payload: { text: 'Meet me at nine' } });
    expect((await notes.open({ id: 'n1', payload })).payload).to.deep.equal({
      text: 'Meet me at nine',
    });
  });

  it('refuses values that cannot be copied, and unknown options', async () => {
    const code = 'INVALID_ARGUMENT';
    const uncopied = { id: 'a', payload: () => 1 };
    const error = await failureOf(worker.sync.encryptRecords('notes', [uncopied]));
    expect(error).to.include({ name: 'SealwrightError', code });
    const signal = 'no signal' as unknown as AbortSignal;
    await worker.seal('text', { signal });
    expect(provider.asked[0]!.options.signal, 'for the provider to refuse').to.equal(signal);
  });

  it('aborts the call in the page, and does not begin an aborted one', async () => {
    const aborting = new AbortController();
    provider.answering = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(new RangeError('given up')));
        aborting.abort();
      });
    const error = await failureOf(worker.seal('text', { signal: aborting.signal }));
    expect(error.message).to.equal('given up');
    const late = await failureOf(worker.seal('text', { signal: aborting.signal }));
    expect(late.name).to.equal('AbortError');
    expect(provider.asked).to.have.length(1);
  });

  it('reports progress to listeners', async () => {
    const seen: unknown[] = [];
    provider.answering = (options) => options.onProgress?.({ bytes: 7, total: 9 });
    await worker.seal('text', { onProgress: (done) => void seen.push(done) });
    expect(seen).to.deep.equal([{ bytes: 7, total: 9 }]);
    await worker.seal('text');
    expect(provider.asked[1]!.options).to.not.have.property('onProgress');
  });

  it('forwards the provider’s events', async () => {
    const heard = new Promise((resolve) =>
      worker.addEventListener('lock', resolve, { once: true }),
    );
    provider.say('lock');
    await heard;
  });

  it('streams', async () => {
    const source = new Blob([new Uint8Array([1, 2]), new Uint8Array(100_000)]).stream();
    const sealed = source.pipeThrough(worker.sealStream());
    const bytes = new Uint8Array(await new Response(sealed).arrayBuffer());
    expect(bytes).to.have.length(100_002);
    expect([...bytes.subarray(0, 3)]).to.deep.equal([254, 253, 255]);
  });

  it('ends both ends of a stream with the provider’s error', async () => {
    const { readable, writable } = worker.sealStream({ context: 'fails' });
    const writer = writable.getWriter();
    const reading = failureOf(readable.getReader().read());
    void writer.write(new Uint8Array(3)).catch(() => undefined);
    expect(await reading).to.include({ name: 'SealwrightError', code: 'EXPIRED' });
    expect(await failureOf(writer.closed)).to.include({ code: 'EXPIRED' });
  });

  it('ends calls in progress when the page stops serving, and leaves nothing', async () => {
    let isAborted = false;
    const begun = new Promise<void>((resolve) => {
      provider.answering = ({ signal }) => {
        resolve();
        return new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => {
            isAborted = true;
            reject(new Error('aborted'));
          });
        });
      };
    });
    const { readable, writable } = worker.sealStream();
    const writing = writable.getWriter();
    const reading = failureOf(readable.getReader().read());
    const call = failureOf(worker.seal('text'));
    const told = new Promise((resolve) => worker.addEventListener('disconnect', resolve));
    await begun;
    stop();
    for (const error of [await call, await reading, await failureOf(writing.closed)]) {
      expect(error).to.include({ name: 'SealwrightError', code: 'DISCONNECTED' });
    }
    await told;
    expect(await failureOf(worker.seal('text'))).to.have.property('code', 'DISCONNECTED');
    expect(isAborted).to.equal(true);
    expect(locks.names).to.deep.equal([]);
  });

  describe('its subtle', () => {
    const GCM = { name: 'AES-GCM', length: 256 };
    const ECDH = { name: 'ECDH', namedCurve: 'P-256' };
    const bytes = (...list: number[]) => new Uint8Array([9, ...list, 9]).subarray(1, -1);

    it('uses keys that stay in the page: in arguments, in algorithms and in results', async () => {
      const { subtle } = worker;
      const key = (await subtle.generateKey(GCM, true, ['encrypt', 'decrypt'])) as CryptoKey;
      expect(key).to.deep.include({ type: 'secret', extractable: true, algorithm: GCM });
      expect(key.usages).to.deep.equal(['encrypt', 'decrypt']);
      expect(Object.prototype.toString.call(key)).to.equal('[object CryptoKey]');
      const params = { name: 'AES-GCM', iv: bytes(...Array<number>(12).keys()) };
      const sealed = await subtle.encrypt(params, key, bytes(1, 2, 3));
      expect(sealed).to.be.instanceOf(ArrayBuffer);
      expect([...new Uint8Array(await subtle.decrypt(params, key, sealed))]).to.deep.equal([
        1, 2, 3,
      ]);

      const ours = (await subtle.generateKey(ECDH, false, [
        'deriveBits',
        'deriveKey',
      ])) as CryptoKeyPair;
      const theirs = (await subtle.generateKey(ECDH, false, ['deriveBits'])) as CryptoKeyPair;
      const bits = await subtle.deriveBits(
        { name: 'ECDH', public: theirs.publicKey },
        ours.privateKey,
        256,
      );
      const same = await subtle.deriveBits(
        { name: 'ECDH', public: ours.publicKey },
        theirs.privateKey,
        256,
      );
      expect(new Uint8Array(bits)).to.deep.equal(new Uint8Array(same));
      const jwk = await subtle.exportKey('jwk', ours.publicKey);
      const again = await subtle.importKey('jwk', jwk, ECDH, true, []);
      expect(again).to.include({ type: 'public', extractable: true });
    });

    it('takes no key of another worker and no copy of one, and makes none that can be copied', async () => {
      const { subtle } = worker;
      const key = (await subtle.generateKey(GCM, false, ['encrypt'])) as CryptoKey;
      expect(() => structuredClone(key))
        .to.throw(DOMException)
        .with.property('name', 'DataCloneError');
      const copy = Object.fromEntries(Object.entries(key));
      expect(
        await failureOf(subtle.exportKey('raw', { ...copy, toJSON: 0 } as unknown as CryptoKey)),
      ).to.be.instanceOf(TypeError);
      const made = { sealwrightKey: 99 } as unknown as CryptoKey;
      expect((await failureOf(subtle.exportKey('raw', made))).message).to.include(
        'not one of this worker',
      );
      expect(key).to.be.frozen;
    });

    it('drops a key in the page when the worker has dropped it', () => {
      const keys = new PageKeys();
      const key = { type: 'secret', extractable: false, algorithm: GCM, usages: [] };
      const { sealwrightKey } = keys.given(key) as { sealwrightKey: number };
      expect(keys.taken({ sealwrightKey })).to.equal(key);
      keys.drop(sealwrightKey);
      expect(() => keys.taken({ sealwrightKey })).to.throw(TypeError);
    });
  });

  it('has no other methods', async () => {
    const { port1, port2 } = new MessageChannel() as unknown as globalThis.MessageChannel;
    const end = serveSealwright(provider.api, port1, { locks: locks.api });
    for (const method of ['dispatchEvent', 'subtle.dropKeys', 'subtle.toString']) {
      const answered = new Promise<{ value: unknown }>((resolve) => {
        port2.onmessage = ({ data }) => resolve(data as { value: unknown });
      });
      port2.postMessage({ kind: 'call', id: 1, method, args: [], options: {} });
      const { value } = await answered;
      expect(value, method).to.have.nested.property('sealwrightError.code', 'UNSUPPORTED');
    }
    end();
  });
});

/** A check by the compiler: a worker has the page's interface. */
export const isPart = (sealwright: Sealwright): WorkerSealwright => sealwright;
