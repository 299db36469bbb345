import { toBase64url, wipe } from '../crypto/bytes.ts';
import type { RandomSource } from '../random/contract.ts';
import { ageLines, isAge } from './age.ts';
import type { Age } from './age.ts';
import { encodeContents, parseContents } from './backup-contents.ts';
import type { BackupContents } from './backup-contents.ts';
import { BACKUP_MAX_BYTES, openBackup, sealBackup } from './backup-file.ts';
import type { VaultDraft } from './draft.ts';
import { VaultError } from './errors.ts';
import { sameJson } from './json.ts';
import type { Json } from './json.ts';
import { KEY_TYPES, keySetOf, labelOf, recordsOf } from './key-set.ts';
import type { KeySet } from './key-set.ts';
import { mergeKeys } from './merge-keys.ts';
import type { Difference } from './merge-keys.ts';
import type { SlotSecret } from './opened-slots.ts';
import type { PassphraseKdf } from './passphrase.ts';
import type { VaultRecord } from './record.ts';
import type { Vault } from './vault.ts';

export interface BackupsParts {
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
  readonly brings: Difference;
  /** What the vault has and the backup has not. */
  readonly lacks: Difference;
}

const TIMES = 'backup-times';
const SETTING_TYPE = 'setting';
const NEVER: BackupTimes = { made: null, checked: null };

/**
 * Backups of the user's keys, in files under a passphrase of their own, or in age files.
 *
 * Every method throws VaultError LOCKED, CORRUPT, QUOTA and UNAVAILABLE as the vault does; whoever
 * reads a file also BAD_BACKUP, NEWER and WRONG_PASSPHRASE as openBackup does. Their `secret` is the
 * backup's passphrase, or for an age file an identity, or what a file of identities holds.
 */
export class Backups {
  readonly #parts: BackupsParts;

  constructor(parts: BackupsParts) {
    this.#parts = parts;
  }

  /**
   * @param by opens the vault: an unlocked vault alone gives no copy of its keys away
   * @throws VaultError WRONG_PASSPHRASE; RangeError, TypeError for a refused passphrase or recipient
   */
  async make(by: SlotSecret, lock: BackupLock): Promise<Uint8Array> {
    const { vault } = this.#parts;
    return vault.reauthenticated(by, async ({ slot }) => {
      const created = this.#time();
      const keys = await this.#keys();
      const contents = encodeContents({ created, vault: toBase64url(slot.vaultId), keys });
      try {
        const file = await this.#seal(contents, lock);
        await vault.commit((draft) => noteTimes(draft, { made: created }));
        return file;
      } finally {
        wipe(contents);
      }
    });
  }

  /** Opens a backup and says what is in it. Changes nothing but the time of the last look. */
  async check(file: Uint8Array, secret: string): Promise<BackupReport> {
    const contents = await this.#open(file, secret);
    const report = await this.#report(contents, await this.#keys());
    if (report.ofThisVault) {
      await this.#parts.vault.commit((draft) => noteTimes(draft, { checked: this.#time() }));
    }
    return report;
  }

  /** Brings a backup's keys into the vault, all in one commit; nothing is taken away (merge-keys.ts). */
  async restore(file: Uint8Array, secret: string): Promise<BackupReport> {
    const contents = await this.#open(file, secret);
    const before = await this.#parts.vault.commit(async (draft) => {
      const lists = await Promise.all(KEY_TYPES.map((type) => draft.list(type)));
      const mine = keySetOf(lists.flat());
      const old = new Map(lists.flat().map((record) => [record.id, record]));
      const merged = recordsOf(mergeKeys(mine, contents.keys).set);
      for (const record of merged) if (!isSame(old.get(record.id), record)) draft.put(record);
      return mine;
    });
    return this.#report(contents, before);
  }

  async times(): Promise<BackupTimes> {
    return timesOf(await this.#parts.vault.read(TIMES));
  }

  async #seal(contents: Uint8Array, lock: BackupLock): Promise<Uint8Array> {
    if ('recipients' in lock) return this.#parts.age.seal(contents, lock.recipients);
    const cost = await this.#parts.vault.passphraseCost();
    return sealBackup(contents, lock.passphrase, { ...this.#parts, cost });
  }

  async #open(file: Uint8Array, secret: string): Promise<BackupContents> {
    await this.#parts.vault.refresh(); // locked: said before any work
    if (!isAge(file)) return parseContents(await openBackup(file, secret, this.#parts.derive));
    const contents = await this.#openAge(file, ageLines(secret));
    if (contents === undefined) throw new VaultError('WRONG_PASSPHRASE');
    return parseContents(contents);
  }

  /** What cannot be an identity is a wrong one: a passphrase, for example. */
  async #openAge(file: Uint8Array, identities: string[]): Promise<Uint8Array | undefined> {
    if (file.length > BACKUP_MAX_BYTES) throw new VaultError('BAD_BACKUP');
    try {
      return await this.#parts.age.open(file, identities);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  async #keys(): Promise<KeySet> {
    const lists = await Promise.all(KEY_TYPES.map((type) => this.#parts.vault.list(type)));
    return keySetOf(lists.flat());
  }

  async #report({ created, vault, keys }: BackupContents, mine: KeySet): Promise<BackupReport> {
    const [slot] = await this.#parts.vault.slots();
    return {
      created,
      ofThisVault: slot !== undefined && toBase64url(slot.vaultId) === vault,
      labels: [...keys.picked.keys()].map((ref) => labelOf(keys, ref)),
      sites: new Set([...keys.uses.values()].map(({ origin }) => origin)).size,
      brings: mergeKeys(mine, keys).added,
      lacks: mergeKeys(keys, mine).added,
    };
  }

  #time(): number {
    return Math.trunc(this.#parts.now());
  }
}

const isSame = (old: VaultRecord | undefined, record: VaultRecord): boolean =>
  old !== undefined && sameJson(old.value, record.value);

const timesOf = (record: VaultRecord | undefined): BackupTimes => ({
  ...NEVER,
  ...(record?.value as Partial<BackupTimes> | undefined),
});

async function noteTimes(draft: VaultDraft, times: Partial<BackupTimes>): Promise<void> {
  const value = { ...timesOf(await draft.get(TIMES)), ...times } as unknown as Json;
  draft.put({ id: TIMES, type: SETTING_TYPE, value });
}
