import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { StreamOpenPlan } from '../../format/plans/open-plan.ts';
import { beginSealStream, type StreamSealPlan } from '../../format/plans/seal-plan.ts';
import type { FileAttributes } from '../../format/recipients/attributes.ts';
import type { Prefix } from '../../format/wire/envelope.ts';
import type { Header, Purpose } from '../../format/wire/header.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { RandomSource } from '../../random/contract.ts';
import { needsKey, SealwrightError } from '../../rpc/errors.ts';
import { argumentChecked } from '../errors.ts';
import { NO_ORIGIN, withTarget, type FieldRecipients } from '../fields/field-texts.ts';
import { withSealTerms, type SealTerms } from '../messages/authorize-message.ts';
import type { Grants } from '../grants/grants.ts';
import { begun, prefixOf, saltOfMessage } from '../messages/one-message-keys.ts';
import type { Hedge } from '../messages/salts.ts';
import type { KeptGroups } from '../sharing/kept-groups.ts';
import { ownersKey, type Candidates, type OwnersKey } from '../sharing/owners-key.ts';
import type { GivenPassphrase, Passphrases } from '../sharing/passphrases.ts';
import type { Authorship, Senders } from '../sharing/senders.ts';
import type { Sharing, UsersAttributes } from '../sharing/sharing.ts';

/** What opening and sealing of files needs. */
export interface SealedFilesDeps {
  readonly keyRing: KeyRing;
  readonly grants: Pick<Grants, 'all'>;
  readonly sharing: Sharing;
  readonly keptGroups: KeptGroups;
  readonly passphrases: Passphrases;
  readonly senders: Senders;
  readonly hedge: Hedge;
  readonly random: RandomSource;
}

/** A sealed message of which only the beginning is here. */
export interface SealedFile {
  readonly head: Uint8Array;
  /** Of the whole message; undefined where its end is not known. */
  readonly totalBytes: number | undefined;
  /** What the site bound the message to. */
  readonly context: Uint8Array | undefined;
  /** Of the site, for a shared message whose site is not known. */
  readonly origin: string | undefined;
}

/** The keys of one message, and what is known of it. */
export interface FileOpeningPlan {
  readonly plan: StreamOpenPlan;
  /** Of the key that opens it; null: a passphrase does. */
  readonly ref: string | null;
  /** The site that it was sealed for; null: for none, or it is not known. */
  readonly origin: string | null;
  readonly shared: boolean;
  /** What it was called when it was sealed. */
  readonly file: FileAttributes | undefined;
}

/**
 * What the owner opens as a file. Values of the vault and records of sync services are not files, and a
 * backup has a passphrase of its own.
 */
const PURPOSES_OF_FILES: readonly Purpose[] = ['page', 'field', 'stream'];

/**
 * Opens what any key of the vault sealed, for whichever site, and seals files: for the user alone. No
 * site asks for this, and no grant is looked at.
 */
export class SealedFiles {
  readonly #deps: SealedFilesDeps;

  constructor(deps: SealedFilesDeps) {
    this.#deps = deps;
  }

  /**
   * @param given the passphrase, for a message that needs one
   * @throws EnvelopeError for what is not a sealed message, or has not all of it, and TOO_LARGE for a passphrase of too
   *   much work; SealwrightError UNSUPPORTED for another purpose, NEEDS_KEY if no key of the vault opens it, or not this
   *   passphrase, INVALID_ARGUMENT for a text that is not an origin; AuthenticationError if the context is another, or
   *   the beginning altered
   */
  async beginOpening(file: SealedFile, given?: GivenPassphrase): Promise<FileOpeningPlan> {
    const { head, totalBytes } = file;
    const prefix = prefixOf(head, totalBytes);
    const { header } = prefix;
    if (!PURPOSES_OF_FILES.includes(header.purpose)) {
      throw new SealwrightError('UNSUPPORTED', `Messages for "${header.purpose}" are not files`);
    }
    const named = await this.#deps.keyRing.ownersMaterial(header.headerKeyId);
    const key = await this.#keyOf(prefix, head, { named, guests: true, given });
    try {
      const { plan, origin } = await this.#planFor(file, header, key, named?.origin);
      const site = origin ?? named?.origin ?? null;
      const { ref } = key;
      return {
        plan,
        ref,
        origin: site === NO_ORIGIN ? null : site,
        shared: header.flags.recipients,
        file: key.attributes?.file,
      };
    } finally {
      wipe(key.secret);
    }
  }

