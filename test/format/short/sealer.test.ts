import { expect } from 'chai';
import fc from 'fast-check';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { beginSeal, beginSealStream } from '../../../src/format/plans/seal-plan.ts';
import { STREAM_SUITE, suiteFor } from '../../../src/format/wire/header.ts';
import { MessageSealer } from '../../../src/format/short/sealer.ts';
import type { FormatCrypto, ThreadCrypto } from '../../../src/format/format-crypto.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { sharedModules } from '../../../src/engine/wasm/shared-modules.ts';
import { wasmCrypto } from '../../../src/engine/wasm/wasm-crypto.ts';
import { loadWasm } from '../../support/wasm.ts';

const KEY = new Uint8Array(32).fill(5);
const BOUND = { key: KEY, keyId: new Uint8Array(16).fill(1), purpose: 'page' } as const;
const CHUNK = 16_384;
const MIB = 2 ** 20;

/** Counting salts, so that two sealers get the same ones. Records its calls. */
function counting() {
  const asked: [string, string][] = [];
  const saltForHashes = (context: Uint8Array, message: Uint8Array): Uint8Array => {
    asked.push([Buffer.from(context).toString('hex'), Buffer.from(message).toString('hex')]);
    return new Uint8Array(24).fill(asked.length);
  };
  return { asked, saltForHashes, salt: () => expect.fail('hashed by the engine') };
}

async function sha256(data: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Uint8Array.from(data))).toString('hex');
}

