import { armor, Decrypter, Encrypter, identityToRecipient } from 'age-encryption';
import type { Group } from './contract.ts';

/** The library's error for a valid file that is sealed to others. */
const NOT_OURS = "no identity matched any of the file's recipients";

/**
 * age by its author's library: X25519 and hybrid post-quantum recipients (age1…, age1pq1…, and the
 * tags of hardware keys), identities of the first two kinds. An argument of an unknown kind is a
 * RangeError, a damaged file a TypeError.
 */
export const operations = (): Group<'age'> => ({
  async 'age.seal'({ secrets, params: { recipients } }) {
    const encrypter = new Encrypter();
    if (recipients.length === 0) throw new RangeError('recipients: there must be one');
    for (const recipient of recipients) {
      checked('recipients', () => encrypter.addRecipient(recipient));
    }
    return encrypter.encrypt(secrets.contents);
  },

  async 'age.open'({ secrets: { identities, passphrase }, params: { file } }) {
    const decrypter = new Decrypter();
    for (const identity of identities) {
      checked('identities', () => decrypter.addIdentity(identity));
    }
    if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
    try {
      return await decrypter.decrypt(binary(file));
    } catch (error) {
      if (error instanceof Error && error.message === NOT_OURS) return null;
      throw new TypeError('file: it is damaged', { cause: error });
    }
  },

  'age.recipientsOf': ({ secrets }) => Promise.all(secrets.identities.map(recipientOf)),
});

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
