/*
 * The interface of recipient types: seals the data key of a message to one recipient (docs/format.md section
 * 3), and of the entry of attributes.
 */
import type { FormatCrypto } from '../format-crypto.ts';
import type { RecipientEntry } from '../wire/recipients.ts';

/** Seals and opens the data key in the entries of one type. */
export interface RecipientType {
  /**
   * Seals the data key to one recipient.
   *
   * @param recipientKey the recipient's public key, as the type defines it
   * @param dataKey 32 bytes; copied if kept
   * @param context authenticated together with the data key
   * @returns the body of the entry
   * @throws RangeError for an invalid key
   */
  readonly wrap: (
    recipientKey: Uint8Array,
    dataKey: Uint8Array,
    context: Uint8Array,
  ) => Promise<Uint8Array>;
  /**
   * Opens the data key.
   *
   * @param identityKey the recipient's private key, as the type defines it
   * @returns the data key, 32 fresh bytes
   * @throws AuthenticationError when this entry was not made for that identity, or altered
   */
  readonly unwrap: (
    identityKey: Uint8Array,
    body: Uint8Array,
    context: Uint8Array,
  ) => Promise<Uint8Array>;
}

/** By the type byte on the wire. */
export type RecipientTypes = ReadonlyMap<number, RecipientType>;

/** What the entry of attributes is sealed with. */
export interface SealedMessageFacts {
  /** Of the message, 32 bytes. */
  readonly dataKey: Uint8Array;
  /** The 24 bytes of the message. */
  readonly header: Uint8Array;
  /** Of the entry, 16 random bytes. */
  readonly id: Uint8Array;
  /** The context of the message, with the other entries as its recipients. */
  readonly context: Uint8Array;
  /** What the message is bound to; '' for no origin. */
  readonly origin: string;
  readonly associatedData: Uint8Array;
  readonly crypto: FormatCrypto;
}

/** Makes one further entry for a message. */
export type AttributesSealing = (message: SealedMessageFacts) => Promise<RecipientEntry>;
