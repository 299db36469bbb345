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
  keyRootOf,
  keyRootRecord,
  keyUseOf,
  keyUseRecord,
  newKeyRoot,
  newKeyUse,
  useId,
  withHeaderKeyId,
} from './key-records.ts';
import type { KeyRoot, KeyUse } from './key-records.ts';
import {
  generationKeys,
  importedPickedKey,
  isRotatable,
  newestGeneration,
  newPickedKey,
  PICKED_TYPES,
  pickedKeyOf,
  pickedKeyRecord,
  withNewGeneration,
} from './user-key.ts';
import type {
  DrawnKind,
  GenerationKey,
  ImportedKey,
  KeyAlgorithm,
  PickedKeyValue,
  PickedKind,
} from './user-key.ts';
import { describePicked, pickedIn, sealingIn, syncIn } from './key-description.ts';
import type { KeyDescription } from './key-description.ts';
import { importedSyncKey, syncKeyMaterial, withCollectionKeys } from './sync-key.ts';
import type { CollectionKeyBytes, ImportedSyncKey, SyncKeyMaterial } from './sync-key.ts';
import { identitiesOf, importedAgeKey, recipientOf } from './age-key.ts';
import type { AgeIdentity } from './age-key.ts';
import { KeyCache } from './key-cache.ts';
import type { VaultDraft } from '../vault/draft.ts';
import type { VaultRecord } from '../vault/record.ts';
import type { Vault } from '../vault/vault.ts';

/** A key that people pick, with its secrets. The caller wipes each `key`. */
export interface PickedKeyMaterial {
  readonly kind: PickedKind;
  readonly algorithm: KeyAlgorithm | null;
  readonly generations: readonly GenerationKey[];
}

/** Identities of age that are kept together. */
export interface AgeKey {
  readonly ref: string;
  readonly label: string;
  readonly identities: readonly string[];
  /** Of the newest of them. */
  readonly recipient: string;
}

/** Characters of a label; a bound on what a vault has to carry. */
export const LABEL_MAX_CHARACTERS = 200;

/** A key a day for almost three years; a page that asks for more is not looking after anything. */
export const MAX_GENERATIONS = 1000;

/**
 * The user's keys, on top of the vault. Secrets are drawn when first needed, in the same commit
 * that looks whether they are there, so that two first uses at once draw one.
 *
 * An `origin` is the browser's ASCII serialisation. Every method throws VaultError (LOCKED, …) as
 * the vault does, and RangeError for a ref that no key has.
 */
export class KeyRing {
  readonly #vault: Vault;
  readonly #random: RandomSource;
  readonly #now: () => number;
  readonly #cache = new KeyCache();
  #uses: ReadonlyMap<string, KeyUse> | undefined;
  // Grows with every change of the vault: what was derived before it is not kept.
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

