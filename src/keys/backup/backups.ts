import { toBase64url, wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import { ageSecretsOf, isAge } from '../ring/age.ts';
import type { Age, AgeSecrets } from '../ring/age.ts';
import { identitiesOf } from '../ring/age-key.ts';
import { encodeContents, parseContents } from './backup-contents.ts';
import type { BackupContents } from './backup-contents.ts';
import { BACKUP_MAX_BYTES, openBackup, sealBackup } from './backup-file.ts';
import type { VaultDraft } from '../vault/draft.ts';
import { VaultError } from '../vault/errors.ts';
import { sameJson } from '../json.ts';
import type { Json } from '../json.ts';
import { KEY_TYPES, keySetOf, labelOf, recordsOf } from './key-set.ts';
import type { KeySet } from './key-set.ts';
import { mergeKeys } from './merge-keys.ts';
import type { Difference } from './merge-keys.ts';
import {
  lackOf,
  mergeNoted,
  NOTED_TYPES,
  notedOf,
  recordsOfNoted,
} from '../annotations/annotations.ts';
import type { Noted, NotedDifference } from '../annotations/annotations.ts';
import type { SlotSecret } from '../unlock/opened-slots.ts';
import { PICKED_TYPES, pickedKeyOf } from '../ring/user-key.ts';
import type { PassphraseKdf } from '../unlock/passphrase.ts';
import type { VaultRecord } from '../vault/record.ts';
import type { Vault } from '../vault/vault.ts';

export interface BackupsDeps {
  readonly vault: Vault;
  readonly random: RandomSource;
  readonly derive: PassphraseKdf;
  readonly age: Age;
  readonly now: () => number;
}

/** What a new backup opens with: a passphrase of its own, or the identities of age recipients. */
export type BackupLock =
  { readonly passphrase: string } | { readonly recipients: readonly string[] };

/** When backups were made and looked at, ms since the epoch; null: never. */
export interface BackupTimes {
  readonly made: number | null;
  readonly checked: number | null;
}

/** What a look at a backup shows. */
export interface BackupReport {
  readonly created: number;
  /** Whether it was made of this very vault. */
  readonly ofThisVault: boolean;
  /** Labels of the named keys in it. */
  readonly labels: readonly string[];
  readonly sites: number;
  /** What a restore would bring, or has brought. */
  readonly brings: Difference & NotedDifference;
  /** What the vault has and the backup has not. */
  readonly lacks: Difference & NotedDifference;
}

/** What a backup keeps of a vault. */
interface Kept {
  readonly keys: KeySet;
  readonly noted: Noted;
}

const KEPT_TYPES = [...KEY_TYPES, ...NOTED_TYPES];

const TIMES = 'backup-times';
const SETTING_TYPE = 'setting';
const NEVER: BackupTimes = { made: null, checked: null };

/**
 * Backups of the user's keys, and of what was noted about them, in files under a passphrase of their
 * own, or in age files.
 *
 * Every method throws VaultError LOCKED, CORRUPT, QUOTA and UNAVAILABLE as the vault does; whoever
 * reads a file also BAD_BACKUP, NEWER and WRONG_PASSPHRASE as openBackup does. Their `secret` is the
 * backup's passphrase, or for an age file an identity, or what a file of identities holds; without
 * one, an age file is tried with the identities in the vault.
 */
export class Backups {
  readonly #deps: BackupsDeps;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
  }

  /**
   * @param by opens the vault: an unlocked vault alone gives no copy of its keys away
   * @throws VaultError WRONG_PASSPHRASE; RangeError, TypeError for a refused passphrase or recipient
   */
  async make(by: SlotSecret, lock: BackupLock): Promise<Uint8Array> {
    const { vault } = this.#deps;
    return vault.reauthenticated(by, async ({ slot }) => {
      const created = this.#time();
      const kept = await this.#kept();
      const contents = encodeContents({ created, vault: toBase64url(slot.vaultId), ...kept });
      try {
        const file = await this.#seal(contents, lock);
        await vault.commit((draft) => noteTimes(draft, { made: created }));
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

  /** What is in a backup, for a vault that is lost: it would bring all that it holds. */
  report(contents: BackupContents): BackupReport {
    return reportOf(contents, keptOf([]), false);
  }

  /** Opens a backup and says what is in it. Changes nothing but the time of the last look. */
  async check(file: Uint8Array, secret?: string): Promise<BackupReport> {
    const own = await this.#identities(); // locked: said before any work
    const contents = await this.open(file, secret, own);
    const report = await this.#report(contents, await this.#kept());
    if (report.ofThisVault) {
      await this.#deps.vault.commit((draft) => noteTimes(draft, { checked: this.#time() }));
    }
    return report;
  }

  /** As `bring`, out of a file. */
  async restore(file: Uint8Array, secret?: string): Promise<BackupReport> {
    const own = await this.#identities(); // locked: said before any work
    return this.bring(await this.open(file, secret, own));
  }

  /**
   * Brings what a backup holds into the vault, all in one commit; nothing is taken away
   * (merge-keys.ts, noted.ts).
   */
  async bring(contents: BackupContents): Promise<BackupReport> {
    const before = await this.#deps.vault.commit(async (draft) => {
      const lists = await Promise.all(KEPT_TYPES.map((type) => draft.list(type)));
      const mine = keptOf(lists.flat());
      for (const record of recordsOfKept(merge(mine, contents).kept)) await putIn(draft, record);
      return mine;
    });
    return this.#report(contents, before);
  }

  async times(): Promise<BackupTimes> {
    return timesOf(await this.#deps.vault.read(TIMES));
  }

  async #seal(contents: Uint8Array, lock: BackupLock): Promise<Uint8Array> {
    if ('recipients' in lock) return this.#deps.age.seal(contents, lock.recipients);
    const cost = await this.#deps.vault.passphraseCost();
    return sealBackup(contents, lock.passphrase, { ...this.#deps, cost });
  }

  /** What cannot be an identity is a wrong one. */
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
    const keys = await this.#deps.vault.list(PICKED_TYPES.age);
    return keys.map((key) => ({ identities: identitiesOf(pickedKeyOf(key)) }));
  }

  async #kept(): Promise<Kept> {
    const lists = await Promise.all(KEPT_TYPES.map((type) => this.#deps.vault.list(type)));
    return keptOf(lists.flat());
  }

  async #report(contents: BackupContents, mine: Kept): Promise<BackupReport> {
    const [slot] = await this.#deps.vault.slots();
    const isOfThis = slot !== undefined && toBase64url(slot.vaultId) === contents.vault;
    return reportOf(contents, mine, isOfThis);
  }

  #time(): number {
    return Math.trunc(this.#deps.now());
  }
}

function keptOf(records: readonly VaultRecord[]): Kept {
  return { keys: keySetOf(records), noted: notedOf(records) };
}

function reportOf(contents: BackupContents, mine: Kept, ofThisVault: boolean): BackupReport {
  const { created, keys } = contents;
  return {
    created,
    ofThisVault,
    labels: [...keys.picked.keys()].map((ref) => labelOf(keys, ref)),
    sites: new Set([...keys.uses.values()].map(({ origin }) => origin)).size,
    brings: merge(mine, contents).added,
    lacks: { ...mergeKeys(keys, mine.keys).added, ...lackOf(contents.noted, mine.noted) },
  };
}

const recordsOfKept = ({ keys, noted }: Kept): VaultRecord[] => [
  ...recordsOf(keys),
  ...recordsOfNoted(noted),
];

function merge(mine: Kept, theirs: Kept) {
  const keys = mergeKeys(mine.keys, theirs.keys);
  const noted = mergeNoted(mine.noted, theirs.noted, (ref) => mine.keys.picked.has(ref));
  const kept: Kept = { keys: keys.set, noted: noted.noted };
  return { kept, added: { ...keys.added, ...noted.added } };
}

/** @throws VaultError BAD_BACKUP for an id that stands for something else here: none was drawn twice */
async function putIn(draft: VaultDraft, record: VaultRecord): Promise<void> {
  const old = await draft.get(record.id);
  if (old && old.type !== record.type) throw new VaultError('BAD_BACKUP');
  if (!old || !sameJson(old.value, record.value)) draft.put(record);
}

const timesOf = (record: VaultRecord | undefined): BackupTimes => ({
  ...NEVER,
  ...(record?.value as Partial<BackupTimes> | undefined),
});

async function noteTimes(draft: VaultDraft, times: Partial<BackupTimes>): Promise<void> {
  const value = { ...timesOf(await draft.get(TIMES)), ...times } as unknown as Json;
  draft.put({ id: TIMES, type: SETTING_TYPE, value });
}
