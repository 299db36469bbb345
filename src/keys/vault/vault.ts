import { equal, utf8, wipe } from '../../crypto/bytes.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { RandomSource } from '../../random/contract.ts';
import { checkLimits, DEFAULT_LIMITS } from '../unlock/auto-lock.ts';
import type { AutoLockLimits } from '../unlock/auto-lock.ts';
import { Contents, nothingYet } from './contents.ts';
import { VaultDraft } from './draft.ts';
import { VaultError } from '../values/errors.ts';
import type { KeyValueStore, Locks, SessionStore } from '../storage/key-value-store.ts';
import { hashOf } from '../values/manifest.ts';
import type { LineMerge } from './joined-lines.ts';
import { nextGeneration } from './next-generation.ts';
import { openSlots, TRIES } from '../unlock/opened-slots.ts';
import type { OpenedSlot, SlotSecret } from '../unlock/opened-slots.ts';
import { OpenedVault } from './opened-vault.ts';
import { preparePassphrase, underSignal } from '../../format/passphrase.ts';
import type { PassphraseKdf } from '../../format/passphrase.ts';
import { type PassphraseCost } from '../unlock/passphrase-kdf.ts';
import { ARGON2ID_COST } from '../../format/passphrase.ts';
import { isForPassphrase, sealPassphraseSlot } from '../unlock/passphrase-slot.ts';
import type { Json } from '../values/json.ts';
import { openRecord, sealRecord } from '../values/record.ts';
import type { VaultRecord } from '../values/record.ts';
import { DamageProof, setAsideLostVault, readStoredVault, type StoredVault } from './lost-vault.ts';
import type { VaultMarker } from '../values/checksummed-value.ts';
import { Replicas, succeeds } from '../storage/replicas.ts';
import type { Repair } from '../storage/replicas.ts';
import { scrub } from '../storage/scrub.ts';
import { encodeSlot, kindOf, nameOfSlot } from '../unlock/slots.ts';
import type { Slot, SlotKind } from '../unlock/slots.ts';
import { FRESH, isVaultValue } from '../values/value-names.ts';
import { VaultSession } from '../unlock/vault-session.ts';
import type { UnlockedVault } from '../unlock/vault-session.ts';
import type { SealingKey } from '../values/vault-seal.ts';
import { VaultStore } from './vault-store.ts';
import type { Generation } from '../values/manifest.ts';
import type { LoadedGeneration } from './vault-store.ts';

export type { VaultDraft } from './draft.ts';
export type { VaultRecord } from '../values/record.ts';

/** What a vault works with. */
export interface VaultDeps {
  /** IndexedDB with strict durability; null in a mode of the browser that has none (Firefox, permanent private browsing). */
  readonly primary: KeyValueStore | null;
  /** On another storage engine: storage.local, or a cache in Firefox. */
  readonly copy: KeyValueStore;
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly random: RandomSource;
  readonly derive: PassphraseKdf;
  /** Where the stores hold two lines, because first one was missing and then the other: how they are joined. */
  readonly lines: LineMerge;
  /** What a new passphrase costs on this machine (calibration.ts); default: ARGON2ID_COST. */
  readonly calibrate?: () => Promise<PassphraseCost>;
  /** ms since the epoch, if possible monotonic while the browser runs. */
  readonly now: () => number;
}

/** What can be said about the vault at any time. */
export interface VaultState {
  readonly state: 'absent' | 'lost' | 'locked' | 'unlocked';
  /** ms since the epoch; null where there is no vault, or its marker cannot be read. */
  readonly created: number | null;
}

/** The lock of everything that writes: commits of two contexts run one after the other. */
const LOCK = 'sealwright vault';

/**
 * The user's vault: records, sealed under a key that only an unlocked session holds. Any number of
 * instances, in any contexts, may use the same stores; each may die at any await.
 */
export class Vault {
  readonly #deps: VaultDeps;
  readonly #replicas: Replicas;
  readonly #store: VaultStore;
  readonly #session: VaultSession;
  readonly #opened: OpenedVault;
  readonly #damageProof: DamageProof;
  readonly #onCommitted: ((types: ReadonlySet<string>) => void)[] = [];
  #committing = false;
  #nextLock = new AbortController();

