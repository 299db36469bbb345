import { wipe } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import type { Age } from '../../keys/ring/age.ts';
import { identitiesOf } from '../../keys/ring/age-key.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import { generationKeys } from '../../keys/ring/user-key.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { OpenedFile } from '../../rpc/methods/ui-files.ts';
import type { Workshop } from '../../rpc/workshop.ts';

/** What opening of files needs: keys, and a reader for each format. */
export interface FileOpenerDeps {
  readonly keyRing: KeyRing;
  readonly age: Age;
  readonly workshop: Workshop;
  readonly random: RandomSource;
}

/** The key of an age file's payload, and the ref of the key that opens it; null: a passphrase does. */
export interface AgeOpening {
  readonly key: Uint8Array;
  readonly ref: string | null;
}

/**
 * Opens files of other tools for their user, by what they look like: JSON of SJCL, accounts of Weave
 * (old Firefox Sync), and heads of age files. Nothing of them is kept.
 *
 * Every way in throws AuthenticationError (or VaultError WRONG_PASSPHRASE) where the passphrase is not
 * the one, and SealwrightError NEEDS_KEY where none is given and no key of the vault fits.
 */
export class FileOpener {
  readonly #deps: FileOpenerDeps;

  constructor(deps: FileOpenerDeps) {
    this.#deps = deps;
  }

  /**
   * Which JSON it is shows when it is read, which is not done here.
   *
   * @throws SealwrightError UNSUPPORTED where it asks for what is not done here; EnvelopeError
   *   BAD_ENVELOPE for any other file
   */
  async open(file: Uint8Array, passphrase?: string, signal?: AbortSignal): Promise<OpenedFile> {
    const text = textOf(file).trim();
    if (!text.startsWith('{')) throw unknownFile();
    if (passphrase === undefined) throw wantsPassphrase();
    const { workshop, random } = this.#deps;
    const input = { secrets: { passphrase, seed: random.bytes(32) }, params: { text } };
    try {
      return await workshop.call('files', 'json.open', input, { signal });
    } catch (error) {
      throw refused(error);
    }
  }

  /**
   * Opens the head of an age file. One key after the other: which one it is for shows only by trying.
   *
   * @param head its header and the nonce after it
   * @throws VaultError BAD_BACKUP for a damaged one
   */
  async openAge(head: Uint8Array, passphrase?: string, signal?: AbortSignal): Promise<AgeOpening> {
    const { age, keyRing } = this.#deps;
    if (passphrase !== undefined) {
      const key = await age.openHead(head, { identities: [], passphrase }, signal);
      if (key) return { key, ref: null };
    }
    const sharing = (await keyRing.userKeyValues('sharing')).filter(
      ({ value }) => value.algorithm === 'X-Wing',
    );
    for (const { ref, value } of [...(await keyRing.userKeyValues('age')), ...sharing]) {
      const isAgeKey = value.algorithm === undefined;
      const seeds = isAgeKey ? [] : generationKeys(value).map((generation) => generation.key);
      const identities = isAgeKey ? identitiesOf(value) : [];
      const opening = age.openHead(head, { identities, seeds }, signal);
      const key = await unlessRefused(opening).finally(() => wipe(...seeds));
      if (key) return { key, ref };
    }
    throw passphrase === undefined ? wantsPassphrase() : new VaultError('WRONG_PASSPHRASE');
  }
}

/** A key that came out of a backup need not hold identities: it is in no other key's way. */
async function unlessRefused<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The formats are all texts. */
function textOf(file: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch (error) {
    throw error instanceof TypeError ? unknownFile() : error;
  }
}

function unknownFile(): EnvelopeError {
  return new EnvelopeError('BAD_ENVELOPE', 'The file is unknown');
}

function wantsPassphrase(): SealwrightError {
  return new SealwrightError('NEEDS_KEY', 'No key here opens the file; a passphrase may');
}

/** The readers tell what is not a file of theirs from what asks for too much, or too little. */
function refused(error: unknown): unknown {
  if (error instanceof TypeError) return new EnvelopeError('BAD_ENVELOPE', error.message);
  if (error instanceof RangeError) return new SealwrightError('UNSUPPORTED', error.message);
  return error;
}
