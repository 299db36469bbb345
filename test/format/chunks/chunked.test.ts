import { createHash, randomBytes } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { chunkedDecrypt, chunkedEncrypt } from '../../../src/format/chunks/chunked.ts';
import type { ChunkedOptions } from '../../../src/format/chunks/chunked.ts';
import { describeVectors, hex, parseWycheproof } from '../../support/vectors.ts';
import { outcome } from '../support.ts';

describe('C2SP chunked encryption', () => {
  for (const bits of [128, 256] as const) {
    const suite: ChunkedOptions['suite'] = `Cobblestone-${bits}`;
    const file = `vectors/wycheproof/c2sp_chunked_encryption_aes_${bits}_gcm_test.json`;

    describeVectors(file, parseWycheproof, async (vector) => {
      const sealed = inflateSync(hex(vector, 'ct'));
      const opening = chunkedDecrypt(
        { suite, key: hex(vector, 'key'), context: hex(vector, 'ctx') },
        sealed,
      );
      if (vector.result === 'valid') {
        const message = await opening;
        expect(message.length).to.equal(vector['msgLength']);
        expect(createHash('sha512').update(message).digest('hex')).to.equal(vector['msgSha512']);
        return;
      }
      const wrongKey = vector.flags.includes('InvalidKeySize');
      expect(await outcome(opening)).to.match(wrongKey ? /^RangeError: key/ : /^AUTH_FAILED$/);
    });

    it(`${suite}: names an unknown option`, async () => {
      const options = { suite, key: randomBytes(bits / 8), context: randomBytes(3), aad: 'x' };
      const refusal = /^TypeError: options\.aad/;
      expect(await outcome(chunkedEncrypt(options, randomBytes(3)))).to.match(refusal);
      expect(await outcome(chunkedDecrypt(options, randomBytes(99)))).to.match(refusal);
    });

    it(`${suite}: opens its own output and does not change its inputs`, async () => {
      const lengths = fc.oneof(
        fc.nat(200),
        fc.integer({ min: 16_380, max: 16_390 }),
        fc.nat(70_000),
      );
      const cases = fc.asyncProperty(lengths, fc.uint8Array(), async (length, context) => {
        const key = randomBytes(bits / 8);
        const message = randomBytes(length);
        const copies = [key, message, context].map((bytes) => Buffer.from(bytes));
        const sealed = await chunkedEncrypt({ suite, key, context }, message);
        const opened = await chunkedDecrypt({ suite, key, context }, sealed);
        expect(sealed.length).to.equal(56 + length + 16 * (Math.floor(length / 16_384) + 1));
        expect(Buffer.compare(opened, message)).to.equal(0);
        expect([key, message, Buffer.from(context)]).to.deep.equal(copies);
      });
      await fc.assert(cases, { numRuns: 40 });
    });
  }

  const key = new Uint8Array(32).fill(1);
  const options: ChunkedOptions = { suite: 'Cobblestone-256', key, context: new Uint8Array(0) };

  it('generates a new salt for each message', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => chunkedEncrypt(options, key)));
    expect(Buffer.compare(one!.subarray(0, 24), two!.subarray(0, 24))).not.to.equal(0);
  });

  it('separates the two suites', async () => {
    const half = { ...options, suite: 'Cobblestone-128', key: key.subarray(16) } as const;
    const sealed = await chunkedEncrypt(half, key);
    expect(await outcome(chunkedDecrypt(options, sealed))).to.equal('AUTH_FAILED');
  });

  it('fails for every length cut off at the end', async () => {
    const sealed = await chunkedEncrypt(options, randomBytes(20));
    for (let length = 0; length < sealed.length; length++) {
      expect(await outcome(chunkedDecrypt(options, sealed.subarray(0, length)))).to.equal(
        'AUTH_FAILED',
      );
    }
  });

  it('fails when two chunks are swapped, one is missing, or one is repeated', async () => {
    const sealed = await chunkedEncrypt(options, randomBytes(3 * 16_384 + 5));
    const [head, a, b, c, end] = [0, 56, 16_456, 32_856, 49_256].map((from, i, starts) =>
      sealed.subarray(from, starts[i + 1]),
    ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const orders = [
      [b, a, c, end],
      [a, c, b, end],
      [a, c, end],
      [a, b, c],
      [a, a, b, c, end],
    ];
    for (const order of orders) {
      const altered = Buffer.concat([head, ...order]);
      expect(await outcome(chunkedDecrypt(options, altered))).to.equal('AUTH_FAILED');
    }
    expect(await outcome(chunkedDecrypt(options, Buffer.concat([head, a, b, c, end])))).to.equal(
      'resolved',
    );
  });

  it('names the wrong argument', async () => {
    const wrong = { ...options, suite: 'Cobblestone-512' } as unknown as ChunkedOptions;
    expect(await outcome(chunkedEncrypt(wrong, key))).to.match(/^TypeError: suite/);
    const short = { ...options, key: key.subarray(1) };
    expect(await outcome(chunkedEncrypt(short, key))).to.match(
      /^RangeError: key .* 32 bytes, got 31/,
    );
    const salt = { ...options, salt: key };
    expect(await outcome(chunkedEncrypt(salt, key))).to.match(
      /^RangeError: salt .* 24 bytes, got 32/,
    );
    const text = 'text' as unknown as Uint8Array;
    expect(await outcome(chunkedEncrypt(options, text))).to.match(/^TypeError: message/);
    expect(await outcome(chunkedDecrypt(options, text))).to.match(/^TypeError: sealed/);
    expect(await outcome(chunkedDecrypt({ ...options, context: text }, key))).to.match(
      /^TypeError: context/,
    );
  });
});
