import { utf8 } from '../../crypto/bytes.ts';

/** What a file is tried with. */
export interface AgeSecrets {
  readonly identities: readonly string[];
  /** Of a file that stands under a passphrase, and has no recipients. */
  readonly passphrase?: string | undefined;
}

/** Files that open for whoever holds an identity: age, version 1 (age-encryption.org/v1). */
export interface Age {
  /** @throws RangeError where a recipient is none, or of a kind that is not known */
  seal(contents: Uint8Array, recipients: readonly string[]): Promise<Uint8Array>;

  /**
   * @param file as `isAge` knows it
   * @returns what was sealed, which the caller wipes; undefined where none of the secrets opens it
   * @throws RangeError where an identity is none; VaultError BAD_BACKUP for a damaged file
   */
  open(file: Uint8Array, secrets: AgeSecrets): Promise<Uint8Array | undefined>;

  /**
   * The recipient of each identity, in order.
   *
   * @throws RangeError where an identity is none, or of a kind that is not known
   */
  recipientsOf(identities: readonly string[]): Promise<readonly string[]>;
}

const HEADERS = ['age-encryption.org/v1\n', '-----BEGIN AGE ENCRYPTED FILE-----'].map(utf8);

/** Whether this is an age file, binary or armored. */
export function isAge(file: Uint8Array): boolean {
  return HEADERS.some((header) => header.every((byte, i) => file[i] === byte));
}

/** Recipients or identities as files hold them: one a line, comments after "#" (man 1 age). */
export function ageLines(text: string): string[] {
  const lines = text.split(/\s*\n\s*|\s*,\s*/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** What a person typed, or has in a file: identities, or else a passphrase. */
export function ageSecretsOf(text: string): AgeSecrets {
  const lines = ageLines(text);
  const areIdentities = lines.length > 0 && lines.every((line) => /^age-secret-key-/i.test(line));
  return areIdentities ? { identities: lines } : { identities: [], passphrase: text };
}
