/*
 * Groups for programs without a vault: made, changed and opened from public keys and epochs as text. `sealingTo` and
 * `openingWith` take what is opened here.
 */
import { copyOf, equal } from '../../crypto/bytes.ts';
import { checkBytes, checkOptions } from '../../crypto/errors.ts';
import { ED25519_KEY_BYTES, ed25519PublicKey, signEd25519 } from '../../engine/native/ed25519.ts';
import { loadX25519 } from '../../engine/kem/x25519.ts';
import type { Identity, Recipient } from '../keys/data-key.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../native-crypto.ts';
import { groupRecipientOf, type EpochKey } from '../recipients/group-key.ts';
import { allKems } from '../recipients/kems.ts';
import { recipientOf, type OpenedGroup } from '../recipients/sharing.ts';
import { parsePublicKey, publicKeyText } from '../wire/public-key.ts';
import { epochText, type GroupMember } from './epoch.ts';
import { epochKeysOf, membersAmong, recipientsOfGroup } from './group.ts';
import { parseGroupFile } from './group-file.ts';
import { groupIdText, MEMBER_KEY, parseGroupId } from './group-id.ts';
import { GroupHistory } from './history.ts';
import { makeEpoch, nextEpoch } from './new-epoch.ts';

const { 'X-Wing': kem } = allKems(loadX25519);
const DEPS = { kem, crypto: NATIVE_CRYPTO, random: NATIVE_RANDOM };

/** One who is to be a member. */
export interface NewMember {
  /** "swp1.…" of an X-Wing sharing key. */
  readonly publicKey: string;
  /** "swp1.…" of an Ed25519 key, with which this member makes epochs; absent for one who is no admin. */
  readonly adminKey?: string | undefined;
}

/** What `openGroup` checks, and with what. */
export interface GroupOptions {
  /** "swg1.…", as one of its members told it. */
  readonly id: string;
  /** "swge1.…" each, or group files, in any order: all from the first one on, or from one that a key of `trusted` signed. */
  readonly epochs: readonly string[];
  /** Private keys of the caller, as `generateIdentity` makes them. */
  readonly identities: readonly Identity[];
  /** "swp1.…" of admins' keys whose words were compared. */
  readonly trusted?: readonly string[] | undefined;
}

/** The changes that an admin makes in one epoch. */
export interface GroupChanges {
  readonly add?: readonly NewMember[] | undefined;
  /** "swp1.…" each. */
  readonly remove?: readonly string[] | undefined;
  /** Whether new members get the keys of older epochs too, and read what was sealed before them. Default: false. */
  readonly giveOldKeys?: boolean | undefined;
}

/** Makes the epochs of a group: an Ed25519 key. */
export interface GroupAdmin {
  /** 32 bytes. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** @returns 64 bytes of Ed25519 over these bytes as they are */
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * The admin who has this key.
 *
 * @param key Ed25519, 32 bytes; copied
 */
export async function groupAdmin(key: Uint8Array): Promise<GroupAdmin> {
  checkBytes('key', key, ED25519_KEY_BYTES);
  const own = copyOf(key);
  return { publicKey: await ed25519PublicKey(own), sign: (bytes) => signEd25519(own, bytes) };
}

/**
 * Makes a group.
 *
 * @param members 1 to 128; one of them has the admin's key
 * @returns its id, "swg1.…", and its first epoch, "swge1.…", both to be sent to all members
 * @throws TypeError, RangeError for other members
 */
export async function createGroup(
  members: readonly NewMember[],
  admin: GroupAdmin,
): Promise<{ readonly id: string; readonly epoch: string }> {
  const list = membersOf('members', members);
  if (!list.some(({ adminKey }) => adminKey && equal(adminKey, admin.publicKey))) {
    throw new RangeError('members: none of them has the key of the admin');
  }
  const epoch = await makeEpoch({ members: list }, admin, DEPS);
  return { id: groupIdText(epoch.digest), epoch: epochText(epoch) };
}

/**
 * Checks the epochs of a group, and opens their keys.
 *
 * @throws TypeError, RangeError for wrong arguments
 * @throws EnvelopeError BAD_ENVELOPE for an epoch that is forged, of another group, or not by an admin; NEEDS_KEY where one is
 *   missing; TOO_LARGE before any work
 *
 * @example
 * const group = await openGroup({ id, epochs, identities: [identity] });
 * const sealed = await sealMessage({ purpose: 'page', ...sealingTo([id], { groups: [group] }) }, message);
 */
export async function openGroup(options: GroupOptions): Promise<Group> {
  checkOptions('options', options, { id: true, epochs: true, identities: true, trusted: true });
  const { id, epochs: texts, identities, trusted = [] } = options;
  if (!Array.isArray(texts)) throw new TypeError('epochs must be an array of texts');
  if (typeof id !== 'string') throw new TypeError('id must be a string');
  const group = parseGroupId(id);
  const keys = trusted.map((text, at) => adminKeyOf(text, `trusted[${at}]`));
  const files = await Promise.all(texts.map((text) => parseGroupFile(String(text))));
  const epochs = files.flatMap((file) => file.epochs);
  const history = await GroupHistory.check(epochs, { group, trusted: keys });
  return new CheckedGroup(
    history,
    await epochKeysOf(history.epochs, await membersAmong(identities, DEPS), DEPS),
  );
}

/** A group whose epochs were checked. It does not change: after another epoch, open it again. */
export interface Group extends OpenedGroup {
  /** The members after all epochs, "swp1.…"; with `adminKey` for admins. */
  readonly members: readonly NewMember[];
  /** Whether admins changed the group at the same time, and one of them has to join that (`change` without a change). */
  readonly isForked: boolean;
  /** All epochs as text, the oldest first. */
  readonly epochs: readonly string[];
  /**
   * Makes the next epoch. Without a change it joins what admins changed at the same time, or has a fresh key alone.
   *
   * @returns "swge1.…", to be sent to all members
   * @throws TypeError, RangeError for a change that cannot be; EnvelopeError BAD_ENVELOPE for one who is not an admin
   */
  change(changes: GroupChanges, admin: GroupAdmin): Promise<string>;
}

class CheckedGroup implements Group {
  readonly #history: GroupHistory;
  readonly #keys: readonly EpochKey[];

