import { wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { openDataKey } from '../../format/keys/data-key.ts';
import {
  costOfPassphrase,
  PASSPHRASE_RECIPIENT,
  passphraseRecipient,
} from '../../format/recipients/passphrase.ts';
import { sealingAttributes } from '../../format/recipients/attributes.ts';
import type { RecipientTypes } from '../../format/recipients/recipient-type.ts';
import type { BeginSealOptions } from '../../format/plans/seal-plan.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import { HEADER_BYTES } from '../../format/wire/sealed-length.ts';
import { preparePassphrase, underSignal, type PassphraseKdf } from '../../format/passphrase.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { argumentChecked } from '../errors.ts';
import type { UsersAttributes } from './sharing.ts';

/** Dependencies of Passphrases. */
export interface PassphrasesDeps {
  /** Argon2id, in the workshop: half a second of work, whose cost a message chooses up to the limits of the format. */
  readonly derive: PassphraseKdf;
  readonly random: RandomSource;
  /** Seals and opens recipient entries, which are small. */
  readonly crypto: () => Promise<FormatCrypto>;
}

/** What the user typed to open one message. It is not kept after the call. */
export interface GivenPassphrase {
  readonly passphrase: string;
  /** Ends the derivation. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Messages whose only recipient is a passphrase (docs/format.md section 3.2), for people who have no key. They are the
 * user's alone to make and to open: no method of pages leads here. The vault has to be open, though none of its keys is used:
 * what was done is in its log, and what was opened ends with its lock.
 */
export class Passphrases {
  readonly #deps: PassphrasesDeps;

  constructor(deps: PassphrasesDeps) {
    this.#deps = deps;
  }

  /**
   * Does the work with what beginSeal takes, and wipes the passphrase's bytes when it has ended.
   *
   * @param attributes of which the name of a file is kept in the message; a passphrase proves no sender
   * @throws SealwrightError INVALID_ARGUMENT for what cannot be a passphrase
   */
  async withSealTerms<T>(
    { passphrase, signal }: GivenPassphrase,
    { file, digest }: UsersAttributes,
    work: (
      terms: Pick<BeginSealOptions, 'recipients' | 'recipientTypes' | 'random' | 'attributes'>,
    ) => Promise<T>,
  ): Promise<T> {
    const key = await argumentChecked(Promise.resolve(passphrase).then(preparePassphrase));
    try {
      return await work({
        recipients: [{ type: PASSPHRASE_RECIPIENT, key }],
        recipientTypes: await this.#types(signal),
        random: this.#deps.random,
        ...(file && { attributes: sealingAttributes({ file, digest, statics: [] }) }),
      });
    } finally {
      wipe(key);
    }
  }

  /**
   * Opens the data key of such a message, and wipes it when the work with it has ended.
   *
   * @param head the message up to its first chunk, or more
   * @param given undefined if the user has not been asked yet
   * @throws EnvelopeError TOO_LARGE, before any work, for more than 256 MiB or 8 passes; SealwrightError NEEDS_KEY
   *   without a passphrase, which names no header key id; AuthenticationError for a wrong one, and for what cannot be one
   */
  async withDataKey<T>(
    { recipients }: Prefix,
    head: Uint8Array,
    given: GivenPassphrase | undefined,
    work: (dataKey: Uint8Array) => Promise<T>,
  ): Promise<T> {
    costOfPassphrase(recipients); // the user is not asked for what cannot be opened
    if (!given) throw new SealwrightError('NEEDS_KEY', 'A passphrase opens the message');
    const { passphrase, signal } = given;
    const header = head.subarray(0, HEADER_BYTES);
    const types = await this.#types(signal);
    const identity = { type: PASSPHRASE_RECIPIENT, key: preparedToOpen(passphrase) };
    let dataKey: Uint8Array | undefined;
    try {
      ({ dataKey } = await openDataKey(recipients.entries, [identity], header, types));
      return await work(dataKey);
    } finally {
      wipe(identity.key, ...(dataKey ? [dataKey] : []));
    }
  }

  async #types(signal: AbortSignal | undefined): Promise<RecipientTypes> {
    const { derive, random, crypto } = this.#deps;
    const bound = { derive: underSignal(derive, signal), random, crypto: await crypto() };
    return new Map([[PASSPHRASE_RECIPIENT, passphraseRecipient(bound)]]);
  }
}

/** @throws AuthenticationError for what cannot be a passphrase: it opens nothing */
function preparedToOpen(passphrase: string): Uint8Array {
  try {
    return preparePassphrase(passphrase);
  } catch {
    throw new AuthenticationError();
  }
}
