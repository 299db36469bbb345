import { expect } from 'chai';
import fc from 'fast-check';
import { concat } from '../../../src/crypto/bytes.ts';
import { beginOpenStream } from '../../../src/format/plans/open-plan.ts';
import { ChunkCutter, ChunkOpener, ChunkSealer } from '../../../src/format/chunks/chunks.ts';
import { prefixBytes } from '../../../src/format/wire/envelope.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { PaddingFilter, paddingOf, type Part } from '../../../src/format/wire/padding-filter.ts';
import { paddedSlice } from '../../../src/format/wire/padding.ts';
import { StreamOpener, StreamSealer } from '../../../src/format/chunks/stream.ts';
import {
  STREAM_BYTES_MAX,
  chunkedLength,
  paddedLength,
} from '../../../src/format/wire/sealed-length.ts';
import { pattern } from '../message-vectors.ts';
import { pieces, sealedInPieces as sealStream } from '../stream-message.ts';
import { KEY, KEY_ID, ORIGIN, outcome } from '../support.ts';

const MIB = 2 ** 20;
const SALT = pattern(24);
const BOUND = { key: KEY, keyId: KEY_ID, purpose: 'stream', origin: ORIGIN } as const;
/** Around the edges of the 1 MiB chunk, the only chunk size of suite 02. */
const LENGTHS = [0, 1, 16_384, MIB - 1, MIB, MIB + 1, 2 * MIB, 2 * MIB + 1];

const sealedInPieces = (message: Uint8Array, pieceBytes: number, pad = false) =>
  sealStream({ ...BOUND, pad }, SALT, message, pieceBytes);

async function openedInPieces(sealed: Uint8Array, pieceBytes: number) {
  const plan = await beginOpenStream(BOUND, sealed.subarray(0, prefixBytes(sealed)));
  const { chunkBytes } = plan.suite;
  const aead = await NATIVE_CRYPTO.aesGcm(plan.keys.key);
  const opener = new StreamOpener(new ChunkOpener(aead, plan.keys.baseNonce, chunkBytes), {
    chunkBytes,
    padded: plan.padded,
  });
  const chunks = sealed.subarray(plan.chunksOffset);
  const parts = [...pieces(chunks, pieceBytes)].map((piece) => opener.add(piece));
  return bytesOf([...(await Promise.all(parts)).flat(), ...(await opener.end())]);
}

const bytesOf = (parts: readonly Part[]) =>
  concat(...parts.map((part) => (typeof part === 'number' ? new Uint8Array(part) : part)));

const open = (sealed: Uint8Array) => openMessage(BOUND, sealed);
const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

describe('ChunkCutter', () => {
  it('gives every byte once and in order, in full chunks and a shorter rest', () => {
    const runs = fc.array(fc.nat(40), { maxLength: 12 });
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 17 }), (lengths, chunkBytes) => {
        const whole = pattern(lengths.reduce((sum, length) => sum + length, 0));
        const cutter = new ChunkCutter(chunkBytes);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const length of lengths) chunks.push(...cutter.add(whole.slice(at, (at += length))));
        const rest = cutter.rest();
        expect(chunks.every((chunk) => chunk.length === chunkBytes)).to.equal(true);
        expect(rest.length).to.be.lessThan(chunkBytes);
        expect(concat(...chunks, rest)).to.deep.equal(whole);
      }),
    );
  });

  it('does not copy a chunk that lies within a piece', () => {
    const piece = pattern(40);
    const [first] = new ChunkCutter(40).add(piece);
    expect(first!.buffer).to.equal(piece.buffer);
  });
});

