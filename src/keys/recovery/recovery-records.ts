/*
 * What the vault keeps of recovery by friends: for the owner of a recovery file who its friends are, and for somebody who has
 * lost a vault the request that waits for answers. Neither is in a backup or shared with other devices: the first is about one
 * file, and the second ends with the recovery.
 */
import type { Share } from '../../crypto/secret-sharing.ts';
import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';

/** The type and id of the record of the newest recovery file that was made here. */
export const RECOVERY_FRIENDS = 'recovery-friends';
/** The type and id of the record of a request that waits for answers. */
export const RECOVERY_REQUEST = 'recovery-request';

/** A friend of the newest recovery file. */
export interface RecoveryFriend {
  /** What the contact was called. */
  readonly name: string;
  /** 32 bytes, base64url. */
  readonly drillKey: string;
  /** When a drill last proved their share, ms since the epoch; null: none has. */
  readonly proved: number | null;
}

/** The newest recovery file that was made here. */
export interface RecoveryFriends {
  /** Of the file, base64url. */
  readonly digest: string;
  /** ms since the epoch */
  readonly created: number;
  readonly threshold: number;
  /** By index, from 1. */
  readonly friends: readonly RecoveryFriend[];
  /** The id of the newest drill's request, base64url, and when it was made. */
  readonly drill: { readonly id: string; readonly asked: number } | null;
}

/** A request that waits for answers. */
export interface PendingRecovery {
  /** The seed of the X-Wing key to which the answers are sealed, base64url. */
  readonly offerKey: string;
  /** As it is sent. */
  readonly request: string;
  /** The head of the file, base64url, by which answers are checked. */
  readonly head: string;
  /** The shares of the friends that have answered. */
  readonly shares: readonly { readonly index: number; readonly share: string }[];
}

/** The value of such a record; undefined without one. */
export const recoveryFriendsOf = (record: VaultRecord | undefined): RecoveryFriends | undefined =>
  record?.value as RecoveryFriends | undefined;

/** The record of a file's friends. */
export function recoveryFriendsRecord(value: RecoveryFriends): VaultRecord {
  return { id: RECOVERY_FRIENDS, type: RECOVERY_FRIENDS, value: value as unknown as Json };
}

/** The value of such a record; undefined without one. */
export const pendingRecoveryOf = (record: VaultRecord | undefined): PendingRecovery | undefined =>
  record?.value as PendingRecovery | undefined;

/** The record of a request that waits. */
export function pendingRecoveryRecord(value: PendingRecovery): VaultRecord {
  return { id: RECOVERY_REQUEST, type: RECOVERY_REQUEST, value: value as unknown as Json };
}

/** The shares that have come, whose bytes the caller wipes. */
export function sharesOf({ shares }: PendingRecovery): Share[] {
  return shares.map(({ index, share }) => ({ index, bytes: fromBase64url(share) }));
}

/** The same request with one more share. */
export function withShare(pending: PendingRecovery, { index, bytes }: Share): PendingRecovery {
  const others = pending.shares.filter((share) => share.index !== index);
  return { ...pending, shares: [...others, { index, share: toBase64url(bytes) }] };
}
