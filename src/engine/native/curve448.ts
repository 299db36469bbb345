/**
 * X448 and Ed448 of WebCrypto ("Secure Curves in the Web Cryptography API"), where the platform has them: Node, and no
 * browser. Keys are bytes here, so that they are the same in every engine.
 */
import { concat, copyOf, fromBase64url, fromHex as hex, wipe } from '../../crypto/bytes.ts';
import type { AgreementAlgorithm, Algorithms, SignatureAlgorithm } from '../contract.ts';
import { source } from './platform.ts';

/** RFC 8410, section 7: PrivateKeyInfo up to the key, the form in which the platform imports it without its public half. */
const PKCS8_PREFIX = {
  X448: hex('3046020100300506032b656f043a0438'),
  Ed448: hex('3047020100300506032b6571043b0439'),
};
type Name = keyof typeof PKCS8_PREFIX;

/** From this major version on Node takes contexts; before, it refuses every one that is not empty. */
const NODE_WITH_CONTEXTS = 24;

/**
 * Both in Node and what has its version, nothing elsewhere. They are not tried out: Node prints a warning at the first call
 * of either, which is for those who use them. The known answers decide before the first use.
 */
export function curve448(subtle: SubtleCrypto): Algorithms {
  const { process } = globalThis as {
    process?: { readonly versions?: { readonly node?: string } };
  };
  const node = Number.parseInt(process?.versions?.node ?? '', 10);
  if (Number.isNaN(node)) return {};
  return { X448: agreement(subtle), Ed448: signature(subtle, node >= NODE_WITH_CONTEXTS) };
}

function agreement(subtle: SubtleCrypto): AgreementAlgorithm {
  return {
    constantTime: 'platform',
    publicKey: (privateKey) => publicKeyOf(subtle, 'X448', privateKey, 'deriveBits'),
    async agree(privateKey, publicKey) {
      const own = await imported(subtle, 'X448', privateKey, 'deriveBits');
      const peer = await subtle.importKey('raw', source(publicKey), 'X448', false, []);
      const secret = await refusing(subtle.deriveBits({ name: 'X448', public: peer }, own, 448));
      const bytes = new Uint8Array(secret);
      if (bytes.every((byte) => byte === 0)) throw new RangeError(LOW_ORDER);
      return bytes;
    },
  };
}

const LOW_ORDER = 'publicKey: a point of low order';

/** The keys have the right length, so the platform's only reason is a secret of zeros. */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const name = (error as { readonly name?: unknown } | null)?.name;
    throw name === 'OperationError' ? new RangeError(LOW_ORDER, { cause: error }) : error;
  }
}

function signature(subtle: SubtleCrypto, hasContext: boolean): SignatureAlgorithm {
  const publicKey = (privateKey: Uint8Array) => publicKeyOf(subtle, 'Ed448', privateKey, 'sign');
  const params = (context: Uint8Array) => ({
    name: 'Ed448',
    ...(context.length > 0 && { context }),
  });
  return {
    constantTime: 'platform',
    ...(!hasContext && {
      gap: (contextBytes: number) =>
        contextBytes === 0 ? undefined : 'the platform takes no context for Ed448',
    }),
    publicKey,
    keyPair: async (seed) => ({ privateKey: copyOf(seed), publicKey: await publicKey(seed) }),
    async sign(privateKey, message, context) {
      const key = await imported(subtle, 'Ed448', privateKey, 'sign');
      return new Uint8Array(await subtle.sign(params(context), key, source(message)));
    },
    async verify(bytes, message, context, given) {
      const key = await subtle.importKey('raw', source(bytes), 'Ed448', false, ['verify']);
      return subtle.verify(params(context), key, source(given), source(message));
    },
  };
}

async function publicKeyOf(
  subtle: SubtleCrypto,
  name: Name,
  privateKey: Uint8Array,
  usage: KeyUsage,
): Promise<Uint8Array> {
  const key = await imported(subtle, name, privateKey, usage, true);
  const { x } = await subtle.exportKey('jwk', key);
  return fromBase64url(x!);
}

async function imported(
  subtle: SubtleCrypto,
  name: Name,
  privateKey: Uint8Array,
  usage: KeyUsage,
  extractable = false,
): Promise<CryptoKey> {
  const pkcs8 = concat(PKCS8_PREFIX[name], privateKey);
  try {
    return await subtle.importKey('pkcs8', pkcs8, name, extractable, [usage]);
  } finally {
    wipe(pkcs8);
  }
}
