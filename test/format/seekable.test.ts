import { expect } from 'chai';
import fc from 'fast-check';
import { openMessage, sealMessage } from '../../src/format/message.ts';
import { generateIdentity, openingWith, sealingTo } from '../../src/format/recipients/sharing.ts';
import { openRange, openSeekable } from '../../src/format/seekable.ts';
import type { RangeReader } from '../../src/format/seekable.ts';
import { sealStream } from '../../src/format/streams.ts';
import { inDepth } from '../support/depth.ts';
import { pattern } from './message-vectors.ts';
import { KEY, KEY_ID, outcome } from './support.ts';

const MIB = 2 ** 20;
const SEAL = { key: KEY, keyId: KEY_ID, purpose: 'stream' } as const;
const OPEN = { key: KEY };

/** A source that remembers what was read. */
function watched(sealed: Uint8Array): RangeReader & { readonly reads: [number, number][] } {
  const reads: [number, number][] = [];
  return {
    size: sealed.length,
    reads,
    read(start, end) {
      reads.push([start, end]);
      return Promise.resolve(sealed.slice(start, end));
    },
  };
}

const bytesOf = async (stream: ReadableStream<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  await stream.pipeTo(new WritableStream({ write: (piece) => void pieces.push(piece) }));
  return Buffer.concat(pieces);
};
/** A message of zeros, sealed as a stream. */
async function sealedPieces(length: number): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const { key, keyId } = SEAL;
  const sink = new WritableStream({
    write: (piece: Uint8Array<ArrayBuffer>) => void pieces.push(piece),
  });
  await new Blob([new Uint8Array(length)])
    .stream()
    .pipeThrough(sealStream({ key, keyId }))
    .pipeTo(sink);
  return pieces;
}
const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

/** Around the edges of both suites' chunks. */
const LENGTHS = [
  ...[0, 1, 16_383, 16_384, 16_385, 32_768],
  ...[MIB, MIB + 1, 2 * MIB - 1, 2 * MIB, 2 * MIB + 3],
];
/** Padding moves the end of the message alone, which the suites of both lengths have. */
const PADDED = inDepth(LENGTHS, [0, 16_384, MIB + 1]);

