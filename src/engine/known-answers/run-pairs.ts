/** Known answers of the algorithms of key pairs. */
import { equal } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { createDh } from '../../crypto/classical/dh.ts';
import { createDsa } from '../../crypto/classical/dsa.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type {
  AgreementAlgorithm,
  KemAlgorithm,
  PlatformAlgorithm,
  PlatformName,
  PowerAlgorithm,
  SignatureAlgorithm,
} from '../contract.ts';
import type {
  AgreementAnswer,
  DecryptionAnswer,
  DhAnswer,
  DsaAnswer,
  Ed448Answer,
  KemAnswer,
  PlatformAnswer,
  PostQuantumAnswer,
  SignatureAnswer,
  X448Answer,
} from './answers.ts';
import { source } from '../native/platform.ts';

type Fault = Promise<string | undefined>;

/** Tests one algorithm of the platform. Rejects if the platform throws. */
export function testPlatform(name: PlatformName) {
  return ({ subtle }: PlatformAlgorithm, answer: PlatformAnswer): Fault => {
    switch (answer.kind) {
      case 'signature':
        return testSignature(subtle, name, answer);
      case 'decryption':
        return testDecryption(subtle, name, answer);
      case 'agreement':
        return testAgreement(subtle, name, answer);
    }
  };
}

async function testSignature(
  subtle: SubtleCrypto,
  name: PlatformName,
  { publicKey, params, message, signature }: SignatureAnswer,
): Fault {
  const algorithm = { ...params, name };
  const key = await subtle.importKey('jwk', publicKey, algorithm, false, ['verify']);
  const verify = (given: Uint8Array) =>
    subtle.verify(algorithm, key, source(given), source(message));
  if (!(await verify(signature))) return 'the right signature was refused';
  const forged = signature.slice();
  forged[forged.length - 1]! ^= 1;
  return (await verify(forged)) ? 'a changed signature was accepted' : undefined;
}

async function testDecryption(
  subtle: SubtleCrypto,
  name: PlatformName,
  { privateKey, params, ciphertext, plaintext }: DecryptionAnswer,
): Fault {
  const algorithm = { ...params, name };
  const key = await subtle.importKey('jwk', privateKey, algorithm, false, ['decrypt']);
  const opened = new Uint8Array(await subtle.decrypt(algorithm, key, source(ciphertext)));
  return equal(opened, plaintext) ? undefined : 'wrong plaintext';
}

async function testAgreement(
  subtle: SubtleCrypto,
  name: PlatformName,
  { privateKey, publicKey, params, secret }: AgreementAnswer,
): Fault {
  const algorithm = { ...params, name };
  const own = await subtle.importKey('jwk', privateKey, algorithm, false, ['deriveBits']);
  const peer = await subtle.importKey('jwk', publicKey, algorithm, false, []);
  const bits = await subtle.deriveBits({ name, public: peer }, own, 8 * secret.length);
  return equal(new Uint8Array(bits), secret) ? undefined : 'wrong secret';
}

/**
 * Tests public key, shared secret, and that a secret of zeros is refused.
 *
 * @returns undefined if the answer is right, else a description of the failure
 */
