import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../src/crypto/bytes.ts';
import { openMessage, sealMessage } from '../../src/format/message.ts';
import { generateIdentity, openingWith, sealingTo } from '../../src/format/recipients/sharing.ts';
import { openStream, sealStream } from '../../src/format/streams.ts';
import type { OpenStreamOptions } from '../../src/format/streams.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import { contentOf, openOptions, pattern, readVectors, sealOptions } from './message-vectors.ts';
import { pieces } from './stream-message.ts';
import { KEY, KEY_ID, ORIGIN, outcome, thrown } from './support.ts';

const SEAL = { key: KEY, keyId: KEY_ID };
const MIB = 2 ** 20;

/** Passes bytes through, in pieces of this length. What came out stays in `out`, also after an error. */
async function through(
  stream: TransformStream<Uint8Array, Uint8Array>,
  bytes: Uint8Array,
  pieceBytes: number,
  out: Uint8Array[] = [],
): Promise<Uint8Array> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces(bytes, pieceBytes)) controller.enqueue(piece);
      controller.close();
    },
  });
  const sink = new WritableStream<Uint8Array>({ write: (piece) => void out.push(piece) });
  await source.pipeThrough(stream).pipeTo(sink);
  return Buffer.concat(out);
}

describe('bytes whose memory is shared or resizable', () => {
  const resizable = ArrayBuffer as unknown as new (
    length: number,
    options: { maxByteLength: number },
  ) => ArrayBuffer;
  const memories = {
    shared: (length: number) => new SharedArrayBuffer(length),
    resizable: (length: number) => new resizable(length, { maxByteLength: 2 * length }),
  };
  for (const [kind, memory] of Object.entries(memories)) {
    it(`are refused, of any length and in any place: ${kind}`, async () => {
      const copied = (bytes: Uint8Array) => {
        const copy = new Uint8Array(memory(bytes.length) as ArrayBuffer);
        copy.set(bytes);
        return copy;
      };
      const options = { key: KEY, purpose: 'page', origin: ORIGIN } as const;
      const seal = { ...options, keyId: KEY_ID };
      for (const length of [10, 20_000, 3 * MIB]) {
        const bytes = pattern(length);
        const piece = copied(bytes);
        const [message, stream] = [
          await sealMessage(seal, bytes),
          await through(sealStream(SEAL), bytes, MIB),
        ];
        const calls = {
          sealMessage: () => sealMessage(seal, piece),
          openMessage: () => openMessage(options, copied(message)),
          sealStream: () => through(sealStream(SEAL), piece, length),
          openStream: () => through(openStream({ key: KEY }), copied(stream), stream.length),
          key: () => sealMessage({ ...seal, key: copied(KEY) }, bytes),
          associatedData: () => sealMessage({ ...seal, associatedData: piece }, bytes),
        };
        for (const [name, call] of Object.entries(calls)) {
          const error = await outcome((async () => call())());
          expect(error, `${name}, ${length} bytes`).to.contain('shared or resizable');
        }
      }
    });
  }
});

describe('streams: the vectors', () => {
  for (const vector of readVectors('streams.json')) {
    it(`${vector.id}: ${vector.comment}`, async () => {
      const { salt, purpose, ...options } = sealOptions(vector);
      expect(purpose).to.equal('stream');
      const message = contentOf(vector.message);
      const random = { bytes: () => new Uint8Array(salt as Uint8Array) };
      const sealed = await through(sealStream({ ...options, random }), message, 300_000);
      expect(createHash('sha256').update(sealed).digest('hex')).to.equal(vector.sealedSha256);
      if (vector.sealed !== null) expect(toHex(sealed)).to.equal(vector.sealed);
      const { purpose: again, ...opening } = openOptions(vector, null);
      expect(again).to.equal('stream');
      for (const pieceBytes of [sealed.length > 5_000 ? 77_777 : 1, sealed.length]) {
        const opened = await through(openStream(opening), sealed, pieceBytes);
        expect(Buffer.compare(opened, message)).to.equal(0);
      }
    });
  }
});

