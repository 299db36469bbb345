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
  KEY_USE,
  keyRootIn,
  keyRootOf,
  keyRootRecord,
  keyUseOf,
  keyUseRecord,
  newKeyUse,
  useId,
  withHeaderKeyId,
} from './key-records.ts';
import type { KeyRoot, KeyUse } from './key-records.ts';
import {
  generationKeys,
  importedUserKey,
  isRotatable,
  newestGeneration,
  newUserKey,
  USER_KEY_TYPES,
  userKeyOf,
  userKeyRecord,
  withNewGeneration,
} from './user-key.ts';
import type {
  NewKey,
  GenerationKey,
  ImportedKey,
  KeyAlgorithm,
  UserKeyValue,
  UserKeyKind,
} from './user-key.ts';
import {
  describeUserKey,
  joseKeyIn,
  requireOwn,
  sealingKeyIn,
  syncKeyIn,
  userKeyIn,
} from './key-description.ts';
import type { KeyDescription } from './key-description.ts';
import { importedSyncKey, syncKeyMaterial, withCollectionKeys } from './sync-key.ts';
import type { CollectionKeyBytes, ImportedSyncKey, SyncKeyMaterial } from './sync-key.ts';
import { identitiesOf, importedAgeKey, recipientOf } from './age-key.ts';
import type { AgeIdentity } from './age-key.ts';
import { KeyCache } from './key-cache.ts';
import type { VaultDraft } from '../vault/draft.ts';
import type { VaultRecord } from '../values/record.ts';
import type { Vault } from '../vault/vault.ts';

/** A user key with its secrets. The caller wipes each `key`. */
export interface UserKeyMaterial {
  readonly kind: UserKeyKind;
  readonly algorithm: KeyAlgorithm | null;
  readonly generations: readonly GenerationKey[];
}

/** A user key of age, with its identities. */
export interface AgeKey {
  readonly ref: string;
  readonly label: string;
  readonly identities: readonly string[];
  /** Of the newest identity. */
  readonly recipient: string;
}

