/**
 * ML-KEM, X-Wing and ML-DSA of WebCrypto (WICG draft "Modern Algorithms in the Web Cryptography API"), where the
 * platform has them. Keys are bytes here, so that they are the same in every engine.
 */
import { copyOf } from '../../crypto/bytes.ts';
import { KEM_NAMES, KEMS, SIGNATURE_NAMES, SIGNATURES } from '../../crypto/post-quantum.ts';
import type { Algorithms, Encapsulated, KemAlgorithm, SignatureAlgorithm } from '../contract.ts';
import { attempt, source } from './platform.ts';

/** The methods that TypeScript's SubtleCrypto lacks. */
interface DraftSubtle {
  importKey(
    format: 'raw-public' | 'raw-seed',
    bytes: Uint8Array,
    name: string,
    extractable: boolean,
    usages: readonly string[],
  ): Promise<CryptoKey>;
  exportKey(format: 'raw-public', key: CryptoKey): Promise<ArrayBuffer>;
  getPublicKey(key: CryptoKey, usages: readonly string[]): Promise<CryptoKey>;
  encapsulateBits(name: string, key: CryptoKey): Promise<EncapsulatedBuffers>;
  decapsulateBits(name: string, key: CryptoKey, ciphertext: Uint8Array): Promise<ArrayBuffer>;
}

interface EncapsulatedBuffers {
  readonly sharedKey: ArrayBuffer;
  readonly ciphertext: ArrayBuffer;
}

/** @returns the post-quantum algorithms whose public keys the platform imports */
export async function probePostQuantum(subtle: SubtleCrypto): Promise<Algorithms> {
  const draft = subtle as unknown as DraftSubtle;
  if (!('getPublicKey' in subtle)) return {};
  const imports = (name: string, lengthBytes: number, usage: string) =>
    attempt(() => draft.importKey('raw-public', new Uint8Array(lengthBytes), name, false, [usage]));
  const kems = KEM_NAMES.map(async (name) =>
    (await imports(name, KEMS[name].publicKeyBytes, 'encapsulateBits'))
      ? [[name, kem(name, draft)]]
      : [],
  );
  const signatures = SIGNATURE_NAMES.map(async (name) =>
    (await imports(name, SIGNATURES[name].publicKeyBytes, 'verify'))
      ? [[name, signature(name, subtle, draft)]]
      : [],
  );
  const found = await Promise.all([...kems, ...signatures]);
  return Object.fromEntries(found.flat()) as Algorithms;
}

/** @param usage of the private key, which must have one */
async function publicKeyOf(
  name: string,
  seed: Uint8Array,
  usage: string,
  draft: DraftSubtle,
): Promise<Uint8Array> {
  const own = await draft.importKey('raw-seed', seed, name, false, [usage]);
  const key = await draft.getPublicKey(own, []);
  return new Uint8Array(await draft.exportKey('raw-public', key));
}

function kem(name: string, draft: DraftSubtle): KemAlgorithm {
  return {
    constantTime: 'platform',
    publicKey: (seed) => publicKeyOf(name, seed, 'decapsulateBits', draft),
    encapsulate: (publicKey) => refusing('publicKey', () => encapsulated(name, publicKey, draft)),
    decapsulate: (seed, ciphertext) =>
      refusing('ciphertext', async () => {
        const own = await draft.importKey('raw-seed', seed, name, false, ['decapsulateBits']);
        return new Uint8Array(await draft.decapsulateBits(name, own, ciphertext));
      }),
  };
}

async function encapsulated(
  name: string,
  publicKey: Uint8Array,
  draft: DraftSubtle,
): Promise<Encapsulated> {
  const key = await draft.importKey('raw-public', publicKey, name, false, ['encapsulateBits']);
  const { sharedKey, ciphertext } = await draft.encapsulateBits(name, key);
  return { sharedKey: new Uint8Array(sharedKey), ciphertext: new Uint8Array(ciphertext) };
}

function signature(name: string, subtle: SubtleCrypto, draft: DraftSubtle): SignatureAlgorithm {
  const publicKey = (seed: Uint8Array) => publicKeyOf(name, seed, 'sign', draft);
  return {
    constantTime: 'platform',
    publicKey,
    keyPair: async (seed) => ({ privateKey: copyOf(seed), publicKey: await publicKey(seed) }),
    async sign(seed, message, context) {
      const key = await draft.importKey('raw-seed', seed, name, false, ['sign']);
      const algorithm = { name, context };
      return new Uint8Array(await subtle.sign(algorithm, key, source(message)));
    },
    async verify(bytes, message, context, given) {
      const key = await draft.importKey('raw-public', bytes, name, false, ['verify']);
      return subtle.verify({ name, context } as Algorithm, key, source(given), source(message));
    },
  };
}

/** Chromium refuses such keys and ciphertexts with DataError, the draft with OperationError. */
async function refusing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = (error as { readonly name?: unknown } | null)?.name;
    if (name !== 'OperationError' && name !== 'DataError') throw error;
    throw new RangeError(`${what} was refused by the platform`, { cause: error });
  }
}