  /**
   * Who sealed a message, after it was opened whole.
   *
   * @param digest of its contents, 32 bytes
   */
  async senderOf(
    { head, context, origin }: Omit<SealedFile, 'totalBytes'>,
    digest: Uint8Array,
  ): Promise<Authorship> {
    const prefix = prefixOf(head, undefined);
    return this.#deps.senders.of({ prefix, head, origin, associatedData: context }, digest);
  }

  /**
   * A file has its name in its attributes, which a message without recipients has no place for: one for the user alone has
   * the user's key as its one recipient.
   *
   * @param work gets the plan, whose keys it wipes
   * @throws SealwrightError INVALID_ARGUMENT without any recipient, TOO_LARGE for too many
   */
  async beginSealing<T>(
    to: FieldRecipients,
    attributes: UsersAttributes,
    work: (plan: StreamSealPlan) => T,
  ): Promise<T> {
    const forSelf = { recipients: [], toSelf: true };
    return withTarget(to, null, attributes, this.#deps, async (target) => {
      const isFile = attributes.file !== undefined && target.recipients === undefined;
      return withSealTerms({ ...target, ...(isFile && forSelf) }, this.#deps, async (terms) =>
        work(await this.#sealPlan(terms)),
      );
    });
  }

  /** The same with a passphrase, for people who have no key. @throws SealwrightError INVALID_ARGUMENT if it cannot be one */
  async beginSealingWith<T>(
    given: GivenPassphrase,
    attributes: UsersAttributes,
    work: (plan: StreamSealPlan) => T,
  ): Promise<T> {
    return this.#deps.passphrases.withSealTerms(given, attributes, async (terms) =>
      work(await this.#sealPlan(terms)),
    );
  }

  async #sealPlan(terms: SealTerms): Promise<StreamSealPlan> {
    const saltFor = await saltOfMessage(this.#deps);
    return argumentChecked(beginSealStream({ ...terms, purpose: 'stream' }, saltFor));
  }

  async #keyOf(prefix: Prefix, head: Uint8Array, candidates: Candidates): Promise<OwnersKey> {
    try {
      return await ownersKey(prefix, head, candidates, this.#deps);
    } catch (error) {
      // Of a file, this much can be told: its head was made for other keys.
      if (!(error instanceof AuthenticationError)) throw error;
      throw needsKey(toBase64url(prefix.header.headerKeyId));
    }
  }

  /**
   * A message that is bound to a site opens for that site only. A shared one does not name the site, so
   * each site that the vault knows is tried; that costs a key derivation each.
   */
  async #planFor(
    { head, totalBytes, context: associatedData, origin }: SealedFile,
    { purpose, flags }: Header,
    { terms }: OwnersKey,
    used: string | undefined,
  ): Promise<{ readonly plan: StreamOpenPlan; readonly origin: string | undefined }> {
    const options = { ...terms, purpose, associatedData };
    if (!flags.originBound) {
      return { plan: await begun(options, head, totalBytes), origin: undefined };
    }
    for (const site of await this.#sites(used, origin)) {
      try {
        const opening = argumentChecked(begun({ ...options, origin: site }, head, totalBytes));
        return { plan: await opening, origin: site };
      } catch (error) {
        if (!(error instanceof AuthenticationError)) throw error;
      }
    }
    throw new AuthenticationError();
  }

  async #sites(used: string | undefined, typed: string | undefined): Promise<readonly string[]> {
    const known = used ?? typed;
    if (known !== undefined) return [known];
    const { keyRing, grants } = this.#deps;
    const granted = (await grants.all()).map(({ scope }) => scope.origin);
    const all = new Set([...granted, ...(await keyRing.origins())]);
    return [...all].filter((origin) => origin !== NO_ORIGIN);
  }
}
