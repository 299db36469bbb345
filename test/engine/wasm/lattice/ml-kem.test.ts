import { expect } from 'chai';
import { bytesOfWords, Q } from '../../../../src/engine/wasm/generator/lattice/ml-kem-field.ts';
import {
  codingFunctions,
  COMPRESSED_BITS,
} from '../../../../src/engine/wasm/generator/lattice/ml-kem-coding.ts';
import { ModuleText } from '../../../../src/engine/wasm/generator/dsl/module.ts';
import { SECRETS } from '../../../../src/engine/wasm/generator/lattice/ml-kem-layout.ts';
import { loadMlKem } from '../../../../src/engine/wasm/lattice/ml-kem.ts';
import {
  compressed,
  decompressed,
  describeMlKem,
  ML_KEM_NAMES,
} from '../../../crypto/lattice/ml-kem-suite.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { assembleCached, loadWasm } from '../../../support/wasm.ts';

describeMlKem('WebAssembly', async () => (await loadMlKem(loadWasm)).sets);

it('ML-KEM: nothing of a key stays in the module', async () => {
  const { sets: kems, memory } = await loadMlKem(loadWasm);
  const isClear = () => memory.subarray(SECRETS).every((byte) => byte === 0);
  for (const name of ML_KEM_NAMES) {
    const seed = randomBytes(64);
    const publicKey = kems[name].publicKey(seed);
    expect(isClear()).to.equal(true);
    const { ciphertext } = kems[name].encapsulate(publicKey, randomBytes(32));
    expect(isClear()).to.equal(true);
    kems[name].decapsulate(seed, ciphertext);
    expect(isClear()).to.equal(true);
    expect(() => kems[name].encapsulate(publicKey.fill(255), randomBytes(32))).to.throw(RangeError);
    expect(isClear()).to.equal(true);
  }
});

it('ML-KEM: compression is right for all coefficients, and decompression for all words', async () => {
  const text = new ModuleText(65_536);
  codingFunctions(text);
  const [FROM, PACKED, TO] = [0, 1_024, 2_048];
  for (const bits of COMPRESSED_BITS) {
    text.func(`both${bits}`, {}, (body) => {
      body.call(`pack${bits}`, FROM, PACKED);
      body.call(`unpack${bits}`, PACKED, TO);
    });
  }
  const { instance } = await WebAssembly.instantiate(
    await assembleCached('ml-kem-coding', text.toString()),
  );
  const exported = instance.exports as Record<string, () => void> & { memory: WebAssembly.Memory };
  const memory = new Uint8Array(exported.memory.buffer);
  for (const bits of COMPRESSED_BITS) {
    for (let first = 0; first < Q; first += 256) {
      const words = Array.from({ length: 256 }, (_, i) => Math.min(first + i, Q - 1));
      memory.set(bytesOfWords(words), FROM);
      exported[`both${bits}`]!();
      const back = new Int16Array(memory.slice(TO, TO + 512).buffer);
      const expected = words.map((word) => decompressed(compressed(word, bits), bits));
      expect([...back], `${bits} bits from ${first} on`).to.deep.equal(expected);
    }
  }
});
