import { expect } from 'chai';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { encryptSource, ROUNDS_PER_TURN, unrolledModule } from '../../bench/aes/unrolled-source.ts';
import { Aes } from '../../src/crypto/aes/block.ts';
import { computeTables } from '../../src/crypto/aes/tables.ts';

interface Variants {
  variants: readonly {
    roundsPerTurn: number;
    encrypt: (t: Int32Array, k: Int32Array, source: Int32Array, target: Int32Array) => void;
  }[];
}

describe('bench: unrolled rounds', () => {
  it('are AES, each with its number of rounds in a turn (FIPS 197, appendix B)', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sealwright-unrolled-')), 'unrolled.mjs');
    writeFileSync(path, unrolledModule());
    const { variants } = (await import(pathToFileURL(path).href)) as Variants;
    const key = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c', 'hex');
    const block = Uint8Array.from(Buffer.from('3243f6a8885a308d313198a2e0370734', 'hex'));
    const keys = new Aes(key).keys[0];
    expect(variants.map(({ roundsPerTurn }) => roundsPerTurn)).to.deep.equal([...ROUNDS_PER_TURN]);
    for (const { encrypt } of variants) {
      const target = new Int32Array(4);
      encrypt(computeTables()[0], keys, new Int32Array(block.buffer), target);
      expect(Buffer.from(target.buffer).toString('hex')).to.equal(
        '3925841d02dc09fbdc118597196a0b32',
      );
    }
  });

  it('grow with what is unrolled', () => {
    const [one, three, nine] = ROUNDS_PER_TURN.map((rounds) => encryptSource(rounds).length);
    expect(three!).to.be.greaterThan(1.5 * one!);
    expect(nine!).to.be.greaterThan(2 * three!);
  });
});
