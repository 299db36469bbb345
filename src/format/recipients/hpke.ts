/*
 * Recipients with a key pair (docs/format.md section 3.2): HPKE (RFC 9180) in base mode with
 * HKDF-SHA-256 and AES-256-GCM, one encapsulation for each entry. The wrap context is HPKE's info.
 *
 *   body = enc ‖ ciphertext of the data key (32) ‖ tag (16)
 */
import { concat, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, checkBytes } from '../../crypto/errors.ts';
import { HPKE_AES_256_GCM, hpkeKeys } from '../../crypto/kdf/hpke.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { ChunkAead, FormatCrypto } from '../format-crypto.ts';
import { KEY_BYTES } from '../keys/input-key.ts';
import type { RecipientType } from './recipient-type.ts';
import { TAG_BYTES } from '../wire/sealed-length.ts';

/** The recipient type of a KEM. */
export function hpkeRecipient(kem: Kem, crypto: FormatCrypto, random: RandomSource): RecipientType {
  return {
    async wrap(publicKey, dataKey, context) {
      checkBytes('recipient key', publicKey, kem.publicKeyBytes);
      const randomness = random.bytes(kem.randomnessBytes);
      const { sharedSecret, encapsulated } = await kem
        .encapsulate(publicKey, randomness)
        .finally(() => wipe(randomness));
      const { aead, nonce } = await aeadOf(kem, crypto, sharedSecret, context);
      return concat(encapsulated, await aead.seal(nonce, dataKey));
    },

    async unwrap(privateKey, body, context) {
      checkBytes('identity key', privateKey, kem.privateKeyBytes);
      const sealedAt = kem.encapsulatedBytes;
      if (body.length !== sealedAt + KEY_BYTES + TAG_BYTES) throw new AuthenticationError();
      const sharedSecret = await kem.decapsulate(privateKey, body.subarray(0, sealedAt));
      const { aead, nonce } = await aeadOf(kem, crypto, sharedSecret, context);
      return aead.open(nonce, body.subarray(sealedAt));
    },
  };
}

/** The AEAD and nonce of one entry. Wipes the secret. */
async function aeadOf(
  { id }: Kem,
  crypto: FormatCrypto,
  sharedSecret: Uint8Array,
  info: Uint8Array,
): Promise<{ readonly aead: ChunkAead; readonly nonce: Uint8Array }> {
  const { key, nonce } = hpkeKeys(id, HPKE_AES_256_GCM, sharedSecret, info);
  try {
    return { aead: await crypto.aesGcm(key), nonce };
  } finally {
    wipe(key, sharedSecret);
  }
}
