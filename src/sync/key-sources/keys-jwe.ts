import { concat, u32be, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { nativeAesGcm } from '../../engine/native/native-crypto.ts';
import { nativeP256Agreement } from '../../engine/native/platform-keys.ts';
import { decodeObject } from '../cleartext.ts';
import { jwePart, parseJwe } from './compact-jwe.ts';
import type { CompactJwe } from './compact-jwe.ts';
import { SyncError } from '../errors.ts';
import { readScopedKey } from './scoped-key.ts';
import type { ScopedKey } from './scoped-key.ts';

/*
 * `keys_jwe`: the message with which a Mozilla account gives scoped keys to an application. The
 * application generates a P-256 key pair and sends the public key. The answer is a JWE with ECDH-ES
 * and A256GCM (RFC 7518, section 4.6) of JSON { scope: JSON Web Key }.
 */

/** RFC 7518, section 5.3: A256GCM has tags of 128 bits. */
const TAG_BYTES = 16;

/**
 * Decrypts a `keys_jwe`.
 *
 * @param privateJwk the application's key pair, with `d`
 * @returns one key for each scope
 * @throws SyncError BAD_RECORD if the text is not such a JWE
 * @throws AuthenticationError if it is for another key, or was altered
 * @throws RangeError if the private key is not valid, or a contained key is of another kind
 */
export async function openKeysJwe(text: string, privateJwk: JsonWebKey): Promise<ScopedKey[]> {
  const jwe = parseJwe(text);
  const { alg, enc, epk } = jwe.header;
  if (alg !== 'ECDH-ES' || enc !== 'A256GCM' || jwe.encryptedKey.length > 0) {
    throw new SyncError('BAD_RECORD', 'keys_jwe: expected ECDH-ES with A256GCM');
  }
  const z = await agreed(epk as JsonWebKey, privateJwk);
  const key = concatKdf(z, jwe.header);
  const keys = decodeObject(await opened(jwe, key));
  wipe(z, key);
  return Object.entries(keys).map(([scope, jwk]) => readScopedKey(jwk, scope));
}

/** Z, 32 bytes. */
async function agreed(epk: JsonWebKey, own: JsonWebKey): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await nativeP256Agreement(own, epk);
  } catch (error) {
    // The point is not on the curve, or the key is invalid. Replaces the platform's message.
    if (error instanceof DOMException || error instanceof TypeError) {
      throw new RangeError('keys_jwe: expected keys of P-256', { cause: error });
    }
    throw error;
  }
}

/** Concat KDF (NIST SP 800-56A, section 5.8.1) for 256 bits: one round of SHA-256. */
function concatKdf(z: Uint8Array, { apu, apv }: CompactJwe['header']): Uint8Array<ArrayBuffer> {
  const prefixed = (bytes: Uint8Array): Uint8Array => concat(u32be(bytes.length), bytes);
  const party = (text: unknown): Uint8Array => jwePart(typeof text === 'string' ? text : '');
  const info = [prefixed(utf8('A256GCM')), prefixed(party(apu)), prefixed(party(apv)), u32be(256)];
  return new Uint8Array(sha256(u32be(1), z, ...info));
}

async function opened(jwe: CompactJwe, key: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { protectedText, iv, ciphertext, tag } = jwe;
  const cipher = await nativeAesGcm(key);
  const params = { nonce: iv, associatedData: utf8(protectedText), tagBytes: TAG_BYTES };
  try {
    return await cipher.decrypt(params, concat(ciphertext, tag));
  } catch (error) {
    if (error instanceof DOMException) throw new AuthenticationError();
    throw error;
  }
}
