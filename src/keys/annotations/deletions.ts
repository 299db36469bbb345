/*
 * What this device has deleted and other devices have not heard of yet (docs/design/devices.md). A record that is missing
 * says nothing, so the commit that deletes leaves a record of it, which the next state that is shared takes up.
 */
import { utf8 } from '../../crypto/bytes.ts';
import { digestOf } from '../ring/key-records.ts';
import { PERSISTENT_KEY } from '../ring/persistent-key.ts';
import { userKeyKindOf } from '../ring/user-key.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import type { VaultDraft } from '../vault/draft.ts';
import { CONTACT, contactOf } from './contact.ts';
import type { ContactValue } from './contact.ts';

/** The type and id of the record that makes a vault a device (devices/device.ts). */
export const DEVICE = 'device';

/** The type and id of the record with a device's place in a circle (circle/circle-record.ts). */
export const CIRCLE = 'circle';

/** The type and id of the record of the secrets of this vault that can be members of a circle (circle/openers.ts). */
export const OPENERS = 'openers';

/** The type and id of the record of a device that exchanges with others over a medium (src/service/exchange/medium-exchange.ts). */
export const MEDIUM = 'medium';

/** The type and id of the record of a device that exchanges by files (src/service/exchange/file-exchange.ts). */
export const DEVICE_FILES = 'device-files';

/** The type and id of the record of keys that removed devices have (src/service/vault/removed-devices.ts). */
export const REMOVED_DEVICES = 'removed-devices';

/** The type and id of the record of who has joined, and who was not heard of (src/service/vault/member-notes.ts). */
export const MEMBER_NOTES = 'member-notes';

/** The type of the records of deletions that the shared state does not have yet. */
export const DELETION = 'deletion';

/** What was deleted. */
export interface Deletion {
  /** The name of the entry in the shared state. */
  readonly name: string;
  /** ms since the epoch */
  readonly at: number;
}

/**
 * The name of the entry that a record is about; undefined for records whose things are not deleted: the key root, app
 * keys of sites, settings for fields.
 */
export function deletableName(record: VaultRecord): string | undefined {
  const { id, type } = record;
  if (userKeyKindOf({ type })) return `${type} ${id}`;
  if (type === CONTACT) return contactName(contactOf(record));
  return type === PERSISTENT_KEY ? id : undefined;
}

/** The name of the entry of a contact, by its public key: the same one, added on two devices, is one. */
export const contactName = ({ publicKey }: Pick<ContactValue, 'publicKey'>): string =>
  `${CONTACT} ${digestOf(utf8(publicKey))}`;

/**
 * The record of a deletion, for the commit that removes the record of a key, a contact, or a key that a site keeps.
 *
 * @param removed the record of the key itself, not of its uses or details
 * @param at ms since the epoch
 * @throws RangeError for a record of another type, whose absence means nothing
 */
export function deletionRecord(removed: VaultRecord, at: number): VaultRecord {
  const name = deletableName(removed);
  if (name === undefined) throw new RangeError('record: must be of a key or a contact');
  const value: Json = { name, at };
  return { id: `${DELETION} ${name}`, type: DELETION, value };
}

/**
 * Removes such a record within a commit, and tells other devices. A vault that is no device shares nothing that they could
 * bring back, and keeps no list of what it had: what is missing when it becomes one was never shared.
 *
 * @param removed as of `deletionRecord`
 * @param at ms since the epoch
 */
export async function deleteIn(draft: VaultDraft, removed: VaultRecord, at: number): Promise<void> {
  draft.remove(removed.id);
  if ((await draft.get(DEVICE)) !== undefined) draft.put(deletionRecord(removed, Math.trunc(at)));
}
