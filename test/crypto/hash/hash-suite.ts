import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { HashAlgorithm } from '../../../src/crypto/contracts.ts';
import { inDepth } from '../../support/depth.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseRsp,
  readPublished,
  type Fields,
  sjclVectors,
} from '../../support/vectors.ts';
import { toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { IS_NIGHTLY, lengthsTo } from '../../support/nightly.ts';

export interface Published {
  readonly hash: string;
  readonly text: string;
  readonly repeat: number;
  readonly digest: string;
}

type OneShot = (...parts: readonly Uint8Array[]) => Uint8Array;

/** Expected results of a hash. */
interface Expected {
  /** Digests from the standard of the hash. */
  readonly vectors: readonly Published[];
  /** Hexadecimal digest of another implementation. */
  readonly reference: (data: Uint8Array) => string;
}

/** The tests of every hash of the contract. */
export function describeHash(
  algorithm: HashAlgorithm,
  oneShot: OneShot,
  { vectors, reference }: Expected = ofSha(algorithm.name),
): void {
  const pattern = (length: number): Uint8Array<ArrayBuffer> =>
    Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 0xff);

  describe(algorithm.name, () => {
    it('gives the digests of the standard', async () => {
      const mine = vectors.filter(({ hash }) => hash === algorithm.name);
      await checkAll(algorithm.name, mine, ({ text, repeat, digest }) => {
        expect(toHex(oneShot(utf8(text.repeat(repeat))))).to.equal(digest);
      });
    });

    it('agrees with another implementation at lengths from 0 to 4,096 bytes', () => {
      const data = pattern(4096);
      for (const length of lengthsTo(data.length)) {
        const message = data.subarray(0, length);
        if (toHex(oneShot(message)) !== reference(message)) expect.fail(`wrong at ${length} bytes`);
      }
    });

    it('agrees with another implementation at 1 MiB', () => {
      const data = pattern(2 ** 20);
      expect(toHex(oneShot(data))).to.equal(reference(data));
    });

    it('gives one digest wherever a message is cut, around every block edge', () => {
      const { blockBytes } = algorithm;
      for (const length of [blockBytes - 1, blockBytes, 3 * blockBytes + 1, 1024 + blockBytes]) {
        const data = pattern(length);
        const expected = reference(data);
        for (let cut = 0; cut <= length; cut++) {
          // Of the longest, `npm test` takes what is around the edges.
          if (!IS_NIGHTLY && length > 1024 && (cut + 1) % blockBytes > 2) continue;
          const hash = algorithm.create().update(data.subarray(0, cut)).update(data.subarray(cut));
          if (toHex(hash.digest()) !== expected) expect.fail(`${length} bytes cut at ${cut}`);
        }
      }
    });

    it('gives one digest for any number of pieces', () => {
      const pieces = fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 12 });
      fc.assert(
        fc.property(pieces, (parts) => {
          expect(toHex(oneShot(...parts))).to.equal(reference(Buffer.concat(parts)));
        }),
        { numRuns: 200 },
      );
    });

    it('accepts views at any offset and does not change them', () => {
      for (const length of EDGE_LENGTHS) {
        const data = pattern(length);
        for (let shift = 0; shift < 8; shift++) {
          const view = unaligned(data, shift);
          expect(toHex(oneShot(view))).to.equal(reference(data));
          expect(view).to.deep.equal(data);
        }
      }
    });

    it('clones at any point into independent copies', () => {
      const data = pattern(3 * algorithm.blockBytes);
      for (let cut = 0; cut <= data.length; cut++) {
        const one = algorithm.create().update(data.subarray(0, cut));
        const two = one.clone();
        one.update(pattern(100));
        expect(toHex(two.update(data.subarray(cut)).digest())).to.equal(reference(data));
        const longer = Buffer.concat([data.subarray(0, cut), pattern(100)]);
        expect(toHex(one.digest())).to.equal(reference(longer));
      }
    });

    it('works alongside other hashes of the same algorithm', () => {
      const hashes = [0, 1, 2].map(() => algorithm.create());
      const data = pattern(1000);
      for (let i = 0; i < data.length; i += 37) {
        for (const hash of hashes) hash.update(data.subarray(i, i + 37));
      }
      for (const hash of hashes) expect(toHex(hash.digest())).to.equal(reference(data));
    });

    it('ends with digest(): no more data, no second digest, also for a clone', () => {
      const hash = algorithm.create();
      hash.digest();
      expect(() => hash.digest()).to.throw(Error, 'ended');
      expect(() => hash.update(new Uint8Array(1))).to.throw(Error, 'ended');
      expect(() => hash.clone().digest()).to.throw(Error, 'ended');
    });

    it('clears its state on wipe()', () => {
      const data = pattern(10);
      const hash = algorithm.create().update(data);
      hash.wipe();
      expect(toHex(hash.digest())).to.not.equal(reference(data));
    });

    it('still works after another hash of the same algorithm was wiped', () => {
      const hash = algorithm.create().update(pattern(10));
      algorithm.create().wipe();
      expect(toHex(hash.digest())).to.equal(reference(pattern(10)));
    });

    it('refuses what is not a Uint8Array', () => {
      for (const wrong of ['text', [1, 2], new Uint16Array(2), new ArrayBuffer(2), null]) {
        const hash = algorithm.create();
        expect(() => hash.update(wrong as unknown as Uint8Array)).to.throw(TypeError, 'data');
      }
      const detached = new Uint8Array(4);
      structuredClone(detached.buffer, { transfer: [detached.buffer] });
      expect(() => algorithm.create().update(detached)).to.throw(TypeError, 'detached');
    });

    it('states its lengths', () => {
      const hash = algorithm.create();
      expect(hash.digestBytes).to.equal(algorithm.digestBytes);
      expect(hash.blockBytes).to.equal(algorithm.blockBytes);
      expect(hash.digest()).to.have.length(algorithm.digestBytes);
    });
  });
}

