/** ML-KEM and X-Wing (WICG draft, ML-KEM; FIPS 203; draft-connolly-cfrg-xwing-kem). */
import { KEM_NAMES, KEMS, type KemName } from '../../../crypto/post-quantum.ts';
import { invalidAccess, operationError } from '../../errors.ts';
import { bytesOf } from '../../key.ts';
import type { DefinitionOf } from '../definition.ts';
import { byteKeys } from './keys.ts';

/**
 * Contents of object identifiers: id-alg-ml-kem-512, -768 and -1024 (RFC 9935, section 3). X-Wing's keys have no
 * `spki` and no `pkcs8` in browsers.
 */
const OIDS: Readonly<Partial<Record<KemName, string>>> = {
  'ML-KEM-512': '608648016503040401',
  'ML-KEM-768': '608648016503040402',
  'ML-KEM-1024': '608648016503040403',
};

/** The definition of every KEM. */
export const KEM_DEFINITIONS: readonly DefinitionOf<KemName>[] = KEM_NAMES.map(kem);

function kem(name: KemName): DefinitionOf<KemName> {
  const { seedBytes, publicKeyBytes, ciphertextBytes, randomnessBytes } = KEMS[name];
  return {
    name,
    encapsulate:
      () =>
      async ({ runtime, key }) => {
        if (key.type !== 'public') throw invalidAccess(`${name}: the key must be public`);
        const randomness = runtime.random.bytes(randomnessBytes);
        const work = runtime.kem(name, (engine) => engine.encapsulate(bytesOf(key), randomness));
        return refusing(name, work).finally(() => randomness.fill(0));
      },
    decapsulate:
      () =>
      async ({ runtime, key, ciphertext }) => {
        if (key.type !== 'private') throw invalidAccess(`${name}: the key must be private`);
        if (ciphertext.length !== ciphertextBytes) {
          throw operationError(`${name}: a ciphertext has ${ciphertextBytes} bytes`);
        }
        return refusing(
          name,
          runtime.kem(name, (engine) => engine.decapsulate(bytesOf(key), ciphertext)),
        );
      },
    ...byteKeys({
      name,
      oid: OIDS[name],
      privateBytes: seedBytes,
      publicBytes: publicKeyBytes,
      privateFormat: 'raw-seed',
      kty: 'AKP',
      use: 'enc',
      privateUsages: ['decapsulateKey', 'decapsulateBits'],
      publicUsages: ['encapsulateKey', 'encapsulateBits'],
      isAlg: (alg) => alg === name || isJoseAlg(name, alg),
      keyPair: async (runtime) => {
        const privateKey = runtime.random.bytes(seedBytes);
        const publicKey = await runtime.kem(name, (engine) => engine.publicKey(privateKey));
        return { privateKey, publicKey };
      },
      publicKey: (runtime, seed) => runtime.kem(name, (engine) => engine.publicKey(seed)),
    }),
  };
}

/** draft-ietf-jose-pqc-kem-01, section 8, which the draft of March 2026 takes: MLKEM768, MLKEM768+A192KW. */
function isJoseAlg(name: KemName, alg: string): boolean {
  const [own, wrapping, ...more] = alg.split('+');
  const isOwn = name.startsWith('ML-KEM') && own === name.replaceAll('-', '');
  return isOwn && more.length === 0 && /^(A(128|192|256)KW)?$/.test(wrapping ?? '');
}

/** What no honest peer can have sent is an OperationError, as the draft says. */
async function refusing<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RangeError) throw operationError(`${name}: ${error.message}`);
    throw error;
  }
}
