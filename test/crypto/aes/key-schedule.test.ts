import { expect } from 'chai';
import { expandKey, invertKey } from '../../../src/crypto/aes/key-schedule.ts';
import { computeTables } from '../../../src/crypto/aes/tables.ts';
import { fromHex, toHex } from '../../../src/crypto/bytes.ts';
import { readPublished } from '../../support/vectors.ts';

const { keyExpansion } = readPublished('fips197.json') as {
  keyExpansion: { key: string; lastRoundKey: string }[];
};

describe('AES key schedule', () => {
  const tables = computeTables();

  for (const { key, lastRoundKey } of keyExpansion) {
    const bits = 4 * key.length;
    it(`expands ${bits} bits as in FIPS 197`, () => {
      const w = expandKey(tables, fromHex(key));
      expect(w.length).to.equal(4 * (bits / 32 + 7));
      const bytes = new Uint8Array(w.buffer, w.byteOffset, w.byteLength);
      expect(toHex(bytes.subarray(0, key.length / 2))).to.equal(key);
      expect(toHex(bytes.subarray(-16))).to.equal(lastRoundKey);
    });

    it(`reverses ${bits} bits for the inverse cipher, words 1 and 3 exchanged`, () => {
      const w = expandKey(tables, fromHex(key));
      const inverse = invertKey(tables, w);
      const exchange = ([a, b, c, d]: Int32Array) => [a, d, c, b];
      expect([...inverse.subarray(0, 4)]).to.deep.equal(exchange(w.subarray(-4)));
      expect([...inverse.subarray(-4)]).to.deep.equal(exchange(w.subarray(0, 4)));
    });
  }

  it('gives each key words of its own, in memory that several share', () => {
    const keys = Array.from({ length: 100 }, (_, i) =>
      new Uint8Array([16, 24, 32][i % 3]!).fill(i),
    );
    const schedules = keys.map((key) => expandKey(tables, key));
    schedules.forEach((w, i) => {
      if (i % 2 === 0) w.fill(-1);
    });
    schedules.forEach((w, i) => {
      if (i % 2 === 1) expect(w).to.deep.equal(expandKey(tables, keys[i]!));
      else expect(w.every((word) => word === -1)).to.equal(true);
    });
  });
});
