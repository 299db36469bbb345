/**
 * Runs the known answers of one algorithm against one engine's implementation of it. An answer for
 * a key or nonce that the implementation says it cannot take (`gap`) is left out.
 */
import { AEAD_NAMES } from '../../crypto/algorithms.ts';
import { KEM_NAMES, SIGNATURE_NAMES } from '../../crypto/post-quantum.ts';
import { equal, utf8 } from '../../crypto/bytes.ts';
import type { Hash } from '../../crypto/contracts.ts';
import { isAuthenticationError } from '../../crypto/errors.ts';
import type {
  AlgorithmName,
  AlgorithmTypes,
  Cipher,
  DigestName,
  Kdf,
  KmacAlgorithm,
  MacAlgorithm,
  XofAlgorithm,
  XofName,
  XofParams,
} from '../contract.ts';
import type {
  CipherAnswer,
  DigestAnswer,
  KdfAnswer,
  KmacAnswer,
  MacAnswer,
  XofAnswer,
} from './answers.ts';
import { SIV_ANSWERS } from './aead.ts';
import { ARX_ANSWERS } from './arx.ts';
import { CIPHER_ANSWERS } from './cipher.ts';
import { DIGEST_ANSWERS } from './digest.ts';
import { KDF_ANSWERS } from './kdf.ts';
import { KECCAK_ANSWERS } from './keccak.ts';
import { MAC_ANSWERS } from './mac.ts';
import { PLATFORM_ANSWERS } from './platform.ts';
import {
  testDh,
  testDsa,
  testEd448,
  testKem,
  testPlatform,
  testSignatures,
  testX448,
} from './run-pairs.ts';
import { KNOWN_ANSWERS } from './table.ts';

/**
 * @returns undefined if every answer is right, else which one is not: "RFC 7253, …: wrong
 *   ciphertext". Never rejects.
 */
export async function testKnownAnswers<A extends AlgorithmName>(
  name: A,
  implementation: AlgorithmTypes[A],
): Promise<string | undefined> {
  for (const answer of KNOWN_ANSWERS[name]) {
    const fault = await testOne(name, implementation, answer);
    if (fault !== undefined) return `${answer.source}: ${fault}`;
  }
  return undefined;
}

/** The same for a streaming hash, synchronously: each message comes in two pieces. */
export function testStreaming(name: DigestName, create: () => Hash): string | undefined {
  return inTwoPieces(KNOWN_ANSWERS[name], create);
}

/** The same for an extendable-output function. */
export function testStreamingXof<A extends XofName>(
  name: A,
  create: (params: XofParams[A]) => Hash,
): string | undefined {
  const answers = KNOWN_ANSWERS[name] as readonly unknown[] as readonly XofAnswer<XofParams[A]>[];
  return inTwoPieces(answers, ({ params }) => create(params));
}

function inTwoPieces<A extends DigestAnswer>(
  answers: readonly A[],
  create: (answer: A) => Hash,
): string | undefined {
  for (const answer of answers) {
    const { source, message, digest } = answer;
    const half = message.length >> 1;
    const hash = create(answer).update(message.subarray(0, half)).update(message.subarray(half));
    if (!equal(hash.digest(), digest)) return `${source}: wrong digest of a message in two pieces`;
  }
  return undefined;
}

