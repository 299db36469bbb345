import { copyOf, equal, fromBase64url, toHex, utf8, wipe } from '../../crypto/bytes.ts';
import { createRsa } from '../../crypto/classical/rsa.ts';
import type { RsaPrivateKey } from '../../crypto/classical/rsa.ts';
import type { OddPower } from '../../crypto/bigint/odd-power.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { SHA1 } from '../../crypto/hash/legacy/sha1.ts';
import { SHA256 } from '../../crypto/hash/sha256.ts';
import { pbkdf2 } from '../../crypto/kdf/pbkdf2.ts';
import { hmac } from '../../crypto/mac/hmac.ts';
import { nativeRsaKeyPair } from '../../engine/native/platform-keys.ts';
import type { RandomSource } from '../../random/contract.ts';
import { fromBase64, toBase64 } from '../base64.ts';
import type { KeyBundle } from '../key-bundle.ts';
import type { RecordAlgorithms } from '../record-cipher.ts';

/*
 * Keys of storage versions 1 to 3 (Weave 0.3 to 1.4, 2008 to 2010), which are only read. The
 * passphrase decrypts an RSA key, and the RSA key unwraps the AES key of each collection.
 */

const ROUNDS = 4096;
const AES_KEY_BYTES = 32;

/** The records keys/privkey and keys/pubkey; all values are Base64. */
export interface LegacyKeyPair {
  readonly salt: string;
  readonly iv: string;
  /** AES-256-CBC over PKCS #8. */
  readonly privateKeyData: string;
  /** SubjectPublicKeyInfo. */
  readonly publicKeyData: string;
}

/** The algorithms and the randomness that legacy keys need. */
export interface LegacyDeps {
  readonly algorithms: Pick<RecordAlgorithms, 'AES-CBC'>;
  readonly power: OddPower;
  /** For blinding. */
  readonly random: RandomSource;
}

/** The opened private key. `wipe` it after use. */
export interface LegacyPrivateKey {
  /**
   * The AES key of one collection.
   *
   * @param wrapped Base64
   * @param tag lower-case hexadecimal; storage version 1 has none
   * @throws AuthenticationError, the same for every cause: with a distinguishable padding error an
   *   attacker could decrypt chosen messages (Bleichenbacher 1998)
   */
  unwrap(wrapped: string, tag?: string): Uint8Array;
  wipe(): void;
}

/**
 * Decrypts the private key with both encodings of the passphrase: Weave up to 1.4 used the low byte of
 * each UTF-16 unit, later versions UTF-8. A wrong passphrase can give valid padding by chance, so the
 * check is whether private and public key belong together.
 *
 * @throws AuthenticationError if neither encoding opens it
 */
export async function openLegacyKeyPair(
  pair: LegacyKeyPair,
  passphrase: string,
  deps: LegacyDeps,
): Promise<LegacyPrivateKey> {
  for (const reading of [lowBytes(passphrase), utf8(passphrase)]) {
    const key = await privateKeyUnder(reading, pair, deps);
    if (key) return legacyPrivateKey(key, reading, deps);
  }
  throw new AuthenticationError();
}

/** The key bundle of version 3 records. The HMAC key is the Base64 *text* of the AES key. */
export function legacyBundle(aesKey: Uint8Array): KeyBundle {
  return { encryptionKey: copyOf(aesKey), hmacKey: utf8(toBase64(aesKey)) };
}

function lowBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i) & 0xff);
}

async function privateKeyUnder(
  passphrase: Uint8Array,
  { salt, iv, privateKeyData, publicKeyData }: LegacyKeyPair,
  { algorithms }: LegacyDeps,
): Promise<RsaPrivateKey | undefined> {
  const [saltBytes, ivBytes] = [requiredBase64(salt), requiredBase64(iv)];
  const key = pbkdf2(SHA1, passphrase, saltBytes, ROUNDS, AES_KEY_BYTES);
  const cipher = await algorithms['AES-CBC'].withKey(key);
  wipe(key);
  try {
    const pkcs8 = await cipher.decrypt({ iv: ivBytes }, requiredBase64(privateKeyData));
    return await keyPairOf(new Uint8Array(pkcs8), requiredBase64(publicKeyData));
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined;
    throw error;
  } finally {
    cipher.wipe();
  }
}

/** Parses both keys with WebCrypto. @returns undefined if one is invalid or they do not match */
async function keyPairOf(
  pkcs8: Uint8Array<ArrayBuffer>,
  spki: Uint8Array<ArrayBuffer>,
): Promise<RsaPrivateKey | undefined> {
  try {
    const { privateKey: own, publicKey: published } = await nativeRsaKeyPair(pkcs8, spki);
    if (own.n !== published.n || own.e !== published.e) return undefined;
    const bytes = (text: string | undefined) => fromBase64url(text ?? '');
    const [n, e, d] = [own.n, own.e, own.d].map(bytes) as [Uint8Array, Uint8Array, Uint8Array];
    return { n, e, d };
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  } finally {
    wipe(pkcs8);
  }
}

function legacyPrivateKey(
  key: RsaPrivateKey,
  passphrase: Uint8Array,
  { power, random }: LegacyDeps,
): LegacyPrivateKey {
  const rsa = createRsa(power, (length) => random.bytes(length));
  return {
    unwrap(wrapped, tag) {
      if (tag !== undefined && !equal(utf8(tag), tagOf(passphrase, wrapped))) {
        throw new AuthenticationError();
      }
      const ciphertext = fromBase64(wrapped);
      if (!ciphertext) throw new AuthenticationError();
      const padded = raised(rsa, key, ciphertext);
      try {
        return aesKeyIn(padded);
      } finally {
        wipe(padded);
      }
    },
    wipe() {
      wipe(passphrase, ...Object.values(key).filter((member) => member instanceof Uint8Array));
    },
  };
}

/** HMAC-SHA-256 of the wrapped key's text, as hexadecimal in ASCII. */
function tagOf(passphrase: Uint8Array, wrapped: string): Uint8Array {
  return utf8(toHex(hmac(SHA256, passphrase, utf8(wrapped))));
}

/** @throws AuthenticationError also for a number that is not below the modulus */
function raised(
  rsa: ReturnType<typeof createRsa>,
  key: RsaPrivateKey,
  ciphertext: Uint8Array,
): Uint8Array {
  try {
    return rsa.privateOperation(key, ciphertext);
  } catch (error) {
    if (error instanceof RangeError) throw new AuthenticationError();
    throw error;
  }
}

/**
 * Removes the padding 00 ‖ 02 ‖ nonzero bytes ‖ 00 (RFC 8017, section 7.2.2). The key's length is
 * known, and every byte is checked without an early exit.
 */
function aesKeyIn(padded: Uint8Array): Uint8Array {
  const end = padded.length - AES_KEY_BYTES;
  if (end < 11) throw new AuthenticationError();
  let wrong = padded[0]! | (padded[1]! ^ 2) | padded[end - 1]!;
  for (let i = 2; i < end - 1; i++) wrong |= (padded[i]! - 1) >> 8;
  if (wrong !== 0) throw new AuthenticationError();
  return padded.slice(end);
}

function requiredBase64(text: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(text);
  if (!bytes) throw new RangeError('keys: expected Base64');
  return bytes;
}
