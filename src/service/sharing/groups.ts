import { equal, toBase64url, wipe } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import {
  GROUP_ID_PREFIX,
  groupIdText,
  groupOf,
  parseEpochText,
  parseGroupId,
  type Epoch,
} from '../../format/groups/epoch.ts';
import { epochKeysOf, recipientsOfGroup } from '../../format/groups/group.ts';
import { GroupHistory } from '../../format/groups/history.ts';
import type { Recipient } from '../../format/keys/data-key.ts';
import {
  epochNamesIn,
  groupRecipientOf,
  type EpochName,
} from '../../format/recipients/group-key.ts';
import type { RecipientEntry } from '../../format/wire/recipients.ts';
import type { Json } from '../../keys/values/json.ts';
import type { VaultRecord } from '../../keys/values/record.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { unpacked, type ByteList } from '../../rpc/transport/byte-list.ts';
import { recipientAt, type OwnedIdentity, type Sharing } from './sharing.ts';

/** Groups of which the vault remembers the newest epoch. */
export const GROUPS_MAX = 500;

const GROUP = 'group';

/** Digests of the newest epochs of a group that were checked here, base64url, in order. */
interface KnownGroup {
  readonly heads: readonly string[];
}

/** What Groups is built from. */
export interface GroupsDeps {
  readonly vault: Pick<Vault, 'commit' | 'list'>;
  readonly sharing: Pick<Sharing, 'groupDeps'>;
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

/**
 * Seals to groups, and opens what came to them, with epochs that an app gives at each call. They are checked each time; of a
 * group the vault remembers its newest epochs alone, so that nothing is sealed to an older one, wherever the app stores them.
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
  ): Promise<Recipient[]> {
    const deps = await this.#deps.sharing.groupDeps();
    const given = await epochsIn(epochs);
    const recipients: Recipient[] = [];
    for (const group of groups) {
      const history = await historyOf(group, given);
      await this.#remember(history);
      const keys = await epochKeysOf(history.newest(), own, deps);
      try {
        recipients.push(...recipientsOfGroup(history, keys));
      } finally {
        wipe(...keys.map(({ key }) => key));
      }
    }
    return recipients;
  }

  /**
   * The identities that open a message to groups, one for each sharing key that is a member. The caller wipes them.
   *
   * @param entries of the message
   * @param own sharing keys that the caller may use
   * @throws EnvelopeError BAD_ENVELOPE for a forged epoch, TOO_LARGE; NEEDS_KEY for one that follows one that is missing
   */
  async identities(
    entries: readonly RecipientEntry[],
    epochs: ByteList | undefined,
    own: readonly OwnedIdentity[],
  ): Promise<OwnedIdentity[]> {
    const wanted = epochNamesIn(entries);
    if (wanted.length === 0) return [];
    const given = await epochsIn(epochs);
    const useful: Epoch[] = [];
    for (const group of distinct(wanted)) {
      if (!given.some((epoch) => equal(groupOf(epoch), group))) continue;
      const history = await historyOf(group, given);
      useful.push(...history.epochs.filter((epoch) => wanted.some((name) => opens(epoch, name))));
    }
    const deps = await this.#deps.sharing.groupDeps();
    const found: OwnedIdentity[] = [];
    for (const identity of own) {
      const keys = await epochKeysOf(useful, [identity], deps);
      if (keys.length > 0) found.push({ ...groupRecipientOf(keys), ref: identity.ref });
      wipe(...keys.map(({ key }) => key));
    }
    // Without one that fits, it says of the message that its epoch is missing.
    return found.length > 0 ? found : [{ ...groupRecipientOf([]), ref: '' }];
  }

  /** @throws EnvelopeError NEEDS_KEY where an epoch is not given that was the newest before */
  async #remember(history: GroupHistory): Promise<void> {
    const id = groupIdText(history.group);
    const heads = history.heads.map(({ digest }) => toBase64url(digest)).sort();
    const known = (await this.#deps.vault.list(GROUP)).find((record) => record.id === id);
    requireKnown(known, history);
    if (known && same(headsOf(known), heads)) return;
    await this.#deps.vault.commit(async (draft) => {
      const before = await draft.get(id);
      requireKnown(before, history);
      if (!before && (await draft.list(GROUP)).length >= GROUPS_MAX) {
        throw new SealwrightError('TOO_LARGE', `There is room for ${GROUPS_MAX} groups`);
      }
      put(draft, id, { heads });
    });
  }
}

/** @throws EnvelopeError NEEDS_KEY unless the history has all epochs that were the newest before */
function requireKnown(record: VaultRecord | undefined, { epochs }: GroupHistory): void {
  const given = new Set(epochs.map(({ digest }) => toBase64url(digest)));
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

function epochsIn(list: ByteList | undefined): Promise<Epoch[]> {
  const texts = list ? unpacked(list).map((each) => new TextDecoder('latin1').decode(each)) : [];
  return Promise.all(texts.map(parseEpochText));
}

const historyOf = (group: Uint8Array, given: readonly Epoch[]): Promise<GroupHistory> => {
  const epochs = given.filter((epoch) => equal(groupOf(epoch), group));
  return GroupHistory.check(epochs, { group });
};

const opens = ({ digest, oldKeys }: Epoch, { epoch }: EpochName): boolean =>
  equal(digest, epoch) || oldKeys.some((old) => equal(old.epoch, epoch));

const distinct = (names: readonly EpochName[]): Uint8Array[] =>
  names
    .map(({ group }) => group)
    .filter((group, at, all) => all.findIndex((each) => equal(each, group)) === at);
