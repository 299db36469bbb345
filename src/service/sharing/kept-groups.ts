import { concat, equal, toBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { nativeSha256 } from '../../engine/native/digests.ts';
import { EnvelopeError } from '../../format/errors.ts';
import type { MembersEpoch } from '../../format/groups/epoch.ts';
import {
  epochKeysOf,
  membersAmong,
  recipientsOfGroup,
  type GroupDeps,
} from '../../format/groups/group.ts';
import {
  EPOCH_PREFIX,
  epochBytesToSign,
  epochDigest,
  groupIdText,
  MEMBER_KEY,
  parseGroupId,
} from '../../format/groups/group-id.ts';
import type { Recipient } from '../../format/keys/data-key.ts';
import type { EpochKey, EpochName } from '../../format/recipients/group-key.ts';
import type { MessageSigner } from '../../format/recipients/signature.ts';
import { parsePublicKey } from '../../format/wire/public-key.ts';
import type { Json } from '../../keys/values/json.ts';
import type { VaultRecord } from '../../keys/values/record.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { NeededGroup, SealableGroup } from '../../rpc/methods/ui-contacts.ts';
import { encodedLengths, type ByteList } from '../../rpc/transport/byte-list.ts';
import type { InputOf, OutputOf, Workshop } from '../../rpc/workshop.ts';
import { argumentChecked } from '../errors.ts';
import type { Contacts } from './contacts.ts';
import { groupsAmong, identitiesOfEpochs, type OwnedMember } from './groups.ts';
import { recipientAt, recipientsOf, type OwnedIdentity, type Sharing } from './sharing.ts';

/** Groups whose epochs a vault keeps. */
export const KEPT_GROUPS_MAX = 100;
/** Characters of the epochs that a vault keeps of one group: 500 of a group of five. */
export const KEPT_EPOCHS_MAX = 8 * 2 ** 20;

const KEPT_GROUP = 'kept-group';
const KEY_BYTES = 32;
/** The most old keys that one epoch gives on. */
const OLD_KEYS_MAX = 255;

/** An epoch that was checked and kept. */
export interface KeptEpoch {
  /** "swge1.…" */
  readonly text: string;
  /** When it was made or taken here, ms since the epoch: an epoch does not say when it was made. */
  readonly at: number;
}

/** A group of which the user is a member, or was. */
export interface KeptGroup {
  /** The user's own name for it: no epoch has one. */
  readonly name: string;
  /** From the one that was taken first to the one taken last; each has all that it follows among them. */
  readonly epochs: readonly KeptEpoch[];
}

/** Whether a member is an admin from now on. */
export interface KeptRole {
  /** Public key of the member, "swp1.…" of X-Wing. */
  readonly member: string;
  /** Public key by which the member makes epochs, "swp1.…" of Ed25519; null: the member stops making them. */
  readonly adminKey: string | null;
}

/** What an admin changes. */
export interface KeptChange {
  /** Ids of contacts who become members. */
  readonly add: readonly string[];
  /** Public keys of members who leave, "swp1.…". */
  readonly remove: readonly string[];
  /** Members who become admins, or are admins no longer; they stay members. */
  readonly roles: readonly KeptRole[];
  /** Whether those who are added read what was sealed before. */
  readonly giveOldKeys: boolean;
}

/** Commits a change of the vault, once for each call. */
export type CommitOnce = <T extends Json>(change: (draft: VaultDraft) => Promise<T>) => Promise<T>;

/** What KeptGroups is built from. */
export interface KeptGroupsDeps {
  readonly vault: Vault;
  readonly sharing: Sharing;
  readonly contacts: Contacts;
  readonly workshop: Workshop;
  readonly random: RandomSource;
  readonly now: () => number;
}

type CheckedEpochs = Exclude<OutputOf<'groups.check'>, { error: unknown }>;
type NewEpochParams = Omit<InputOf<'groups.make'>['params'], 'signer'>;

/**
 * The groups of the user, with their epochs and a name for each, one record a group. They are encrypted at rest, because who
 * belongs to a group is private. The workshop of the user's files reads, checks and makes epochs; this realm signs them, and
 * opens the keys that an epoch gives on.
 */
export class KeptGroups {
  readonly #deps: KeptGroupsDeps;

  constructor(deps: KeptGroupsDeps) {
    this.#deps = deps;
  }

  /** Sorted by name. */
  async all(): Promise<readonly (KeptGroup & { readonly id: string })[]> {
    const groups = (await this.#deps.vault.list(KEPT_GROUP)).map((record) => ({
      id: idOf(record),
      ...groupIn(record),
    }));
    return groups.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
  }

  /**
   * Makes a group of which the user is the first admin.
   *
   * @param contacts ids of those who are members too
   * @param own ref of the sharing key with which the user is a member
   * @param signer ref of the signing key with which the user makes epochs
   * @returns its id, "swg1.…"
   * @throws SealwrightError INVALID_ARGUMENT for a key that a member or an admin cannot have, TOO_LARGE for too many members
   */
  async make(
    name: string,
    contacts: readonly string[],
    { own, signer: ref }: { readonly own: string; readonly signer: string },
    commit: CommitOnce,
  ): Promise<string> {
    const { sharing } = this.#deps;
    const signer = await sharing.signerOf(ref);
    const publicKey = memberKeyOf(await argumentChecked(sharing.publicKeyOfRef(own)), 'own');
    const others = await this.#memberKeysOf(contacts);
    const add = [
      { publicKey, adminKey: signer.publicKey },
      ...others.map((key) => ({ publicKey: key })),
    ];
    const made = await this.#made({ epochs: packed([]), add, remove: [] }, [], signer);
    const id = groupIdText(made.digest);
    return this.#keep(id, [made.text], name, commit);
  }

  /**
   * Makes the next epoch; without any change one that joins what admins changed at the same time, or that has a fresh key.
   *
   * @param ref of the signing key of the user, who is an admin
   * @throws SealwrightError INVALID_ARGUMENT for a group that is not kept and a change that cannot be, as one that leaves no
   *   admin; EnvelopeError BAD_ENVELOPE where the key is not an admin's, and for an admin's key that another one has
   */
  async change(
    id: string,
    { add, remove, roles, giveOldKeys }: KeptChange,
    ref: string,
    commit: CommitOnce,
  ): Promise<void> {
    const group = digestOf(id);
    const texts = textsIn(known(await this.#deps.vault.read(recordId(id))));
    const signer = await this.#deps.sharing.signerOf(ref);
    if (roles.some(({ member }) => remove.includes(member))) {
      throw new SealwrightError('INVALID_ARGUMENT', 'roles: one of them is removed');
    }
    const added = (await this.#memberKeysOf(add)).map((publicKey) => ({ publicKey }));
    const removed = recipientsOf(remove).map((each) => memberKeyOf(each, 'remove'));
    const inRoles = roles.map(inRole);
    // A member that one epoch removes and adds stays a member, with the role that it adds.
    const params = {
      group,
      epochs: packed(texts),
      add: [...added, ...inRoles],
      remove: [...removed, ...inRoles.map(({ publicKey }) => publicKey)],
    };
    const oldKeys = giveOldKeys ? await this.#keysOf(group, texts) : [];
    try {
      const { text } = await this.#made(params, oldKeys, signer);
      await this.#keep(id, [...texts, text], undefined, commit);
    } finally {
      wipe(...oldKeys.map(({ key }) => key));
    }
  }

  /**
   * Keeps epochs that came from an admin or another member. Those that were kept before may be left out.
   *
   * @param name of a group that is not kept yet
   * @throws EnvelopeError BAD_ENVELOPE for a forged one, NEEDS_KEY where one is missing that another one follows, and nothing
   *   is kept then; SealwrightError TOO_LARGE where there is no room
   */
  async take(
    id: string,
    epochs: readonly string[],
    name: string | undefined,
    commit: CommitOnce,
  ): Promise<void> {
    const record = await this.#deps.vault.read(recordId(id));
    const before = record ? textsIn(groupIn(record)) : [];
    await this.#keep(id, [...new Set([...before, ...epochs])], name, commit);
  }

  /**
   * Does work with the recipients to which a message to these groups is sealed: their newest epochs.
   *
   * @throws SealwrightError INVALID_ARGUMENT for a group that is not kept; EnvelopeError NEEDS_KEY while admins have to join
   *   their changes, and where the user is no member any more
   */
  async withRecipients<T>(
    ids: readonly string[],
    work: (recipients: readonly Recipient[]) => Promise<T>,
  ): Promise<T> {
    if (ids.length === 0) return work([]);
    const recipients: Recipient[] = [];
    try {
      await this.#withMembers(async (members, deps) => {
        const publicKeys = members.map(({ publicKey }) => publicKey);
        for (const id of ids) {
          const texts = textsIn(known(await this.#deps.vault.read(recordId(id))));
          const params = { group: digestOf(id), epochs: packed(texts), publicKeys };
          const { epochs, waiting } = await this.#checked(params);
          if (waiting !== undefined) throw new EnvelopeError('NEEDS_KEY', waiting);
          const keys = await epochKeysOf(epochs, members, deps);
          try {
            recipients.push(...recipientsOfGroup(epochs, keys));
          } finally {
            wipe(...keys.map(({ key }) => key));
          }
        }
      });
      return await work(recipients);
    } finally {
      wipe(...recipients.map(({ key }) => key));
    }
  }

  /** The groups as ones to seal to, sorted by name. */
  async sealable(): Promise<SealableGroup[]> {
    const groups = await this.all();
    if (groups.length === 0) return [];
    return this.#withMembers(async (members) => {
      const publicKeys = members.map(({ publicKey }) => publicKey);
      const sealable: SealableGroup[] = [];
      for (const { id, name, ...kept } of groups) {
        const params = { group: digestOf(id), epochs: packed(textsIn(kept)), publicKeys };
        const { problem = null } = await this.#checked(params);
        sealable.push({ id, name, problem });
      }
      return sealable;
    });
  }

  /**
   * What the user lacks to open a message to groups: of the first one that is kept, or that none is.
   *
   * @param names of the epochs that it is for
   */
  async needed(names: readonly EpochName[]): Promise<NeededGroup> {
    for (const { group, wanted } of groupsAmong(names)) {
      const record = await this.#deps.vault.read(recordId(groupIdText(group)));
      if (!record) continue;
      const params = { group, epochs: packed(textsIn(groupIn(record))), publicKeys: [] };
      const { all } = await this.#checked(params);
      const isKept = wanted.every((epoch) => all.some((each) => equal(each, epoch)));
      return { name: groupIn(record).name, lacks: isKept ? 'member' : 'epoch' };
    }
    return { name: null, lacks: 'group' };
  }

  /**
   * The identities that open a message to groups, one for each sharing key that is a member. The caller wipes them.
   *
   * @param names of the epochs that it is for
   * @param own the sharing keys that may open it
   */
  async identities(
    names: readonly EpochName[],
    own: readonly OwnedIdentity[],
  ): Promise<OwnedIdentity[]> {
    if (names.length === 0) return [];
    const deps = await this.#deps.sharing.epochParts();
    const members = await membersAmong(own, deps);
    const publicKeys = members.map(({ publicKey }) => publicKey);
    const useful: MembersEpoch[] = [];
    for (const { group, wanted } of groupsAmong(names)) {
      const record = await this.#deps.vault.read(recordId(groupIdText(group)));
      if (!record) continue;
      const params = { group, epochs: packed(textsIn(groupIn(record))), publicKeys, wanted };
      useful.push(...(await this.#checked(params)).epochs);
    }
    return identitiesOfEpochs(useful, members, deps);
  }

  /** @throws SealwrightError INVALID_ARGUMENT for a group that is not kept */
  async renameIn(draft: VaultDraft, id: string, name: string): Promise<void> {
    put(draft, id, { ...known(await draft.get(recordId(id))), name });
  }

  /** @throws SealwrightError INVALID_ARGUMENT for a group that is not kept */
  async removeIn(draft: VaultDraft, id: string): Promise<void> {
    known(await draft.get(recordId(id)));
    draft.remove(recordId(id));
  }

  /** Checks the epochs together, and keeps those that are new. */
  async #keep(
    id: string,
    texts: readonly string[],
    name: string | undefined,
    commit: CommitOnce,
  ): Promise<string> {
    if (texts.reduce((sum, { length }) => sum + length, 0) > KEPT_EPOCHS_MAX) {
      throw new SealwrightError('TOO_LARGE', 'There is no room for so many epochs of one group');
    }
    const params = { group: digestOf(id), epochs: packed(texts), publicKeys: [] };
    const { all } = await this.#checked(params);
    if (all.length < new Set(texts).size) {
      // Of what a page gives to a call, epochs of other groups are passed over; here they would be kept.
      throw new EnvelopeError('BAD_ENVELOPE', 'One of the epochs is of another group');
    }
    return commit(async (draft) => {
      const record = await draft.get(recordId(id));
      if (!record && (await draft.list(KEPT_GROUP)).length >= KEPT_GROUPS_MAX) {
        throw new SealwrightError('TOO_LARGE', `There is room for ${KEPT_GROUPS_MAX} groups`);
      }
      if (!record && name === undefined) {
        throw new SealwrightError('INVALID_ARGUMENT', 'name: the group is not known yet');
      }
      const before = record ? groupIn(record) : { name: name!, epochs: [] };
      const isKept = (text: string) => before.epochs.some((epoch) => epoch.text === text);
      const at = Math.trunc(this.#deps.now());
      const added = texts.filter((text) => !isKept(text)).map((text) => ({ text, at }));
      put(draft, id, { ...before, epochs: [...before.epochs, ...added] });
      return id;
    });
  }

  /** The keys of the last epochs that the user can open, which the caller wipes. */
  async #keysOf(group: Uint8Array, texts: readonly string[]): Promise<EpochKey[]> {
    return this.#withMembers(async (members, deps) => {
      const publicKeys = members.map(({ publicKey }) => publicKey);
      const params = { group, epochs: packed(texts), publicKeys };
      const { all } = await this.#checked(params);
      const wanted = all.slice(-OLD_KEYS_MAX);
      const { epochs } = await this.#checked({ ...params, wanted });
      const keys = await epochKeysOf(epochs, members, deps);
      wipe(...keys.slice(OLD_KEYS_MAX).map(({ key }) => key));
      return keys.slice(0, OLD_KEYS_MAX);
    });
  }

  /** Does work with the sharing keys of the user that can be a member's. */
  async #withMembers<T>(
    work: (members: readonly OwnedMember[], deps: GroupDeps) => Promise<T>,
  ): Promise<T> {
    const { sharing } = this.#deps;
    const own = await sharing.identities(({ guest }) => !guest);
    try {
      const deps = await sharing.epochParts();
      return await work(await membersAmong(own, deps), deps);
    } finally {
      wipe(...own.map(({ key }) => key));
    }
  }

  async #checked(params: InputOf<'groups.check'>['params']): Promise<CheckedEpochs> {
    const input = { secrets: {}, params };
    return unlessRefused(await this.#deps.workshop.call('files', 'groups.check', input));
  }

  /** @throws SealwrightError INVALID_ARGUMENT for a change that cannot be */
  async #made(
    params: NewEpochParams,
    oldKeys: readonly EpochKey[],
    signer: MessageSigner,
  ): Promise<{ readonly digest: Uint8Array; readonly text: string }> {
    const { random, workshop } = this.#deps;
    const key = random.bytes(KEY_BYTES);
    try {
      const old = oldKeys.map(({ epoch, key: oldKey }) => ({ epoch, key: oldKey }));
      const secrets = { key, oldKeys: old, seed: random.bytes(KEY_BYTES) };
      const input = { secrets, params: { ...params, signer: signer.publicKey } };
      const making = workshop.call('files', 'groups.make', input);
      const { content } = unlessRefused(await argumentChecked(making));
      const hash = await nativeSha256(content);
      const signature = await signer.sign(epochBytesToSign(hash));
      const text = EPOCH_PREFIX + toBase64url(concat(content, signature));
      return { digest: await epochDigest(hash, signature), text };
    } finally {
      wipe(key);
    }
  }

  async #memberKeysOf(contacts: readonly string[]): Promise<Uint8Array[]> {
    const publicKeys = await this.#deps.contacts.publicKeysOf(contacts);
    return recipientsOf(publicKeys).map((each) => memberKeyOf(each, 'contacts'));
  }
}

