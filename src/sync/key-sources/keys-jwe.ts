import { concat, fromBase64url, u32be, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { nativeAesGcm } from '../../engine/native/native-crypto.ts';
import { nativeP256Agreement } from '../../engine/native/platform-keys.ts';
import { decodeObject } from '../cleartext.ts';
import { parseJwe } from './compact-jwe.ts';
import type { CompactJwe } from './compact-jwe.ts';
import { SyncError } from '../errors.ts';
import { readScopedKey } from './scoped-key.ts';
import type { ScopedKey } from './scoped-key.ts';

/*
 * `keys_jwe`: how a Mozilla account hands scoped keys to an application. The application makes a
 * key pair of P-256 and sends the public half; it gets ECDH-ES with A256GCM (RFC 7518, section 4.6)
 * over JSON of { scope: JSON Web Key }.
 */

/** RFC 7518, section 5.3: A256GCM has tags of 128 bits. */
const TAG_BYTES = 16;

/**
 * @param privateJwk the application's own key pair, with `d`
 * @returns the keys in it, by scope
 * @throws SyncError BAD_RECORD for what is no such JWE
 * @throws AuthenticationError where it is for another key, or was altered
 * @throws RangeError for a private key that is none, or for keys of another kind
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
    // A point that is not on the curve, or a key that is none: the message is not the platform's.
    if (error instanceof DOMException || error instanceof TypeError) {
      throw new RangeError('keys_jwe: expected keys of P-256', { cause: error });
    }
    throw error;
  }
}

/** Concat KDF (NIST SP 800-56A, section 5.8.1) for 256 bits: one round of SHA-256. */
function concatKdf(z: Uint8Array, { apu, apv }: CompactJwe['header']): Uint8Array<ArrayBuffer> {
  const prefixed = (bytes: Uint8Array): Uint8Array => concat(u32be(bytes.length), bytes);
  const party = (text: unknown): Uint8Array => fromBase64url(typeof text === 'string' ? text : '');
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
