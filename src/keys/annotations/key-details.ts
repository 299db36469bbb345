import { utf8 } from '../../crypto/bytes.ts';
import type { VaultDraft } from '../vault/draft.ts';
import type { Json } from '../values/json.ts';
import { APP, KEY_USE, keyUseOf } from '../ring/key-records.ts';
import { requireOwn, userKeyIn } from '../ring/key-description.ts';
import { SYNC_LIST, syncListIds, syncListOf } from '../ring/sync-list.ts';
import { takenOver, userKeyOf, userKeyRecord } from '../ring/user-key.ts';
import type { VaultRecord } from '../values/record.ts';
import type { Vault } from '../vault/vault.ts';
import { deleteIn } from './deletions.ts';

/**
 * What the user notes about a named key, in a record beside the key's own, so that keys of every kind
 * can have it. Sites never see it; backups carry it.
 */
export interface KeyDetails {
  readonly note: string;
  /** Name of a colour of the user interface; empty: none. */
  readonly tone: string;
  /**
   * ms since the epoch; null: in use. An archived key still opens, but is not offered for new
   * messages.
   */
  readonly archived: number | null;
}

/** The details of a key of which nothing was noted. */
export const NO_DETAILS: KeyDetails = { note: '', tone: '', archived: null };

/** Characters of a note, at most: a bound on the size of a vault. */
export const NOTE_MAX_CHARACTERS = 2000;

/** The type of their records. */
export const KEY_DETAILS = 'key-details';
/** The id of the record with the details of the key `ref`. */
export const detailsId = (ref: string): string => `${KEY_DETAILS} ${ref}`;

type StoredDetails = KeyDetails & { readonly ref: string };

/** The details in a record, with the ref of their key. */
export function detailsOf(record: VaultRecord): readonly [ref: string, KeyDetails] {
  const { ref, ...details } = record.value as unknown as StoredDetails;
  return [ref, details];
}

/** The record that holds them. */
export function detailsRecord(ref: string, details: KeyDetails): VaultRecord {
  const value: StoredDetails = { ...details, ref };
  return { id: detailsId(ref), type: KEY_DETAILS, value: value as unknown as Json };
}

/** The details of all keys by ref, without keys that have none. */
export async function allKeyDetails(vault: Vault): Promise<ReadonlyMap<string, KeyDetails>> {
  return new Map((await vault.list(KEY_DETAILS)).map(detailsOf));
}

/**
 * Changes the details of a named key, within a commit.
 *
 * @throws RangeError where there is no such key, and for a guest that is to be taken from the archive
 * @throws TypeError, RangeError for a note that is not text, or longer than NOTE_MAX_CHARACTERS
 */
export async function annotateKeyIn(
  draft: VaultDraft,
  ref: string,
  change: Partial<KeyDetails>,
): Promise<void> {
  const key = await requireKey(draft, ref);
  if (change.archived === null) requireOwn(userKeyOf(key));
  const note = change.note ?? '';
  utf8(note); // refuses lone surrogates
  if (Array.from(note).length > NOTE_MAX_CHARACTERS) {
    throw new RangeError(`note: must have up to ${NOTE_MAX_CHARACTERS} characters`);
  }
  draft.put(detailsRecord(ref, { ...(await detailsIn(draft, ref)), ...change }));
}

/**
 * Makes a guest one of the user's own keys, within a commit: sites may be given it, and what its maker sealed opens
 * there. In lists it is the newest.
 *
 * @param at ms since the epoch
 * @throws RangeError where there is no such key, or it is not a guest
 */
export async function takeOverKeyIn(draft: VaultDraft, ref: string, at: number): Promise<void> {
  const { kind, value } = userKeyIn(await requireKey(draft, ref));
  if (!value.guest) throw new RangeError('ref: the key is one of the own');
  draft.put(userKeyRecord(kind, ref, takenOver(value, at)));
  await annotateKeyIn(draft, ref, { archived: null });
}

/**
 * Deletes a key on all devices, within a commit: here with all that `removeKeyIn` removes. What it sealed can be opened
 * again only after a restore from a backup.
 *
 * @param at ms since the epoch
 * @throws RangeError for a key that is not archived
 */
export async function deleteKeyIn(draft: VaultDraft, ref: string, at: number): Promise<void> {
  const key = await requireKey(draft, ref);
  const { archived } = await detailsIn(draft, ref);
  if (archived === null) throw new RangeError('ref: only an archived key can be deleted');
  await removeKeyIn(draft, ref);
  await deleteIn(draft, key, at);
}

/** Removes a key, its uses by sites, its details and its lists of records, within a commit. */
export async function removeKeyIn(draft: VaultDraft, ref: string): Promise<void> {
  const uses = (await draft.list(KEY_USE)).filter((use) => keyUseOf(use).ref === ref);
  const lists = (await draft.list(SYNC_LIST)).filter((list) => syncListOf(list).ref === ref);
  const ofUses = uses.map(({ id }) => id);
  const all = [...ofUses, ...lists.flatMap(syncListIds), ref, detailsId(ref)];
  for (const id of all) draft.remove(id);
}

/** How many sites use each key, by ref. */
export async function sitesOfKeys(vault: Vault): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { ref } of (await vault.list(KEY_USE)).map(keyUseOf)) {
    counts.set(ref, (counts.get(ref) ?? 0) + 1);
  }
  return counts;
}

async function detailsIn(draft: VaultDraft, ref: string): Promise<KeyDetails> {
  const record = await draft.get(detailsId(ref));
  return record ? detailsOf(record)[1] : NO_DETAILS;
}

/** The id of a named key's record is its ref: 16 bytes, base64url. */
async function requireKey(draft: VaultDraft, ref: string): Promise<VaultRecord> {
  const isName = ref !== APP && /^[\w-]{22}$/.test(ref);
  const record = isName ? await draft.get(ref) : undefined;
  if (!record) throw new RangeError('ref: no such key');
  return record;
}
