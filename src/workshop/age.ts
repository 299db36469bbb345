import { armor, Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import { concat, copyOf, utf8, wipe } from '../crypto/bytes.ts';
import { SHA256 } from '../crypto/hash/sha256.ts';
import { hkdf } from '../crypto/kdf/hkdf.ts';
import { hybridIdentity, mixesRecipients } from '../format/recipients/age-text.ts';
import type { Group } from './contract.ts';

/** The library's error for a valid file that is sealed to others. */
const NOT_OURS = "no identity matched any of the file's recipients";
/** Between the header and the chunks of a file. */
const NONCE_BYTES = 16;
/** A file of no contents has one chunk, which is a tag. */
const EMPTY_CHUNK_BYTES = 16;
const KEY_BYTES = 32;

/**
 * age by its author's library: X25519 and hybrid post-quantum recipients (age1…, age1pq1…, and the
 * tags of hardware keys), identities of the first two kinds. An argument of an unknown kind is a
 * RangeError, a damaged file a TypeError.
 */
export const operations = (): Group<'age'> => ({
  async 'age.seal'({ secrets, params: { recipients } }) {
    return encrypterTo(recipients).encrypt(secrets.contents);
  },

  async 'age.open'({ secrets, params: { file } }) {
    const decrypter = decrypterWith(secrets);
    return unlessForOthers(() => decrypter.decrypt(binary(file)));
  },

  async 'age.sealHead'({ params: { recipients } }) {
    const encrypter = encrypterTo(recipients);
    let fileKey = new Uint8Array(0);
    // One that adds no stanza: the library shows the key of a file to its recipients alone.
    encrypter.addRecipient({
      wrapFileKey: (key) => {
        fileKey = copyOf(key);
        return [];
      },
    });
    const file = await encrypter.encrypt(new Uint8Array(0));
    const header = file.subarray(0, -NONCE_BYTES - EMPTY_CHUNK_BYTES);
    // The payload key of the file without contents is used once more for none: the nonce is another.
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
    return { head: concat(header, nonce), key: payloadKey(fileKey, nonce) };
  },

  async 'age.openHead'({ secrets, params: { head } }) {
    const decrypter = decrypterWith(secrets);
    const header = head.subarray(0, -NONCE_BYTES);
    const fileKey = await unlessForOthers(() => decrypter.decryptHeader(copyOf(header)));
    return fileKey && payloadKey(fileKey, head.subarray(-NONCE_BYTES));
  },

  'age.recipientsOf': ({ secrets }) => Promise.all(secrets.identities.map(recipientOf)),
});

function encrypterTo(recipients: readonly string[]): Encrypter {
  if (recipients.length === 0) throw new RangeError('recipients: there must be one');
  if (mixesRecipients(recipients)) {
    throw new RangeError('recipients: hybrid ones are not mixed with others');
  }
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    checked('recipients', () => encrypter.addRecipient(recipient));
  }
  return encrypter;
}

interface Secrets {
  readonly identities: readonly string[];
  readonly seeds: readonly Uint8Array[];
  readonly passphrase?: string | undefined;
}

function decrypterWith({ identities, seeds, passphrase }: Secrets): Decrypter {
  const decrypter = new Decrypter();
  for (const identity of [...identities, ...seeds.map(hybridIdentity)]) {
    checked('identities', () => decrypter.addIdentity(identity));
  }
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  return decrypter;
}

/** null for a valid file that is sealed to others. */
async function unlessForOthers(opening: () => Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await opening();
  } catch (error) {
    if (error instanceof Error && error.message === NOT_OURS) return null;
    throw new TypeError('file: it is damaged', { cause: error });
  }
}

/** @param fileKey 16 bytes, which are wiped */
function payloadKey(fileKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  const key = hkdf(SHA256, fileKey, nonce, utf8('payload'), KEY_BYTES);
  wipe(fileKey);
  return key;
}

async function recipientOf(identity: string): Promise<string> {
  try {
    return await identityToRecipient(identity);
  } catch {
    throw refusedOf('identities');
  }
}

/** Replaces the library's errors: they may quote their input, which can be an identity. */
function checked(name: string, add: () => void): void {
  try {
    add();
  } catch {
    throw refusedOf(name);
  }
}

function refusedOf(name: string): RangeError {
  return new RangeError(`${name}: one is not valid, or of an unknown kind`);
}

/** Only armor begins with anything but the "a" of "age-encryption.org". */
function binary(file: Uint8Array): Uint8Array {
  if (file[0] === 'a'.charCodeAt(0)) return file;
  return armor.decode(new TextDecoder('utf-8', { fatal: true }).decode(file));
}
