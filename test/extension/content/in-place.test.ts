import { expect } from 'chai';
import fc from 'fast-check';
import { fitsPlace, openInPlace, sealInPlace } from '../../../extension/content/bulk/in-place.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import type { ChunkAead } from '../../../src/format/format-crypto.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { chunkCount, chunkedLength, TAG_BYTES } from '../../../src/format/wire/sealed-length.ts';
import { openBody, sealBody } from '../../../src/format/chunks/body.ts';
import { randomBytes } from '../../support/random-bytes.ts';

const PREFIX = new Uint8Array(80).fill(0xfe);
const call = () => ({ isAborted: false, progress: () => undefined });
const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Reads as late as an engine may, and gives its results in an order of its own. */
function lateAead(aead: ChunkAead): ChunkAead {
  const late = async (work: () => Promise<Uint8Array>): Promise<Uint8Array> => {
    for (let turns = Math.random() * 9; turns > 0; turns--) await Promise.resolve();
    const result = await work();
    for (let turns = Math.random() * 9; turns > 0; turns--) await Promise.resolve();
    return result;
  };
  return {
    seal: (nonce, data) => late(() => aead.seal(nonce, data)),
    open: (nonce, data) => late(() => aead.open(nonce, data)),
  };
}

/** As a lease whose grant holds. */
const held = (aead: ChunkAead) => ({ ...aead, direct: aead, confirmed: () => undefined });

async function keysFor(chunkBytes: number) {
  const aead = held(lateAead(await NATIVE_CRYPTO.aesGcm(randomBytes(32))));
  return { aead, baseNonce: randomBytes(12), chunkBytes, prefix: PREFIX };
}
type Keys = Awaited<ReturnType<typeof keysFor>>;

const sealedBy = (keys: Keys, message: Uint8Array) =>
  sealBody(keys, PREFIX, { message, bodyBytes: message.length }, {});

/** As the page lays it. */
function placeFor(message: Uint8Array, chunkBytes: number): Uint8Array {
  const place = new Uint8Array(PREFIX.length + chunkedLength(message.length, chunkBytes));
  place.set(message, place.length - message.length);
  return place;
}

function cutFor(sealed: Uint8Array, bodyBytes: number) {
  const border = sealed.length - bodyBytes;
  return { lead: sealed.slice(0, border), place: sealed.slice(border) };
}

const CHUNK = 2_000;
const CHUNKS_MOST = CHUNK / TAG_BYTES;
/** Around the edges of chunks, and up to where a message is too long to be opened in place. */
const lengths = fc.oneof(
  fc.constantFrom(0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK, CHUNK * (CHUNKS_MOST - 1)),
  fc.integer({ min: 0, max: 40 * CHUNK }),
);

describe('sealing and opening in place', () => {
  it('gives what is given elsewhere, however late an engine reads', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, async (length) => {
        const keys = await keysFor(CHUNK);
        const message = randomBytes(length);
        const expected = await sealedBy(keys, message);
        const sealed = await sealInPlace(keys, placeFor(message, CHUNK), length, call());
        expect(isEqual(sealed, expected)).to.equal(true);
        const parts = cutFor(sealed, length);
        expect(fitsPlace(parts, length, CHUNK)).to.equal(true);
        const opened = await openInPlace(keys, parts, PREFIX.length, call());
        expect(isEqual(opened, message)).to.equal(true);
        expect(opened.buffer).to.equal(parts.place.buffer);
      }),
      { numRuns: 60 },
    );
  });

  it('opens nothing in place where one result would reach beyond the next chunk', async () => {
    const tooLong = CHUNK * CHUNKS_MOST;
    expect(chunkCount(tooLong, CHUNK)).to.equal(CHUNKS_MOST + 1);
    const keys = await keysFor(CHUNK);
    const sealed = await sealedBy(keys, new Uint8Array(tooLong));
    expect(fitsPlace(cutFor(sealed, tooLong), tooLong, CHUNK)).to.equal(false);
    const wrong = { lead: sealed, place: new Uint8Array(0) };
    expect(fitsPlace(wrong, tooLong, CHUNK)).to.equal(false);
  });

  it('gives nothing of a message of which any chunk is wrong, and leaves zeros', async () => {
    const keys = await keysFor(CHUNK);
    const length = 30 * CHUNK + 7;
    const sealed = await sealedBy(keys, randomBytes(length));
    const chunks = chunkCount(length, CHUNK);
    for (const chunk of [0, 1, 15, 16, 17, chunks - 2, chunks - 1]) {
      const altered = sealed.slice();
      altered[PREFIX.length + chunk * (CHUNK + TAG_BYTES)]! ^= 1;
      const parts = cutFor(altered, length);
      const failure: unknown = await openInPlace(keys, parts, PREFIX.length, call()).catch(
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(AuthenticationError);
      expect(parts.place.every((byte) => byte === 0)).to.equal(true);
      expect(await openBody(keys, sealed, bodyAt(length), {})).to.have.lengthOf(length);
    }
  });

  it('begins no further chunk when its call was aborted', async () => {
    const keys = await keysFor(CHUNK);
    let begun = 0;
    const aead: ChunkAead = {
      ...keys.aead,
      seal: (nonce, data) => (begun++, keys.aead.seal(nonce, data)),
    };
    const work = { isAborted: false, progress: () => (work.isAborted = true) };
    const place = placeFor(new Uint8Array(90 * CHUNK), CHUNK);
    const failure: unknown = await sealInPlace(
      { ...keys, aead: held(aead) },
      place,
      90 * CHUNK,
      work,
    ).catch((error: unknown) => error);
    expect((failure as Error).name).to.equal('AbortError');
    expect(begun).to.be.at.most(17);
  });

  for (const [when, before] of [
    ['before a chunk', 5],
    ['after the last chunk', 91],
  ] as const) {
    it(`waits for its grant, ${when}, and fails when it has ended`, async () => {
      const keys = await keysFor(CHUNK);
      let asked = 0;
      const ended = new Error('revoked');
      const aead = {
        ...keys.aead,
        confirmed: () => (asked++ === before ? Promise.reject(ended) : undefined),
      };
      const length = 90 * CHUNK;
      const sealing = sealInPlace(
        { ...keys, aead },
        placeFor(new Uint8Array(length), CHUNK),
        length,
        call(),
      );
      expect(await sealing.catch((error: unknown) => error)).to.equal(ended);
      asked = 0;
      const parts = cutFor(await sealedBy(keys, new Uint8Array(length).fill(9)), length);
      const opening = openInPlace({ ...keys, aead }, parts, PREFIX.length, call());
      expect(await opening.catch((error: unknown) => error)).to.equal(ended);
      expect(parts.place.every((byte) => byte === 0)).to.equal(true);
      expect(asked).to.equal(before + 1);
    });
  }

  it('opens no message whose last chunk is missing', async () => {
    const keys = await keysFor(CHUNK);
    const length = 3 * CHUNK;
    const sealed = await sealedBy(keys, new Uint8Array(length));
    const parts = cutFor(sealed.slice(0, -TAG_BYTES), length - TAG_BYTES);
    const opening = openInPlace(keys, parts, PREFIX.length, call());
    const failure: unknown = await opening.catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(AuthenticationError);
  });
});

function bodyAt(bodyBytes: number) {
  return { chunksOffset: PREFIX.length, bodyBytes, padded: false };
}
