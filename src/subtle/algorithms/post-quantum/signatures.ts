/**
 * ML-DSA and SLH-DSA (WICG draft; FIPS 204; FIPS 205), hedged and without a pre-hash; signing and verifying are also those
 * of Ed448.
 */
import {
  SIGNATURE_NAMES,
  SIGNATURES,
  type SignatureName,
  type SignatureSizes,
} from '../../../crypto/post-quantum.ts';
import { invalidAccess, operationError } from '../../errors.ts';
import { bytesOf } from '../../key.ts';
import type { DefinitionOf, Reads } from '../definition.ts';
import { byteKeys } from './keys.ts';

/** FIPS 204, section 5.2; FIPS 205, section 10.2.1; RFC 8032, section 5.2. */
const MAX_CONTEXT_BYTES = 255;

/** The arc of NIST's signature algorithms, 2.16.840.1.101.3.4.3: ML-DSA from 17 on, SLH-DSA after it (RFC 9881, 9909). */
const ARC = '6086480165030403';
const FIRST = 17;

/** The definition of every post-quantum signature algorithm. */
export const SIGNATURE_DEFINITIONS: readonly DefinitionOf<SignatureName>[] =
  SIGNATURE_NAMES.map(signature);

/** @param place in `SIGNATURE_NAMES`, whose order is that of the object identifiers */
function signature(name: SignatureName, place: number): DefinitionOf<SignatureName> {
  const { seedBytes, privateKeyBytes, publicKeyBytes } = SIGNATURES[name];
  return {
    name,
    ...signing(name, SIGNATURES[name]),
    ...byteKeys({
      name,
      oid: `${ARC}${(FIRST + place).toString(16)}`,
      privateBytes: privateKeyBytes,
      publicBytes: publicKeyBytes,
      privateFormat: name.startsWith('ML-DSA') ? 'raw-seed' : 'raw-private',
      kty: 'AKP',
      use: 'sig',
      privateUsages: ['sign'],
      publicUsages: ['verify'],
      isAlg: (alg) => alg === name,
      keyPair: async (runtime) => {
        const seed = runtime.random.bytes(seedBytes);
        return runtime
          .signature(name, (engine) => engine.keyPair(seed))
          .finally(() => seed.fill(0));
      },
      publicKey: (runtime, privateKey) =>
        runtime.signature(name, (engine) => engine.publicKey(privateKey)),
    }),
  };
}

interface ContextParams {
  readonly context: Uint8Array;
}

/** Signing and verifying with the optional member `context`, by keys that are bytes. */
export function signing(
  name: SignatureName | 'Ed448',
  { signatureBytes, randomnessBytes }: Pick<SignatureSizes, 'signatureBytes' | 'randomnessBytes'>,
): {
  readonly sign: Reads<'sign', ContextParams>;
  readonly verify: Reads<'verify', ContextParams>;
} {
  const checkContext = (context: Uint8Array) => {
    if (context.length > MAX_CONTEXT_BYTES) {
      throw operationError(`${name}: context has at most ${MAX_CONTEXT_BYTES} bytes`);
    }
  };
  return {
    sign:
      ({ context }) =>
      async ({ runtime, key, data }) => {
        if (key.type !== 'private') throw invalidAccess(`${name}: the key must be private`);
        checkContext(context);
        const randomness = runtime.random.bytes(randomnessBytes);
        return runtime.signature(
          name,
          (engine) => engine.sign(bytesOf(key), data, context, randomness),
          context.length,
        );
      },
    verify:
      ({ context }) =>
      async ({ runtime, key, data, signature: given }) => {
        if (key.type !== 'public') throw invalidAccess(`${name}: the key must be public`);
        checkContext(context);
        if (given.length !== signatureBytes) return false;
        return runtime.signature(
          name,
          (engine) => engine.verify(bytesOf(key), data, context, given),
          context.length,
        );
      },
  };
}
