import { equal, toBase64url, wipe } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import type { MembersEpoch } from '../../format/groups/epoch.ts';
import { GROUP_ID_PREFIX, groupIdText, parseGroupId } from '../../format/groups/group-id.ts';
import type { MemberIdentity } from '../../format/groups/epoch-key.ts';
import {
  epochKeysOf,
  membersAmong,
  recipientsOfGroup,
  type GroupDeps,
} from '../../format/groups/group.ts';
import type { Recipient } from '../../format/keys/data-key.ts';
import { groupRecipientOf, type EpochName } from '../../format/recipients/group-key.ts';
import type { Json } from '../../keys/values/json.ts';
import type { VaultRecord } from '../../keys/values/record.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ByteList } from '../../rpc/transport/byte-list.ts';
import { inWorkshopOf, type OriginWorkshopDeps } from '../calls/origin-workshop.ts';
import { recipientAt, type OwnedIdentity, type Sharing } from './sharing.ts';

/** Groups of which the vault remembers the newest epoch. */
export const GROUPS_MAX = 500;

const GROUP = 'group';

/** Digests of the newest epochs of a group that were checked here, base64url, in order. */
interface KnownGroup {
  readonly heads: readonly string[];
}

/** What Groups is built from. */
export interface GroupsDeps extends OriginWorkshopDeps {
  readonly vault: Pick<Vault, 'commit' | 'read'>;
  readonly sharing: Pick<Sharing, 'epochParts'>;
}

/** Public keys and groups that `to` names. */
export interface NamedRecipients {
  readonly recipients: readonly Recipient[];
  /** Digests of their first epochs. */
  readonly groups: readonly Uint8Array[];
}

/**
 * The recipients that `to` names.
 *
 * @throws SealwrightError INVALID_ARGUMENT for a text that is neither the public key of a sharing key nor the id of a group
 */
export function namedIn(to: readonly string[]): NamedRecipients {
  const recipients: Recipient[] = [];
  const groups: Uint8Array[] = [];
  for (const [index, text] of to.entries()) {
    if (text.startsWith(GROUP_ID_PREFIX)) groups.push(groupAt(text, index));
    else recipients.push(recipientAt(text, index));
  }
  return { recipients, groups };
}

function groupAt(text: string, index: number): Uint8Array {
  try {
    return parseGroupId(text);
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    throw new SealwrightError('INVALID_ARGUMENT', `to[${index}]: expected a group, "swg1.…"`);
  }
}

/** A sharing key of the user, with its public half. */
export type OwnedMember = OwnedIdentity & MemberIdentity;

/** What was checked of the epochs of one group. */
interface CheckedGroup {
  /** Digests of all, and of those that no other one follows, base64url. */
  readonly all: ReadonlySet<string>;
  readonly heads: readonly string[];
  readonly epochs: readonly MembersEpoch[];
  /** Why nothing can be sealed to the group now. */
  readonly waiting: string | undefined;
}

/**
 * Seals to groups, and opens what came to them, with epochs that an app gives at each call. The workshop of its origin
 * checks them each time, and this realm opens their keys; of a group the vault remembers its newest epochs alone, so that
 * nothing is sealed to an older one, wherever the app stores them.
 */
export class Groups {
  readonly #deps: GroupsDeps;

  constructor(deps: GroupsDeps) {
    this.#deps = deps;
  }

  /**
   * The recipients to which a message to these groups is sealed. The caller wipes their keys.
   *
   * @param groups digests of their first epochs
   * @param own sharing keys that the caller may use
   * @throws EnvelopeError BAD_ENVELOPE for a forged epoch, TOO_LARGE; NEEDS_KEY where an epoch is missing, one that was
   *   checked here before included, where no key is a member's, and while admins have to join their changes
   */
  async recipients(
    groups: readonly Uint8Array[],
    epochs: ByteList | undefined,
    own: readonly OwnedIdentity[],
    call: Call,
  ): Promise<Recipient[]> {
    const deps = await this.#deps.sharing.epochParts();
    const members = await membersAmong(own, deps);
    const recipients: Recipient[] = [];
    for (const group of groups) {
      const checked = await this.#check({ group, epochs, members }, call);
      await this.#remember(group, checked);
      if (checked.waiting !== undefined) throw new EnvelopeError('NEEDS_KEY', checked.waiting);
      const keys = await epochKeysOf(checked.epochs, members, deps);
      try {
        recipients.push(...recipientsOfGroup(checked.epochs, keys));
      } finally {
        wipe(...keys.map(({ key }) => key));
      }
    }
    return recipients;
  }