/** The examples of FIPS 180-4, a million letters included, and node:crypto. */
function ofSha(name: string): Expected {
  const nodeName = name.replace('-', '').toLowerCase();
  const { vectors } = readPublished('sha.json') as { vectors: Published[] };
  expect(vectors.filter(({ hash }) => hash === name)).to.have.length(3);
  return { vectors, reference: (data) => createHash(nodeName).update(data).digest('hex') };
}

/** The files of NIST's SHAVS, and of SJCL, for one algorithm. */
export function describeShaVectors(name: 'SHA1' | 'SHA256' | 'SHA512', oneShot: OneShot): void {
  describe(`${name}: published vectors`, () => {
    const files = `cryptography_vectors/hashes/${name === 'SHA1' ? name : 'SHA2'}/${name}`;
    for (const file of ['ShortMsg', 'LongMsg']) {
      describeVectors(`${files}${file}.rsp`, parseRsp, (vector) => {
        // Len = 0 has Msg = 00
        const message = hex(vector, 'msg').subarray(0, Number(vector['len']) / 8);
        expect(toHex(oneShot(message))).to.equal(vector['md']);
      });
    }

    describeVectors(`${files}Monte.rsp`, parseMonte, ({ seed, checkpoints: all }) => {
      const checkpoints = inDepth(all, all.slice(0, 10));
      expect([...monteCarlo(oneShot, seed, checkpoints.length)]).to.deep.equal(checkpoints);
    });

    describeVectors(`sjcl/${name.toLowerCase()}_vectors.js`, parsePairs, ([text, digest]) => {
      expect(toHex(oneShot(utf8(text)))).to.equal(digest);
    });
  });
}

interface MonteCarlo {
  readonly seed: Uint8Array;
  readonly checkpoints: readonly string[];
}

function parseMonte(text: string): MonteCarlo[] {
  const blocks = parseRsp(text).filter((fields: Fields) => 'md' in fields);
  return [{ seed: hex(blocks[0]!, 'seed'), checkpoints: blocks.map((fields) => fields['md']!) }];
}

/** SHAVS, section 6.4: MD_i = SHA(MD_(i-3) ‖ MD_(i-2) ‖ MD_(i-1)), a thousand times per checkpoint. */
function* monteCarlo(oneShot: OneShot, seed: Uint8Array, count: number): Generator<string> {
  let digest = seed;
  for (let j = 0; j < count; j++) {
    let [a, b, c] = [digest, digest, digest];
    for (let i = 0; i < 1000; i++) [a, b, c] = [b, c, oneShot(a, b, c)];
    digest = c;
    yield toHex(digest);
  }
}

function parsePairs(text: string): [string, string][] {
  return sjclVectors(text) as [string, string][];
}