  /** The app key first, then those that people pick, oldest first. */
  async list(): Promise<KeyDescription[]> {
    const keys = (await this.#pickedRecords()).map(describePicked);
    return [await this.#describeApp(), ...keys.sort((a, b) => a.created - b.created)];
  }

  /** One key as an origin has it: an app key's generation is the origin's own. */
  async describe(ref: string, origin: string): Promise<KeyDescription> {
    checkOrigin(origin);
    if (ref !== APP) return describePicked(await this.#pickedRecord(ref));
    const use = await this.#vault.read(useId(ref, origin));
    return { ...(await this.#describeApp()), generation: use ? keyUseOf(use).generation : 1 };
  }

  /** @throws TypeError, RangeError for a label that is no text of 1 … 200 characters */
  async createSealingKey(label: string): Promise<KeyDescription> {
    const wish = { kind: 'sealing', label } as const;
    return this.#vault.commit((draft) => this.addKey(draft, wish));
  }

  /**
   * A new key of a kind, within a commit, so that it and what it was made for are saved together or
   * not.
   *
   * @throws TypeError, RangeError for a label that is no text of 1 … 200 characters
   */
  addKey(
    draft: VaultDraft,
    wish: { readonly kind: DrawnKind; readonly label: string },
  ): KeyDescription {
    checkLabel(wish.label);
    return this.#added(draft, wish.kind, newPickedKey(this.#random, this.#time(), wish));
  }

  /** A signing key that was made elsewhere, within a commit. @throws as `addKey` does */
  addImportedKey(draft: VaultDraft, imported: ImportedKey, label: string): KeyDescription {
    checkLabel(label);
    return this.#added(draft, 'signing', importedPickedKey(imported, this.#time(), label));
  }

  /** The key of a sync service, within a commit. @throws as `addKey` does */
  addImportedSyncKey(draft: VaultDraft, imported: ImportedSyncKey, label: string): KeyDescription {
    checkLabel(label);
    return this.#added(draft, 'sync', importedSyncKey(imported, this.#time(), label));
  }

  /** Identities of age, one or more, within a commit. @throws as `addKey` does */
  addAgeKey(draft: VaultDraft, identities: readonly AgeIdentity[], label: string): KeyDescription {
    checkLabel(label);
    return this.#added(draft, 'age', importedAgeKey(identities, this.#time(), label));
  }

  /** @throws TypeError, RangeError for a label that is no text of 1 … 200 characters */
  async relabel(ref: string, label: string): Promise<void> {
    await this.#vault.commit((draft) => this.relabelIn(draft, ref, label));
  }

  /** The same within a commit. @throws TypeError, RangeError for such a label */
  async relabelIn(draft: VaultDraft, ref: string, label: string): Promise<void> {
    checkLabel(label);
    if (ref === APP) {
      draft.put(keyRootRecord({ ...(await this.#rootIn(draft)), label }));
      return;
    }
    const { kind, value } = pickedIn(await draft.get(ref));
    draft.put(pickedKeyRecord(kind, ref, { ...value, label }));
  }

  /**
   * A new generation, within a commit; what older ones sealed still opens. An app key's generation is
   * the origin's own, a picked key's that of all who use it.
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
    const { kind, value } = pickedIn(await draft.get(ref));
    if (!isRotatable(value)) throw new RangeError('key: an imported key stays as it is');
    const generation = nextGeneration(newestGeneration(value));
    draft.put(pickedKeyRecord(kind, ref, withNewGeneration(value, this.#random, this.#time())));
    return generation;
  }

  /** KeyInfo.id of the page API: what this origin calls the key. */
  async pairwiseId(ref: string, origin: string): Promise<string> {
    checkOrigin(origin);
    if (ref !== APP) await this.#pickedRecord(ref);
    const record = await this.#vault.read(KEY_ROOT);
    const root = record
      ? keyRootOf(record)
      : await this.#vault.commit((draft) => this.#rootIn(draft));
    return pairwiseIdOf(root, ref, origin);
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
    const refs = [APP, ...(await this.#pickedRecords()).map((record) => record.id)];
    const found = refs.find((ref) => pairwiseIdOf(keyRootOf(root), ref, origin) === keyId);
    if (found !== undefined && epoch === this.#epoch) this.#cache.keepRef(keyId, origin, found);
    return found;
  }

  /**
   * The newest generation, to seal with. The header key id (and an app key's salt) is drawn at the
   * first use by this origin and saved before it is given out; later uses read nothing from the
   * stores.
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
    const material = materialOf(await this.#sources(ref, origin), ref, origin);
    if (material === undefined) return this.#draw(ref, origin);
    if (epoch === this.#epoch) this.#cache.keepSealing(ref, origin, material);
    return material;
  }

  /**
   * Of any generation that the key has had, for work outside messages; undefined where there is no
   * such. The caller wipes it.
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
   * The ref of the key whose header key id this is; undefined where the vault has none. An app key
   * answers to its own origin only. A sealing key answers to every origin, because a message may be
   * portable: whether this origin may use the key (its grant), and whether the message is bound to
   * another origin (its context), is for the caller and the format to decide.
   *
   * Derives nothing and copies no key, so that a key which the caller then refuses has cost the
   * same as one that is not there.
   */
  refOfHeaderKeyId(headerKeyId: Uint8Array, origin: string): Awaitable<string | undefined> {
    return then(this.#useOf(headerKeyId, origin), (use) => use?.ref);
  }

  /**
   * Whose header key id this is, whatever the origin: for the user's own windows, which no site
   * calls. Never an app key, which belongs to its site.
   */
  async useOfHeaderKeyId(
    headerKeyId: Uint8Array,
  ): Promise<{ readonly ref: string; readonly origin: string } | undefined> {
    await this.#vault.refresh();
    const use = (await this.#usesByHeaderKeyId()).get(toBase64url(headerKeyId));
    return use && use.ref !== APP ? { ref: use.ref, origin: use.origin } : undefined;
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
    if (material && epoch === this.#epoch) this.#cache.keepOpening(headerKeyId, use, material);
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
   * Every key under this ref with which the origin has made anything, newest first, the kept ones
   * last: to check what names no generation. The caller wipes them.
   */
  async usedKeys(ref: string, origin: string): Promise<Uint8Array[]> {
    checkOrigin(origin);
    await this.#vault.refresh();
    const sources = await this.#sources(ref, origin);
    const { headerKeyIds = [], kept = [] } = sources.use ?? {};
    const generations = new Set(headerKeyIds.map(({ generation }) => generation));
    const newestFirst = [...generations].sort((a, b) => b - a);
    const own = newestFirst.map((generation) => keyOf(sources, ref, generation)!);
    return [...own, ...kept.map(({ key }) => fromBase64url(key))];
  }

  /** A key that people pick, with every generation: newest first, the kept ones last. */
  async pickedKey(ref: string): Promise<PickedKeyMaterial> {
    const { kind, value } = pickedIn(await this.#vault.read(ref));
    return { kind, algorithm: value.algorithm ?? null, generations: generationKeys(value) };
  }

  /** Every key of age, with its identities: newest first. */
  async ageKeys(): Promise<readonly AgeKey[]> {
    const records = await this.#vault.list(PICKED_TYPES.age);
    return records.map((record) => {
      const value = pickedKeyOf(record);
      const [identities, recipient] = [identitiesOf(value), recipientOf(value)];
      return { ref: record.id, label: value.label, identities, recipient };
    });
  }

  /** A sync key with all that it opens; `wipeSyncKey` it. */
  async syncKey(ref: string): Promise<SyncKeyMaterial> {
    return syncKeyMaterial(syncIn(await this.#vault.read(ref)));
  }

  /**
   * Puts bundles of collections first, within a commit; those that were there before still open.
   *
   * @throws RangeError where a key would keep too many
   */
  async putCollectionKeysIn(
    draft: VaultDraft,
    ref: string,
    keys: CollectionKeyBytes,
  ): Promise<void> {
    const value = syncIn(await draft.get(ref));
    const collectionKeys = withCollectionKeys(value.collectionKeys, keys, this.#time());
    draft.put(pickedKeyRecord('sync', ref, { ...value, collectionKeys }));
  }

  #useOf(headerKeyId: Uint8Array, origin: string): Awaitable<KeyUse | undefined> {
    checkOrigin(origin);
    return then(this.#vault.refresh(), () =>
      then(this.#usesByHeaderKeyId(), (uses) => {
        const use = uses.get(toBase64url(headerKeyId));
        return use?.ref === APP && use.origin !== origin ? undefined : use;
      }),
    );
  }

  async #describeApp(): Promise<KeyDescription> {
    const root = await this.#vault.read(KEY_ROOT);
    // Before its first use the app key is as old as the vault.
    const created = (await this.#vault.state()).created ?? 0;
    const { label, created: drawn } = root ? keyRootOf(root) : { label: APP_LABEL, created };
    const kind = { kind: 'app', algorithm: null, rotatable: true } as const;
    return { ref: APP, ...kind, label, created: drawn, generation: 1 };
  }

  #added(draft: VaultDraft, kind: PickedKind, value: PickedKeyValue): KeyDescription {
    const record = pickedKeyRecord(kind, toBase64url(this.#random.bytes(16)), value);
    draft.put(record);
    return describePicked(record);
  }

  async #pickedRecords(): Promise<VaultRecord[]> {
    const types = Object.values(PICKED_TYPES);
    return (await Promise.all(types.map((type) => this.#vault.list(type)))).flat();
  }

  async #pickedRecord(ref: string): Promise<VaultRecord> {
    const record = await this.#vault.read(ref);
    pickedIn(record);
    return record!;
  }

  async #sources(ref: string, origin: string): Promise<KeySources> {
    const root = await this.#vault.read(KEY_ROOT);
    const use = await this.#vault.read(useId(ref, origin));
    const key = ref === APP ? undefined : sealingIn(await this.#vault.read(ref));
    return { root: root && keyRootOf(root), picked: key, use: use && keyUseOf(use) };
  }

  /** Draws what is missing. All is looked at again under the lock: another may have been first. */
  async #draw(ref: string, origin: string): Promise<SealingMaterial> {
    const sources = await this.#vault.commit(async (draft): Promise<KeySources> => {
      const key = ref === APP ? undefined : sealingIn(await draft.get(ref));
      const root = ref === APP ? await this.#rootIn(draft) : undefined;
      const record = await draft.get(useId(ref, origin));
      const old = record ? keyUseOf(record) : newKeyUse(this.#random, ref, origin);
      const generation = key ? newestGeneration(key) : old.generation;
      const use = withHeaderKeyId(old, generation, this.#random);
      draft.put(keyUseRecord(use));
      return { root, picked: key, use };
    });
    return materialOf(sources, ref, origin)!;
  }

  async #rootIn(draft: VaultDraft): Promise<KeyRoot> {
    const record = await draft.get(KEY_ROOT);
    if (record !== undefined) return keyRootOf(record);
    const root = newKeyRoot(this.#random, this.#time());
    draft.put(keyRootRecord(root));
    return root;
  }

  #usesByHeaderKeyId(): Awaitable<ReadonlyMap<string, KeyUse>> {
    return this.#uses ?? this.#readUses();
  }

  async #readUses(): Promise<ReadonlyMap<string, KeyUse>> {
    const epoch = this.#epoch;
    const uses = (await this.#vault.list(KEY_USE)).map(keyUseOf);
    const byId = uses.flatMap((use) => {
      return [...use.headerKeyIds, ...(use.kept ?? [])].map(({ id }) => [id, use] as const);
    });
    const index = new Map(byId);
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
