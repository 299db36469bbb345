import { utf8, wipe } from '../../crypto/bytes.ts';
import { isAuthenticationError } from '../../crypto/errors.ts';
import {
  attributesContext,
  openAttributes,
  signatureOf,
  type Attributes,
} from '../../format/recipients/attributes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { proofText } from '../../format/recipients/proof-text.ts';
import {
  fingerprintOf,
  hasSenderTag,
  ownStatic,
  type SenderStatement,
} from '../../format/recipients/sender.ts';
import type { Recipient } from '../../format/keys/data-key.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import { GROUP_RECIPIENT, NAMED_KEY_RECIPIENT } from '../../format/wire/recipient-table.ts';
import { publicKeyText } from '../../format/wire/public-key.ts';
import { HEADER_BYTES } from '../../format/wire/sealed-length.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { MessageSender, MessageSigned } from '../../rpc/methods/ui-contacts.ts';
import { isKeyNeeded } from '../errors.ts';
import type { Contacts } from './contacts.ts';
import type { KeptGroups } from './kept-groups.ts';
import { withOwnersDataKey } from './owners-key.ts';
import { agreed, recipientsOf, type OwnedIdentity, type Sharing } from './sharing.ts';

/** Dependencies of Senders. */
export interface SendersDeps {
  readonly keyRing: KeyRing;
  readonly sharing: Sharing;
  readonly contacts: Contacts;
  readonly keptGroups: Pick<KeptGroups, 'identities' | 'needed'>;
}

/** A message that was opened, and what it is bound to. */
export interface OpenedMessage {
  readonly prefix: Prefix;
  /** Its bytes up to the first chunk, or more. */
  readonly head: Uint8Array;
  readonly origin: string | undefined;
  readonly associatedData: Uint8Array | undefined;
}

/** What a message proves of who made it. */
export interface Authorship {
  /** Null if it does not prove that one of the user and the contacts sealed it for the user. */
  readonly sender: MessageSender | null;
  /** Null if it is not signed for others to check. Whose key that is, `sender` alone says. */
  readonly signed: MessageSigned | null;
}

/** Of a message that proves nothing. */
export const UNKNOWN_AUTHOR: Authorship = { sender: null, signed: null };

/** Finds out who sealed a message, among the user and the contacts (docs/format.md sections 3.6 and 3.7). */
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
   * @param text the message itself, to be in the proof of its signature; absent for a file
   */
  async of(message: OpenedMessage, digest: Uint8Array, text?: Uint8Array): Promise<Authorship> {
    const { prefix, head, origin, associatedData } = message;
    const context = attributesContext(prefix, head, { origin, associatedData });
    if (!context) return UNKNOWN_AUTHOR;
    const { keyRing, sharing, keptGroups } = this.#deps;
    const { headerKeyId } = prefix.header;
    const use = await keyRing.useOfHeaderKeyId(headerKeyId);
    const named = use && (await keyRing.openingMaterial(headerKeyId, use.origin));
    const candidates = { named, guests: false };
    const header = head.subarray(0, HEADER_BYTES);
    const { entries } = prefix.recipients;
    const crypto = await sharing.crypto();
    try {
      const keys = { sharing, keptGroups };
      return await withOwnersDataKey(prefix, head, candidates, keys, async (opened) => {
        const { dataKey, identity } = opened;
        const attributes = await openAttributes(entries, dataKey, header, crypto);
        const signed = attributes && (await signatureIn(attributes, message, digest, text));
        if (!attributes || signed === 'invalid') return UNKNOWN_AUTHOR;
        const signer = attributes.signature?.publicKey;
        const statement = { dataKey, context, digest, signer };
        const sender = await this.#among(attributes.tags, identity, statement);
        return { sender, signed: signed ?? null };
      });
    } catch (error) {
      // Only a key of a guest opens it. Of a message that is for a group, too, the error names the group.
      if (isAuthenticationError(error) || isKeyNeeded(error)) return UNKNOWN_AUTHOR;
      throw error;
    }
  }

  async #among(
    tags: readonly Uint8Array[],
    identity: OwnedIdentity,
    statement: SenderStatement,
  ): Promise<MessageSender | null> {
    // Any member of a group could make a tag of it: messages have no such tags.
    if (tags.length === 0 || identity.type === GROUP_RECIPIENT) return null;
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

/** A signature that this browser cannot check is treated as one that is not valid. */
async function signatureIn(
  attributes: Attributes,
  { prefix, origin, associatedData }: OpenedMessage,
  digest: Uint8Array,
  text: Uint8Array | undefined,
): Promise<MessageSigned | 'invalid' | undefined> {
  try {
    const found = await signatureOf(attributes, prefix, { origin, associatedData }, digest);
    if (found === undefined || found === 'invalid') return found;
    const { publicKey: bytes } = found.signature;
    const proof = utf8(proofText(found, text));
    return { publicKey: publicKeyText({ type: 'Ed25519', bytes }), proof };
  } catch (error) {
    if (error instanceof EnvelopeError) return 'invalid';
    throw error;
  }
}
