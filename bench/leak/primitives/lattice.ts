import { ML_KEMS, type MlKem } from '../../../src/crypto/lattice/ml-kem.ts';
import { loadMlDsa } from '../../../src/engine/wasm/lattice/ml-dsa.ts';
import { loadMlKem } from '../../../src/engine/wasm/lattice/ml-kem.ts';
import type { Primitive, WasmEngine } from '../primitive.ts';
import { somethingOf } from './aead.ts';

/*
 * Seeds are the same in both classes: what follows from them is ρ, which is public, and by which the matrix is sampled in
 * a time of its own.
 */

type LoadKem = (engine: WasmEngine) => MlKem | Promise<MlKem>;

const ofModule: LoadKem = async ({ loadWasm }) => (await loadMlKem(loadWasm)).sets['ML-KEM-768'];
const ofJs: LoadKem = () => ML_KEMS['ML-KEM-768'];

const encapsulate = (name: string, load: LoadKem): Primitive => ({
  name: `${name} encapsulate, randomness`,
  family: 'lattice',
  secretBytes: 32,
  expected: 'constant',
  setUp: async (engine) => {
    const kem = await load(engine);
    const publicKey = kem.publicKey(somethingOf(64));
    return { call: (randomness) => kem.encapsulate(publicKey, randomness) };
  },
});

/** The ciphertext that a sender made, against others, which are rejected without a sign of it. */
const decapsulate = (name: string, load: LoadKem): Primitive => ({
  name: `${name} decapsulate, ciphertext`,
  family: 'lattice',
  secretBytes: 1_088,
  expected: 'constant',
  setUp: async (engine) => {
    const kem = await load(engine);
    const seed = somethingOf(64);
    const { ciphertext } = kem.encapsulate(kem.publicKey(seed), somethingOf(32));
    return {
      prepare: (input) => {
        for (let i = 0; i < input.length; i++) input[i]! ^= ciphertext[i]!;
      },
      call: (input) => kem.decapsulate(seed, input),
    };
  },
});

/** Messages are public, and with them the number of attempts differs in both classes. */
const SIGN: Primitive = {
  name: 'ML-DSA-65 signature, randomness',
  family: 'lattice',
  secretBytes: 32,
  publicBytes: 32,
  expected: 'constant',
  setUp: async ({ loadWasm }) => {
    const dsa = (await loadMlDsa(loadWasm)).sets['ML-DSA-65'];
    const [seed, none] = [somethingOf(32), new Uint8Array(0)];
    return { call: (input) => dsa.sign(seed, input.subarray(32), none, input.subarray(0, 32)) };
  },
};

export const LATTICE: readonly Primitive[] = [
  encapsulate('ML-KEM-768', ofModule),
  decapsulate('ML-KEM-768', ofModule),
  encapsulate('engine js: ML-KEM-768', ofJs),
  decapsulate('engine js: ML-KEM-768', ofJs),
  SIGN,
];
