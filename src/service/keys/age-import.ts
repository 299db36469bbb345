import { wipe } from '../../crypto/bytes.ts';
import { ageLines, isAge, type Age } from '../../keys/ring/age.ts';
import type { AgeIdentity } from '../../keys/ring/age-key.ts';
import { VaultError } from '../../keys/values/errors.ts';
import { SealwrightError } from '../../rpc/errors.ts';

/** Each needs a place in every file that is tried. */
const MAX_IDENTITIES = 20;

/**
 * Reads identities as age-keygen writes them: one a line, or the same as an age file under a
 * passphrase (age -p).
 *
 * @returns at least one, in the file's order, with their recipients
 * @throws SealwrightError INVALID_ARGUMENT where there is none, one is of an unknown kind, or there are
 *   too many, NEEDS_KEY where a passphrase is wanted; VaultError WRONG_PASSPHRASE, BAD_BACKUP
 */
export async function importedIdentities(
  given: { readonly file: Uint8Array; readonly passphrase?: string | undefined },
  age: Age,
  signal?: AbortSignal,
): Promise<readonly AgeIdentity[]> {
  const identities = ageLines(await readText(given, age, signal));
  if (identities.length === 0 || identities.length > MAX_IDENTITIES) throw notImportable();
  try {
    const recipients = await age.recipientsOf(identities);
    return identities.map((identity, i) => ({ identity, recipient: recipients[i]! }));
  } catch (error) {
    throw error instanceof RangeError ? notImportable() : error;
  }
}

async function readText(
  { file, passphrase }: { readonly file: Uint8Array; readonly passphrase?: string | undefined },
  age: Age,
  signal?: AbortSignal,
): Promise<string> {
  if (!isAge(file)) return new TextDecoder().decode(file);
  if (passphrase === undefined) {
    throw new SealwrightError('NEEDS_KEY', 'file: it stands under a passphrase');
  }
  const contents = await age.open(file, { identities: [], passphrase }, signal);
  if (contents === undefined) throw new VaultError('WRONG_PASSPHRASE');
  try {
    return new TextDecoder().decode(contents);
  } finally {
    wipe(contents);
  }
}

function notImportable(): SealwrightError {
  const message = `file: expected 1 to ${MAX_IDENTITIES} identities of age, one a line`;
  return new SealwrightError('INVALID_ARGUMENT', message);
}
