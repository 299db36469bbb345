import { equal, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { messageDigest } from '../../format/chunks/message-digest.ts';
import { parseEnvelope, type Envelope } from '../../format/wire/envelope.ts';
import { chunkSuite, suiteFor, type Header } from '../../format/wire/header.ts';
import { paddedLength } from '../../format/wire/sealed-length.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { MessageSender, MessageSigned } from '../../rpc/methods/ui-contacts.ts';
import type { SealedCandidate } from '../../rpc/methods/ui-fields.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { isKeyNeeded } from '../errors.ts';
import type { Hedge } from '../messages/salts.ts';
import type { MessageCrypto } from '../../engine/message-crypto.ts';
import { withSealTerms, type SealTarget } from '../messages/authorize-message.ts';
import type { KeptGroups } from '../sharing/kept-groups.ts';
import { ownersKey, type OwnersKey } from '../sharing/owners-key.ts';
import type { GivenPassphrase, Passphrases } from '../sharing/passphrases.ts';
import { UNKNOWN_AUTHOR, type Authorship, type Senders } from '../sharing/senders.ts';
import { recipientsOf, type Sharing, type UsersAttributes } from '../sharing/sharing.ts';

/** What sealing and opening of field texts needs. */
export interface FieldTextsDeps {
  readonly keyRing: KeyRing;
  readonly sharing: Sharing;
  readonly keptGroups: Pick<KeptGroups, 'identities' | 'needed' | 'withRecipients'>;
  readonly passphrases: Passphrases;
  readonly senders: Senders;
  readonly hedge: Hedge;
  readonly messageCrypto: MessageCrypto;
}

/** The keys of a text to be sealed: one of the user's, or those of other people and groups, or both. */
export interface FieldRecipients {
  readonly ref: string | undefined;
  /** As text, "swp1.…". */
  readonly publicKeys: readonly string[] | undefined;
  /** "swg1.…", of groups that are kept. */
  readonly groups?: readonly string[] | undefined;
}

/** A field's text, opened, and what opened it. */
export interface OpenedText {
  readonly bytes: Uint8Array;
  /** Null: a passphrase opened it. */
  readonly ref: string | null;
  /** For which site it was sealed; null where another person sealed it. */
  readonly origin: string | null;
  readonly shared: boolean;
  /** Who sealed it for the user; null if that is not proven. */
  readonly sender: MessageSender | null;
  /** Null if it is not signed for others to check. */
  readonly signed: MessageSigned | null;
}

/** The key that opens a text, which is wiped afterwards, and what is known of it. */
interface FoundKey extends OwnersKey {
  readonly found: Omit<OpenedText, 'bytes' | keyof Authorship>;
}

/**
 * Opaque documents, and files, have no origin to draw header key ids for: they are one site to
 * us, as they are to the browser's address line.
 */
export const NO_ORIGIN = 'null';

/**
 * Does work with what the user seals with, outside any grant.
 *
 * @param attributes of a message with recipients
 * @throws SealwrightError INVALID_ARGUMENT without any recipient, and for a signer without contacts and
 *   groups; EnvelopeError NEEDS_KEY for a group to which nothing can be sealed now
 */
export async function withTarget<T>(
  { ref, publicKeys, groups }: FieldRecipients,
  origin: string | null,
  attributes: UsersAttributes,
  { keptGroups }: Pick<FieldTextsDeps, 'keptGroups'>,
  work: (target: SealTarget) => Promise<T>,
): Promise<T> {
  const isForOthers = publicKeys !== undefined || groups !== undefined;
  if (ref === undefined && !isForOthers) {
    throw new SealwrightError('INVALID_ARGUMENT', 'ref, contacts, groups: one of them is needed');
  }
  if (attributes.signer !== undefined && !isForOthers) {
    throw new SealwrightError('INVALID_ARGUMENT', 'signer: belongs to `contacts` and `groups`');
  }
  const people = recipientsOf(publicKeys ?? []);
  return keptGroups.withRecipients(groups ?? [], (ofGroups) =>
    work({
      ref: ref ?? '',
      origin: origin ?? NO_ORIGIN,
      recipients: isForOthers ? [...people, ...ofGroups] : undefined,
      toSelf: isForOthers && ref !== undefined,
      attributes,
    }),
  );
}

/**
 * Texts of form fields (purpose 2 of docs/format.md), for the user alone: no site asks for this, and no
 * grant is looked at. They are padded, and bound to no origin, so that what was sealed in one
 * site's field opens wherever its owner meets it again.
 */
export class FieldTexts {
  readonly #deps: FieldTextsDeps;

  constructor(deps: FieldTextsDeps) {
    this.#deps = deps;
  }

  /**
   * @param origin of the field; header key ids are drawn for each, so that no two sites see the same
   * @param signer the signing key that signs for others to check, in a text for contacts
   * @returns the sealed message; windows and content scripts write it as web armor
   * @throws SealwrightError INVALID_ARGUMENT without any recipient, TOO_LARGE for too many
   */
  async seal(
    text: Uint8Array,
    to: FieldRecipients,
    origin: string | null,
    signer?: string,
  ): Promise<Uint8Array> {
    const digest = await digestOf(text);
    const salt = await this.#deps.hedge.salts();
    const crypto = await this.#deps.messageCrypto.forBytes(text.length);
    return withTarget(to, origin, { digest, signer }, this.#deps, async (target) =>
      withSealTerms(target, this.#deps, (terms) =>
        sealMessage({ ...terms, purpose: 'field', salt, crypto }, text),
      ),
    );
  }

  /**
   * @param candidates what the text may be, the likely messages first
   * @param origin of the page it stands in, for messages that are bound to one
   * @param signal looked at before each text that may be the message
   * @param passphrase for a text that needs one
   * @throws SealwrightError BAD_ENVELOPE for what is not a sealed text, UNSUPPORTED for one that a
   *   site sealed, TOO_LARGE for a passphrase of too much work, NEEDS_KEY for an unknown key and where a passphrase is
   *   needed; AuthenticationError for all else
   */
  async open(
    candidates: readonly SealedCandidate[],
    origin: string | null,
    signal?: AbortSignal,
    passphrase?: string,
  ): Promise<OpenedText> {
    const given = passphrase === undefined ? undefined : { passphrase, signal };
    if (candidates.length === 0) throw new EnvelopeError('BAD_ENVELOPE', 'No sealed text');
    let failure: unknown;
    let known: { readonly key: FoundKey; readonly head: Uint8Array } | undefined;
    try {
      for (const { sealed } of candidates) {
        signal?.throwIfAborted();
        const envelope = parseEnvelope(sealed, sealed.length);
        const head = sealed.subarray(0, envelope.chunksOffset);
        try {
          // Most begin with the same header and recipients, so that the key is looked for once.
          if (!known || !equal(known.head, head)) {
            if (known) wipe(known.key.secret);
            known = undefined;
            known = { key: await this.#keyFor(envelope, sealed, given), head };
          }
          const { terms, found } = known.key;
          const { purpose } = envelope.header;
          const bytes = await this.#opened(sealed, { ...terms, purpose }, origin);
          const bound = { origin: origin ?? undefined, associatedData: undefined };
          const message = { prefix: envelope, head: sealed, ...bound };
          const isSentToKey = found.shared && found.ref !== null;
          const author = isSentToKey
            ? await this.#deps.senders.of(message, await digestOf(bytes), bytes)
            : UNKNOWN_AUTHOR;
          return { bytes, ...found, ...author };
        } catch (error) {
          // Where a character of the header or of the recipients was read wrongly, it names another key or group.
          const isOther = error instanceof AuthenticationError || isKeyNeeded(error);
          // A wrong passphrase is not derived anew for each text.
          if (!isOther || (given && !known)) throw error;
          failure ??= error;
        }
      }
      // No text ends at a break: more likely is one that lacks a part.
      if (
        candidates.every(({ isFollowed }) => isFollowed) &&
        failure instanceof AuthenticationError
      ) {
        throw new EnvelopeError('BAD_ENVELOPE', 'A part of the sealed text is missing');
      }
      throw failure;
    } finally {
      if (known) wipe(known.key.secret);
    }
  }

  /** A text of the manager, of `open.html` or the command is a stream that is for no site: neither it nor its key names one. */
  async #keyFor(
    envelope: Envelope,
    sealed: Uint8Array,
    given: GivenPassphrase | undefined,
  ): Promise<FoundKey> {
    const { purpose, headerKeyId, flags } = envelope.header;
    const { keyRing } = this.#deps;
    const use = await keyRing.useOfHeaderKeyId(headerKeyId);
    const isForSite = flags.originBound || (use !== undefined && use.origin !== NO_ORIGIN);
    if (purpose !== 'field' && (purpose !== 'stream' || isForSite)) {
      throw new SealwrightError('UNSUPPORTED', 'A site sealed this');
    }
    const named = use && (await keyRing.openingMaterial(headerKeyId, use.origin));
    const key = await ownersKey(envelope, sealed, { named, guests: false, given }, this.#deps);
    const shared = flags.recipients;
    const site = shared ? undefined : use?.origin;
    const found = { ref: key.ref, origin: site === NO_ORIGIN ? null : (site ?? null), shared };
    return { ...key, found };
  }

  async #opened(
    sealed: Uint8Array,
    terms: FoundKey['terms'] & Pick<Header, 'purpose'>,
    origin: string | null,
  ): Promise<Uint8Array> {
    const crypto = await this.#deps.messageCrypto.forBytes(sealed.length);
    const site = origin === null ? {} : { origin };
    return openMessage({ ...terms, ...site, crypto }, sealed);
  }
}

/** Texts of fields are padded, which decides the suite, and that the chunks that are hashed. */
function digestOf(text: Uint8Array): Promise<Uint8Array> {
  const { chunkBytes } = chunkSuite(suiteFor(paddedLength(text.length)));
  return messageDigest(text, chunkBytes);
}
