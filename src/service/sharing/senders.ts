import { wipe } from '../../crypto/bytes.ts';
import { isAuthenticationError } from '../../crypto/errors.ts';
import { attributesContext, openAttributes } from '../../format/recipients/attributes.ts';
import {
  fingerprintOf,
  hasSenderTag,
  ownStatic,
  type SenderStatement,
} from '../../format/recipients/sender.ts';
import type { Recipient } from '../../format/keys/data-key.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import { NAMED_KEY_RECIPIENT } from '../../format/wire/recipient-table.ts';
import { HEADER_BYTES } from '../../format/wire/sealed-length.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { MessageSender } from '../../rpc/methods/ui-contacts.ts';
import type { Contacts } from './contacts.ts';
import { withOwnersDataKey } from './owners-key.ts';
import { agreed, recipientsOf, type OwnedIdentity, type Sharing } from './sharing.ts';

/** Dependencies of Senders. */
export interface SendersDeps {
  readonly keyRing: KeyRing;
  readonly sharing: Sharing;
  readonly contacts: Contacts;
}

/** A message that was opened, and what it is bound to. */
export interface OpenedMessage {
  readonly prefix: Prefix;
  /** Its bytes up to the first chunk, or more. */
  readonly head: Uint8Array;
  readonly origin: string | undefined;
  readonly associatedData: Uint8Array | undefined;
}

/** Finds out who sealed a message, among the user and the contacts (docs/format.md section 3.6). */
export class Senders {
  readonly #deps: SendersDeps;

  constructor(deps: SendersDeps) {
    this.#deps = deps;
  }

  /**
   * Each contact is tried: the message does not say whose tag it has. Keys that are not taken over are left out: the
   * maker of the backup that they came with has them too, and could have made every tag for them.
   *
   * @param digest of the message, 32 bytes, which the caller has opened whole
   * @returns null if the message does not prove that one of these sealed it
   */
  async of(message: OpenedMessage, digest: Uint8Array): Promise<MessageSender | null> {
    const { prefix, head, origin, associatedData } = message;
    const context = attributesContext(prefix, head, { origin, associatedData });
    if (!context) return null;
    const { keyRing, sharing } = this.#deps;
    const { headerKeyId } = prefix.header;
    const use = await keyRing.useOfHeaderKeyId(headerKeyId);
    const named = use && (await keyRing.openingMaterial(headerKeyId, use.origin));
    const candidates = { named, guests: false };
    const header = head.subarray(0, HEADER_BYTES);
    const { entries } = prefix.recipients;
    const crypto = await sharing.crypto();
    try {
      return await withOwnersDataKey(prefix, head, candidates, sharing, async (opened) => {
        const { dataKey, identity } = opened;
        const { tags = [] } = (await openAttributes(entries, dataKey, header, crypto)) ?? {};
        if (tags.length === 0) return null;
        return this.#among(tags, identity, { dataKey, context, digest });
      });
    } catch (error) {
      if (isAuthenticationError(error)) return null; // only a key of a guest opens it
      throw error;
    }
  }

  async #among(
    tags: readonly Uint8Array[],
    identity: OwnedIdentity,
    statement: SenderStatement,
  ): Promise<MessageSender | null> {
    const { sharing, contacts } = this.#deps;
    if (identity.type === NAMED_KEY_RECIPIENT) {
      const known = await ownStatic(identity.key, await sharing.crypto());
      const isOwn = hasSenderTag(tags, known, statement);
      wipe(known.secret);
      return isOwn ? OWN : null;
    }
    const own = await sharing.x25519Of(identity);
    try {
      const isFrom = async (sender: Recipient): Promise<boolean> => {
        const secret = await agreed(own, sender);
        if (!secret) return false;
        const from = fingerprintOf(sender.type, sender.key);
        const isTheirs = hasSenderTag(tags, { secret, from, to: own.fingerprint }, statement);
        wipe(secret);
        return isTheirs;
      };
      for (const key of await sharing.ownPublicKeys()) if (await isFrom(key)) return OWN;
      for (const { name, verified, publicKey } of await contacts.all()) {
        if (await isFrom(recipientsOf([publicKey])[0]!)) return { name, verified };
      }
      return null;
    } finally {
      wipe(own.key);
    }
  }
}

const OWN: MessageSender = { name: null, verified: null };