/** @throws SealwrightError INVALID_ARGUMENT for a key that is not X-Wing's */
function memberKeyOf({ type, key }: Recipient, name: string): Uint8Array {
  if (type === MEMBER_KEY.type) return key;
  throw new SealwrightError('INVALID_ARGUMENT', `${name}: members of groups have keys of X-Wing`);
}

/** @throws SealwrightError INVALID_ARGUMENT for keys that a member or an admin cannot have */
function inRole({ member, adminKey }: KeptRole, at: number): NewEpochParams['add'][number] {
  const publicKey = memberKeyOf(recipientAt(member, at), 'roles');
  return adminKey === null ? { publicKey } : { publicKey, adminKey: adminKeyOf(adminKey) };
}

/** @throws SealwrightError INVALID_ARGUMENT for what is not the public key of Ed25519 */
function adminKeyOf(text: string): Uint8Array {
  try {
    const { type, bytes } = parsePublicKey(text);
    if (type === 'Ed25519') return bytes;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new SealwrightError('INVALID_ARGUMENT', 'roles: admins of groups have keys of Ed25519');
}

/** @throws SealwrightError INVALID_ARGUMENT for what is not the id of a group */
function digestOf(id: string): Uint8Array {
  try {
    return parseGroupId(id);
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new SealwrightError('INVALID_ARGUMENT', 'id: expected a group, "swg1.…"');
  }
}

/** What epochs are refused for. */
interface Refusal {
  readonly error: {
    readonly code: 'BAD_ENVELOPE' | 'NEEDS_KEY' | 'TOO_LARGE';
    readonly message: string;
  };
}

/** @throws EnvelopeError where the workshop refused epochs */
function unlessRefused<T extends object>(answer: T): Exclude<T, { readonly error: unknown }> {
  if (!('error' in answer)) return answer as Exclude<T, { readonly error: unknown }>;
  const { code, message } = answer.error as Refusal['error'];
  throw new EnvelopeError(code, message);
}

function packed(texts: readonly string[]): ByteList {
  const bytes = concat(...texts.map(utf8));
  return { bytes, lengths: encodedLengths(texts.map(({ length }) => length)) };
}

/** Another record with the group's own id says which epochs pages have used (groups.ts). */
const recordId = (id: string): string => `${KEPT_GROUP} ${id}`;
const idOf = ({ id }: VaultRecord): string => id.slice(KEPT_GROUP.length + 1);
const groupIn = ({ value }: VaultRecord): KeptGroup => value as unknown as KeptGroup;

const textsIn = ({ epochs }: Pick<KeptGroup, 'epochs'>): string[] => epochs.map(({ text }) => text);

function put(draft: VaultDraft, id: string, group: KeptGroup): void {
  draft.put({ id: recordId(id), type: KEPT_GROUP, value: group as unknown as Json });
}

function known(record: VaultRecord | undefined): KeptGroup {
  if (record?.type === KEPT_GROUP) return groupIn(record);
  throw new SealwrightError('INVALID_ARGUMENT', 'id: no such group');
}
