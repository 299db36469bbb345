import { equal, fromBase64url, toBase64url, wipe } from '../../crypto/bytes.ts';
import { isAuthenticationError } from '../../crypto/errors.ts';
import type { Share } from '../../crypto/secret-sharing.ts';
import { messageDigest } from '../../format/chunks/message-digest.ts';
import { EnvelopeError } from '../../format/errors.ts';
import type { Identity, Recipient } from '../../format/keys/data-key.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import { parsePrefix } from '../../format/wire/envelope.ts';
import { chunkSuite } from '../../format/wire/header.ts';
import { recipientTypeOf } from '../../format/wire/recipient-table.ts';
import type { Backups } from '../../keys/backup/backups.ts';
import {
  dealRecoveryFile,
  drillKey,
  isDealtShare,
  parseRecoveryFile,
  SHARE_BYTES,
  shareContext,
  type DealtFile,
} from '../../keys/recovery/recovery-file.ts';
import {
  answerContext,
  answerText,
  CHALLENGE_BYTES,
  drillMac,
  parseAnswer,
  parseRequest,
  requestText,
  type Asked,
  type ReadRequest,
  type RecoveryAnswer,
} from '../../keys/recovery/recovery-messages.ts';
import {
  pendingRecoveryOf,
  putPendingRecovery,
  putRecoveryFriends,
  RECOVERY_FRIENDS,
  RECOVERY_REQUEST,
  recoveryFriendsOf,
  type PendingRecovery,
  type RecoveryFriends,
} from '../../keys/recovery/recovery-records.ts';
import type { SlotSecret } from '../../keys/unlock/opened-slots.ts';
import type { SlotKeeper } from '../../keys/unlock/slot-keeper.ts';
import type { VaultDraft } from '../../keys/vault/draft.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { FriendsState, ShownRequest, TakenAnswer } from '../../rpc/methods/ui-contacts.ts';
import { argumentChecked } from '../errors.ts';
import type { Contacts } from './contacts.ts';
import type { Senders } from './senders.ts';
import { recipientsOf, sharingKeyOf, type Sharing } from './sharing.ts';
import { verificationOf } from './verification.ts';

/**
 * How long friends answer a request: long enough for letters, journeys and a call to each; short enough that a request in
 * somebody's mail is of no use later, when the key to which it asks for answers may have been stolen.
 */
export const REQUEST_MS = 10 * 24 * 60 * 60 * 1000;

/** The type of the keys of friends and requests: a share in a file that lies about must outlast quantum computers. */
const X_WING = recipientTypeOf('X-Wing');
/** A share is shorter than any chunk. */
const SUITE = 1;

/** Dependencies of FriendsRecovery. */
export interface FriendsRecoveryDeps {
  readonly vault: Vault;
  readonly backups: Backups;
  readonly slotKeeper: SlotKeeper;
  readonly contacts: Contacts;
  readonly sharing: Sharing;
  readonly senders: Senders;
  readonly random: RandomSource;
  /** ms since the epoch */
  readonly now: () => number;
}

/**
 * Recovery by friends (docs/design/devices.md): makes recovery files, and does the part of the owner, of a friend, and of
 * somebody who has lost a vault. It is the user's alone: no method of pages leads here.
 *
 * Methods throw VaultError LOCKED, QUOTA and UNAVAILABLE as the vault does, BAD_BACKUP and NEWER for a file, BAD_REQUEST and
 * NEWER for a request or an answer.
 */
export class FriendsRecovery {
  readonly #deps: FriendsRecoveryDeps;

  constructor(deps: FriendsRecoveryDeps) {
    this.#deps = deps;
  }