  /**
   * The identities that open a message to groups, one for each sharing key that is a member. The caller wipes them.
   *
   * @param names of the epochs that it is for
   * @param own sharing keys that the caller may use
   * @throws EnvelopeError BAD_ENVELOPE for a forged epoch, TOO_LARGE; NEEDS_KEY for one that follows one that is missing
   */
  async identities(
    names: readonly EpochName[],
    epochs: ByteList | undefined,
    own: readonly OwnedIdentity[],
    call: Call,
  ): Promise<OwnedIdentity[]> {
    if (names.length === 0) return [];
    const deps = await this.#deps.sharing.epochParts();
    const members = await membersAmong(own, deps);
    const useful: MembersEpoch[] = [];
    for (const { group, wanted } of groupsAmong(names)) {
      useful.push(...(await this.#check({ group, epochs, members, wanted }, call)).epochs);
    }
    return identitiesOfEpochs(useful, members, deps);
  }

  async #check(
    {
      group,
      epochs = NO_EPOCHS,
      members,
      wanted,
    }: {
      readonly group: Uint8Array;
      readonly epochs: ByteList | undefined;
      readonly members: readonly OwnedMember[];
      readonly wanted?: Uint8Array[];
    },
    call: Call,
  ): Promise<CheckedGroup> {
    const publicKeys = members.map(({ publicKey }) => publicKey);
    const params = { group, epochs, publicKeys, ...(wanted && { wanted }) };
    const answer = await inWorkshopOf(call, this.#deps, 'groups.check', { secrets: {}, params });
    if ('error' in answer) throw new EnvelopeError(answer.error.code, answer.error.message);
    const { all, heads, waiting } = answer;
    return {
      all: new Set(all.map(toBase64url)),
      heads: heads.map(toBase64url).sort(),
      epochs: answer.epochs,
      waiting,
    };
  }

  /** @throws EnvelopeError NEEDS_KEY where an epoch is not given that was the newest before */
  async #remember(group: Uint8Array, { all, heads }: CheckedGroup): Promise<void> {
    const id = groupIdText(group);
    const known = await this.#deps.vault.read(id);
    requireKnown(known, all);
    if (known && same(headsOf(known), heads)) return;
    await this.#deps.vault.commit(async (draft) => {
      const before = await draft.get(id);
      requireKnown(before, all);
      if (!before && (await draft.list(GROUP)).length >= GROUPS_MAX) {
        throw new SealwrightError('TOO_LARGE', `There is room for ${GROUPS_MAX} groups`);
      }
      put(draft, id, { heads });
    });
  }
}

/** @throws EnvelopeError NEEDS_KEY unless all epochs are given that were the newest before */
function requireKnown(record: VaultRecord | undefined, given: ReadonlySet<string>): void {
  if (record === undefined || headsOf(record).every((head) => given.has(head))) return;
  throw new EnvelopeError(
    'NEEDS_KEY',
    'An epoch of the group is missing that was used here before',
  );
}

const headsOf = ({ value }: VaultRecord): readonly string[] =>
  (value as unknown as KnownGroup).heads;

function put(draft: VaultDraft, id: string, known: KnownGroup): void {
  const value = known as unknown as Json;
  draft.put({ id, type: GROUP, value });
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, at) => each === b[at]);

const NO_EPOCHS: ByteList = { bytes: new Uint8Array(0), lengths: new Uint8Array(0) };

/** The groups that a message is for, each with the epochs that it is for. */
export function groupsAmong(
  names: readonly EpochName[],
): { readonly group: Uint8Array; readonly wanted: Uint8Array[] }[] {
  return names
    .map(({ group }) => group)
    .filter((group, at, all) => all.findIndex((each) => equal(each, group)) === at)
    .map((group) => {
      const ofGroup = names.filter((name) => equal(name.group, group));
      return { group, wanted: ofGroup.map(({ epoch }) => epoch) };
    });
}

/**
 * The identities that open what was sealed to these epochs, one for each member who has a key of theirs. The caller wipes
 * them.
 *
 * @returns without one that fits, one that says of a message that its epoch is missing
 */
export async function identitiesOfEpochs(
  epochs: readonly MembersEpoch[],
  members: readonly OwnedMember[],
  deps: GroupDeps,
): Promise<OwnedIdentity[]> {
  const found: OwnedIdentity[] = [];
  for (const member of members) {
    const keys = await epochKeysOf(epochs, [member], deps);
    if (keys.length > 0) found.push({ ...groupRecipientOf(keys), ref: member.ref });
    wipe(...keys.map(({ key }) => key));
  }
  return found.length > 0 ? found : [{ ...groupRecipientOf([]), ref: '' }];
}
