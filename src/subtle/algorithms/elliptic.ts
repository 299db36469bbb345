/**
 * ECDSA, ECDH, Ed25519 and X25519 (Web Cryptography API, 23–26), by the platform; Ed448 and X448 (Secure Curves in the
 * Web Cryptography API), whose keys are bytes here because no browser has them.
 */
import { wipe } from '../../crypto/bytes.ts';
import type { Definition, DefinitionOf, Reads } from './definition.ts';
import { invalidAccess, operationError } from '../errors.ts';
import { bytesOf, platformKeyOf, type SubtleKey } from '../key.ts';
import { firstBitsOf } from '../params.ts';
import type { PairRules } from '../key-structure.ts';
import { refusingSmallOrder } from './pair-checks.ts';
import { platformKeys, platformSigning, SIGNING_KEYS } from './platform-keys.ts';
import { byteKeys } from './post-quantum/keys.ts';
import { signing } from './post-quantum/signatures.ts';

const AGREEMENT_KEYS: PairRules = {
  use: 'enc',
  privateUsages: ['deriveKey', 'deriveBits'],
  publicUsages: [],
};

/** FIPS 186-5, over P-256, P-384 and P-521. */
const ECDSA: DefinitionOf<'ECDSA'> = {
  name: 'ECDSA',
  ...platformSigning('ECDSA'),
  ...platformKeys('ECDSA', SIGNING_KEYS),
};

const ED25519_SIGNING = platformSigning('Ed25519');

/** RFC 8032. */
const ED25519: DefinitionOf<'Ed25519'> = {
  name: 'Ed25519',
  ...ED25519_SIGNING,
  verify: (params) => refusingSmallOrder(ED25519_SIGNING.verify(params)),
  ...platformKeys('Ed25519', SIGNING_KEYS),
};

/** Key agreement over the same curves. */
const ECDH: DefinitionOf<'ECDH'> = {
  name: 'ECDH',
  ...agreement('ECDH'),
  ...platformKeys('ECDH', AGREEMENT_KEYS),
};

/** RFC 7748. */
const X25519: DefinitionOf<'X25519'> = {
  name: 'X25519',
  ...agreement('X25519'),
  ...platformKeys('X25519', AGREEMENT_KEYS),
};

/** RFC 8032, section 5.2. */
const ED448: DefinitionOf<'Ed448'> = {
  name: 'Ed448',
  ...signing('Ed448', { signatureBytes: 114, randomnessBytes: 0 }),
  ...byteKeys({
    name: 'Ed448',
    oid: '2b6571', // RFC 8410, section 3: 1.3.101.113
    privateBytes: 57,
    publicBytes: 57,
    privateFormat: undefined,
    kty: 'OKP',
    use: 'sig',
    privateUsages: ['sign'],
    publicUsages: ['verify'],
    isAlg: (alg) => alg === 'Ed448' || alg === 'EdDSA',
    keyPair: async (runtime) => {
      const seed = runtime.random.bytes(57);
      return runtime.signature('Ed448', (engine) => engine.keyPair(seed)).finally(() => wipe(seed));
    },
    publicKey: (runtime, privateKey) =>
      runtime.signature('Ed448', (engine) => engine.publicKey(privateKey)),
  }),
};

/** RFC 7748, sections 5 and 6.2. */
const X448: DefinitionOf<'X448'> = {
  name: 'X448',
  deriveBits:
    ({ public: peer }) =>
    async ({ runtime, key, lengthBits }) => {
      if (key.type !== 'private') throw invalidAccess('X448: the base key must be private');
      if (peer.type !== 'public' || peer.algorithm.name !== 'X448') {
        throw invalidAccess('X448: public is no such key');
      }
      const secret = await runtime.agreement('X448', async (engine) => {
        try {
          return await engine.agree(bytesOf(key), bytesOf(peer));
        } catch (error) {
          if (error instanceof RangeError) throw operationError(`X448: ${error.message}`);
          throw error;
        }
      });
      return firstBitsOf('X448', secret, lengthBits);
    },
  ...byteKeys({
    name: 'X448',
    oid: '2b656f', // RFC 8410, section 3: 1.3.101.111
    privateBytes: 56,
    publicBytes: 56,
    privateFormat: undefined,
    kty: 'OKP',
    use: 'enc',
    privateUsages: ['deriveKey', 'deriveBits'],
    publicUsages: [],
    isAlg: () => true,
    writesAlg: false,
    keyPair: async (runtime) => {
      const privateKey = runtime.random.bytes(56);
      const publicKey = await runtime.agreement('X448', (engine) => engine.publicKey(privateKey));
      return { privateKey, publicKey };
    },
    publicKey: (runtime, privateKey) =>
      runtime.agreement('X448', (engine) => engine.publicKey(privateKey)),
  }),
};

function agreement(name: 'ECDH' | 'X25519'): {
  readonly deriveBits: Reads<'deriveBits', { readonly public: SubtleKey }>;
} {
  return {
    deriveBits:
      ({ public: peer }) =>
      ({ runtime, key, lengthBits }) => {
        // The platform checks the rest, but must not be handed the key of another algorithm.
        if (peer.type !== 'public' || peer.algorithm.name !== name) {
          throw invalidAccess(`${name}: public is no such key`);
        }
        // It would say so too late for `supports`. ECDH's secret depends on a key, which that has not.
        if (name === 'X25519' && (lengthBits ?? 0) > 256) {
          throw operationError('X25519: the secret has 256 bits');
        }
        const algorithm = { name, public: platformKeyOf(peer) };
        return runtime.platform(name, async (subtle) => {
          // All of it, cut here: Firefox derives whole bytes of X25519's secret only.
          const secret = await subtle.deriveBits(algorithm, platformKeyOf(key), null);
          return firstBitsOf(name, new Uint8Array(secret), lengthBits);
        });
      },
  };
}

/** Signatures and agreements over elliptic curves. */
export const ELLIPTIC: readonly Definition[] = [ECDH, ECDSA, X25519, ED25519, X448, ED448];