  /** The newest recovery file that was made here, and the request that waits for answers; null without one. */
  async state(): Promise<FriendsState> {
    const [dealt, waiting] = [await this.#dealt(), await this.#waiting()];
    if (!waiting) return { dealt: shownDeal(dealt), recovery: null };
    const { pending, request } = waiting;
    const recovery = {
      ...shownFacts(request),
      request: pending.request,
      until: request.askedAt + REQUEST_MS,
      answered: pending.shares.map(({ index }) => index).sort((a, b) => a - b),
    };
    return { dealt: shownDeal(dealt), recovery };
  }

  async #dealt(): Promise<RecoveryFriends | undefined> {
    return recoveryFriendsOf(await this.#deps.vault.read(RECOVERY_FRIENDS));
  }

  async #waiting() {
    const pending = pendingRecoveryOf(await this.#deps.vault.read(RECOVERY_REQUEST));
    return pending && { pending, request: parseRequest(pending.request) };
  }

  /**
   * Makes a recovery file, and notes who its friends are. Files that were made before stay as they are.
   *
   * @param by opens the vault: an unlocked vault is not enough to copy its keys
   * @param ids of 2 to 10 contacts with an X-Wing key, each once
   * @param threshold how many of them open the file together, 2 or more
   * @throws VaultError WRONG_PASSPHRASE; SealwrightError INVALID_ARGUMENT for other contacts or numbers
   */
  async deal(by: SlotSecret, ids: readonly string[], threshold: number): Promise<Uint8Array> {
    const { vault, backups, random } = this.#deps;
    const chosen = await this.#chosen(ids);
    let dealt: DealtFile | undefined;
    const seal = async (contents: Uint8Array, created: number): Promise<Uint8Array> => {
      const friends = chosen.map(({ recipient }) => this.#sealingTo(recipient));
      dealt = await dealRecoveryFile(contents, { threshold, friends, created, random });
      return dealt.file;
    };
    const file = await argumentChecked(backups.make(by, { seal }));
    const { facts, drillKeys } = dealt!;
    const friends = chosen.map(({ name }, i) => ({
      name,
      drillKey: toBase64url(drillKeys[i]!),
      proved: null,
    }));
    wipe(...drillKeys);
    const digest = toBase64url(facts.digest);
    const { created } = facts;
    const record = { digest, created, threshold, friends, drill: null };
    await vault.commit((draft) => putRecoveryFriends(draft, record));
    return file;
  }

  async #chosen(ids: readonly string[]) {
    const all = await this.#deps.contacts.all();
    const chosen = all.filter(({ id }) => ids.includes(id));
    const areAllKnown = new Set(ids).size === ids.length && chosen.length === ids.length;
    const isXWing = ({ publicKey }: { readonly publicKey: string }) =>
      sharingKeyOf(publicKey, 'contacts').type === 'X-Wing';
    if (!areAllKnown || !chosen.every(isXWing)) {
      throw new SealwrightError('INVALID_ARGUMENT', 'contacts: each once, with a key of X-Wing');
    }
    const recipients = recipientsOf(chosen.map(({ publicKey }) => publicKey));
    return chosen.map(({ name }, i) => ({ name, recipient: recipients[i]! }));
  }

  /** The friend learns from the message itself who dealt. */
  #sealingTo(recipient: Recipient) {
    const { sharing } = this.#deps;
    return async (share: Uint8Array, associatedData: Uint8Array): Promise<Uint8Array> => {
      const sealing = await sharing.sealing([recipient], undefined, {
        digest: await digestOf(share),
      });
      try {
        const crypto = await sharing.crypto();
        const bound = { purpose: 'backup', associatedData, crypto } as const;
        return await sealMessage({ ...bound, ...sealing.seal }, share);
      } finally {
        sealing.wipe();
      }
    };
  }

  /**
   * Asks all friends of the newest file to prove that they can open their shares.
   *
   * @returns the request
   * @throws SealwrightError INVALID_ARGUMENT for another file than the newest that was made here
   */
  async drill(file: Uint8Array): Promise<string> {
    const { vault, random } = this.#deps;
    const read = parseRecoveryFile(file);
    const challenge = random.bytes(CHALLENGE_BYTES);
    const asked = this.#time();
    const { sealedShares } = read;
    const question = { kind: 'drill', challenge } as const;
    const text = requestText({ facts: read, askedAt: asked, asked: question, sealedShares });
    const id = toBase64url(parseRequest(text).id);
    await vault.commit(async (draft) => {
      const friends = recoveryFriendsOf(await draft.get(RECOVERY_FRIENDS));
      if (friends?.digest !== toBase64url(read.digest)) {
        throw new SealwrightError('INVALID_ARGUMENT', 'file: not the newest that was made here');
      }
      putRecoveryFriends(draft, { ...friends, drill: { id, asked } });
    });
    return text;
  }

