import { utf8 } from '../../crypto/bytes.ts';
import type { VaultDraft } from '../vault/draft.ts';
import type { Json } from '../json.ts';
import { APP, KEY_USE, keyUseOf } from '../ring/key-records.ts';
import type { VaultRecord } from '../vault/record.ts';
import type { Vault } from '../vault/vault.ts';

/**
 * What the user notes about a named key, in a record beside the key's own, so that it is the same for
 * keys of every kind. No site meets any of it; backups carry it.
 */
export interface KeyDetails {
  readonly note: string;
  /** Name of a colour, as the surface has them; empty: none. */
  readonly tone: string;
  /** ms since the epoch; null: in use. An archived key still opens, and is not offered any more. */
  readonly archived: number | null;
}

export const NO_DETAILS: KeyDetails = { note: '', tone: '', archived: null };

/** Characters of a note; a bound on what a vault has to carry. */
export const NOTE_MAX_CHARACTERS = 2000;

export const KEY_DETAILS = 'key-details';
export const detailsId = (ref: string): string => `${KEY_DETAILS} ${ref}`;

type StoredDetails = KeyDetails & { readonly ref: string };

/** With the ref of their key. */
export function detailsOf(record: VaultRecord): readonly [ref: string, KeyDetails] {
  const { ref, ...details } = record.value as unknown as StoredDetails;
  return [ref, details];
}

export function detailsRecord(ref: string, details: KeyDetails): VaultRecord {
  const value: StoredDetails = { ...details, ref };
  return { id: detailsId(ref), type: KEY_DETAILS, value: value as unknown as Json };
}

/** By ref; a key of which nothing was noted is not in it. */
export async function allKeyDetails(vault: Vault): Promise<ReadonlyMap<string, KeyDetails>> {
  return new Map((await vault.list(KEY_DETAILS)).map(detailsOf));
}

/** @throws TypeError, RangeError for a note that is no text of up to NOTE_MAX_CHARACTERS */
export async function noteKeyIn(
  draft: VaultDraft,
  ref: string,
  change: Partial<KeyDetails>,
): Promise<void> {
  await knownIn(draft, ref);
  const note = change.note ?? '';
  utf8(note); // refuses lone surrogates
  if (Array.from(note).length > NOTE_MAX_CHARACTERS) {
    throw new RangeError(`note: must have up to ${NOTE_MAX_CHARACTERS} characters`);
  }
  draft.put(detailsRecord(ref, { ...(await detailsIn(draft, ref)), ...change }));
}

/**
 * Removes a key, what sites have of it, and what was noted about it: nothing that it sealed opens
 * again, unless a backup brings it back.
 *
 * @throws RangeError for a key that is not archived
 */
export async function deleteKeyIn(draft: VaultDraft, ref: string): Promise<void> {
  await knownIn(draft, ref);
  const { archived } = await detailsIn(draft, ref);
  if (archived === null) throw new RangeError('ref: only an archived key can be deleted');
  const uses = (await draft.list(KEY_USE)).filter((use) => keyUseOf(use).ref === ref);
  for (const { id } of [...uses, { id: ref }, { id: detailsId(ref) }]) draft.remove(id);
}

/** How many sites have something of each key, by ref. */
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

/** Named keys alone have a ref of 16 bytes as their record's id. */
async function knownIn(draft: VaultDraft, ref: string): Promise<void> {
  const isName = ref !== APP && /^[\w-]{22}$/.test(ref);
  if (!isName || !(await draft.get(ref))) throw new RangeError('ref: no such key');
}
