import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { Secret } from '../../crypto/secret.ts';
import { AutoLock } from './auto-lock.ts';
import type { AutoLockLimits } from './auto-lock.ts';
import { CachedSession } from './cached-session.ts';
import type { SessionStore } from '../storage/key-value-store.ts';
import type { SealingKey } from '../values/vault-seal.ts';

const KEY = 'vault/key';
const GENERATION = 'vault/generation';

/** An unlocked vault: its key (a copy, which the caller wipes), its id, and when it was created. */
export interface UnlockedVault extends SealingKey {
  readonly created: number;
}

/**
 * What an unlocked vault keeps in the session store, and nowhere else: the key, the deadline, and the
 * newest generation, by which other contexts see that their caches are stale. Each has a name of its
 * own, so that a late write of one cannot restore another that `clear` removed.
 */
export class VaultSession {
  readonly autoLock: AutoLock;
  readonly #session: CachedSession;

  constructor(session: SessionStore, now: () => number) {
    this.#session = new CachedSession(session);
    this.autoLock = new AutoLock(this.#session, now);
  }

  /** Makes the vault unlocked in every context. */
  async start({ key, keyId, created }: UnlockedVault, limits: AutoLockLimits): Promise<void> {
    // The deadline first: a key without one counts as locked.
    await this.autoLock.start(limits);
    const value = { key: toBase64url(key), vaultId: toBase64url(keyId), created };
    await this.#session.set(KEY, value);
  }

  /** Undefined when locked. Locks first where the deadline has passed, or the value is damaged. */
  async unlocked(): Promise<UnlockedVault | undefined> {
    const [value, due] = await Promise.all([this.#session.get(KEY), this.autoLock.due()]);
    if (value === undefined) return undefined;
    const unlocked = due ? undefined : parse(value);
    if (unlocked === undefined) await this.clear();
    return unlocked;
  }

  /** Makes the vault locked in every context. */
  async clear(): Promise<void> {
    await this.#session.remove(KEY);
    await this.autoLock.stop();
    await this.#session.remove(GENERATION);
  }

  /** The newest generation; undefined during a commit, and after one that was cut off. */
  async generation(): Promise<number | undefined> {
    const value = await this.#session.get(GENERATION);
    return typeof value === 'number' ? value : undefined;
  }

  /**
   * The same from the cache, of a vault that is unlocked; undefined where the cache does not show all of
   * that.
   */
  cachedGeneration(): number | undefined {
    const isUnlocked = this.#session.cached(KEY) !== undefined;
    if (!isUnlocked || !this.autoLock.isKnownNotDue()) return undefined;
    const value = this.#session.cached(GENERATION);
    return typeof value === 'number' ? value : undefined;
  }

  /** Sets the newest generation. Call under the vault's lock. */
  async setGeneration(generation: number): Promise<void> {
    await this.#session.set(GENERATION, generation);
  }

  /**
   * Removes it, so that readers read the heads. Call under the vault's lock, before heads are
   * written.
   */
  async clearGeneration(): Promise<void> {
    await this.#session.remove(GENERATION);
  }
}

function parse(value: unknown): UnlockedVault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { key, vaultId, created } = value as { key: string; vaultId: string; created: number };
  try {
    return new SecretVault(fromBase64url(key), fromBase64url(vaultId), created);
  } catch {
    return undefined;
  }
}

/** An unlocked vault whose key is not printed. */
class SecretVault implements UnlockedVault {
  readonly keyId: Uint8Array;
  readonly created: number;
  readonly secret: Secret;

  constructor(key: Uint8Array, keyId: Uint8Array, created: number) {
    this.secret = new Secret(key);
    this.keyId = keyId;
    this.created = created;
  }

  get key(): Uint8Array {
    return this.secret.bytes;
  }
}
