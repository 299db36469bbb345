import { utf8 } from '../../crypto/bytes.ts';

/** What may open an age file. */
export interface AgeSecrets {
  readonly identities: readonly string[];
  /** Of X-Wing, 32 bytes each: identities of hybrid recipients (src/format/recipients/age-text.ts). */
  readonly seeds?: readonly Uint8Array[];
  /** For a file that is encrypted under a passphrase and has no recipients. */
  readonly passphrase?: string | undefined;
}

/** Seals and opens files of age, version 1 (age-encryption.org/v1). */
export interface Age {
  /** @throws RangeError for an invalid recipient, or one of an unknown kind */
  seal(contents: Uint8Array, recipients: readonly string[]): Promise<Uint8Array>;

  /**
   * @param file a file for which `isAge` is true
   * @returns what was sealed, which the caller wipes; undefined where none of the secrets opens it
   * @throws RangeError for an invalid identity; VaultError BAD_BACKUP for a damaged file, and for one that takes
   *   minutes to open; the signal's reason
   */
  open(
    file: Uint8Array,
    secrets: AgeSecrets,
    signal?: AbortSignal,
  ): Promise<Uint8Array | undefined>;

  /**
   * @returns the head of a file, its header and a nonce, and the key of its payload, 32 bytes
   * @throws RangeError for an invalid recipient, one of an unknown kind, and hybrid ones among others
   */
  sealHead(recipients: readonly string[]): Promise<{ head: Uint8Array; key: Uint8Array }>;

  /** @returns the key of the payload, as above, to be wiped; undefined, and throws, as `open` */
  openHead(head: Uint8Array, secrets: AgeSecrets, signal?: AbortSignal): ReturnType<Age['open']>;

  /**
   * The recipient of each identity, in order.
   *
   * @throws RangeError for an invalid identity, or one of an unknown kind
   */
  recipientsOf(identities: readonly string[]): Promise<readonly string[]>;
}

const BINARY = utf8('age-encryption.org/v1\n');
const ARMORED = utf8('-----BEGIN AGE ENCRYPTED FILE-----');
/** The byte order mark of UTF-8, and ASCII white space. */
const BEFORE_ARMOR = utf8('\ufeff \t\r\n');

/** Whether this is an age file, binary or armored. White space before the armor is ignored, as age does. */
export function isAge(file: Uint8Array): boolean {
  const start = file.findIndex((byte) => !BEFORE_ARMOR.includes(byte));
  return beginsWith(file, BINARY) || (start >= 0 && beginsWith(file.subarray(start), ARMORED));
}

const beginsWith = (file: Uint8Array, header: Uint8Array): boolean =>
  header.every((byte, i) => file[i] === byte);

/**
 * The recipients or identities in a file: one per line, without lines that begin with "#" (man 1
 * age).
 */
export function ageLines(text: string): string[] {
  const lines = text.split(/\s*\n\s*|\s*,\s*/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** What a text of the user holds: identities, if every line is one, else a passphrase. */
export function ageSecretsOf(text: string): AgeSecrets {
  const lines = ageLines(text);
  const areIdentities = lines.length > 0 && lines.every((line) => /^age-secret-key-/i.test(line));
  return areIdentities ? { identities: lines } : { identities: [], passphrase: text };
}
