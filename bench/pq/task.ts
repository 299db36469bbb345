import type { MlKemName } from '../../src/crypto/lattice/ml-kem.ts';
import { KEMS, SIGNATURES } from '../../src/crypto/post-quantum.ts';
import type { MlDsaName } from '../../src/engine/wasm/lattice/ml-dsa.ts';
import { pattern } from '../pattern.ts';
import type { RowKey } from '../row.ts';

/** ML-KEM, from the seed of 64 bytes and the randomness of a sender. */
export interface KemTask {
  readonly name: MlKemName;
  readonly operation: 'public key' | 'encapsulate' | 'decapsulate';
}

/** ML-DSA, from the seed of 32 bytes, in the deterministic variant (FIPS 204, section 3.4). */
export interface DsaTask {
  readonly name: MlDsaName;
  readonly operation: 'public key' | 'sign' | 'verify';
}

/** The peers, by the names that rows and figures share. The platform's is our engine `native`, which imports the key in each call. */
export const NOBLE = '@noble/post-quantum';
export const NATIVE = 'WebCrypto';

export const KEM_SEED = pattern(64, 7);
export const KEM_RANDOMNESS = pattern(32, 5);
export const DSA_SEED = pattern(32, 7);
export const NO_CONTEXT = new Uint8Array(0);
export const NO_RANDOMNESS = new Uint8Array(32);

const MESSAGE_BYTES = 256;
/** One signature may need one attempt or twenty: a call signs or verifies sixteen messages, of which all contenders need the same. */
export const MESSAGES = Array.from({ length: 16 }, (_, i) => pattern(MESSAGE_BYTES, 100 + i));

/** The size is that of the public key. */
export const kemRow = ({ name, operation }: KemTask): RowKey => ({
  algorithm: `${name} ${operation}`,
  size: KEMS[name].publicKeyBytes,
  unit: 'B',
});

/** The size is that of the public key, or of each of the messages. */
export const dsaRow = ({ name, operation }: DsaTask): RowKey =>
  operation === 'public key'
    ? { algorithm: `${name} ${operation}`, size: SIGNATURES[name].publicKeyBytes, unit: 'B' }
    : { algorithm: `${name} ${operation} 16 messages`, size: MESSAGE_BYTES, unit: 'B' };