describe('messages in pieces', function () {
  this.timeout(30_000);
  for (const length of LENGTHS) {
    it(`are suite 02 at ${length} bytes, for any pieces, and as in the format`, async () => {
      const message = pattern(length);
      const once = await sealedInPieces(message, length || 1);
      expect(once.length).to.equal(80 + chunkedLength(length, MIB));
      expect(inspect(once)).to.include({ suite: 'Sealwright-1MiB', purpose: 'stream' });
      for (const pieceBytes of [65_537, MIB]) {
        expect(isEqual(await sealedInPieces(message, pieceBytes), once)).to.equal(true);
      }
      expect(isEqual(await open(once), message)).to.equal(true);
      for (const pieceBytes of [65_537, MIB, MIB + 16]) {
        expect(isEqual(await openedInPieces(once, pieceBytes), message)).to.equal(true);
      }
    });
  }

  it('agree with sealMessage if both choose suite 02', async () => {
    const message = pattern(MIB + 1);
    const whole = await sealMessage({ ...BOUND, salt: SALT }, message);
    expect(isEqual(whole, await sealedInPieces(message, 99_999))).to.equal(true);
  });

  it('open messages of suite 01 too', async () => {
    const message = pattern(200_000);
    const sealed = await sealMessage(BOUND, message);
    for (const pieceBytes of [1_000, 16_400, MIB]) {
      expect(isEqual(await openedInPieces(sealed, pieceBytes), message)).to.equal(true);
    }
  });

  for (const length of [0, 31, 32, MIB - 1, MIB, 2 * MIB]) {
    it(`are padded at ${length} bytes, and opened without the padding`, async () => {
      const message = pattern(length).fill(0, length >> 1);
      const sealed = await sealedInPieces(message, 70_000, true);
      expect(sealed.length).to.equal(80 + chunkedLength(paddedLength(length), MIB));
      expect(isEqual(await open(sealed), message)).to.equal(true);
      expect(isEqual(await openedInPieces(sealed, 300_000), message)).to.equal(true);
    });
  }

  it('fail when cut off anywhere, lengthened, or altered; the parts before are authentic', async () => {
    const sealed = await sealedInPieces(pattern(2 * MIB + 5), MIB);
    const chunk = MIB + 16;
    for (const end of [80, 81, 80 + chunk - 1, 80 + chunk, 80 + 2 * chunk, sealed.length - 1]) {
      expect(await outcome(openedInPieces(sealed.subarray(0, end), MIB)), String(end)).to.equal(
        'AUTH_FAILED',
      );
    }
    expect(await outcome(openedInPieces(concat(sealed, new Uint8Array(1)), MIB))).to.equal(
      'AUTH_FAILED',
    );
    for (const at of [80, 80 + chunk - 1, 80 + chunk, sealed.length - 1]) {
      const altered = sealed.slice();
      altered[at]! ^= 1;
      expect(await outcome(openedInPieces(altered, MIB)), String(at)).to.equal('AUTH_FAILED');
    }
  });

  it('return nothing of pieces after a failed one', async () => {
    const sealed = await sealedInPieces(pattern(3 * MIB), MIB);
    sealed[80]! ^= 1;
    const plan = await beginOpenStream(BOUND, sealed.subarray(0, 80));
    const aead = await NATIVE_CRYPTO.aesGcm(plan.keys.key);
    const parts = { chunkBytes: MIB, padded: false };
    const opener = new StreamOpener(new ChunkOpener(aead, plan.keys.baseNonce, MIB), parts);
    const calls = [...pieces(sealed.subarray(80), MIB + 16)].map((piece) => opener.add(piece));
    const outcomes = await Promise.all(calls.map(outcome));
    expect(outcomes).to.deep.equal(calls.map(() => 'AUTH_FAILED'));
    expect(await outcome(opener.end())).to.equal('AUTH_FAILED');
  });

  it('return a long run of zeros that looked like padding as its length, in order', async () => {
    const message = pattern(40 * MIB + 1);
    message.fill(0, 37 * MIB);
    message[37 * MIB] = 0x80;
    message[message.length - 1] = 7;
    const sealed = await sealedInPieces(message, 10 * MIB, true);
    const plan = await beginOpenStream(BOUND, sealed.subarray(0, 80));
    const aead = await NATIVE_CRYPTO.aesGcm(plan.keys.key);
    const how = { chunkBytes: MIB, padded: true };
    const opener = new StreamOpener(new ChunkOpener(aead, plan.keys.baseNonce, MIB), how);
    const parts: Part[] = [];
    for (const piece of pieces(sealed.subarray(80), MIB + 16)) {
      parts.push(...(await opener.add(piece)));
    }
    parts.push(...(await opener.end()));
    const zeros = parts.filter((part) => typeof part === 'number');
    expect(zeros).to.have.length(1);
    expect(zeros[0]).to.be.greaterThan(MIB);
    for (const part of parts) {
      if (typeof part !== 'number') expect(part.length).to.be.at.most(2 * MIB);
    }
    expect(isEqual(bytesOf(parts), message)).to.equal(true);
  });

  it('end at 32 GiB', async () => {
    const seal = () => Promise.resolve(new Uint8Array(0));
    const sealer = new ChunkSealer({ seal, open: seal }, new Uint8Array(12), 2 ** 30);
    const parts = { chunkBytes: 2 ** 30, padded: false };
    const stream = new StreamSealer(sealer, parts);
    const piece = new Uint8Array(2 ** 30);
    for (let bytes = 0; bytes < STREAM_BYTES_MAX; bytes += piece.length) await stream.add(piece);
    expect(await outcome(stream.add(Uint8Array.of(1)))).to.equal('TOO_LARGE');
  });
});

describe('PaddingFilter', () => {
  const zeroish = fc.constantFrom(0, 0, 0, 0x80, 7);

  it('restores any message from its padded form, however it is cut', () => {
    const message = fc.array(zeroish, { maxLength: 600 });
    fc.assert(
      fc.property(message, fc.integer({ min: 1, max: 97 }), (list, pieceBytes) => {
        const bytes = Uint8Array.from(list);
        const padded = concat(bytes, ...paddingOf(bytes.length));
        expect(padded).to.deep.equal(paddedSlice(bytes, 0, paddedLength(bytes.length)));
        const filter = new PaddingFilter();
        const parts = [...pieces(padded, pieceBytes)].flatMap((piece) => filter.read(piece));
        filter.end();
        expect(bytesOf(parts)).to.deep.equal(bytes);
      }),
    );
  });

  it('refuses every other end, whatever it has returned before', async () => {
    const padded = concat(pattern(100), ...paddingOf(100));
    const wrong = [
      new Uint8Array(0),
      new Uint8Array(32),
      pattern(40).fill(7),
      padded.subarray(0, padded.length - 1),
      concat(padded, new Uint8Array(1)),
    ];
    for (const body of wrong) {
      const filter = new PaddingFilter();
      for (const piece of pieces(body, 9)) filter.read(piece);
      expect(await outcome(Promise.resolve().then(() => filter.end()))).to.equal('AUTH_FAILED');
    }
  });

  it('keeps back no more zeros than padding can have', () => {
    const filter = new PaddingFilter();
    filter.read(pattern(1000));
    filter.read(Uint8Array.of(0x80));
    let given = 0;
    for (let i = 0; i < 200; i++) {
      given += bytesOf(filter.read(new Uint8Array(1))).length;
    }
    expect(given).to.equal(201);
  });
});
