import { fromBase64url, toBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Json } from '../values/json.ts';
import type { VaultDraft } from '../vault/draft.ts';
import type { VaultRecord } from '../values/record.ts';

/*
 * The records of the key ring beside user keys (user-key.ts): the root of app keys, and the use of
 * each key by each site. All bytes are base64url. A record was written by these functions and is
 * authentic, so its shape is not checked again.
 */

/** From which app keys and pairwise ids are derived. */
export interface RootSecrets {
  /** 32 random bytes. */
  readonly appRoot: string;
  /** 32 random bytes. */
  readonly pairwiseSecret: string;
  readonly created: number;
}

/** One record per vault, with the root of every app key and every pairwise id. */
export interface KeyRoot extends RootSecrets {
  readonly label: string;
  /** The roots of other devices by id, for the sites that know the person by one of them (`KeyUse.root`). */
  readonly others?: Readonly<Record<string, RootSecrets>>;
}

/** Roots by id, the one of new sites first. */
export type Roots = ReadonlyMap<string, RootSecrets>;

/** The use of one key by one origin. */
export interface KeyUse {
  readonly ref: string;
  readonly origin: string;
  /** The newest generation of this origin's app key; of user keys see their own record. */
  readonly generation: number;
  /** 32 random bytes, part of the derivation of app keys. */
  readonly salt: string;
  /** Of an app key: the root in `KeyRoot.others` that the site knows the person by; absent: the vault's own. */
  readonly root?: string;
  /** 16 random bytes for each generation that has sealed here. */
  readonly headerKeyIds: readonly { readonly generation: number; readonly id: string }[];
  /**
   * Keys restored from a backup of a vault that had diverged, each with the header key id of the
   * messages that it opens. They seal nothing.
   */
  readonly kept?: readonly {
    readonly generation: number;
    readonly id: string;
    /** 32 bytes. */
    readonly key: string;
  }[];
}

/** The ref of the app key. */
export const APP = 'app';
/** The app key's label until the user changes it; the user interface shows a translation. */
export const APP_LABEL = 'App key';
/** Type and id of the record with the key root. */
export const KEY_ROOT = 'key-root';
/** The type of the records of uses. */
export const KEY_USE = 'key-use';

/** The id of the record with the use of a key by an origin. */
export const useId = (ref: string, origin: string): string => `${KEY_USE} ${ref} ${origin}`;

/** The key root in its record. */
export const keyRootOf = (record: VaultRecord): KeyRoot => record.value as unknown as KeyRoot;
/** The use in its record. */
export const keyUseOf = (record: VaultRecord): KeyUse => record.value as unknown as KeyUse;

/** The record that holds it. */
export function keyRootRecord(value: KeyRoot): VaultRecord {
  const record = { id: KEY_ROOT, type: KEY_ROOT, value: value as unknown as Json };
  // A version that does not know `others` would derive other app keys at the sites that `KeyUse.root` is about.
  return value.others === undefined ? record : { ...record, schema: 2 };
}

/** The record that holds it. */
export function keyUseRecord(value: KeyUse): VaultRecord {
  return { id: useId(value.ref, value.origin), type: KEY_USE, value: value as unknown as Json };
}

/** The first 16 bytes of a SHA-256, base64url: what names a root or a contact for all devices. */
export const digestOf = (...parts: readonly Uint8Array[]): string =>
  toBase64url(sha256(...parts).subarray(0, 16));

/** The id of a root: 16 bytes, base64url. */
export function rootIdOf({ appRoot, pairwiseSecret }: RootSecrets): string {
  const secrets = [fromBase64url(appRoot), fromBase64url(pairwiseSecret)];
  const id = digestOf(utf8('SWM1 key root'), ...secrets);
  wipe(...secrets);
  return id;
}

/** All roots of a vault, by id: its own, and those of sites that another device had used. */
export function rootsOf({ others = {}, appRoot, pairwiseSecret, created }: KeyRoot): Roots {
  const own = { appRoot, pairwiseSecret, created };
  return new Map([[rootIdOf(own), own], ...Object.entries(others)]);
}

/** The root by which a site knows the person. @param use of the app key by that site, if any */
export const rootOfSite = (root: KeyRoot, use: KeyUse | undefined): RootSecrets =>
  use?.root === undefined ? root : root.others![use.root]!;

/** Draws a key root. @param created ms since the epoch */
export function newKeyRoot(random: RandomSource, created: number): KeyRoot {
  const [appRoot, pairwiseSecret] = [draw(random, 32), draw(random, 32)];
  return { appRoot, pairwiseSecret, created, label: APP_LABEL };
}

/** The vault's key root. A vault without one gets a new one within the commit. */
export async function keyRootIn(
  draft: VaultDraft,
  random: RandomSource,
  created: number,
): Promise<KeyRoot> {
  const record = await draft.get(KEY_ROOT);
  if (record !== undefined) return keyRootOf(record);
  const root = newKeyRoot(random, created);
  draft.put(keyRootRecord(root));
  return root;
}

/** Draws the use of a key by an origin, without header key ids yet. */
export function newKeyUse(random: RandomSource, ref: string, origin: string): KeyUse {
  return { ref, origin, generation: 1, salt: draw(random, 32), headerKeyIds: [] };
}

/**
 * The use with a header key id for that generation, drawn if missing; the same object where it has
 * one.
 */
export function withHeaderKeyId(use: KeyUse, generation: number, random: RandomSource): KeyUse {
  if (headerKeyId(use, generation) !== undefined) return use;
  const added = { generation, id: draw(random, 16) };
  return { ...use, headerKeyIds: [...use.headerKeyIds, added] };
}

/** 16 bytes; undefined where none was drawn for that generation. */
export function headerKeyId(use: KeyUse, generation: number): Uint8Array | undefined {
  const found = use.headerKeyIds.find((entry) => entry.generation === generation);
  return found && fromBase64url(found.id);
}

function draw(random: RandomSource, bytes: number): string {
  return toBase64url(random.bytes(bytes));
}
