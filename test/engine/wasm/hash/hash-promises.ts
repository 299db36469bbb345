/** What every hash of the WebAssembly engine promises, checked against an independent one. */
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../../src/crypto/bytes.ts';
import type { Hash, HashAlgorithm } from '../../../../src/crypto/contracts.ts';
import { EDGE_LENGTHS, unaligned } from '../../../support/edge-lengths.ts';
import { lengthsTo } from '../../../support/nightly.ts';

export interface FastHash extends HashAlgorithm {
  digest(data: Uint8Array, into?: Uint8Array): Uint8Array;
}

export const pattern = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8) * 7) & 0xff);

/** A function that makes its value when first called, and gives the same one again. */
export function once<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

/**
 * @param load called once before the tests
 * @param reference hexadecimal digest of another implementation
 */
export function describeFastHash(
  name: string,
  load: () => Promise<FastHash>,
  reference: (data: Uint8Array) => string,
): void {
  describe(name, () => {
    let hash: FastHash;
    before(async () => {
      hash = await load();
    });
    const streamed = (...parts: readonly Uint8Array[]): string =>
      toHex(parts.reduce((h: Hash, part) => h.update(part), hash.create()).digest());

    it('agrees at lengths from 0 to 4,096 bytes, at once and in two pieces', () => {
      const data = pattern(4096);
      for (const length of lengthsTo(data.length)) {
        const message = data.subarray(0, length);
        const expected = reference(message);
        if (toHex(hash.digest(message)) !== expected) expect.fail(`wrong at ${length} bytes`);
        const cut = (length * 7) % (length + 1);
        const pieces = streamed(message.subarray(0, cut), message.subarray(cut));
        if (pieces !== expected) expect.fail(`${length} bytes cut at ${cut}`);
      }
    });

    it('agrees at 1 MiB and around every edge of the 64 KiB buffer', () => {
      const data = pattern(2 ** 20);
      for (const length of [65535, 65536, 65537, 131072, 196607, 196608, 196609, data.length]) {
        const message = data.subarray(0, length);
        const expected = reference(message);
        expect(toHex(hash.digest(message)), `${length} bytes`).to.equal(expected);
        expect(streamed(message), `${length} bytes streamed`).to.equal(expected);
        const one = data.subarray(0, 1);
        expect(streamed(one, data.subarray(1, length))).to.equal(expected);
      }
    });

    it('does not mind into how many pieces a message is cut', () => {
      const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 12 });
      fc.assert(
        fc.property(pieces, (parts) => {
          expect(streamed(...parts)).to.equal(reference(Buffer.concat(parts)));
        }),
        { numRuns: 100 },
      );
    });

    it('takes views at any offset, leaves them as they are, and writes into a given array', () => {
      for (const length of EDGE_LENGTHS) {
        const data = pattern(length);
        const expected = reference(data);
        for (let shift = 0; shift < 8; shift++) {
          const view = unaligned(data, shift);
          const into = unaligned(new Uint8Array(hash.digestBytes + 3), shift);
          const digest = hash.digest(view, into);
          expect(digest.buffer).to.equal(into.buffer);
          expect(digest).to.have.length(hash.digestBytes);
          expect(toHex(digest)).to.equal(expected);
          expect([...into.subarray(hash.digestBytes)]).to.deep.equal([0, 0, 0]);
          expect(view).to.deep.equal(data);
        }
      }
    });

    it('works side by side with others of its kind, whole messages in between', () => {
      const hashes = [0, 1, 2].map(() => hash.create());
      const data = pattern(5000);
      for (let i = 0; i < data.length; i += 313) {
        for (const each of hashes) each.update(data.subarray(i, i + 313));
        expect(toHex(hash.digest(data.subarray(0, i)))).to.equal(reference(data.subarray(0, i)));
      }
      for (const each of hashes) expect(toHex(each.digest())).to.equal(reference(data));
    });

    it('clones at any point, and neither copy disturbs the other', () => {
      const data = pattern(3 * hash.blockBytes + 2100);
      for (let cut = 0; cut <= data.length; cut += 61) {
        const one = hash.create().update(data.subarray(0, cut));
        const two = one.clone();
        one.update(pattern(hash.blockBytes));
        expect(toHex(two.update(data.subarray(cut)).digest())).to.equal(reference(data));
        const other = Buffer.concat([data.subarray(0, cut), pattern(hash.blockBytes)]);
        expect(toHex(one.digest())).to.equal(reference(other));
      }
    });

    it('ends with digest(): no more data, no second digest, and a clone is ended too', () => {
      const ended = hash.create();
      ended.digest();
      expect(() => ended.digest()).to.throw(Error, 'ended');
      expect(() => ended.update(new Uint8Array(1))).to.throw(Error, 'ended');
      expect(() => ended.clone().digest()).to.throw(Error, 'ended');
    });

    it('forgets on wipe(), and others do not notice', () => {
      const other = hash.create().update(pattern(5000));
      const wiped = hash.create().update(pattern(3000));
      wiped.wipe();
      expect(toHex(wiped.digest())).to.not.equal(reference(pattern(3000)));
      expect(toHex(other.digest())).to.equal(reference(pattern(5000)));
    });

    it('refuses what is not a Uint8Array, and a target that is too short', () => {
      for (const wrong of ['text', [1, 2], new Uint16Array(2), null]) {
        expect(() => hash.digest(wrong as unknown as Uint8Array)).to.throw(TypeError, 'data');
        const update = (): unknown => hash.create().update(wrong as unknown as Uint8Array);
        expect(update).to.throw(TypeError, 'data');
      }
      const short = new Uint8Array(hash.digestBytes - 1);
      expect(() => hash.digest(pattern(3), short)).to.throw(RangeError, 'into');
    });
  });
}
