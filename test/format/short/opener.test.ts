import { expect } from 'chai';
import fc from 'fast-check';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import type { FormatCrypto, ThreadCrypto } from '../../../src/format/format-crypto.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { beginOpen, beginOpenStream } from '../../../src/format/plans/open-plan.ts';
import { MessageOpener } from '../../../src/format/short/opener.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { sharedModules } from '../../../src/engine/wasm/shared-modules.ts';
import { wasmCrypto } from '../../../src/engine/wasm/wasm-crypto.ts';
import { loadWasm } from '../../support/wasm.ts';
import { sealedInPieces } from '../stream-message.ts';

const KEY = new Uint8Array(32).fill(5);
const ORIGIN = 'https://a.example';
const BOUND = { key: KEY, keyId: new Uint8Array(16).fill(1), purpose: 'page' } as const;
const CHUNK = 16_384;

describe('MessageOpener', () => {
  let engine: FormatCrypto;
  let onThread: ThreadCrypto;
  before(async () => {
    engine = await wasmCrypto(sharedModules(loadWasm));
    onThread = engine.onThread!;
  });

  const sealed = (how: object, message: Uint8Array) =>
    sealMessage({ ...BOUND, ...how, crypto: NATIVE_CRYPTO }, message);

  it('opens messages that sealMessage made with WebCrypto, one after the other', async () => {
    const options = fc.record(
      {
        origin: fc.constant(ORIGIN),
        associatedData: fc.uint8Array({ maxLength: 200 }),
        pad: fc.boolean(),
        purpose: fc.constantFrom('page', 'sync', 'field'),
      },
      { requiredKeys: ['purpose'] },
    );
    const lengths = fc.constantFrom(0, 1, 16, 31, 32, 100, CHUNK - 1, CHUNK, CHUNK + 1, 40_000);
    await fc.assert(
      fc.asyncProperty(options, fc.array(lengths, { maxLength: 3 }), async (how, list) => {
        const opener = new MessageOpener({ ...BOUND, ...how }, onThread);
        for (const [i, length] of list.entries()) {
          const message = new Uint8Array(length).fill(i + 3);
          // At an unaligned offset of a larger buffer.
          const bytes = await sealed(how, message);
          const place = new Uint8Array(bytes.length + 3).subarray(3);
          place.set(bytes);
          expect(Buffer.compare(opener.open(place), message)).to.equal(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('begins messages and streams as beginOpen and beginOpenStream do', async () => {
    const long = await sealed({ origin: ORIGIN, associatedData: KEY }, new Uint8Array(2 ** 20 + 1));
    const short = await sealed({ pad: true }, new Uint8Array(CHUNK));
    for (const [how, bytes] of [
      [{ origin: ORIGIN, associatedData: KEY }, long],
      [{}, short],
    ] as const) {
      const opener = new MessageOpener({ ...BOUND, ...how }, onThread);
      const head = bytes.subarray(0, 80);
      const native = { ...BOUND, ...how, crypto: NATIVE_CRYPTO };
      const { suite, keys, chunksOffset, padded } = await beginOpen(native, head, bytes.length);
      const whole = { suite, keys, chunksOffset, padded };
      expect(opener.begin(head, bytes.length)).to.deep.equal(whole);
      expect(opener.begin(head, undefined)).to.deep.equal(await beginOpenStream(native, head));
      expect(() => opener.begin(head, 95)).to.throw(EnvelopeError);
      const altered = head.slice();
      altered[79]! ^= 1;
      expect(() => opener.begin(altered, bytes.length)).to.throw(AuthenticationError);
      expect(() => opener.begin(altered, undefined)).to.throw(AuthenticationError);
      expect(() => opener.begin(head.subarray(0, 79), undefined)).to.throw(EnvelopeError);
    }
  });

  it('opens a short stream, which has the other suite', async () => {
    const message = new Uint8Array(1000).fill(9);
    const salt = new Uint8Array(24).fill(3);
    const stream = await sealedInPieces({ ...BOUND, purpose: 'stream' }, salt, message, 300);
    const opener = new MessageOpener({ ...BOUND, purpose: 'stream' }, onThread);
    expect(opener.open(stream)).to.deep.equal(message);
  });

  it('refuses a message with any one byte changed, and one that is cut off', async () => {
    const bytes = await sealed({ origin: ORIGIN, pad: true }, new Uint8Array(20));
    const opener = new MessageOpener({ ...BOUND, origin: ORIGIN }, onThread);
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at]! ^= 1;
      expect(() => opener.open(changed), `byte ${at}`).to.throw();
    }
    for (const length of [0, 23, 79, bytes.length - 1]) {
      expect(() => opener.open(bytes.subarray(0, length)), `${length} bytes`).to.throw();
    }
    expect(opener.open(bytes)).to.deep.equal(new Uint8Array(20));
  });

  it('distinguishes bytes that are not a message from messages for other keys', async () => {
    const bytes = await sealed({ origin: ORIGIN }, KEY);
    const open = (how: object) => () =>
      new MessageOpener({ ...BOUND, ...how }, onThread).open(bytes);
    expect(open({ origin: 'https://b.example' })).to.throw(AuthenticationError);
    expect(open({})).to.throw(AuthenticationError);
    expect(open({ origin: ORIGIN, purpose: 'sync' })).to.throw(AuthenticationError);
    expect(open({ origin: ORIGIN, key: new Uint8Array(32) })).to.throw(AuthenticationError);
    expect(open({ origin: ORIGIN, keyId: new Uint8Array(16) })).to.throw(AuthenticationError);
    expect(open({ origin: ORIGIN, associatedData: KEY })).to.throw(AuthenticationError);
    const opener = new MessageOpener(BOUND, onThread);
    expect(() => opener.open(new Uint8Array(200))).to.throw(EnvelopeError);
    expect(() => new MessageOpener({ ...BOUND, key: new Uint8Array(31) }, onThread)).to.throw(
      'key',
    );
  });

  it('returns nothing of a message whose last chunk does not verify', async () => {
    const bytes = await sealed({}, new Uint8Array(CHUNK + 5).fill(1));
    bytes[bytes.length - 1]! ^= 1;
    const opening = openMessage({ ...BOUND, crypto: engine }, bytes);
    expect(await opening.catch((error: unknown) => error)).to.be.instanceOf(AuthenticationError);
  });

  it('is what openMessage uses up to 64 KiB, and no longer', async () => {
    const headBytes = 80 + 4 * 16;
    for (const [length, expected] of [
      [64 * 1024 - headBytes, 1],
      [64 * 1024 - headBytes + 1, 0],
    ] as const) {
      const bytes = await sealed({}, new Uint8Array(length));
      let asked = 0;
      const aesGcm = (key: Uint8Array) => (asked++, onThread.aesGcm(key));
      const crypto = { ...engine, onThread: { ...onThread, aesGcm } };
      const done: number[][] = [];
      const onProgress = (...told: number[]) => done.push(told);
      await openMessage({ ...BOUND, crypto, onProgress }, bytes);
      expect(asked, `${bytes.length} bytes`).to.equal(expected);
      expect(done.at(-1)).to.deep.equal([length, length]);
    }
  });

  it('opens nothing for an aborted call, and nothing after wipe()', async () => {
    const bytes = await sealed({}, KEY);
    const signal = AbortSignal.abort();
    const opening = openMessage({ ...BOUND, crypto: engine, signal }, bytes);
    expect(await opening.catch((error: unknown) => error)).to.have.property('name', 'AbortError');
    const opener = new MessageOpener(BOUND, onThread);
    opener.wipe();
    expect(() => opener.open(bytes)).to.throw('wiped');
  });
});
