import { fromBase64url, toBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { RandomSource } from '../../random/contract.ts';
import { keyOf, materialOf, pairwiseIdOf } from './key-material.ts';
import type { KeySources, OpeningMaterial, SealingMaterial } from './key-material.ts';
import {
  APP,
  APP_LABEL,
  KEY_ROOT,
  keyRootIn,
  keyRootOf,
  keyRootRecord,
  headerKeyId,
  keyUseOf,
  keyUseRecord,
  newKeyUse,
  rootOfSite,
  useId,
  withHeaderKeyId,
} from './key-records.ts';
import type { KeyRoot, KeyUse } from './key-records.ts';
import { USER_KEYS } from './kinds.ts';
import type { KeyAlgorithm, UserKeyKind } from './kinds.ts';
import {
  generationKeys,
  importedUserKey,
  isRotatable,
  newestGeneration,
  newUserKey,
  userKeyOf,
  userKeyRecord,
  withNewGeneration,
} from './user-key.ts';
import type { GenerationKey, ImportedKey, NewKey, UserKeyValue } from './user-key.ts';
import { describeUserKey, requireOwn, userKeyIn, valueIn } from './key-description.ts';
import type { KeyDescription } from './key-description.ts';
import { KeyCache } from './key-cache.ts';
import { originMoveId } from './origin-move.ts';
import { UseIndex, userKeyRecords } from './use-index.ts';
import type { VaultDraft } from '../vault/draft.ts';
import type { Vault } from '../vault/vault.ts';

/** A user key with its secrets. The caller wipes each `key`. */
export interface UserKeyMaterial {
  readonly kind: UserKeyKind;
  readonly algorithm: KeyAlgorithm | null;
  readonly generations: readonly GenerationKey[];
}

/** Which key sealed a message, as far as an origin may open it. */
export interface MessageKey {
  readonly ref: string;
  /** What the message is bound to: the origin itself, or the one whose data the user moved to it. */
  readonly origin: string;
}

/** Characters of a label, at most: a bound on the size of a vault. */
export const LABEL_MAX_CHARACTERS = 200;

/** Generations of one key, at most: one a day for almost three years. */
export const MAX_GENERATIONS = 1000;

/**
 * The user's keys, stored in the vault. Secrets are drawn at their first use, in the same commit that
 * checks whether they exist, so that two concurrent first uses draw one.
 *
 * An `origin` is the browser's ASCII serialisation. Every method throws VaultError (LOCKED, …) as
 * the vault does, and RangeError for a ref that no key has.
 */
export class KeyRing {
  readonly #vault: Vault;
  readonly #random: RandomSource;
  readonly #now: () => number;
  readonly #cache = new KeyCache();
  readonly #uses: UseIndex;
  // Grows with every change of the vault: what was derived before it is not cached.
  #epoch = 0;

  constructor(parts: {
    readonly vault: Vault;
    readonly random: RandomSource;
    readonly now: () => number;
  }) {
    this.#vault = parts.vault;
    this.#random = parts.random;
    this.#now = parts.now;
    this.#uses = new UseIndex(parts.vault);
    this.#vault.onForget(() => this.#forget());
  }

  /** The app key first, then user keys as the vault got them, guests last. */
  async list(): Promise<KeyDescription[]> {
    const keys = (await userKeyRecords(this.#vault)).map(describeUserKey);
    const inOrder = (a: KeyDescription, b: KeyDescription) =>
      Number(a.guest) - Number(b.guest) || a.created - b.created;
    return [await this.#describeApp(), ...keys.sort(inOrder)];
  }

  /** One key as an origin uses it: the app key's generation is the origin's own. */
  async describe(ref: string, origin: string): Promise<KeyDescription> {
    checkOrigin(origin);
    if (ref !== APP) return describeUserKey(await this.#vault.read(ref));
    const use = await this.#vault.read(useId(ref, origin));
    return { ...(await this.#describeApp()), generation: use ? keyUseOf(use).generation : 1 };
  }

  /**
   * Adds a new key within a commit, so that it is saved together with what it was made for, or not at
   * all.
   *
   * @throws TypeError, RangeError for a label that is not 1 … 200 characters
   */
  addKey(draft: VaultDraft, wanted: NewKey): KeyDescription {
    checkLabel(wanted.label);
    if (USER_KEYS[wanted.kind].isForOneSite) checkOrigin(wanted.origin);
    return this.#add(draft, wanted.kind, newUserKey(this.#random, this.#time(), wanted));
  }

  /** Adds a key that was made elsewhere, within a commit. @throws TypeError, RangeError as `addKey` does */
  addImportedKey(draft: VaultDraft, imported: ImportedKey, label: string): KeyDescription {
    checkLabel(label);
    return this.#add(draft, imported.kind, importedUserKey(imported, this.#time(), label));
  }

  /**
   * Changes a key's label, within a commit.
   *
   * @throws TypeError, RangeError for a label that is not 1 … 200 characters
   */
  async relabelIn(draft: VaultDraft, ref: string, label: string): Promise<void> {
    checkLabel(label);
    if (ref === APP) {
      draft.put(keyRootRecord({ ...(await this.#rootIn(draft)), label }));
      return;
    }
    const { kind, value } = userKeyIn(await draft.get(ref));
    draft.put(userKeyRecord(kind, ref, { ...value, label }));
  }

  /**
   * Adds a generation within a commit; what older ones sealed still opens. The app key's generation is
   * the origin's own; a user key's generation is the same for all sites.
   *
   * @returns the new generation
   * @throws RangeError beyond MAX_GENERATIONS, and for an imported key
   */
  async rotateIn(draft: VaultDraft, ref: string, origin: string): Promise<number> {
    checkOrigin(origin);
    if (ref === APP) {
      const record = await draft.get(useId(ref, origin));
      const use = record ? keyUseOf(record) : newKeyUse(this.#random, ref, origin);
      const rotated = { ...use, generation: nextGeneration(use.generation) };
      draft.put(keyUseRecord(rotated));
      return rotated.generation;
    }
    return this.renewIn(draft, ref);
  }

  /**
   * Adds a generation of a user key within a commit, for all sites.
   *
   * @returns the new generation
   * @throws RangeError as `rotateIn` does, and for a key that has not been taken over
   */
  async renewIn(draft: VaultDraft, ref: string): Promise<number> {
    const key = userKeyIn(await draft.get(ref));
    const { kind, value } = key;
    requireOwn(value);
    if (!isRotatable(key)) throw new RangeError('key: an imported key stays as it is');
    const generation = nextGeneration(newestGeneration(value));
    draft.put(userKeyRecord(kind, ref, withNewGeneration(value, this.#random, this.#time())));
    return generation;
  }

  /** KeyInfo.id of the page API: the id of the key as this origin sees it. */
  pairwiseId(ref: string, origin: string): Awaitable<string> {
    checkOrigin(origin);
    return then(
      this.#vault.refresh(),
      () => this.#cache.pairwiseId(ref, origin) ?? this.#derivePairwiseId(ref, origin),
    );
  }

  async #derivePairwiseId(ref: string, origin: string): Promise<string> {
    const epoch = this.#epoch;
    if (ref !== APP) userKeyIn(await this.#vault.read(ref));
    const record = await this.#vault.read(KEY_ROOT);
    const root = record
      ? rootOfSite(keyRootOf(record), await this.#appUse(origin))
      : await this.#vault.commit((draft) => this.#rootIn(draft));
    const keyId = pairwiseIdOf(root, ref, origin);
    if (epoch === this.#epoch) this.#cache.putRef(keyId, origin, ref);
    return keyId;
  }

  /** The key that this origin calls `keyId`; undefined where there is none. */
  refOf(keyId: string, origin: string): Awaitable<string | undefined> {
    checkOrigin(origin);
    return then(
      this.#vault.refresh(),
      () => this.#cache.ref(keyId, origin) ?? this.#findRef(keyId, origin),
    );
  }

  async #findRef(keyId: string, origin: string): Promise<string | undefined> {
    const epoch = this.#epoch;
    const record = await this.#vault.read(KEY_ROOT);
    if (record === undefined) return undefined;
    const root = rootOfSite(keyRootOf(record), await this.#appUse(origin));
    const refs = [APP, ...(await userKeyRecords(this.#vault)).map(({ id }) => id)];
    const found = refs.find((ref) => pairwiseIdOf(root, ref, origin) === keyId);
    if (found !== undefined && epoch === this.#epoch) this.#cache.putRef(keyId, origin, found);
    return found;
  }

  /**
   * The newest generation, to seal with. The header key id (and the app key's salt) is drawn at the
   * first use by this origin and saved before it is returned. Later uses read no store.
   */
  sealingMaterial(ref: string, origin: string): Awaitable<SealingMaterial> {
    checkOrigin(origin);
    return then(
      this.#vault.refresh(),
      () => this.#cache.sealing(ref, origin) ?? this.#readSealingMaterial(ref, origin),
    );
  }

  async #readSealingMaterial(ref: string, origin: string): Promise<SealingMaterial> {
    const epoch = this.#epoch;
    const sources = await this.#sources(ref, origin);
    requireOwn(sources.userKey);
    const material = materialOf(sources, ref, origin);
    if (material === undefined) return this.#draw(ref, origin);
    if (epoch === this.#epoch) this.#cache.putSealing(ref, origin, material);
    return material;
  }

  /**
   * The header key id, as text, of what a generation seals for an origin. That of the newest is drawn here where nothing
   * was sealed; null for an older one that sealed nothing.
   */
  async headerKeyIdOf(ref: string, origin: string, generation: number): Promise<string | null> {
    const { key, keyId, generation: newest } = await this.sealingMaterial(ref, origin);
    wipe(key);
    if (generation === newest) return toBase64url(keyId);
    const { use } = await this.#sources(ref, origin);
    const older = use && headerKeyId(use, generation);
    return older ? toBase64url(older) : null;
  }

  /**
   * One generation of the key, for work outside messages; undefined where there is no such generation.
   * The caller wipes it.
   */
  async keyOfGeneration(
    ref: string,
    origin: string,
    generation: number,
  ): Promise<Uint8Array | undefined> {
    const { key, generation: newest } = await this.sealingMaterial(ref, origin);
    if (generation === newest) return key;
    wipe(key);
    if (generation < 1 || generation > newest) return undefined;
    return keyOf(await this.#sources(ref, origin), ref, generation);
  }

  /**
   * The key with this header key id; undefined where the vault has none. The app key is found for its own
   * origin, and for those that the user moved its data to. A sealing key is found for every origin, because
   * a message may be portable: the caller checks whether this origin has a grant for the key, and the format
   * checks whether the message is bound to another origin. A guest is not found.
   *
   * Derives and copies no key, so that a key which the caller then refuses takes the same time as one
   * that does not exist.
   */
  keyOfMessage(headerKeyId: Uint8Array, origin: string): Awaitable<MessageKey | undefined> {
    checkOrigin(origin);
    return then(this.#uses.all(), ({ own, moves }) => {
      const use = own.get(toBase64url(headerKeyId));
      if (use === undefined || use.origin === origin) return use && { ref: use.ref, origin };
      if (moves.has(originMoveId(use.origin, origin))) return { ref: use.ref, origin: use.origin };
      return use.ref === APP ? undefined : { ref: use.ref, origin };
    });
  }

  /**
   * The key and origin of a header key id, for the extension's windows over a site. Never an app key, which
   * belongs to its site, and never a guest.
   */
  async useOfHeaderKeyId(
    headerKeyId: Uint8Array,
  ): Promise<{ readonly ref: string; readonly origin: string } | undefined> {
    const use = (await this.#uses.all()).own.get(toBase64url(headerKeyId));
    return use && use.ref !== APP ? { ref: use.ref, origin: use.origin } : undefined;
  }

  /** The key of any header key id, for messages that the user opens alone, outside any site. */
  async ownersMaterial(
    headerKeyId: Uint8Array,
  ): Promise<(OpeningMaterial & { readonly origin: string }) | undefined> {
    const id = toBase64url(headerKeyId);
    const { own, guests } = await this.#uses.all();
    const use = own.get(id) ?? guests.get(id);
    const material = use && (await this.#openingIn(use, id));
    return material && { ...material, origin: use.origin };
  }

  /** Every origin that has used a key. */
  async origins(): Promise<string[]> {
    const { own, guests } = await this.#uses.all();
    return [...new Set([...own.values(), ...guests.values()].map(({ origin }) => origin))];
  }

  /**
   * The key that `keyOfMessage` names, to open with.
   *
   * @param origin what the message is bound to, as `keyOfMessage` says
   */
  openingMaterial(headerKeyId: Uint8Array, origin: string): Awaitable<OpeningMaterial | undefined> {
    return then(
      this.#useOf(headerKeyId, origin),
      (use) =>
        use &&
        (this.#cache.opening(headerKeyId, origin) ?? this.#readOpeningMaterial(headerKeyId, use)),
    );
  }

  async #readOpeningMaterial(
    headerKeyId: Uint8Array,
    use: KeyUse,
  ): Promise<OpeningMaterial | undefined> {
    const epoch = this.#epoch;
    const material = await this.#openingIn(use, toBase64url(headerKeyId));
    if (material && epoch === this.#epoch) this.#cache.putOpening(headerKeyId, use, material);
    return material;
  }

  async #openingIn(use: KeyUse, id: string): Promise<OpeningMaterial | undefined> {
    const kept = use.kept?.find((entry) => entry.id === id);
    if (kept) return { ref: use.ref, generation: kept.generation, key: fromBase64url(kept.key) };
    const { generation } = use.headerKeyIds.find((entry) => entry.id === id)!;
    const key = keyOf(await this.#sources(use.ref, use.origin), use.ref, generation);
    return key && { ref: use.ref, generation, key };
  }

  /**
   * Every generation under this ref that the origin has used, newest first, those of `kept` last: to
   * verify what names no generation. The caller wipes them.
   */
  async usedKeys(ref: string, origin: string): Promise<Uint8Array[]> {
    checkOrigin(origin);
    await this.#vault.refresh();
    const sources = await this.#sources(ref, origin);
    requireOwn(sources.userKey);
    const { headerKeyIds = [], kept = [] } = sources.use ?? {};
    const generations = new Set(headerKeyIds.map(({ generation }) => generation));
    const newestFirst = [...generations].sort((a, b) => b - a);
    const own = newestFirst.map((generation) => keyOf(sources, ref, generation)!);
    return [...own, ...kept.map(({ key }) => fromBase64url(key))];
  }

  /** A user key with every generation: newest first, those of `kept` last. The caller wipes them. */
  async userKey(ref: string): Promise<UserKeyMaterial> {
    const { kind, value } = userKeyIn(await this.#vault.read(ref));
    return { kind, algorithm: value.algorithm ?? null, generations: generationKeys(value) };
  }

  /** Does work with such a key, and wipes it. */
  async withUserKey<T>(ref: string, work: (key: UserKeyMaterial) => Promise<T>): Promise<T> {
    const key = await this.userKey(ref);
    try {
      return await work(key);
    } finally {
      wipe(...key.generations.map((each) => each.key));
    }
  }

  /** A user key as it is stored. @throws RangeError for a key of another kind */
  async userKeyValue(ref: string, kind: UserKeyKind): Promise<UserKeyValue> {
    return valueIn(await this.#vault.read(ref), kind);
  }

  /** Every user key of a kind, with its ref. */
  async userKeyValues(
    kind: UserKeyKind,
  ): Promise<readonly { readonly ref: string; readonly value: UserKeyValue }[]> {
    const records = await this.#vault.list(USER_KEYS[kind].recordType);
    return records.map((record) => ({ ref: record.id, value: userKeyOf(record) }));
  }

  /**
   * Changes what is stored of a user key, within a commit.
   *
   * @param change gets the key and the time, ms since the epoch
   * @throws RangeError for a key of another kind
   */
  async changeKeyIn(
    draft: VaultDraft,
    ref: string,
    kind: UserKeyKind,
    change: (value: UserKeyValue, at: number) => UserKeyValue,
  ): Promise<void> {
    const value = valueIn(await draft.get(ref), kind);
    draft.put(userKeyRecord(kind, ref, change(value, this.#time())));
  }

  #useOf(headerKeyId: Uint8Array, origin: string): Awaitable<KeyUse | undefined> {
    checkOrigin(origin);
    return then(this.#uses.all(), ({ own }) => {
      const use = own.get(toBase64url(headerKeyId));
      return use?.ref === APP && use.origin !== origin ? undefined : use;
    });
  }

  async #describeApp(): Promise<KeyDescription> {
    const root = await this.#vault.read(KEY_ROOT);
    // Before its first use the app key is as old as the vault.
    const created = (await this.#vault.state()).created ?? 0;
    const { label, created: drawn } = root ? keyRootOf(root) : { label: APP_LABEL, created };
    const kind = { kind: 'app', algorithm: null, origin: null, rotatable: true } as const;
    return { ref: APP, ...kind, guest: false, label, created: drawn, generation: 1 };
  }

  #add(draft: VaultDraft, kind: UserKeyKind, value: UserKeyValue): KeyDescription {
    const record = userKeyRecord(kind, toBase64url(this.#random.bytes(16)), value);
    draft.put(record);
    return describeUserKey(record);
  }

  async #sources(ref: string, origin: string): Promise<KeySources> {
    const root = await this.#vault.read(KEY_ROOT);
    const use = await this.#vault.read(useId(ref, origin));
    const key = ref === APP ? undefined : valueIn(await this.#vault.read(ref), 'sealing');
    return { root: root && keyRootOf(root), userKey: key, use: use && keyUseOf(use) };
  }

  /**
   * Draws what is missing. Everything is read again under the lock: another call may have been
   * first.
   */
  async #draw(ref: string, origin: string): Promise<SealingMaterial> {
    const sources = await this.#vault.commit(async (draft): Promise<KeySources> => {
      const key = ref === APP ? undefined : valueIn(await draft.get(ref), 'sealing');
      requireOwn(key);
      const root = ref === APP ? await this.#rootIn(draft) : undefined;
      const record = await draft.get(useId(ref, origin));
      const old = record ? keyUseOf(record) : newKeyUse(this.#random, ref, origin);
      const generation = key ? newestGeneration(key) : old.generation;
      const use = withHeaderKeyId(old, generation, this.#random);
      draft.put(keyUseRecord(use));
      return { root, userKey: key, use };
    });
    return materialOf(sources, ref, origin)!;
  }

  async #appUse(origin: string): Promise<KeyUse | undefined> {
    const use = await this.#vault.read(useId(APP, origin));
    return use && keyUseOf(use);
  }

  #rootIn(draft: VaultDraft): Promise<KeyRoot> {
    return keyRootIn(draft, this.#random, this.#time());
  }

  #forget(): void {
    this.#epoch++;
    this.#cache.forget();
    this.#uses.forget();
  }

  #time(): number {
    return Math.trunc(this.#now());
  }
}

function nextGeneration(generation: number): number {
  if (generation >= MAX_GENERATIONS) throw new RangeError('key: has too many generations');
  return generation + 1;
}

function checkOrigin(origin: string | undefined): void {
  if (typeof origin !== 'string' || origin === '') throw new TypeError('origin: must be an origin');
}

function checkLabel(label: string): void {
  if (typeof label !== 'string') throw new TypeError('label: must be a string');
  utf8(label); // refuses lone surrogates
  const characters = Array.from(label).length;
  if (label.trim() === '' || characters > LABEL_MAX_CHARACTERS) {
    throw new RangeError(`label: must have 1 to ${LABEL_MAX_CHARACTERS} characters`);
  }
}