export async function testX448(x448: AgreementAlgorithm, answer: X448Answer): Fault {
  const { privateKey, publicKey, peerPublic, secret } = answer;
  if (!equal(await x448.publicKey(privateKey), publicKey)) return 'wrong public key';
  if (!equal(await x448.agree(privateKey, peerPublic), secret)) return 'wrong secret';
  try {
    await x448.agree(privateKey, new Uint8Array(publicKey.length));
    return 'a secret of zeros was returned';
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Tests public key and signature, and that a changed signature is refused.
 *
 * @returns undefined if the answer is right, else a description of the failure
 */
export async function testEd448(ed448: SignatureAlgorithm, answer: Ed448Answer): Fault {
  const { privateKey, publicKey, message, context, signature } = answer;
  if (ed448.gap?.(context.length) !== undefined) return undefined;
  if (!equal(await ed448.publicKey(privateKey), publicKey)) return 'wrong public key';
  const signed = await ed448.sign(privateKey, message, context, new Uint8Array(0));
  if (!equal(signed, signature)) return 'wrong signature';
  if (!(await ed448.verify(publicKey, message, context, signature))) {
    return 'the right signature was refused';
  }
  const forged = signature.slice();
  forged[0]! ^= 1;
  const accepted = await ed448.verify(publicKey, message, context, forged);
  return accepted ? 'a changed signature was accepted' : undefined;
}

/**
 * Tests public key and shared secret.
 *
 * @returns undefined if the answer is right, else a description of the failure
 */
export function testDh({ power }: PowerAlgorithm, answer: DhAnswer): Fault {
  const { group, privateKey, publicKey, peerPublic, secret } = answer;
  const dh = createDh(power, noRandomBytes);
  if (!equal(dh.publicKey(group, privateKey), publicKey)) return fault('wrong public key');
  const agreed = dh.sharedSecret(group, privateKey, peerPublic);
  return fault(equal(agreed, secret) ? undefined : 'wrong secret');
}

/**
 * Tests signing and verifying, and that a changed signature is refused.
 *
 * @returns undefined if the answer is right, else a description of the failure
 * @throws the algorithm's error for a valid signature
 */
export function testDsa({ power }: PowerAlgorithm, answer: DsaAnswer): Fault {
  const { key, message, signature } = answer;
  const dsa = createDsa(power);
  if (!equal(dsa.sign(key, message), signature)) return fault('wrong signature');
  dsa.verify(key, message, signature);
  const forged = signature.slice();
  forged[forged.length - 1]! ^= 1;
  try {
    dsa.verify(key, message, forged);
    return fault('a changed signature was accepted');
  } catch (error) {
    if (error instanceof AuthenticationError) return fault(undefined);
    throw error;
  }
}

/**
 * Tests the public key, the rejection of a foreign ciphertext, and that the recipient gets the sender's shared key.
 *
 * @returns undefined if the answer is right, else a description of the failure
 */
export async function testKem(kem: KemAlgorithm, answer: KemAnswer): Fault {
  const { seed, publicKeySha256, ciphertext, sharedKey } = answer;
  const publicKey = await kem.publicKey(seed);
  if (!equal(sha256(publicKey), publicKeySha256)) return 'wrong public key';
  if (!equal(await kem.decapsulate(seed, ciphertext), sharedKey)) return 'wrong rejection';
  // Not a secret: nothing is encrypted under what comes out.
  const sent = await kem.encapsulate(publicKey, new Uint8Array(64).subarray(0, randomness(seed)));
  const received = await kem.decapsulate(seed, sent.ciphertext);
  return equal(received, sent.sharedKey) ? undefined : 'sender and recipient disagree';
}

/** ML-KEM has seeds of 64 bytes and needs 32 for an encapsulation; X-Wing the other way around. */
function randomness(seed: Uint8Array): number {
  return 96 - seed.length;
}

/**
 * Tests the public key, and that only a signature of this message in this context is accepted.
 *
 * @returns undefined if the answer is right, else a description of the failure
 */
export async function testSignatures(
  algorithm: SignatureAlgorithm,
  { keyPair, signs, publicKeyBytes, signatureBytes }: PostQuantumAnswer,
): Fault {
  const zeros = new Uint8Array(signatureBytes);
  let publicKey: Uint8Array = new Uint8Array(publicKeyBytes);
  if (keyPair) {
    const pair = await algorithm.keyPair(keyPair.seed);
    ({ publicKey } = pair);
    if (!equal(sha256(publicKey), keyPair.publicKeySha256)) return 'wrong public key';
    if (!equal(await algorithm.publicKey(pair.privateKey), publicKey)) return 'wrong private key';
    const fault = signs ? await testSigning(algorithm, pair.privateKey, publicKey) : undefined;
    if (fault !== undefined) return fault;
  }
  const accepted = await algorithm.verify(publicKey, zeros, new Uint8Array(0), zeros);
  return accepted ? 'a signature of zeros was accepted' : undefined;
}

async function testSigning(
  algorithm: SignatureAlgorithm,
  privateKey: Uint8Array,
  publicKey: Uint8Array,
): Fault {
  const [message, context] = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
  const signature = await algorithm.sign(privateKey, message, context, new Uint8Array(32));
  const verify = (of: Uint8Array, given: Uint8Array) =>
    algorithm.verify(publicKey, message, of, given);
  if (!(await verify(context, signature))) return 'the right signature was refused';
  if (await verify(new Uint8Array(0), signature)) return 'another context was accepted';
  const forged = signature.slice();
  forged[0]! ^= 1;
  return (await verify(context, forged)) ? 'a changed signature was accepted' : undefined;
}

function fault(which: string | undefined): Fault {
  return Promise.resolve(which);
}

function noRandomBytes(): never {
  throw new Error('known answers need no random bytes');
}
