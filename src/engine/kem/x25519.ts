/** X25519 (RFC 7748, section 5) by the platform if it has it, else by @noble/curves. */
import { x25519 } from '@noble/curves/ed25519.js';
import { equal, fromHex } from '../../crypto/bytes.ts';
import { attempt } from '../native/platform.ts';
import { checkKeys, NATIVE_X25519 } from './native-x25519.ts';
import type { X25519 } from './native-x25519.ts';

/** RFC 7748, section 6.1: Bob's private key, Alice's public key, their secret. */
const KNOWN_ANSWER = {
  privateKey: fromHex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'),
  publicKey: fromHex('8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'),
  secret: fromHex('4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'),
};

/** @returns the platform's, if it gives the known answer (Chromium from 133 on), else @noble/curves' */
export async function loadX25519(native: X25519 = NATIVE_X25519): Promise<X25519> {
  const { privateKey, publicKey, secret } = KNOWN_ANSWER;
  const answer = await attempt(() => native.agree(privateKey, publicKey));
  return answer && equal(answer, secret) ? native : PORTABLE_X25519;
}

/** For platforms without X25519. Not constant-time: JavaScript's BigInt is not. */
export const PORTABLE_X25519: X25519 = {
  name: 'js',
  publicKey: (privateKey) => Promise.resolve(x25519.getPublicKey(privateKey)),
  agree: (privateKey, publicKey) =>
    Promise.resolve().then(() => portableAgreement(privateKey, publicKey)),
};

function portableAgreement(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined {
  checkKeys(privateKey, publicKey);
  try {
    return x25519.getSharedSecret(privateKey, publicKey);
  } catch {
    // The lengths are right, so the only other error is a result of zero.
    return undefined;
  }
}