/** Uses by their header key ids. */
interface UseIndex {
  /** Of the user's own keys. */
  readonly own: ReadonlyMap<string, KeyUse>;
  /** Of keys that are not taken over. */
  readonly guests: ReadonlyMap<string, KeyUse>;
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
  #uses: UseIndex | undefined;
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
    this.#vault.onForget(() => this.#forget());
  }

  /** The app key first, then user keys as the vault got them, guests last. */
  async list(): Promise<KeyDescription[]> {
    const keys = (await this.#userKeyRecords()).map(describeUserKey);
    const inOrder = (a: KeyDescription, b: KeyDescription) =>
      Number(a.guest) - Number(b.guest) || a.created - b.created;
    return [await this.#describeApp(), ...keys.sort(inOrder)];
  }

  /** One key as an origin uses it: the app key's generation is the origin's own. */
  async describe(ref: string, origin: string): Promise<KeyDescription> {
    checkOrigin(origin);
    if (ref !== APP) return describeUserKey(await this.#userKeyRecord(ref));
    const use = await this.#vault.read(useId(ref, origin));
    return { ...(await this.#describeApp()), generation: use ? keyUseOf(use).generation : 1 };
  }

  /** Makes a sealing key. @throws TypeError, RangeError for a label that is not 1 … 200 characters */
  async createSealingKey(label: string): Promise<KeyDescription> {
    const wanted = { kind: 'sealing', label } as const;
    return this.#vault.commit((draft) => this.addKey(draft, wanted));
  }

  /**
   * Adds a new key within a commit, so that it is saved together with what it was made for, or not at
   * all.
   *
   * @throws TypeError, RangeError for a label that is not 1 … 200 characters
   */
  addKey(draft: VaultDraft, wanted: NewKey): KeyDescription {
    checkLabel(wanted.label);
    if (wanted.kind === 'jose') checkOrigin(wanted.origin);
    return this.#add(draft, wanted.kind, newUserKey(this.#random, this.#time(), wanted));
  }

  /** Adds an imported signing key within a commit. @throws TypeError, RangeError as `addKey` does */
  addImportedKey(draft: VaultDraft, imported: ImportedKey, label: string): KeyDescription {
    checkLabel(label);
    return this.#add(draft, 'signing', importedUserKey(imported, this.#time(), label));
  }

  /**
   * Adds the key of a sync service within a commit.
   *
   * @throws TypeError, RangeError as `addKey` does
   */
  addImportedSyncKey(draft: VaultDraft, imported: ImportedSyncKey, label: string): KeyDescription {
    checkLabel(label);
    return this.#add(draft, 'sync', importedSyncKey(imported, this.#time(), label));
  }

  /**
   * Adds identities of age, one or more, within a commit.
   *
   * @throws TypeError, RangeError as `addKey` does
   */
  addAgeKey(draft: VaultDraft, identities: readonly AgeIdentity[], label: string): KeyDescription {
    checkLabel(label);
    return this.#add(draft, 'age', importedAgeKey(identities, this.#time(), label));
  }

  /**
   * Changes a key's label.
   *
   * @throws TypeError, RangeError for a label that is not 1 … 200 characters
   */
  async relabel(ref: string, label: string): Promise<void> {
    await this.#vault.commit((draft) => this.relabelIn(draft, ref, label));
  }

  /** The same within a commit. @throws TypeError, RangeError as `relabel` does */
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
    const { kind, value } = userKeyIn(await draft.get(ref));
    requireOwn(value);
    if (!isRotatable(value)) throw new RangeError('key: an imported key stays as it is');
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
    if (ref !== APP) await this.#userKeyRecord(ref);
    const record = await this.#vault.read(KEY_ROOT);
    const root = record
      ? keyRootOf(record)
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
    const root = await this.#vault.read(KEY_ROOT);
    if (root === undefined) return undefined;
    const refs = [APP, ...(await this.#userKeyRecords()).map((record) => record.id)];
    const found = refs.find((ref) => pairwiseIdOf(keyRootOf(root), ref, origin) === keyId);
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
   * The ref of the key with this header key id; undefined where the vault has none. The app key is found
   * for its own origin only. A sealing key is found for every origin, because a message may be
   * portable: the caller checks whether this origin has a grant for the key, and the format checks
   * whether the message is bound to another origin. A guest is not found.
   *
   * Derives and copies no key, so that a key which the caller then refuses takes the same time as one
   * that does not exist.
   */
  refOfHeaderKeyId(headerKeyId: Uint8Array, origin: string): Awaitable<string | undefined> {
    return then(this.#useOf(headerKeyId, origin), (use) => use?.ref);
  }

  /**
   * The key and origin of a header key id, for the extension's windows over a site. Never an app key, which
   * belongs to its site, and never a guest.
   */
  async useOfHeaderKeyId(
    headerKeyId: Uint8Array,
  ): Promise<{ readonly ref: string; readonly origin: string } | undefined> {
    await this.#vault.refresh();
    const use = (await this.#usesByHeaderKeyId()).own.get(toBase64url(headerKeyId));
    return use && use.ref !== APP ? { ref: use.ref, origin: use.origin } : undefined;
  }

  /** The key of any header key id, for messages that the user opens alone, outside any site. */
  async ownersMaterial(
    headerKeyId: Uint8Array,
  ): Promise<(OpeningMaterial & { readonly origin: string }) | undefined> {
    await this.#vault.refresh();
    const id = toBase64url(headerKeyId);
    const { own, guests } = await this.#usesByHeaderKeyId();
    const use = own.get(id) ?? guests.get(id);
    const material = use && (await this.#openingIn(use, id));
    return material && { ...material, origin: use.origin };
  }

  /** Every origin that has used a key. */
  async origins(): Promise<string[]> {
    await this.#vault.refresh();
    const { own, guests } = await this.#usesByHeaderKeyId();
    return [...new Set([...own.values(), ...guests.values()].map(({ origin }) => origin))];
  }

  /** The key that `refOfHeaderKeyId` names, to open with. */
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

  /** Every key of age; identities newest first. */
  async ageKeys(): Promise<readonly AgeKey[]> {
    const records = await this.#vault.list(USER_KEY_TYPES.age);
    return records.map((record) => {
      const value = userKeyOf(record);
      const [identities, recipient] = [identitiesOf(value), recipientOf(value)];
      return { ref: record.id, label: value.label, identities, recipient };
    });
  }

  /** A sync key with its secrets; the caller wipes them by `wipeSyncKey`. */
  async syncKey(ref: string): Promise<SyncKeyMaterial> {
    return syncKeyMaterial(syncKeyIn(await this.#vault.read(ref)));
  }

  /**
   * One generation of a key of JOSE, for the site that it was made for; undefined where it has no such
   * generation. The caller wipes the key.
   *
   * @param generation absent: the newest
   * @throws RangeError for another kind of key, and for the key of another site
   */
  async joseKey(
    ref: string,
    origin: string,
    generation?: number,
  ): Promise<Pick<GenerationKey, 'generation' | 'key'> | undefined> {
    checkOrigin(origin);
    const value = joseKeyIn(await this.#vault.read(ref), origin);
    const wanted = generation ?? newestGeneration(value);
    const found = value.generations.find((each) => each.generation === wanted);
    return found && { generation: wanted, key: fromBase64url(found.key) };
  }

  /**
   * Puts key bundles of collections first, within a commit; earlier ones are kept.
   *
   * @throws RangeError beyond MAX_COLLECTION_KEYS
   */
  async putCollectionKeysIn(
    draft: VaultDraft,
    ref: string,
    keys: CollectionKeyBytes,
  ): Promise<void> {
    const value = syncKeyIn(await draft.get(ref));
    const collectionKeys = withCollectionKeys(value.collectionKeys, keys, this.#time());
    draft.put(userKeyRecord('sync', ref, { ...value, collectionKeys }));
  }

  #useOf(headerKeyId: Uint8Array, origin: string): Awaitable<KeyUse | undefined> {
    checkOrigin(origin);
    return then(this.#vault.refresh(), () =>
      then(this.#usesByHeaderKeyId(), ({ own }) => {
        const use = own.get(toBase64url(headerKeyId));
        return use?.ref === APP && use.origin !== origin ? undefined : use;
      }),
    );
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

  async #userKeyRecords(): Promise<VaultRecord[]> {
    const types = Object.values(USER_KEY_TYPES);
    return (await Promise.all(types.map((type) => this.#vault.list(type)))).flat();
  }

  async #userKeyRecord(ref: string): Promise<VaultRecord> {
    const record = await this.#vault.read(ref);
    userKeyIn(record);
    return record!;
  }

  async #sources(ref: string, origin: string): Promise<KeySources> {
    const root = await this.#vault.read(KEY_ROOT);
    const use = await this.#vault.read(useId(ref, origin));
    const key = ref === APP ? undefined : sealingKeyIn(await this.#vault.read(ref));
    return { root: root && keyRootOf(root), userKey: key, use: use && keyUseOf(use) };
  }

  /**
   * Draws what is missing. Everything is read again under the lock: another call may have been
   * first.
   */
  async #draw(ref: string, origin: string): Promise<SealingMaterial> {
    const sources = await this.#vault.commit(async (draft): Promise<KeySources> => {
      const key = ref === APP ? undefined : sealingKeyIn(await draft.get(ref));
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

  #rootIn(draft: VaultDraft): Promise<KeyRoot> {
    return keyRootIn(draft, this.#random, this.#time());
  }

  #usesByHeaderKeyId(): Awaitable<UseIndex> {
    return this.#uses ?? this.#readUses();
  }

  async #readUses(): Promise<UseIndex> {
    const epoch = this.#epoch;
    const keys = (await this.#userKeyRecords()).map(describeUserKey);
    const guests = new Set(keys.filter(({ guest }) => guest).map(({ ref }) => ref));
    const uses = (await this.#vault.list(KEY_USE)).map(keyUseOf);
    const index = {
      own: byHeaderKeyId(uses.filter(({ ref }) => !guests.has(ref))),
      guests: byHeaderKeyId(uses.filter(({ ref }) => guests.has(ref))),
    };
    if (epoch === this.#epoch) this.#uses = index;
    return index;
  }

  #forget(): void {
    this.#epoch++;
    this.#cache.forget();
    this.#uses = undefined;
  }

  #time(): number {
    return Math.trunc(this.#now());
  }
}

function byHeaderKeyId(uses: readonly KeyUse[]): ReadonlyMap<string, KeyUse> {
  const byId = uses.flatMap((use) => {
    return [...use.headerKeyIds, ...(use.kept ?? [])].map(({ id }) => [id, use] as const);
  });
  return new Map(byId);
}

function nextGeneration(generation: number): number {
  if (generation >= MAX_GENERATIONS) throw new RangeError('key: has too many generations');
  return generation + 1;
}

function checkOrigin(origin: string): void {
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