describe('MessageSealer', () => {
  let engine: FormatCrypto;
  let onThread: ThreadCrypto;
  before(async () => {
    engine = await wasmCrypto(sharedModules(loadWasm));
    onThread = engine.onThread!;
  });

  const options = fc.record(
    {
      origin: fc.constant('https://a.example'),
      associatedData: fc.uint8Array({ maxLength: 200 }),
      pad: fc.boolean(),
      purpose: fc.constantFrom('page', 'sync', 'field'),
    },
    { requiredKeys: ['purpose'] },
  );

  it('gives the bytes of sealMessage with WebCrypto, one message after the other', async () => {
    const lengths = fc.constantFrom(0, 1, 16, 31, 32, 100, CHUNK - 1, CHUNK, CHUNK + 1, 40_000);
    await fc.assert(
      fc.asyncProperty(options, fc.array(lengths, { maxLength: 3 }), async (how, list) => {
        const sealer = new MessageSealer({ ...BOUND, ...how }, onThread, counting());
        for (const [i, length] of list.entries()) {
          const message = new Uint8Array(length).fill(i + 3);
          const salt = new Uint8Array(24).fill(i + 1);
          const native = { ...BOUND, ...how, salt, crypto: NATIVE_CRYPTO };
          const expected = await sealMessage(native, message);
          expect(Buffer.compare(sealer.seal(message), expected)).to.equal(0);
          const others = { ...BOUND, ...how, associatedData: new Uint8Array(7) };
          const salts = { ...counting(), saltForHashes: () => salt };
          const other = new MessageSealer(others, onThread, salts);
          const own = other.seal(message, how.associatedData ?? new Uint8Array(0));
          expect(Buffer.compare(own, expected)).to.equal(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('begins messages and streams as beginSeal and beginSealStream do, in both suites', async () => {
    const lengths = fc.constantFrom(0, 1, CHUNK, MIB - 1, MIB, MIB + 1, 5 * MIB);
    await fc.assert(
      fc.asyncProperty(options, lengths, fc.boolean(), async (how, length, isStream) => {
        const salt = new Uint8Array(24).fill(1);
        const native = { ...BOUND, ...how, crypto: NATIVE_CRYPTO };
        const { bodyBytes, ...expected } = isStream
          ? { ...(await beginSealStream(native, () => salt)), bodyBytes: undefined }
          : await beginSeal(native, length, () => salt);
        const suite = bodyBytes === undefined ? STREAM_SUITE : suiteFor(bodyBytes);
        const salts = counting();
        const sealer = new MessageSealer({ ...BOUND, ...how, suite }, onThread, salts);
        const messageId = new Uint8Array(32).fill(9);
        expect(sealer.begin(messageId)).to.deep.equal(expected);
        expect(salts.asked[0]![1]).to.equal('09'.repeat(32));
      }),
      { numRuns: 60 },
    );
  });

  it('of suite 2 seals what is longer than 1 MiB, as sealMessage does, and nothing shorter', async () => {
    const message = new Uint8Array(MIB + 1).fill(6);
    const salt = new Uint8Array(24).fill(1);
    const sealer = new MessageSealer({ ...BOUND, suite: 2 }, onThread, counting());
    const expected = await sealMessage({ ...BOUND, salt, crypto: NATIVE_CRYPTO }, message);
    expect(Buffer.compare(sealer.seal(message), expected)).to.equal(0);
    expect(() => sealer.seal(new Uint8Array(MIB))).to.throw(RangeError, 'suite 2');
  });

  it('requests each salt with the hashes of context and message', async () => {
    const salts = counting();
    const sealer = new MessageSealer(BOUND, onThread, salts);
    const messages = [new Uint8Array(0), new Uint8Array(1000).fill(7)];
    for (const message of messages) sealer.seal(message);
    const contexts = new Set(salts.asked.map(([context]) => context));
    expect(contexts.size).to.equal(1);
    expect(salts.asked.map(([, message]) => message)).to.deep.equal(
      await Promise.all(messages.map(sha256)),
    );
  });

  it('is what sealMessage uses up to 64 KiB, and no longer', async () => {
    for (const [length, expected] of [
      [0, 0],
      [64 * 1024, 0],
      [64 * 1024 + 1, 1],
    ] as const) {
      const salts = { ...counting(), salt: () => new Uint8Array(24) };
      const message = new Uint8Array(length).fill(1);
      const done: number[] = [];
      const onProgress = (bytes: number) => done.push(bytes);
      let ciphers = 0;
      const aesGcm = (key: Uint8Array) => {
        ciphers++;
        return engine.aesGcm(key);
      };
      const how = { ...BOUND, salt: salts, crypto: { ...engine, aesGcm }, onProgress };
      const sealed = await sealMessage(how, message);
      expect(ciphers, `ciphers of the platform for ${length} bytes`).to.equal(expected);
      expect(salts.asked, 'hashes of the message').to.have.length(1);
      expect(done.at(-1)).to.equal(length);
      const opened = await openMessage({ ...BOUND, crypto: engine }, sealed);
      expect(Buffer.compare(opened, message)).to.equal(0);
    }
  });

  it('reports progress as sealMessage does, padding included', async () => {
    const told = async (crypto: FormatCrypto) => {
      const done: number[][] = [];
      const onProgress = (...bytes: number[]) => done.push(bytes);
      const salt = { ...counting(), salt: () => new Uint8Array(24) };
      await sealMessage({ ...BOUND, pad: true, salt, crypto, onProgress }, new Uint8Array(1000));
      return done.at(-1);
    };
    expect(await told(engine)).to.deep.equal([1024, 1024]);
    expect(await told(NATIVE_CRYPTO)).to.deep.equal([1024, 1024]);
  });

  it('seals nothing for an aborted call', async () => {
    const salts = counting();
    const signal = AbortSignal.abort();
    const sealing = sealMessage({ ...BOUND, salt: salts, crypto: engine, signal }, KEY);
    expect(await sealing.catch((error: unknown) => error)).to.have.property('name', 'AbortError');
    expect(salts.asked).to.have.length(0);
  });

  it('accepts 1 MiB, padding included, and refuses more', () => {
    const plain = new MessageSealer(BOUND, onThread, counting());
    expect(plain.seal(new Uint8Array(MIB))).to.have.length(80 + MIB + 65 * 16);
    expect(() => plain.seal(new Uint8Array(MIB + 1))).to.throw(RangeError);
    const padding = new MessageSealer({ ...BOUND, pad: true }, onThread, counting());
    expect(() => padding.seal(new Uint8Array(MIB))).to.throw(RangeError);
    expect(padding.seal(new Uint8Array(MIB - 1))).to.have.length(80 + MIB + 65 * 16);
  });

  it('refuses the arguments that sealMessage refuses, and a short salt', () => {
    const made = (how: object) => () =>
      new MessageSealer({ ...BOUND, ...how }, onThread, counting());
    expect(made({ key: new Uint8Array(31) })).to.throw(RangeError, 'key');
    expect(made({ keyId: new Uint8Array(15) })).to.throw(RangeError, 'keyId');
    expect(made({ origin: 'https://a.example/' })).to.throw(TypeError, 'origin');
    expect(made({ associatedData: new Uint8Array(65_537) })).to.throw('65537');
    const short = { saltForHashes: () => new Uint8Array(23) };
    const sealer = new MessageSealer(BOUND, onThread, short);
    expect(() => sealer.seal(KEY)).to.throw(RangeError, 'salt');
  });

  it('seals nothing after wipe()', () => {
    const sealer = new MessageSealer(BOUND, onThread, counting());
    sealer.seal(KEY);
    sealer.wipe();
    expect(() => sealer.seal(KEY)).to.throw('wiped');
  });
});
