/** Known answers of the algorithms of key pairs. */
import { equal } from '../../crypto/bytes.ts';
import { createDh } from '../../crypto/classical/dh.ts';
import { createDsa } from '../../crypto/classical/dsa.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { PlatformAlgorithm, PlatformName, PowerAlgorithm } from '../contract.ts';
import type {
  AgreementAnswer,
  DecryptionAnswer,
  DhAnswer,
  DsaAnswer,
  PlatformAnswer,
  SignatureAnswer,
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

function fault(which: string | undefined): Fault {
  return Promise.resolve(which);
}

function noRandomBytes(): never {
  throw new Error('known answers need no random bytes');
}