describe('parts of a sealed message', () => {
  for (const pad of [false, true]) {
    for (const length of pad ? PADDED : LENGTHS) {
      it(`of ${length} bytes${pad ? ', padded,' : ''} are those of the message`, async () => {
        const message = pattern(length);
        const sealed = await sealMessage({ ...SEAL, pad }, message);
        const sources = [sealed, new Blob([sealed]), watched(sealed)];
        for (const [turn, source] of sources.entries()) {
          const opened = await openSeekable(OPEN, source);
          expect(opened.size).to.equal(length);
          const edges = [0, 1, 16_383, 16_384, 16_385, MIB - 1, MIB, MIB + 1, length - 1, length];
          const inside = edges.filter((at) => at >= 0 && at <= length);
          for (const [i, start] of inside.entries()) {
            for (const [j, end] of [start, start + 1, start + 20_000, length].entries()) {
              // In `npm test`, each part is read from one kind of source.
              if (end > length || inDepth(false, (i + j) % sources.length !== turn)) continue;
              const part = message.subarray(start, end);
              expect(same(await opened.read(start, end), part), `${start} to ${end}`).to.equal(
                true,
              );
            }
          }
          expect(same(await opened.read(0), message)).to.equal(true);
          expect(same(await bytesOf(opened.stream(0)), message)).to.equal(true);
          expect(same(await bytesOf(opened.stream(length)), message.subarray(length))).to.equal(
            true,
          );
        }
      });
    }
  }

  it('are those of any start and end', async () => {
    const message = pattern(5 * MIB + 12_345);
    const sealed = await sealMessage(SEAL, message);
    const opened = await openSeekable(OPEN, sealed);
    const position = fc.integer({ min: 0, max: message.length });
    await fc.assert(
      fc.asyncProperty(position, position, async (a, b) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        const part = message.subarray(start, end);
        return (
          same(await opened.read(start, end), part) &&
          same(await bytesOf(opened.stream(start, end)), part)
        );
      }),
      { numRuns: inDepth(20, 8) },
    );
  });

  it('read the head, the last chunk and the chunks of the part, and nothing else', async () => {
    const sealed = await sealMessage(SEAL, pattern(5 * MIB + 7));
    const source = watched(sealed);
    const part = await openRange(OPEN, source, 2 * MIB + 5, 3 * MIB);
    expect(part).to.have.length(MIB - 5);
    const at = (n: number) => 80 + n * (MIB + 16);
    expect(source.reads.slice(1)).to.deep.equal([
      [at(5), sealed.length],
      [at(2), at(3)],
    ]);
    expect(source.reads[0]![1]).to.be.below(25_000);
  });

  it('of a stream are read in the order of its pieces, 1 MiB at a time, until it is cancelled', async () => {
    const sealed = await sealMessage(SEAL, pattern(5 * MIB + 7));
    const source = watched(sealed);
    const reader = (await openSeekable(OPEN, source)).stream(10, 5 * MIB).getReader();
    expect((await reader.read()).value).to.have.length(MIB - 10);
    await reader.cancel();
    expect(source.reads.length).to.be.at.most(4);
  });

  it('do not open under another key, purpose, associated data, or after a cut', async () => {
    const message = pattern(2 * MIB + 9);
    const sealed = await sealMessage({ ...SEAL, associatedData: Uint8Array.of(1) }, message);
    const options = { ...OPEN, associatedData: Uint8Array.of(1) };
    const chunk = MIB + 16;
    const cases = {
      key: openSeekable({ ...options, key: new Uint8Array(32) }, sealed),
      keyId: openSeekable({ ...options, keyId: new Uint8Array(16) }, sealed),
      purpose: openSeekable({ ...options, purpose: 'page' }, sealed),
      data: openSeekable(OPEN, sealed),
      // Within a chunk: what is left could be a message, but its last chunk is none.
      cut: openSeekable(options, sealed.subarray(0, sealed.length - 1)),
      shorter: openSeekable(options, sealed.subarray(0, 80 + chunk + 100)),
      moved: openSeekable(
        options,
        Buffer.concat([sealed.subarray(0, 80), sealed.subarray(80 + chunk)]),
      ),
    };
    const outcomes = await Promise.all(Object.values(cases).map(outcome));
    expect(outcomes).to.deep.equal(outcomes.map(() => 'AUTH_FAILED'));
    // Between chunks: no message has this length.
    const whole = openSeekable(options, sealed.subarray(0, 80 + 2 * chunk));
    expect(await outcome(whole)).to.equal('BAD_ENVELOPE');
    expect(same(await openRange(options, sealed, 0), message)).to.equal(true);
  });

  it('fail where the message was altered, and only there', async () => {
    const message = pattern(3 * MIB + 9);
    const sealed = await sealMessage(SEAL, message);
    sealed[80 + MIB + 16 + 500]! ^= 1;
    const opened = await openSeekable(OPEN, sealed);
    expect(same(await opened.read(0, MIB), message.subarray(0, MIB))).to.equal(true);
    expect(same(await opened.read(2 * MIB), message.subarray(2 * MIB))).to.equal(true);
    for (const [start, end] of [
      [MIB, MIB + 1],
      [2 * MIB - 1, 2 * MIB],
      [0, 3 * MIB],
    ] as const) {
      expect(await outcome(opened.read(start, end))).to.equal('AUTH_FAILED');
      expect(await outcome(bytesOf(opened.stream(start, end)))).to.equal('AUTH_FAILED');
    }
    sealed[sealed.length - 1]! ^= 1;
    expect(await outcome(openSeekable(OPEN, sealed))).to.equal('AUTH_FAILED');
  });

  it('refuse padding of another length, which no writer makes', async () => {
    // The body of an unpadded message, under the flag of a padded one: the flag is in the context.
    const sealed = await sealMessage({ ...SEAL, pad: false }, new Uint8Array(40));
    sealed[6]! |= 4;
    expect(await outcome(openSeekable(OPEN, sealed))).to.equal('AUTH_FAILED');
  });

  it('of a message to a recipient open with the identity', async () => {
    const identity = await generateIdentity('X25519');
    const message = pattern(40_000);
    const to = sealingTo([identity.publicKey]);
    const sealed = await sealMessage({ ...to, purpose: 'page' }, message);
    const options = { ...openingWith([identity]), accept: 'shared', purpose: 'page' } as const;
    const part = await openRange(options, sealed, 16_380, 16_390);
    expect(same(part, message.subarray(16_380, 16_390))).to.equal(true);
    expect(same(await openMessage(options, sealed), message)).to.equal(true);
  });

  it('refuse positions outside of the message, and more than 64 MiB at once', async () => {
    const sealed = await sealMessage(SEAL, pattern(100));
    const opened = await openSeekable(OPEN, sealed);
    for (const [start, end] of [
      [-1, 1],
      [0, 101],
      [5, 4],
      [0.5, 1],
      [NaN, 1],
      [101, 101],
    ] as const) {
      expect(await outcome(opened.read(start, end))).to.match(/^RangeError: start and end/);
      expect(() => opened.stream(start, end)).to.throw(RangeError);
    }
    const large = await openSeekable(OPEN, new Blob(await sealedPieces(65 * MIB)));
    expect(await outcome(large.read(0, 64 * MIB + 1))).to.equal('TOO_LARGE');
    expect(await large.read(64 * MIB)).to.have.length(MIB);
  });

  it('refuse what is not a source, and what reads another number of bytes', async () => {
    const sealed = await sealMessage(SEAL, pattern(100));
    for (const source of [
      undefined,
      'sealed',
      7,
      {},
      { size: 3 },
      { size: -1, read: () => null },
    ]) {
      expect(await outcome(openSeekable(OPEN, source as never))).to.match(
        /^TypeError: source must/,
      );
    }
    const short = { size: sealed.length, read: () => Promise.resolve(sealed.subarray(0, 90)) };
    expect(await outcome(openSeekable(OPEN, short))).to.match(/^TypeError: source\.read\(0, 196\)/);
    const failing = { size: 500, read: () => Promise.reject(new Error('offline')) };
    expect(await outcome(openSeekable(OPEN, failing))).to.equal('Error: offline');
    expect(await outcome(openSeekable({ ...OPEN, seek: 1 } as never, sealed))).to.match(
      /^TypeError/,
    );
    for (const bytes of [new Uint8Array(0), new Uint8Array(500), sealed.subarray(0, 50)]) {
      expect(await outcome(openSeekable(OPEN, bytes))).to.equal('BAD_ENVELOPE');
    }
  });
});