async function testOne(
  name: AlgorithmName,
  implementation: unknown,
  answer: unknown,
): Promise<string | undefined> {
  try {
    return await TESTS[name](implementation as never, answer as never);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/** One more than any engine works on at once: CBC in wasm-simd takes sixteen. */
const MANY = 17;

async function testCipher<P>(
  cipher: Cipher<P>,
  { key, params, plaintext, ciphertext }: CipherAnswer<P>,
): Promise<string | undefined> {
  if ((await cipher.gap?.(key.length, params)) !== undefined) return undefined;
  const keyed = await cipher.withKey(key);
  try {
    if (!equal(await keyed.encrypt(params, plaintext), ciphertext)) return 'wrong ciphertext';
    if (!equal(await keyed.decrypt(params, ciphertext), plaintext)) return 'wrong plaintext';
    const message = { params, data: plaintext };
    const many = await keyed.encryptMany?.(Array.from({ length: MANY }, () => message));
    if (many?.every((one) => equal(one, ciphertext)) === false) {
      return `wrong ciphertext of ${MANY} at once`;
    }
    const encrypted = Array.from({ length: MANY }, () => ({ params, data: ciphertext }));
    const back = await keyed.decryptMany?.(encrypted);
    const isRight = back?.every((one) => one && equal(one, plaintext));
    return isRight === false ? `wrong plaintext of ${MANY} at once` : undefined;
  } finally {
    keyed.wipe();
  }
}

/** An algorithm that authenticates must also refuse the answer with one bit of its end changed. */
async function testAuthenticated<P>(
  cipher: Cipher<P>,
  answer: CipherAnswer<P>,
): Promise<string | undefined> {
  const fault = await testCipher(cipher, answer);
  if (fault !== undefined || (await cipher.gap?.(answer.key.length, answer.params)) !== undefined) {
    return fault;
  }
  const keyed = await cipher.withKey(answer.key);
  const forged = answer.ciphertext.slice();
  forged[forged.length - 1]! ^= 1;
  try {
    await keyed.decrypt(answer.params, forged);
    return 'a changed tag was accepted';
  } catch (error) {
    if (isAuthenticationError(error)) return undefined;
    throw error;
  } finally {
    keyed.wipe();
  }
}

/** RFC 4648, section 10. */
const FOOBAR = utf8('foobar');
const FOOBAR_BASE64 = utf8('Zm9vYmFy');

async function testMac(
  mac: MacAlgorithm,
  { key, hash, message, tag }: MacAnswer,
): Promise<string | undefined> {
  if ((await mac.gap?.(hash)) !== undefined) return undefined;
  const keyed = await mac.withKey(key, hash);
  try {
    if (!equal(await keyed.sign(message), tag)) return 'wrong tag';
    if (!(await keyed.verify(tag, message))) return 'the right tag was refused';
    const tags = await keyed.signMany?.(Array.from({ length: MANY }, () => message));
    if (tags?.every((one) => equal(one, tag)) === false) return `wrong tag of ${MANY} at once`;
    const texts = Array.from({ length: MANY }, () => new Uint8Array(8));
    const tagsOfTexts = keyed.signBase64Many?.(texts.map((text) => ({ data: FOOBAR, text })));
    const tagOfText = tagsOfTexts && (await keyed.sign(FOOBAR_BASE64));
    const areRight = tagsOfTexts?.every(
      (one, i) => equal(one, tagOfText!) && equal(texts[i]!, FOOBAR_BASE64),
    );
    if (areRight === false) return `wrong Base64, or its tag, of ${MANY} at once`;
    const forged = tag.slice();
    forged[0]! ^= 0x80;
    return (await keyed.verify(forged, message)) ? 'a changed tag was accepted' : undefined;
  } finally {
    keyed.wipe();
  }
}

async function testDigest(
  implementation: AlgorithmTypes[DigestName],
  { message, digest }: DigestAnswer,
): Promise<string | undefined> {
  return equal(await implementation.digest(message), digest) ? undefined : 'wrong digest';
}

async function testXof<P>(
  xof: XofAlgorithm<P>,
  { params, message, digest }: XofAnswer<P>,
): Promise<string | undefined> {
  return equal(await xof.digest(params, message), digest) ? undefined : 'wrong output';
}

async function testKmac(
  kmac: KmacAlgorithm,
  { key, params, message, tag }: KmacAnswer,
): Promise<string | undefined> {
  const keyed = await kmac.withKey(key);
  try {
    if (!equal(await keyed.sign(params, message), tag)) return 'wrong tag';
    if (!(await keyed.verify(params, tag, message))) return 'the right tag was refused';
    const forged = tag.slice();
    forged[0]! ^= 0x80;
    return (await keyed.verify(params, forged, message)) ? 'a changed tag was accepted' : undefined;
  } finally {
    keyed.wipe();
  }
}

async function testKdf<P>(
  kdf: Kdf<P>,
  { secret, params, output }: KdfAnswer<P>,
): Promise<string | undefined> {
  if ((await kdf.gap?.(secret.length, params, output.length)) !== undefined) return undefined;
  const derived = await kdf.derive(secret, params, output.length);
  return equal(derived, output) ? undefined : 'wrong output';
}

type Test = (implementation: never, answer: never) => Promise<string | undefined>;

const TESTS: Readonly<Record<AlgorithmName, Test>> = {
  ...each(AEAD_NAMES, () => testAuthenticated),
  ...each(namesIn(SIV_ANSWERS), () => testAuthenticated),
  ...each(namesIn(ARX_ANSWERS), () => testCipher),
  ...each(namesIn(CIPHER_ANSWERS), () => testCipher),
  'AES-KW': testAuthenticated,
  ...each(namesIn(MAC_ANSWERS), () => testMac),
  ...each(namesIn(DIGEST_ANSWERS), () => testDigest),
  ...each(namesIn(KECCAK_ANSWERS), () => testXof),
  KMAC128: testKmac,
  KMAC256: testKmac,
  ...each(namesIn(KDF_ANSWERS), () => testKdf),
  ...each(namesIn(PLATFORM_ANSWERS), testPlatform),
  ...each(KEM_NAMES, () => testKem),
  ...each(SIGNATURE_NAMES, () => testSignatures),
  X448: testX448,
  Ed448: testEd448,
  DH: testDh,
  DSA: testDsa,
};

function namesIn<A extends AlgorithmName>(answers: Readonly<Record<A, unknown>>): readonly A[] {
  return Object.keys(answers) as A[];
}

function each<A extends AlgorithmName>(names: readonly A[], testOf: (name: A) => Test) {
  return Object.fromEntries(names.map((name) => [name, testOf(name)])) as Record<A, Test>;
}