  constructor(history: GroupHistory, keys: readonly EpochKey[]) {
    this.#history = history;
    this.#keys = keys;
  }

  get id(): string {
    return groupIdText(this.#history.group);
  }

  get members(): readonly NewMember[] {
    return this.#history.members.map(({ publicKey, adminKey }) => ({
      publicKey: publicKeyText({ type: MEMBER_KEY.name, bytes: publicKey }),
      ...(adminKey && { adminKey: publicKeyText({ type: 'Ed25519', bytes: adminKey }) }),
    }));
  }

  get isForked(): boolean {
    return this.#history.settled === undefined;
  }

  get epochs(): readonly string[] {
    return this.#history.epochs.map(epochText);
  }

  recipients(): readonly Recipient[] {
    return recipientsOfGroup(this.#history.newest(), this.#keys);
  }

  identity(): Identity {
    return groupRecipientOf(this.#keys);
  }

  async change(changes: GroupChanges, admin: GroupAdmin): Promise<string> {
    checkOptions('changes', changes, { add: true, remove: true, giveOldKeys: true });
    const { add = [], remove = [], giveOldKeys = false } = changes;
    const change = {
      add: membersOf('add', add),
      remove: remove.map((text, at) => memberKeyOf(text, `remove[${at}]`)),
      oldKeys: giveOldKeys ? this.#keys : [],
    };
    const epoch = await nextEpoch(this.#history, change, admin, DEPS);
    const { group, epochs } = this.#history;
    const checked = [...epochs, epoch];
    await GroupHistory.check(checked, {
      group,
      trusted: epochs.slice(0, 1).map(({ signer }) => signer),
    });
    return epochText(epoch);
  }
}

function membersOf(name: string, members: readonly NewMember[]): GroupMember[] {
  if (!Array.isArray(members)) throw new TypeError(`${name} must be an array of members`);
  const list: readonly NewMember[] = members;
  return list.map((member, at) => {
    checkOptions(`${name}[${at}]`, member, { publicKey: true, adminKey: true });
    const { publicKey, adminKey } = member;
    const admin =
      adminKey === undefined ? {} : { adminKey: adminKeyOf(adminKey, `${name}[${at}].adminKey`) };
    return { publicKey: memberKeyOf(publicKey, `${name}[${at}].publicKey`), ...admin };
  });
}

function memberKeyOf(text: string, name: string): Uint8Array {
  const { type, key } = recipientOf(text, name);
  if (type === MEMBER_KEY.type) return key;
  throw new RangeError(`${name}: members have keys of X-Wing`);
}

function adminKeyOf(text: string, name: string): Uint8Array {
  if (typeof text !== 'string') throw new TypeError(`${name} must be a string`);
  const { type, bytes } = parsePublicKey(text);
  if (type === 'Ed25519') return bytes;
  throw new RangeError(`${name}: admins have keys of Ed25519`);
}
