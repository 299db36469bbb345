import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { toHex, utf8 } from '../../../../src/crypto/bytes.ts';
import { loadKeccak } from '../../../../src/engine/wasm/hash/keccak.ts';
import { SECRETS } from '../../../../src/engine/wasm/generator/hash/keccak-layout.ts';
import { checkAll, readPublished } from '../../../support/vectors.ts';
import { loadWasm } from '../../../support/wasm.ts';
import type { Published } from '../../../crypto/hash/hash-suite.ts';
import { describeFastHash, pattern } from './hash-suite.ts';

const NAMES = ['SHA3-256', 'SHA3-384', 'SHA3-512'] as const;
const node = (name: string, data: Uint8Array): string =>
  createHash(name.toLowerCase()).update(data).digest('hex');

describe('SHA-3 in WebAssembly', () => {
  for (const name of NAMES) {
    describeFastHash(
      name,
      async () => (await loadKeccak(loadWasm)).hashes[name],
      (data) => node(name, data),
    );
  }

  it('gives the digests published by NIST', async () => {
    const { hashes } = await loadKeccak(loadWasm);
    const { vectors } = readPublished('sha3.json') as { readonly vectors: readonly Published[] };
    await checkAll('sha3.json', vectors, ({ hash, text, repeat, digest }) => {
      const name = hash as (typeof NAMES)[number];
      expect(toHex(hashes[name].digest(utf8(text.repeat(repeat))))).to.equal(digest);
    });
  });

  it('leaves nothing of a message in its memory', async () => {
    const { hashes, memory } = await loadKeccak(loadWasm);
    for (const hash of Object.values(hashes)) {
      for (const length of [3, 65536, 200_000]) {
        hash.digest(pattern(length).fill(0x5a));
        hash.create().update(pattern(length)).update(pattern(33)).digest();
        hash.create().update(pattern(length)).wipe();
        expect(memory.subarray(SECRETS).every((byte) => byte === 0)).to.equal(true);
      }
    }
  });
});