  /**
   * Begins a recovery, in the commit of a call.
   *
   * @param name who asks, as the friends are told
   * @throws SealwrightError INVALID_ARGUMENT while another one waits, and for a name that is empty or too long
   */
  async begin(
    file: Uint8Array,
    name: string,
    commit: (change: (draft: VaultDraft) => Promise<null>) => Promise<null>,
  ): Promise<void> {
    const { random, sharing } = this.#deps;
    const { sealedShares, head, ...facts } = parseRecoveryFile(file);
    const key = random.bytes(SHARE_BYTES);
    try {
      const offerKey = await sharing.publicKeyOfSeed(X_WING, key);
      const asked = { kind: 'recovery', offerKey, name } as const;
      const request = { facts, askedAt: this.#time(), asked, sealedShares };
      const pending: PendingRecovery = {
        offerKey: toBase64url(key),
        request: await argumentChecked(Promise.resolve(request).then(requestText)),
        head: toBase64url(head),
        shares: [],
      };
      await commit(async (draft) => {
        if (await draft.get(RECOVERY_REQUEST)) {
          throw new SealwrightError('INVALID_ARGUMENT', 'file: a recovery waits for answers');
        }
        putPendingRecovery(draft, pending);
        return null;
      });
    } finally {
      wipe(key);
    }
  }

  /** Gives the recovery up: its key and the shares that came are removed. */
  async end(): Promise<void> {
    await this.#deps.vault.commit((draft) => draft.remove(RECOVERY_REQUEST));
  }

  /**
   * Reads a request for its friend, who decides.
   *
   * @throws SealwrightError EXPIRED for one of more than ten days ago or ahead, NEEDS_KEY if no key of the vault opens a share
   *   of it
   */
  async read(text: string): Promise<ShownRequest> {
    const { senders } = this.#deps;
    return this.#withOwnShare(text, async (request, share, sealed) => {
      const prefix = parsePrefix(sealed);
      const associatedData = shareContext(request.facts, share.index);
      const message = { prefix, head: sealed, origin: undefined, associatedData };
      const { sender: dealer } = await senders.of(message, await digestOf(share.bytes));
      return { ...shownFacts(request), kind: request.asked.kind, dealer };
    });
  }

  /**
   * Answers a request: gives the share to who asks, or proves it in a drill.
   *
   * @param by opens the vault
   * @throws VaultError WRONG_PASSPHRASE; SealwrightError as `read`, and INVALID_ARGUMENT for a request whose key is not valid
   */
  async answer(by: SlotSecret, text: string): Promise<{ kind: Asked['kind']; answer: string }> {
    parseRequest(text); // before the work of a passphrase
    await this.#deps.slotKeeper.check(by);
    return this.#withOwnShare(text, async ({ asked, id, facts }, share) => {
      const { kind } = asked;
      const { index } = share;
      if (kind === 'recovery') {
        const body = await this.#resealed(share, id, asked.offerKey);
        return { kind, answer: answerText({ kind, id, index, body }) };
      }
      const key = drillKey(share, facts);
      const body = drillMac(key, id);
      wipe(key);
      return { kind, answer: answerText({ kind, id, index, body }) };
    });
  }

  async #resealed({ index, bytes }: Share, id: Uint8Array, offerKey: Uint8Array) {
    const { seal } = await this.#deps.sharing.sealing([{ type: X_WING, key: offerKey }]);
    const crypto = await this.#deps.sharing.crypto();
    const bound = { purpose: 'backup', associatedData: answerContext(id, index), crypto } as const;
    return sealMessage({ ...bound, ...seal }, bytes);
  }

  /** Does work with the share of the request that a key of the vault opens, and wipes the share. */
  async #withOwnShare<T>(
    text: string,
    work: (request: ReadRequest, share: Share, sealed: Uint8Array) => Promise<T>,
  ): Promise<T> {
    const { sharing } = this.#deps;
    const request = parseRequest(text);
    if (Math.abs(this.#time() - request.askedAt) > REQUEST_MS) {
      throw new SealwrightError('EXPIRED', 'The request is older than ten days');
    }
    const identities = await sharing.identities(() => true);
    try {
      for (const [i, sealed] of request.sealedShares.entries()) {
        const index = i + 1;
        const bytes = await this.#opened(identities, sealed, shareContext(request.facts, index));
        if (!bytes) continue;
        try {
          return await work(request, { index, bytes }, sealed);
        } finally {
          wipe(bytes);
        }
      }
    } finally {
      wipe(...identities.map(({ key }) => key));
    }
    throw new SealwrightError('NEEDS_KEY', 'No share of this file is for a key of this vault');
  }

  /** A share; undefined for what these identities do not open, or is not a share. */
  async #opened(
    identities: readonly Identity[],
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): Promise<Uint8Array | undefined> {
    const { sharing } = this.#deps;
    const [recipientTypes, crypto] = [await sharing.types(), await sharing.crypto()];
    const opening = { identities, recipientTypes, crypto, accept: 'shared' } as const;
    try {
      const options = { purpose: 'backup', associatedData, ...opening } as const;
      const bytes = await openMessage(options, sealed);
      return bytes.length === SHARE_BYTES ? bytes : undefined;
    } catch (error) {
      if (isAuthenticationError(error) || error instanceof EnvelopeError) return undefined;
      throw error;
    }
  }

  /**
   * Takes an answer to the recovery that waits, or to the newest drill. A wrong one changes nothing.
   *
   * @returns 'taken': its share, or its proof, is right, and noted; 'wrong': it is not what the friend was dealt; 'other': it
   *   answers another request
   */
  async take(text: string): Promise<TakenAnswer> {
    const answer = parseAnswer(text);
    return answer.kind === 'drill' ? this.#takeProof(answer) : this.#takeShare(answer);
  }

  async #takeProof({ id, index, body }: RecoveryAnswer): Promise<TakenAnswer> {
    const dealt = await this.#dealt();
    if (dealt?.drill?.id !== toBase64url(id)) return { outcome: 'other', index, name: null };
    const friend = dealt.friends[index - 1];
    if (!friend) return { outcome: 'other', index, name: null };
    const { name } = friend;
    const key = fromBase64url(friend.drillKey);
    const isProved = equal(drillMac(key, id), body);
    wipe(key);
    if (!isProved) return { outcome: 'wrong', index, name };
    const proved = this.#time();
    await this.#deps.vault.commit(async (draft) => {
      const now = recoveryFriendsOf(await draft.get(RECOVERY_FRIENDS));
      if (now?.digest !== dealt.digest) return; // a file was made meanwhile
      const changed = now.friends.map((one, i) => (i === index - 1 ? { ...one, proved } : one));
      putRecoveryFriends(draft, { ...now, friends: changed });
    });
    return { outcome: 'taken', index, name };
  }

  async #takeShare({ id, index, body }: RecoveryAnswer): Promise<TakenAnswer> {
    const waiting = await this.#waiting();
    const friend = { index, name: null }; // a recovery file does not say
    const isOurs = waiting !== undefined && equal(waiting.request.id, id);
    if (!isOurs || index > waiting.request.facts.count) return { outcome: 'other', ...friend };
    const key = fromBase64url(waiting.pending.offerKey);
    const identity = { type: X_WING, key };
    const bytes = await this.#opened([identity], body, answerContext(id, index)).finally(() =>
      wipe(key),
    );
    const head = fromBase64url(waiting.pending.head);
    if (!bytes || !isDealtShare({ index, bytes }, head)) return { outcome: 'wrong', ...friend };
    await this.#deps.vault.commit(async (draft) => {
      const now = pendingRecoveryOf(await draft.get(RECOVERY_REQUEST));
      if (now?.request !== waiting.pending.request) return; // given up meanwhile
      const others = now.shares.filter((one) => one.index !== index);
      const shares = [...others, { index, share: toBase64url(bytes) }];
      putPendingRecovery(draft, { ...now, shares });
    });
    wipe(bytes);
    return { outcome: 'taken', ...friend };
  }

  #time(): number {
    return Math.trunc(this.#deps.now());
  }
}

function shownDeal(dealt: RecoveryFriends | undefined): FriendsState['dealt'] {
  if (!dealt) return null;
  const { created, threshold, drill } = dealt;
  const friends = dealt.friends.map(({ name, proved }) => ({ name, proved }));
  return { created, threshold, friends, drillAsked: drill?.asked ?? null };
}

/** What a request says, and the words of its key, which the asker reads out; of a drill none. */
function shownFacts({ asked, askedAt, facts: { created, threshold, count } }: ReadRequest) {
  const isRecovery = asked.kind === 'recovery';
  return {
    name: isRecovery ? asked.name : null,
    words: isRecovery ? [...verificationOf(X_WING, asked.offerKey).words] : [],
    asked: askedAt,
    created,
    threshold,
    count,
  };
}

const digestOf = (share: Uint8Array): Promise<Uint8Array> =>
  messageDigest(share, chunkSuite(SUITE).chunkBytes);
