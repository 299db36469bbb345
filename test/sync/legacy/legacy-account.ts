import { constants, createCipheriv, createHmac, createPublicKey, publicEncrypt } from 'node:crypto';
import { nodeSeal } from '../node-weave.ts';
import { WEAVE } from '../weave/weave-vectors.ts';

/*
 * An account in the form of Weave 0.3 to 1.4, under the published key pair and passphrase. Generated with
 * node:crypto, so that this code is not only compared with itself.
 */

const { passphrase, salt, iv, privateKeyData, publicKeyData } = WEAVE.legacy;
export const LEGACY_PASSPHRASE = passphrase;

const PUBLIC = createPublicKey({
  key: Buffer.from(publicKeyData, 'base64'),
  format: 'der',
  type: 'spki',
});
/** The low byte of each character, as in Weave up to 1.4. */
const LOW_BYTES = Buffer.from(passphrase, 'utf16le').filter((_, i) => i % 2 === 0);
const PUBLIC_URI = 'https://weave.example/0.5/user/storage/keys/pubkey';

type Collections = Record<string, { id: string; payload: string }[]>;

const record = (id: string, payload: object) => ({ id, payload: JSON.stringify(payload) });

function wrapped(aesKey: Buffer): string {
  const padding = constants.RSA_PKCS1_PADDING;
  return publicEncrypt({ key: PUBLIC, padding }, aesKey).toString('base64');
}

/** Storage version 3: `bookmarks`, with a second reader's key in its key ring; version 1: `history`. */
export function legacyAccount(): Collections {
  const [newer, older] = [Buffer.alloc(32, 0x33), Buffer.alloc(32, 0x11)];
  const text = wrapped(newer);
  const hmac = createHmac('sha256', LOW_BYTES).update(text).digest('hex');
  const others = Buffer.alloc(256, 7).toString('base64');
  const bulkIv = Buffer.alloc(16, 9);
  return {
    meta: [record('global', { storageVersion: 3 })],
    keys: [
      record('privkey', { type: 'privkey', salt, iv, keyData: privateKeyData }),
      record('pubkey', { type: 'pubkey', keyData: publicKeyData }),
    ],
    crypto: [
      record('bookmarks', {
        keyring: {
          'https://weave.example/other/pubkey': { wrapped: others, hmac },
          [PUBLIC_URI]: { wrapped: text, hmac },
        },
      }),
      record('history', {
        bulkIV: bulkIv.toString('base64'),
        keyring: { [PUBLIC_URI]: wrapped(older) },
      }),
    ],
    bookmarks: ['a', 'b'].map((id) => newRecord(newer, id, { id, title: `Bookmark ${id} ü` })),
    history: ['c', 'd'].map((id) => oldRecord(older, bulkIv, id, { id, title: `Page ${id}` })),
  };
}

function newRecord(aesKey: Buffer, id: string, content: object) {
  const bundle = { encryptionKey: aesKey, hmacKey: Buffer.from(aesKey.toString('base64')) };
  const sealed = JSON.parse(
    nodeSeal(bundle, Buffer.alloc(16, 5), JSON.stringify(content)),
  ) as object;
  return record(id, {
    encryption: 'https://weave.example/0.5/user/storage/crypto/bookmarks',
    ...sealed,
  });
}

function oldRecord(aesKey: Buffer, bulkIv: Buffer, id: string, content: object) {
  const cipher = createCipheriv('aes-256-cbc', aesKey, bulkIv);
  const list = JSON.stringify([content]);
  const ciphertext = Buffer.concat([cipher.update(list), cipher.final()]).toString('base64');
  return record(id, { encryption: '../crypto/history', ciphertext });
}