describe('streams', () => {
  it('and whole messages open each other’s, at the edges of a chunk, padded or not', async () => {
    for (const length of [0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB + 3]) {
      for (const pad of [false, true]) {
        const message = pattern(length);
        const streamed = await through(sealStream({ ...SEAL, pad }), message, 100_001);
        expect(inspect(streamed)).to.include({ purpose: 'stream', padded: pad });
        const opened = await openMessage({ key: KEY, purpose: 'stream' }, streamed);
        expect(Buffer.compare(opened, message)).to.equal(0);
        const whole = await sealMessage({ ...SEAL, purpose: 'stream', pad }, message);
        const again = await through(openStream({ key: KEY }), whole, 99_999);
        expect(Buffer.compare(again, message)).to.equal(0);
      }
    }
  }).timeout(60_000);

  it('go to public keys, and open with identities for who asks for shared messages', async () => {
    const identity = await generateIdentity();
    const bound = { origin: ORIGIN, associatedData: KEY };
    const to = sealingTo([identity.publicKey]);
    const sealed = await through(sealStream({ ...bound, ...to }), pattern(3_000), 1_000);
    const asked = { ...bound, accept: 'shared', ...openingWith([identity]) } as const;
    for (const pieceBytes of [1, 1_300, sealed.length]) {
      const opened = await through(openStream(asked), sealed, pieceBytes);
      expect(Buffer.compare(opened, pattern(3_000))).to.equal(0);
    }
    const unasked = { ...bound, ...openingWith([identity]) };
    expect(thrown(() => openStream(unasked))).to.match(/^TypeError: .*give accept: 'shared'/);
    const own = openStream({ ...bound, key: KEY });
    expect(await outcome(through(own, sealed, 1_000))).to.equal('AUTH_FAILED');
  });

  it('end with an error wherever a message is cut off, after nothing but its beginning', async () => {
    const message = pattern(2 * MIB + 500);
    const sealed = await through(sealStream(SEAL), message, MIB);
    const chunk = MIB + 16;
    const cuts = [0, 1, 7, 8, 79, 80, 81, 95, 96, 80 + chunk - 1, 80 + chunk, 80 + chunk + 15];
    for (const cut of [
      ...cuts,
      80 + chunk + 16,
      80 + 2 * chunk,
      80 + 2 * chunk + 16,
      sealed.length - 1,
    ]) {
      const out: Uint8Array[] = [];
      const opening = through(openStream({ key: KEY }), sealed.subarray(0, cut), 400_000, out);
      const expected = cut < 80 ? 'BAD_ENVELOPE' : 'AUTH_FAILED';
      expect(await outcome(opening), `${cut} bytes`).to.equal(expected);
      const came = Buffer.concat(out);
      expect(came.length).to.be.at.most(Math.max(0, cut - 80));
      expect(Buffer.compare(came, message.subarray(0, came.length))).to.equal(0);
    }
  }).timeout(60_000);

  it('end with an error for what is altered, added, or sealed for something else', async () => {
    const message = pattern(MIB + 100);
    const sealed = await through(sealStream({ ...SEAL, origin: ORIGIN }), message, MIB);
    const altered = (at: number) => {
      const copy = new Uint8Array(sealed);
      copy[at]! ^= 1;
      return copy;
    };
    const page = await sealMessage({ ...SEAL, purpose: 'page', origin: ORIGIN }, message);
    const open = { key: KEY, origin: ORIGIN };
    const cases: [OpenStreamOptions, Uint8Array][] = [
      ...[30, 60, 90, 80 + MIB, sealed.length - 1].map(
        (at) => [open, altered(at)] as [OpenStreamOptions, Uint8Array],
      ),
      [open, Buffer.concat([sealed, Uint8Array.of(0)])],
      [open, Buffer.concat([sealed, new Uint8Array(MIB + 16)])],
      [open, page],
      [{ key: KEY }, sealed],
      [{ ...open, origin: 'https://example.com' }, sealed],
      [{ ...open, associatedData: KEY }, sealed],
      [{ ...open, key: pattern(32) }, sealed],
    ];
    for (const [options, bytes] of cases) {
      expect(await outcome(through(openStream(options), bytes, 300_000))).to.equal('AUTH_FAILED');
    }
    const html = Buffer.from('<!doctype html>'.repeat(9));
    expect(await outcome(through(openStream(open), html, 10))).to.equal('BAD_ENVELOPE');
  });

  it('refuse wrong options at once, and pieces that are not bytes', async () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ ...SEAL, context: KEY }, /^TypeError: options\.context: no such option/],
      [{ ...SEAL, purpose: 'page' }, /^TypeError: options\.purpose: no such option/],
      [{ ...SEAL, origin: 'https://example.org/' }, /^TypeError: origin must/],
    ];
    for (const [options, words] of wrong) {
      expect(thrown(() => sealStream(options))).to.match(words);
      expect(thrown(() => openStream(options))).to.match(words);
    }
    expect(thrown(() => sealStream({ key: KEY }))).to.match(/^TypeError: keyId must/);
    expect(thrown(() => openStream({}))).to.match(/^TypeError: key must/);
    for (const stream of [sealStream(SEAL), openStream({ key: KEY })]) {
      const texts = new ReadableStream<string>({ start: (source) => source.enqueue('text') });
      const passing = texts
        .pipeThrough(stream as unknown as TransformStream<string, Uint8Array>)
        .pipeTo(new WritableStream());
      expect(await outcome(passing)).to.match(/^TypeError: piece must be a Uint8Array/);
    }
    const noKey = sealStream({ keyId: KEY_ID });
    expect(await outcome(through(noKey, KEY, 9))).to.match(/^TypeError: key must/);
  });

  it('take no more than their reader asks for', async () => {
    let pulled = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled++;
          controller.enqueue(new Uint8Array(MIB));
        },
      },
      { highWaterMark: 0 },
    );
    const opened = source.pipeThrough(sealStream(SEAL)).pipeThrough(openStream({ key: KEY }));
    const reader = opened.getReader();
    for (let read = 0; read < 20 * MIB;) read += (await reader.read()).value!.length;
    expect(pulled).to.be.within(20, 26);
    await reader.cancel();
  });
});
