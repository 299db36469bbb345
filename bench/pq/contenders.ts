import { ml_dsa44, ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js';
import { ml_kem1024, ml_kem512, ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { concat } from '../../src/crypto/bytes.ts';
import { ML_KEMS, type MlKem, type MlKemName } from '../../src/crypto/lattice/ml-kem.ts';
import type { Algorithms, Awaitable, Encapsulated } from '../../src/engine/contract.ts';
import type { MlDsaName, SyncSignature } from '../../src/engine/wasm/lattice/ml-dsa.ts';
import { asBytes, type Contender, type Prepared } from '../contender.ts';
import { JS, WASM_FRESH } from '../names.ts';
import {
  DSA_SEED,
  type DsaTask,
  KEM_RANDOMNESS,
  KEM_SEED,
  type KemTask,
  MESSAGES,
  NATIVE,
  NO_CONTEXT,
  NO_RANDOMNESS,
  NOBLE,
} from './task.ts';

/* Private keys are seeds for ours, and expanded before the clock starts for the peers, which take them in this form. */

const KEMS = { 'ML-KEM-512': ml_kem512, 'ML-KEM-768': ml_kem768, 'ML-KEM-1024': ml_kem1024 };
const DSAS = { 'ML-DSA-44': ml_dsa44, 'ML-DSA-65': ml_dsa65, 'ML-DSA-87': ml_dsa87 };

const ofSender = (result: unknown): Uint8Array => {
  const { sharedKey, ciphertext } = result as Encapsulated;
  return concat(sharedKey, ciphertext);
};
const joined = (result: unknown): Uint8Array => concat(...(result as readonly Uint8Array[]));
const ofVerdicts = (result: unknown): Uint8Array => Uint8Array.from(result as boolean[], Number);

const oursKem = (name: string, sets: Readonly<Record<MlKemName, MlKem>>): Contender<KemTask> => ({
  name,
  kind: 'ours',
  prepare: ({ name, operation }) => {
    const kem = sets[name];
    const { publicKey, cipherText } = nobleKem(name);
    const runs: Readonly<Record<KemTask['operation'], Prepared>> = {
      'public key': { run: () => kem.publicKey(KEM_SEED), bytes: asBytes },
      encapsulate: { run: () => kem.encapsulate(publicKey, KEM_RANDOMNESS), bytes: ofSender },
      decapsulate: { run: () => kem.decapsulate(KEM_SEED, cipherText), bytes: asBytes },
    };
    return runs[operation];
  },
});

export const wasmKems = (sets: Readonly<Record<MlKemName, MlKem>>) => oursKem(WASM_FRESH, sets);
export const jsKems = oursKem(JS, ML_KEMS);

export const oursDsa = (sets: Readonly<Record<MlDsaName, SyncSignature>>): Contender<DsaTask> => ({
  name: WASM_FRESH,
  kind: 'ours',
  prepare: ({ name, operation }) => {
    const dsa = sets[name];
    const { publicKey, signatures } = nobleDsa(name);
    const sign = (message: Uint8Array) => dsa.sign(DSA_SEED, message, NO_CONTEXT, NO_RANDOMNESS);
    const verify = (message: Uint8Array, i: number) =>
      dsa.verify(publicKey, message, NO_CONTEXT, signatures[i]!);
    const runs: Readonly<Record<DsaTask['operation'], Prepared>> = {
      'public key': { run: () => dsa.publicKey(DSA_SEED), bytes: asBytes },
      sign: { run: () => MESSAGES.map(sign), bytes: joined },
      verify: { run: () => MESSAGES.map(verify), bytes: ofVerdicts },
    };
    return runs[operation];
  },
});

/** What the others are compared with: keys, a ciphertext and signatures by @noble/post-quantum. */
function nobleKem(name: MlKemName) {
  const { publicKey, secretKey } = KEMS[name].keygen(KEM_SEED);
  return { publicKey, secretKey, ...KEMS[name].encapsulate(publicKey, KEM_RANDOMNESS) };
}

function nobleDsa(name: MlDsaName) {
  const { publicKey, secretKey } = DSAS[name].keygen(DSA_SEED);
  const sign = (message: Uint8Array) =>
    DSAS[name].sign(message, secretKey, { extraEntropy: NO_RANDOMNESS });
  return { publicKey, secretKey, sign, signatures: MESSAGES.map(sign) };
}

export const nobleKems: Contender<KemTask> = {
  name: NOBLE,
  kind: 'pure js',
  prepare: ({ name, operation }) => {
    const kem = KEMS[name];
    const { publicKey, secretKey, cipherText } = nobleKem(name);
    const runs: Readonly<Record<KemTask['operation'], Prepared>> = {
      'public key': { run: () => kem.keygen(KEM_SEED).publicKey, bytes: asBytes },
      encapsulate: {
        run: () => {
          const sent = kem.encapsulate(publicKey, KEM_RANDOMNESS);
          return { sharedKey: sent.sharedSecret, ciphertext: sent.cipherText };
        },
        bytes: ofSender,
      },
      decapsulate: { run: () => kem.decapsulate(cipherText, secretKey), bytes: asBytes },
    };
    return runs[operation];
  },
};

export const nobleDsas: Contender<DsaTask> = {
  name: NOBLE,
  kind: 'pure js',
  prepare: ({ name, operation }) => {
    const dsa = DSAS[name];
    const { publicKey, sign, signatures } = nobleDsa(name);
    const verify = (message: Uint8Array, i: number) =>
      dsa.verify(signatures[i]!, message, publicKey);
    const runs: Readonly<Record<DsaTask['operation'], Prepared>> = {
      'public key': { run: () => dsa.keygen(DSA_SEED).publicKey, bytes: asBytes },
      sign: { run: () => MESSAGES.map(sign), bytes: joined },
      verify: { run: () => MESSAGES.map(verify), bytes: ofVerdicts },
    };
    return runs[operation];
  },
};

/** The platform draws its own randomness. Its results count as the expected ones if @noble/post-quantum confirms them. */
const confirmed = (isRight: boolean, expected: Uint8Array): Uint8Array =>
  isRight ? expected : NO_CONTEXT;

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

export const nativeKems = (algorithms: Algorithms): Contender<KemTask> => ({
  name: NATIVE,
  kind: 'native',
  prepare: ({ name, operation }) => {
    const kem = algorithms[name];
    if (kem === undefined) return undefined;
    const { publicKey, secretKey, cipherText, sharedSecret } = nobleKem(name);
    const runs: Readonly<Record<KemTask['operation'], Prepared>> = {
      'public key': { run: () => kem.publicKey(KEM_SEED), bytes: asBytes },
      encapsulate: {
        run: () => kem.encapsulate(publicKey, KEM_RANDOMNESS),
        bytes: (result) => {
          const { sharedKey, ciphertext } = result as Encapsulated;
          const isRight = same(KEMS[name].decapsulate(ciphertext, secretKey), sharedKey);
          return confirmed(isRight, concat(sharedSecret, cipherText));
        },
      },
      decapsulate: { run: () => kem.decapsulate(KEM_SEED, cipherText), bytes: asBytes },
    };
    return runs[operation];
  },
});

/** One message after the other, as the others do it. */
async function inTurn<T>(work: (message: Uint8Array, i: number) => Awaitable<T>): Promise<T[]> {
  const results: T[] = [];
  for (const [i, message] of MESSAGES.entries()) results.push(await work(message, i));
  return results;
}

export const nativeDsas = (algorithms: Algorithms): Contender<DsaTask> => ({
  name: NATIVE,
  kind: 'native',
  prepare: ({ name, operation }) => {
    const dsa = algorithms[name];
    if (dsa === undefined) return undefined;
    const { publicKey, signatures } = nobleDsa(name);
    const sign = (message: Uint8Array) => dsa.sign(DSA_SEED, message, NO_CONTEXT, NO_RANDOMNESS);
    const verify = (message: Uint8Array, i: number) =>
      dsa.verify(publicKey, message, NO_CONTEXT, signatures[i]!);
    const runs: Readonly<Record<DsaTask['operation'], Prepared>> = {
      'public key': { run: () => dsa.publicKey(DSA_SEED), bytes: asBytes },
      sign: {
        run: () => inTurn(sign),
        bytes: (result) => {
          const isRight = (result as readonly Uint8Array[]).every((signature, i) =>
            DSAS[name].verify(signature, MESSAGES[i]!, publicKey),
          );
          return confirmed(isRight, concat(...signatures));
        },
      },
      verify: { run: () => inTurn(verify), bytes: ofVerdicts },
    };
    return runs[operation];
  },
});
