import { toBase64url, wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import { ageSecretsOf, isAge } from '../ring/age.ts';
import type { Age, AgeSecrets } from '../ring/age.ts';
import { identitiesOf } from '../ring/age-key.ts';
import {
  BACKED_UP_TYPES,
  backedUpOf,
  encodeContents,
  parseContents,
  recordsOfBackedUp,
} from './backup-contents.ts';
import type { BackedUp, BackupContents } from './backup-contents.ts';
import { BACKUP_MAX_BYTES, openBackup, sealBackup } from './backup-file.ts';
import type { VaultDraft } from '../vault/draft.ts';
import { VaultError } from '../values/errors.ts';
import { sameJson } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import { labelOf } from './key-set.ts';
import { mergeKeys, unvouchedKeys } from './merge-keys.ts';
import type { Difference } from './merge-keys.ts';
import { missingAnnotations, mergeAnnotations, unvouched } from '../annotations/annotations.ts';
import type { AnnotationDifference } from '../annotations/annotations.ts';
import {
  CIRCLE,
  DEVICE,
  DEVICE_FILES,
  MEDIUM,
  MEMBER_NOTES,
  REMOVED_DEVICES,
} from '../annotations/deletions.ts';
import { isRecoveryFile, openRecoveryFile } from '../recovery/recovery-file.ts';
import { pendingRecoveryOf, RECOVERY_REQUEST, sharesOf } from '../recovery/recovery-records.ts';
import type { SlotSecret } from '../unlock/opened-slots.ts';
import { APP, keyRootIn, rootsOf } from '../ring/key-records.ts';
import { mergePersistentKeys } from '../ring/persistent-key.ts';
import type { PersistentKeyValues } from '../ring/persistent-key.ts';
import { USER_KEYS } from '../ring/kinds.ts';
import { userKeyOf } from '../ring/user-key.ts';
import type { PassphraseKdf } from '../../format/passphrase.ts';
import type { VaultRecord } from '../values/record.ts';
import type { Vault } from '../vault/vault.ts';

/** What backups work with. */
export interface BackupsDeps {
  readonly vault: Vault;
  readonly random: RandomSource;
  readonly derive: PassphraseKdf;
  readonly age: Age;
  readonly now: () => number;
}

/** What a new backup opens with: a passphrase of its own, the identities of age recipients, or what seals it otherwise. */
export type BackupLock =
  | { readonly passphrase: string }
  | { readonly recipients: readonly string[] }
  | { readonly seal: (contents: Uint8Array, created: number) => Promise<Uint8Array> };

/** When the last backup was made and checked, ms since the epoch; null: never. */
export interface BackupTimes {
  readonly made: number | null;
  readonly checked: number | null;
}

/**
 * How a backup relates to the vault. 'own': it has the vault's root. 'first': the vault is empty, and takes it as
 * its own. 'foreign': someone else may have made it, or another vault; a part of it is left out, and its keys come
 * as guests.
 */
export type Relation = 'own' | 'first' | 'foreign';

/** What a check of a backup shows. */
export interface BackupReport {
  readonly created: number;
  /** Whether it was made of this very vault. */
  readonly ofThisVault: boolean;
  readonly relation: Relation;
  /** Labels of the named keys in it. */
  readonly labels: readonly string[];
  readonly sites: number;
  /** What a restore would add, or has added. */
  readonly brings: BackupDifference;
  /** What the vault has and the backup lacks. */
  readonly lacks: BackupDifference;
  /** What the vault holds: user keys, contacts, sites that have an app key, and keys that sites keep by reference. */
  readonly present: {
    readonly keys: number;
    readonly contacts: number;
    readonly appKeys: number;
    readonly persistentKeys: number;
  };
}

interface BackupDifference extends Difference, AnnotationDifference {
  /** Keys that sites keep by reference. */
  readonly persistentKeys: number;
}

const TIMES = 'backup-times';
const SETTING_TYPE = 'setting';
const NEVER: BackupTimes = { made: null, checked: null };

/**
 * Backups of the user's keys and annotations, in files under a passphrase of their own, in age files, or in recovery files
 * that friends open together.
 *
 * Every method throws VaultError LOCKED, CORRUPT, QUOTA and UNAVAILABLE as the vault does. Methods that
 * read a file also throw BAD_BACKUP, NEWER and WRONG_PASSPHRASE as openBackup does. Their `secret` is
 * the backup's passphrase, or for an age file one or more identities. Without a secret, an age file is
 * tried with the identities in the vault.
 */
export class Backups {
  readonly #deps: BackupsDeps;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a backup file.
   *
   * @param by opens the vault: an unlocked vault is not enough to copy its keys
   * @throws VaultError WRONG_PASSPHRASE; RangeError, TypeError for a refused passphrase or recipient
   */
  async make(by: SlotSecret, lock: BackupLock): Promise<Uint8Array> {
    const { vault } = this.#deps;
    return vault.reauthenticate(by, async ({ slot }) => {
      const created = this.#time();
      // By its root a file is known as this vault's own (`relationOf`).
      await vault.commit((draft) => keyRootIn(draft, this.#deps.random, created));
      const backedUp = await this.#backedUp();
      const contents = encodeContents({ created, vault: toBase64url(slot.vaultId), ...backedUp });
      try {
        const file = await this.#seal(contents, lock, created);
        await vault.commit((draft) => recordTimes(draft, { made: created }));
        return file;
      } finally {
        wipe(contents);
      }
    });
  }

  /**
   * Opens a backup, with or without a vault.
   *
   * @param own identities in the vault, by key, for an age file
   */
  async open(
    file: Uint8Array,
    secret: string | undefined,
    own: readonly AgeSecrets[] = [],
  ): Promise<BackupContents> {
    if (!isAge(file)) {
      return parseContents(await openBackup(file, secret ?? '', this.#deps.derive));
    }
    for (const secrets of secret === undefined ? own : [ageSecretsOf(secret)]) {
      const contents = await this.#openAge(file, secrets);
      if (contents !== undefined) return parseContents(contents);
    }
    throw new VaultError('WRONG_PASSPHRASE');
  }

  /**
   * The same with the identities in the vault, and for a recovery file with the shares of the friends that have answered.
   *
   * @throws VaultError LOCKED before any work
   */
  async openWithOwn(file: Uint8Array, secret?: string): Promise<BackupContents> {
    if (isRecoveryFile(file)) return this.#openByFriends(file);
    return this.open(file, secret, await this.#identities());
  }

  /** What is in a backup, where there is no vault to compare with. */
  report(contents: BackupContents): BackupReport {
    return reportOf(contents, backedUpOf([]), { ofThisVault: false, at: this.#time() });
  }

  /** Opens a backup and reports what is in it. Changes nothing but the time of the last check. */
  async check(file: Uint8Array, secret?: string): Promise<BackupReport> {
    const contents = await this.openWithOwn(file, secret);
    const report = await this.#report(contents, await this.#backedUp());
    if (report.ofThisVault) {
      await this.#deps.vault.commit((draft) => recordTimes(draft, { checked: this.#time() }));
    }
    return report;
  }

  /** Opens a backup and merges it into the vault, as `bring` does. */
  async restore(file: Uint8Array, secret?: string): Promise<BackupReport> {
    const contents = await this.openWithOwn(file, secret);
    return this.bring(contents, isRecoveryFile(file) ? [RECOVERY_REQUEST] : []);
  }

  /**
   * Merges the contents of a backup into the vault in one commit; nothing is removed (merge-keys.ts,
   * annotations.ts). Of a foreign one, `unvouchedPart` is taken.
   *
   * @param ended ids of records whose purpose ends with this
   */
  async bring(contents: BackupContents, ended: readonly string[] = []): Promise<BackupReport> {
    const before = await this.#deps.vault.commit(async (draft) => {
      const own = backedUpOf(await recordsIn(draft));
      const { backedUp } = merge(own, contents, this.#time());
      for (const record of recordsOfBackedUp(backedUp)) await putIn(draft, record);
      for (const id of ended) draft.remove(id);
      return own;
    });
    return this.#report(contents, before);
  }

  /**
   * Replaces the keys and annotations of the vault by those of a backup, within a commit. What opens the vault
   * stays. The caller removes what belongs to the keys that go.
   */
  async replaceIn(draft: VaultDraft, contents: BackupContents): Promise<void> {
    for (const { id } of await recordsIn(draft)) draft.remove(id);
    for (const record of recordsOfBackedUp(contents)) await putIn(draft, record);
    draft.remove(TIMES);
    draft.remove(RECOVERY_REQUEST); // the vault that was to be found again is here, or is not wanted
    draft.remove(DEVICE); // its state is of the vault that goes, and would bring it back
    draft.remove(MEDIUM);
    draft.remove(DEVICE_FILES);
    draft.remove(REMOVED_DEVICES);
    draft.remove(MEMBER_NOTES);
    draft.remove(CIRCLE); // the other devices list this one as long as it is a member
  }

  /** When the last backup was made and checked. */
  async times(): Promise<BackupTimes> {
    return timesOf(await this.#deps.vault.read(TIMES));
  }

  async #seal(contents: Uint8Array, lock: BackupLock, created: number): Promise<Uint8Array> {
    if ('seal' in lock) return lock.seal(contents, created);
    if ('recipients' in lock) return this.#deps.age.seal(contents, lock.recipients);
    const cost = await this.#deps.vault.passphraseCost();
    return sealBackup(contents, lock.passphrase, { ...this.#deps, cost });
  }

  async #openByFriends(file: Uint8Array): Promise<BackupContents> {
    const pending = pendingRecoveryOf(await this.#deps.vault.read(RECOVERY_REQUEST));
    const shares = pending ? sharesOf(pending) : [];
    try {
      return parseContents(await openRecoveryFile(file, shares));
    } finally {
      wipe(...shares.map(({ bytes }) => bytes));
    }
  }

  /** Undefined where the secrets do not open the file, or are no identities. */
  async #openAge(file: Uint8Array, secrets: AgeSecrets): Promise<Uint8Array | undefined> {
    if (file.length > BACKUP_MAX_BYTES) throw new VaultError('BAD_BACKUP');
    try {
      return await this.#deps.age.open(file, secrets);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  async #identities(): Promise<readonly AgeSecrets[]> {
    const keys = await this.#deps.vault.list(USER_KEYS.age.recordType);
    return keys.map((key) => ({ identities: identitiesOf(userKeyOf(key)) }));
  }

  async #backedUp(): Promise<BackedUp> {
    const lists = await Promise.all(BACKED_UP_TYPES.map((type) => this.#deps.vault.list(type)));
    return backedUpOf(lists.flat());
  }

  async #report(contents: BackupContents, own: BackedUp): Promise<BackupReport> {
    const [slot] = await this.#deps.vault.slots();
    const ofThisVault = slot !== undefined && toBase64url(slot.vaultId) === contents.vault;
    return reportOf(contents, own, { ofThisVault, at: this.#time() });
  }

  #time(): number {
    return Math.trunc(this.#deps.now());
  }
}

function reportOf(
  contents: BackupContents,
  own: BackedUp,
  { ofThisVault, at }: { readonly ofThisVault: boolean; readonly at: number },
): BackupReport {
  const { created, keys } = contents;
  const relation = relationOf(own, contents);
  const appUses = [...own.keys.uses.values()].filter(({ ref }) => ref === APP);
  return {
    created,
    ofThisVault: ofThisVault && relation !== 'foreign',
    relation,
    labels: [...keys.userKeys.keys()].map((ref) => labelOf(keys, ref)),
    sites: new Set([...keys.uses.values()].map(({ origin }) => origin)).size,
    brings: merge(own, contents, at).added,
    lacks: {
      ...mergeKeys(keys, own.keys).added,
      ...missingAnnotations(contents.annotations, own.annotations),
      persistentKeys: countMissing(contents.persistentKeys, own.persistentKeys),
    },
    present: {
      keys: own.keys.userKeys.size,
      contacts: own.annotations.contacts.size,
      appKeys: appUses.length,
      persistentKeys: own.persistentKeys.size,
    },
  };
}

/**
 * A backup is encrypted, which does not say who made it: its recipient is no secret, and a passphrase
 * may have been told. This vault's own, those of vaults that grew from one backup, and those of devices that share with
 * this one hold a root of app keys that this vault has too, and that no one else has. An empty vault takes any file as
 * its own.
 */
function relationOf(own: BackedUp, { keys: { root } }: BackedUp): Relation {
  if (own.keys.root === undefined) return isEmpty(own) ? 'first' : 'foreign';
  const known = rootsOf(own.keys.root);
  const isOwn = root !== undefined && [...rootsOf(root).keys()].some((id) => known.has(id));
  return isOwn ? 'own' : 'foreign';
}

function isEmpty(backedUp: BackedUp): boolean {
  return recordsOfBackedUp(backedUp).length === 0;
}

/** @param at the time of the merge, ms since the epoch */
function merge(own: BackedUp, other: BackedUp, at: number) {
  const taken = relationOf(own, other) === 'foreign' ? unvouchedPart(own, other, at) : other;
  const keys = mergeKeys(own.keys, taken.keys);
  const isOwn = (ref: string) => own.keys.userKeys.has(ref);
  const merged = mergeAnnotations(own.annotations, taken.annotations, isOwn);
  const persistentKeys = mergePersistentKeys(own.persistentKeys, taken.persistentKeys, at);
  const backedUp: BackedUp = { keys: keys.set, annotations: merged.annotations, persistentKeys };
  const addedKeys = countMissing(own.persistentKeys, persistentKeys);
  return { backedUp, added: { ...keys.added, ...merged.added, persistentKeys: addedKeys } };
}

/** How many `more` has that `less` lacks. */
function countMissing(less: PersistentKeyValues, more: PersistentKeyValues): number {
  return [...more.keys()].filter((id) => !less.has(id)).length;
}

function unvouchedPart(own: BackedUp, other: BackedUp, at: number): BackedUp {
  const refs = [...other.keys.userKeys.keys()].filter((ref) => !own.keys.userKeys.has(ref));
  return {
    keys: unvouchedKeys(own.keys, other.keys, at),
    annotations: unvouched(other.annotations, refs, at),
    persistentKeys: new Map(), // a site would use them without asking the user
  };
}

async function recordsIn(draft: VaultDraft): Promise<VaultRecord[]> {
  return (await Promise.all(BACKED_UP_TYPES.map((type) => draft.list(type)))).flat();
}

/** @throws VaultError BAD_BACKUP where the vault has another type of record under this id */
async function putIn(draft: VaultDraft, record: VaultRecord): Promise<void> {
  const old = await draft.get(record.id);
  if (old && old.type !== record.type) throw new VaultError('BAD_BACKUP');
  if (!old || !sameJson(old.value, record.value)) draft.put(record);
}

const timesOf = (record: VaultRecord | undefined): BackupTimes => ({
  ...NEVER,
  ...(record?.value as Partial<BackupTimes> | undefined),
});

async function recordTimes(draft: VaultDraft, times: Partial<BackupTimes>): Promise<void> {
  const value = { ...timesOf(await draft.get(TIMES)), ...times } as unknown as Json;
  draft.put({ id: TIMES, type: SETTING_TYPE, value });
}
