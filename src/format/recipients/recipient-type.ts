/* How the data key of a message is sealed to one recipient (docs/format.md section 3). */

export interface RecipientType {
  /**
   * @param recipientKey the recipient's public key, as the type defines it
   * @param dataKey 32 bytes; copied if kept
   * @param context to be authenticated together with the data key
   * @returns the body of the entry
   * @throws RangeError for a key that is none
   */
  readonly wrap: (
    recipientKey: Uint8Array,
    dataKey: Uint8Array,
    context: Uint8Array,
  ) => Promise<Uint8Array>;
  /**
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
