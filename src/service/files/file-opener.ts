import type { OpenedSjclJson } from '../../crypto/legacy/sjcl-json.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { isAge, type Age } from '../../keys/ring/age.ts';
import { VaultError } from '../../keys/vault/errors.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { OpenedFile } from '../../rpc/methods/ui-files.ts';
import { isLegacyAccount } from '../../sync/legacy/account.ts';
import type { LegacyExport } from '../../sync/legacy/export.ts';

/**
 * Opens what `sjcl.encrypt` made, in a thread of its own; rejects as src/crypto/legacy/sjcl-json.ts
 * does, or with the signal's reason.
 */
export type OpenSjcl = (
  password: string,
  text: string,
  signal?: AbortSignal,
) => Promise<OpenedSjclJson>;

/** Opens an account of Weave's storage 1 to 3; rejects as src/sync/legacy/export.ts does. */
export type OpenWeaveAccount = (text: string, passphrase: string) => Promise<LegacyExport>;

/** What opening of files needs: keys, and a reader for each format. */
export interface FileOpenerDeps {
  readonly keyRing: KeyRing;
  readonly age: Age;
  readonly openSjcl: OpenSjcl;
  readonly openWeaveAccount: OpenWeaveAccount;
}

/** What was opened, and the ref of the key that did it; null: a passphrase. */
export type FileOpening = Omit<OpenedFile, 'key'> & { readonly ref: string | null };

/**
 * Opens files of other tools for their user, by what they look like: JSON of SJCL, accounts of Weave
 * (old Firefox Sync) and age files. Nothing of them is kept.
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
   * @throws SealwrightError UNSUPPORTED where it asks for what is not done here; EnvelopeError
   *   BAD_ENVELOPE for any other file
   */
  async open(file: Uint8Array, passphrase?: string, signal?: AbortSignal): Promise<FileOpening> {
    if (isAge(file)) return this.#openAge(file, passphrase);
    const text = textOf(file).trim();
    if (isLegacyAccount(text)) return this.#openWeave(text, passphrase);
    if (text.startsWith('{')) return this.#openSjcl(text, passphrase, signal);
    throw unknownFile();
  }

  async #openSjcl(text: string, passphrase?: string, signal?: AbortSignal): Promise<FileOpening> {
    if (passphrase === undefined) throw wantsPassphrase();
    const { openSjcl } = this.#deps;
    try {
      const { plaintext, authenticated } = await openSjcl(passphrase, text, signal);
      const trust = authenticated ? 'whole' : 'forgeable';
      return { format: 'sjcl', contents: plaintext, trust, ref: null };
    } catch (error) {
      throw refused(error);
    }
  }

  /** To be read: JSON, shorter than what it was in, however it is indented. */
  async #openWeave(text: string, passphrase?: string): Promise<FileOpening> {
    if (passphrase === undefined) throw wantsPassphrase();
    const opened = await this.#deps.openWeaveAccount(text, passphrase);
    const contents = new TextEncoder().encode(`${JSON.stringify(opened, null, 2)}\n`);
    // Version 1 authenticates nothing, version 3 not the IV.
    return { format: 'weave', contents, trust: 'forgeable', ref: null };
  }

  /** One key after the other: which one a file is for shows only by trying. */
  async #openAge(file: Uint8Array, passphrase?: string): Promise<FileOpening> {
    const { age, keyRing } = this.#deps;
    if (passphrase !== undefined) {
      const contents = await age.open(file, { identities: [], passphrase });
      if (contents) return { format: 'age', contents, trust: 'whole', ref: null };
    }
    for (const { ref, identities } of await keyRing.ageKeys()) {
      const contents = await unlessRefused(age.open(file, { identities }));
      if (contents) return { format: 'age', contents, trust: 'sender-unknown', ref };
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

/** SJCL's reader tells what is no message of SJCL from what asks for too much, or too little. */
function refused(error: unknown): unknown {
  if (error instanceof TypeError) return new EnvelopeError('BAD_ENVELOPE', error.message);
  if (error instanceof RangeError) return new SealwrightError('UNSUPPORTED', error.message);
  return error;
}