  constructor(deps: VaultDeps) {
    this.#deps = deps;
    this.#replicas = new Replicas(deps.primary, deps.copy);
    this.#store = new VaultStore(this.#replicas, deps.random, deps.lines, deps.now);
    this.#session = new VaultSession(deps.session, deps.now);
    this.#damageProof = new DamageProof(this.#replicas, deps.session);
    this.#opened = new OpenedVault(this.#store, this.#session);
  }

  /**
   * The state of the vault. "absent" only where both stores answer and neither holds anything of a
   * vault; "lost" also where an unlock has shown that what they hold cannot be opened any more.
   */
  async state(): Promise<VaultState> {
    const unlocked = await this.#session.unlocked();
    if (unlocked !== undefined) {
      wipe(unlocked.key);
      return { state: 'unlocked', created: unlocked.created };
    }
    const { state, vaultMarker, slots } = await this.#storedVault();
    const created = vaultMarker?.created ?? slots[0]?.created ?? null;
    return { state: state === 'present' ? 'locked' : state, created };
  }

  /** In how many stores it is kept: 2, or 1 where the browser lacks one. */
  async copies(): Promise<number> {
    return (await this.#replicas.present()).length;
  }

  /**
   * Marks a fresh installation, so that a browser that lacks one of the stores is not taken for one
   * that has lost a vault. Call at installation, when no vault can have been made.
   *
   * @returns whether it was not marked before, and holds nothing of a vault
   */
  async markFirstRun(): Promise<boolean> {
    return this.#exclusive(async () => {
      const isOurs = (name: string) => isVaultValue(name) || name === FRESH;
      const { names } = await this.#replicas.inventory(isOurs);
      const isMarked = names.has(FRESH);
      if (names.size > (isMarked ? 1 : 0)) return false;
      for (const store of await this.#replicas.present()) {
        await succeeds(store.write(new Map([[FRESH, Uint8Array.of(1)]])));
      }
      return !isMarked;
    });
  }

  /** The last hundred repairs since this object was made, to be shown to the user. */
  get repairs(): readonly Repair[] {
    return this.#replicas.repairs;
  }

  /**
   * Makes a new vault and leaves it unlocked. Resolves when all stores that are present hold it.
   *
   * @param place 'of-a-lost-one': also over what is left of a vault, which is set aside (lost-vault.ts)
   * @param signal an abort leaves the vault locked, as a lock meanwhile does, or absent if the commit has not happened
   * @param fill puts what the vault holds from its first generation on; where it throws, there is no vault
   * @throws the signal's reason; what `fill` throws; VaultError LOCKED after a lock meanwhile
   * @throws VaultError EXISTS where there is a vault, LOST where something is left of one (or a store
   *   cannot be read), QUOTA or UNAVAILABLE where it could not be saved: then there is no vault
   * @throws RangeError, TypeError for a passphrase that preparePassphrase refuses
   */
  async create(
    passphrase: string,
    place: 'empty' | 'of-a-lost-one' = 'empty',
    signal?: AbortSignal,
    fill?: (draft: VaultDraft) => Promise<void>,
  ): Promise<void> {
    const untilLocked = this.untilLocked(signal);
    const prepared = preparePassphrase(passphrase);
    const { random } = this.#deps;
    const derive = underSignal(this.#deps.derive, untilLocked);
    const created = Math.trunc(this.#deps.now());
    const unlocked = { key: random.bytes(32), keyId: random.bytes(16), created };
    try {
      if (place === 'of-a-lost-one') await this.#lockIfLost();
      await this.#refuseOverVault(place);
      const cost = await this.passphraseCost();
      const plan = { vaultId: unlocked.keyId, created, cost };
      const slot = await sealPassphraseSlot(plan, prepared, unlocked.key, { random, derive });
      await this.#exclusive(async () => {
        const state = await this.#refuseOverVault(place);
        const draft = this.#draft(unlocked, new Contents(nothingYet(created)));
        await fill?.(draft);
        const first = await draft.changes();
        untilLocked.throwIfAborted();
        if (state === 'lost') await setAsideLostVault(this.#replicas, created);
        const generation = await this.#store.create(unlocked, slot, first);
        await this.#replicas.collect((name) => name === FRESH);
        await this.#startSession(unlocked, generation, untilLocked);
      });
    } finally {
      wipe(prepared, unlocked.key);
    }
  }

  /**
   * Opens the vault, checks every value in both stores and repairs what is damaged.
   *
   * @param secret a text is a passphrase, or a recovery code in its place
   * @param signal an abort leaves the vault locked, as a lock meanwhile does
   * @returns the kind of the slot that the secret has opened
   * @throws VaultError LOCKED after a lock meanwhile; ABSENT, LOST, WRONG_PASSPHRASE (which changes nothing), CORRUPT where the
   *   newest generation is damaged in both stores, NEWER; the signal's reason
   */
  async unlock(secret: string | SlotSecret, signal?: AbortSignal): Promise<SlotKind> {
    const untilLocked = this.untilLocked(signal);
    const { state, slots, vaultMarker } = await this.#storedVault();
    if (state === 'absent') throw new VaultError('ABSENT');
    if (state === 'lost') throw new VaultError('LOST');
    let failure = new VaultError('WRONG_PASSPHRASE');
    const { derive } = this.#deps;
    for await (const { slot, key } of openSlots(slots, asSecret(secret), derive, untilLocked)) {
      try {
        const isOpen = await this.#exclusive(() => this.#unlockWith(slot, key, untilLocked));
        if (isOpen) return kindOf(slot);
      } catch (error) {
        // The slot may be of another vault, and not the one that counts.
        if (!isDamage(error)) throw error;
        failure = isOfVault(slot, vaultMarker) ? error : failure;
      }
    }
    if (failure.code === 'CORRUPT') await this.#exclusive(() => this.#damageProof.record());
    throw failure;
  }

  /**
   * Checks a secret again before a change for which an unlocked vault is not enough. Calls `work` with
   * the slot that the secret opens and the vault key in it, which is wiped afterwards.
   *
   * @throws VaultError LOCKED; WRONG_PASSPHRASE where the secret opens none of the vault's slots
   */
  async reauthenticate<T>(
    secret: SlotSecret,
    work: (opened: OpenedSlot) => Promise<T>,
  ): Promise<T> {
    const slots = await this.slots();
    for await (const opened of openSlots(slots, secret, this.#deps.derive)) {
      return await work(opened); // the key is wiped when this loop is left
    }
    throw new VaultError('WRONG_PASSPHRASE');
  }

  /**
   * As `reauthenticate`, by the unlocked session alone: no secret is checked. For `SlotKeeper`'s first
   * recovery code; the caller decides whether the vault is new.
   *
   * @throws VaultError LOCKED; WRONG_PASSPHRASE unless a passphrase is the only way to open the vault
   */
  async withoutSecret<T>(work: (opened: OpenedSlot) => Promise<T>): Promise<T> {
    const [slot, ...others] = await this.slots();
    if (slot === undefined || others.length > 0 || !isForPassphrase(slot)) {
      throw new VaultError('WRONG_PASSPHRASE');
    }
    const { key } = await this.#demand();
    try {
      return await work({ slot, key });
    } finally {
      wipe(key);
    }
  }

  /** The slots that open this vault, newest first. @throws VaultError LOCKED */
  async slots(): Promise<Slot[]> {
    const known = await this.#reading((_key, contents) => {
      return Promise.resolve(contents.generation.manifest.slots.map(({ hash }) => hash));
    });
    const { slots } = await readStoredVault(this.#replicas);
    const own = slots.filter((slot) => known.includes(slotHash(slot)));
    const byName = (a: Slot, b: Slot) => (nameOfSlot(a) < nameOfSlot(b) ? -1 : 1);
    return own.sort((a, b) => b.created - a.created || byName(a, b));
  }

  /**
   * For the prompts of a locked vault: the stored slots that an unlock tries, also those that the
   * manifest does not name.
   */
  async slotsInSight(): Promise<readonly Slot[]> {
    return (await readStoredVault(this.#replicas)).slots.slice(0, TRIES.slots);
  }

  /** What a new passphrase costs on this machine. */
  async passphraseCost(): Promise<PassphraseCost> {
    return (await this.#deps.calibrate?.()) ?? ARGON2ID_COST;
  }

  /**
   * Removes the key from the session store and all opened records from memory. An unlock that this object has
   * begun ends locked.
   */
  async lock(): Promise<void> {
    this.#nextLock.abort(new VaultError('LOCKED'));
    this.#nextLock = new AbortController();
    await this.#endSession();
  }

  /**
   * For work that ends in an unlock, from its beginning on: is aborted by the next lock, and with `signal`.
   */
  untilLocked(signal?: AbortSignal): AbortSignal {
    const { signal: nextLock } = this.#nextLock;
    return signal ? AbortSignal.any([nextLock, signal]) : nextLock;
  }

  /** Counts a use by the user, which defers the idle deadline. */
  async touch(): Promise<void> {
    await this.#session.autoLock.touch();
  }

  /** Whether `touch` would write nothing now. Reads no store: false may mean that it is not known. */
  hasRecordedUse(): boolean {
    return this.#session.autoLock.hasRecordedUse();
  }

  /**
   * When the vault locks itself, on the clock of `now`. While locked: undefined, and opened records
   * are dropped.
   */
  async lockAt(): Promise<number | undefined> {
    const unlocked = await this.#session.unlocked();
    if (unlocked === undefined) {
      this.#opened.forget();
      return undefined;
    }
    wipe(unlocked.key);
    return this.#session.autoLock.lockAt();
  }

  /**
   * Sets limits for this session; the next unlock starts with DEFAULT_LIMITS again.
   *
   * @throws RangeError unless they are positive ms
   */
  async setAutoLock(limits: Partial<AutoLockLimits>): Promise<void> {
    checkLimits({ ...DEFAULT_LIMITS, ...limits });
    await this.#session.autoLock.setLimits(limits);
  }

  /**
   * One record; undefined where there is none of this id.
   *
   * @throws VaultError LOCKED; CORRUPT where both copies of the record are damaged
   */
  async read(id: string): Promise<VaultRecord | undefined> {
    return this.#reading(async (key, contents) => {
      const entry = contents.entry(contents.nameOf(key.key, id));
      return entry && this.#opened.record(key, contents, entry);
    });
  }

  /** All records of a type, in no order. @throws VaultError as `read` does */
  async list(type: string): Promise<VaultRecord[]> {
    return this.#reading((key, contents) => {
      const entries = contents.entries().filter((entry) => entry.type === type);
      return Promise.all(entries.map((entry) => this.#opened.record(key, contents, entry)));
    });
  }

  /**
   * For the self-test: seals a record as a commit does, opens it again, and stores nothing.
   *
   * @param value of the record
   * @returns the value that was opened; undefined where the record did not verify
   * @throws VaultError as `read` does
   */
  async sealAndOpen(value: Json): Promise<Json | undefined> {
    return this.#reading(async (key, contents) => {
      const id = 'self-test';
      const { generation } = contents.generation.manifest;
      const place = { name: contents.nameOf(key.key, id), generation };
      const record = { id, type: id, value };
      const sealed = await sealRecord(key, place, record, this.#deps.random);
      return (await openRecord(key, place, sealed))?.value;
    });
  }

  /**
   * Makes sure that the vault is unlocked and that what this object caches is the newest generation.
   * Where it is, no store is read.
   *
   * @throws VaultError LOCKED
   */
  refresh(): Awaitable<void> {
    return this.isKnownOpen() ? undefined : this.#reading(() => Promise.resolve());
  }

  /**
   * The same without waiting, for callers with a cache of their own (`onForget`): true where the vault
   * is unlocked and the cached generation is the newest. False may mean that the stores have to be
   * read to know.
   */
  isKnownOpen(): boolean {
    return (
      !this.#replicas.isDamaged && this.#opened.isOfGeneration(this.#session.cachedGeneration())
    );
  }

  /**
   * Calls `forget` whenever cached records are no longer valid: after a lock or a newer generation.
   */
  onForget(forget: () => void): void {
    this.#opened.onForget(forget);
  }

  /**
   * Calls `listener` when this object first knows what the vault holds, and again after each lock, with the types of all
   * records. It reads nothing itself: in the life of a worker that needs no vault, `listener` is not called.
   */
  onOpened(listener: (types: ReadonlySet<string>) => void): void {
    this.#opened.onFirst(listener);
  }

  /** Calls `listener` after each commit of this object, with the types of the records that it put. */
  onCommitted(listener: (types: ReadonlySet<string>) => void): void {
    this.#onCommitted.push(listener);
  }

  /**
   * Commits all that `change` puts and removes as one new generation, or nothing. Resolves with what
   * `change` returned, once both stores have returned what was written. Inside `change` use the draft
   * only: a commit within it would wait for itself.
   *
   * @throws what `change` throws: then nothing is written
   * @throws VaultError LOCKED, CORRUPT, QUOTA, UNAVAILABLE; the old generation then counts
   */
  async commit<T>(change: (draft: VaultDraft) => T | Promise<T>): Promise<T> {
    return this.#exclusive(async () => {
      const unlocked = await this.#demand();
      this.#committing = true;
      try {
        return await this.#commit(unlocked, change);
      } finally {
        this.#committing = false;
        wipe(unlocked.key);
      }
    });
  }

  /** 32 bytes for the hedged salts of src/format; undefined while locked. The caller wipes them. */
  async hedgeKey(): Promise<Uint8Array | undefined> {
    const unlocked = await this.#session.unlocked();
    if (unlocked === undefined) return undefined;
    const key = hkdfExpand(SHA512, unlocked.key, utf8('SWM1 hedge'), 32);
    wipe(unlocked.key);
    return key;
  }

  async #commit<T>(key: UnlockedVault, change: (draft: VaultDraft) => T | Promise<T>): Promise<T> {
    const { contents, replicas, epoch } = await this.#opened.whole(key);
    const draft = this.#draft(key, contents);
    const result = await change(draft);
    const [changes, slotChanges] = [await draft.changes(), draft.slotChanges];
    if (changes.size + slotChanges.added.length + slotChanges.removed.size === 0) return result;
    const { manifest } = contents.generation;
    const next = await nextGeneration(key, manifest, changes, slotChanges, this.#deps.random);
    // From here until the generation is set again, every reader reads the heads.
    await this.#session.clearGeneration();
    const generation = await this.#store.commit(key, next, contents.generation, replicas);
    this.#opened.remember(contents.followedBy(generation, changes), epoch);
    await succeeds(this.#session.setGeneration(generation.manifest.generation));
    await this.#replicas.collect((name) => slotChanges.removed.has(name));
    const types = new Set([...changes.values()].flatMap((record) => record?.type ?? []));
    for (const listener of this.#onCommitted) listener(types);
    return result;
  }

  #draft(key: UnlockedVault, contents: Contents): VaultDraft {
    return new VaultDraft(
      contents,
      (id) => contents.nameOf(key.key, id),
      (entry) => this.#opened.record(key, contents, entry),
    );
  }

  async #reading<T>(work: (key: UnlockedVault, contents: Contents) => Promise<T>): Promise<T> {
    const epoch = this.#opened.epoch;
    const unlocked = await this.#demand();
    try {
      const contents = await this.#current(unlocked);
      const result = await work(unlocked, contents);
      if (epoch !== this.#opened.epoch) throw new VaultError('LOCKED');
      return result;
    } finally {
      await this.#mendIfDamaged(unlocked);
      wipe(unlocked.key);
    }
  }

  /** During a commit of this object the lock is held already: then read, and repair nothing. */
  async #current(key: UnlockedVault): Promise<Contents> {
    const { contents, certain } = await this.#opened.current(key);
    if (certain || this.#committing) return contents;
    return this.#exclusive(() => this.#opened.settle(key));
  }

  /** A value is not damage where its store has come back with a line of its own: the lines are joined first. */
  async #mendIfDamaged(key: UnlockedVault): Promise<void> {
    if (!this.#replicas.isDamaged || this.#committing) return;
    await this.#exclusive(async () => {
      const isOneLine = await succeeds(this.#store.loadOneLine(key));
      if (isOneLine) await this.#replicas.mend();
    });
  }

  async #demand(): Promise<UnlockedVault> {
    const unlocked = await this.#session.unlocked();
    if (unlocked !== undefined) return unlocked;
    this.#opened.forget();
    throw new VaultError('LOCKED');
  }

  async #refuseOverVault(place: 'empty' | 'of-a-lost-one'): Promise<'absent' | 'lost'> {
    const { state } = await this.#storedVault();
    if (state === 'present') throw new VaultError('EXISTS');
    if (state === 'lost' && place === 'empty') throw new VaultError('LOST');
    return state;
  }

  /** An open vault whose newest generation cannot be read is as lost as one that cannot be opened. */
  async #lockIfLost(): Promise<void> {
    const unlocked = await this.#session.unlocked();
    if (unlocked === undefined) return;
    try {
      await this.#store.load(unlocked);
    } catch (error) {
      if (!(error instanceof VaultError && error.code === 'CORRUPT')) throw error;
      await this.#damageProof.record();
      await this.#endSession();
    } finally {
      wipe(unlocked.key);
    }
  }

  async #storedVault(): Promise<StoredVault> {
    const stored = await readStoredVault(this.#replicas);
    const isLost = stored.state === 'present' && (await this.#damageProof.holds());
    return isLost ? { ...stored, state: 'lost' } : stored;
  }

  /** A slot that the manifest does not name, such as a removed one that was put back, is refused. */
  async #unlockWith(slot: Slot, key: Uint8Array, untilLocked: AbortSignal): Promise<boolean> {
    const sealingKey = { key, keyId: slot.vaultId };
    const loaded = await this.#store.loadOneLine(sealingKey);
    const { slots, created } = loaded.manifest;
    if (!slots.some((known) => known.hash === slotHash(slot))) return false;
    const isWhole = await scrub(sealingKey, loaded);
    const generation = isWhole ? await this.#sharedByAll(sealingKey, loaded) : loaded;
    await this.#startSession({ ...sealingKey, created }, generation, untilLocked);
    return true;
  }

  /**
   * Where a store was missing and is back with all values: a generation that says so, from which both stores
   * go on (lineage.ts). Where it cannot be saved, the next commit or unlock says so.
   */
  async #sharedByAll(key: SealingKey, loaded: LoadedGeneration): Promise<Generation> {
    const { manifest, replicas } = loaded;
    if (manifest.line === undefined || !(await replicas.isComplete())) return loaded;
    const noSlots = { added: [], removed: new Set<string>() };
    const { random } = this.#deps;
    const next = await nextGeneration(key, manifest, new Map(), noSlots, random);
    return this.#store.commit(key, next, loaded, replicas).catch(() => loaded);
  }

  /** A lock does not wait for this: where one came meanwhile, its end may have been before the start. */
  async #startSession(
    unlocked: UnlockedVault,
    { manifest }: Generation,
    untilLocked: AbortSignal,
  ): Promise<void> {
    untilLocked.throwIfAborted();
    this.#opened.forget();
    await this.#session.setGeneration(manifest.generation);
    await this.#session.start(unlocked, DEFAULT_LIMITS);
    if (untilLocked.aborted) await this.#endSession();
    untilLocked.throwIfAborted();
  }

  async #endSession(): Promise<void> {
    this.#opened.forget();
    await this.#session.clear();
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#deps.locks.exclusive(LOCK, work);
  }
}

/** Reads the vault outside of a commit as a draft is read. */
export const readOf = (vault: Vault): Pick<VaultDraft, 'get' | 'list'> => ({
  get: (id) => vault.read(id),
  list: (type) => vault.list(type),
});

/** Whether the vault that a slot opened is damaged, or of a later version. */
function isDamage(error: unknown): error is VaultError {
  return error instanceof VaultError && (error.code === 'CORRUPT' || error.code === 'NEWER');
}

/** Where the marker is damaged, each slot may be of the vault. */
function isOfVault({ vaultId }: Slot, vaultMarker: VaultMarker | undefined): boolean {
  return vaultMarker === undefined || equal(vaultId, vaultMarker.vaultId);
}

const slotHash = (slot: Slot): string => hashOf(encodeSlot(slot));

const asSecret = (secret: string | SlotSecret): SlotSecret =>
  typeof secret === 'string' ? { passphrase: secret } : secret;
