import { ageFiles } from '../support/age-files.ts';
import { Backups } from '../../src/keys/backup/backups.ts';
import { KeyRing } from '../../src/keys/ring/key-ring.ts';
import type { PersistentKeyValue } from '../../src/keys/ring/persistent-key.ts';
import { SlotKeeper } from '../../src/keys/unlock/slot-keeper.ts';
import { MERGED_LINES } from '../../src/keys/devices/device-record.ts';
import { Vault } from '../../src/keys/vault/vault.ts';
import type { VaultDeps } from '../../src/keys/vault/vault.ts';
import { MemoryLocks } from '../../extension/testing/memory.ts';
import {
  cheapKdf,
  MemorySession,
  MemoryStore,
  systemRandom,
} from '../support/stores/memory-store.ts';

export const PASSPHRASE = 'correct horse battery staple';
export const START = 1_700_000_000_000;

/** A key ring that makes and renames keys in commits of their own. */
export class TestKeyRing extends KeyRing {
  readonly #vault: Vault;

  constructor(parts: ConstructorParameters<typeof KeyRing>[0]) {
    super(parts);
    this.#vault = parts.vault;
  }

  createSealingKey(label: string) {
    return this.#vault.commit((draft) => this.addKey(draft, { kind: 'sealing', label }));
  }

  relabel(ref: string, label: string): Promise<void> {
    return this.#vault.commit((draft) => this.relabelIn(draft, ref, label));
  }
}

/** A browser with one vault: what outlives a worker, and a clock to set. */
export class TestBrowser {
  primary = new MemoryStore('primary');
  copy = new MemoryStore('copy');
  session = new MemorySession();
  locks = new MemoryLocks();
  time = START;
  /** What the user has outside the browser: a recovery code, a backup. */
  paper = '';
  file: Uint8Array = new Uint8Array(0);

  /** A worker that has just started. */
  vault(parts: Partial<VaultDeps> = {}): Vault {
    const { primary, copy, session, locks } = this;
    const now = () => this.time;
    return new Vault({
      primary,
      copy,
      session,
      locks,
      random: systemRandom,
      derive: cheapKdf,
      lines: MERGED_LINES,
      now,
      ...parts,
    });
  }

  keyRing(vault: Vault): TestKeyRing {
    return new TestKeyRing({ vault, random: systemRandom, now: () => this.time });
  }

  slotKeeper(vault: Vault): SlotKeeper {
    return new SlotKeeper({ vault, random: systemRandom, derive: cheapKdf, now: () => this.time });
  }

  backups(vault: Vault): Backups {
    const now = () => this.time;
    return new Backups({ vault, random: systemRandom, derive: cheapKdf, age: ageFiles, now });
  }

  /** The same stores on another day: the browser was restarted, unless the session is kept. */
  clone({ keepSession = false } = {}): TestBrowser {
    const world = new TestBrowser();
    world.primary = this.primary.clone();
    world.copy = this.copy.clone();
    if (keepSession) world.session = this.session.clone();
    world.time = this.time;
    world.paper = this.paper;
    world.file = this.file;
    return world;
  }
}

/** A world with a vault of a few generations; unlocked. */
export async function filledWorld(): Promise<{ world: TestBrowser; vault: Vault }> {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  for (const [id, value] of Object.entries(CONTENTS)) {
    await vault.commit((draft) => draft.put({ id, type: 'note', value }));
  }
  await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'changed' }));
  return { world, vault };
}

/** A key that a site keeps by reference. @param content base64url */
export function keptKey(origin: string, content = 'AAAAAAAAAAAAAAAAAAAAAA'): PersistentKeyValue {
  const algorithm = { name: 'AES-GCM', length: 128 };
  const usages = ['encrypt', 'decrypt'];
  return {
    scope: { origin, topOrigin: origin, container: null },
    key: { type: 'secret', extractable: false, algorithm, usages, format: 'bytes', content },
    created: START,
  };
}

const CONTENTS = { first: 'one', second: { list: [1, null, 'two'] }, third: 'three' };

/** What filledWorld holds. */
export const EXPECTED = { ...CONTENTS, first: 'changed' };

/** All notes, as id → value. */
export async function notes(vault: Vault): Promise<Record<string, unknown>> {
  const records = await vault.list('note');
  const pairs = records.map(({ id, value }): [string, unknown] => [id, value]);
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}
