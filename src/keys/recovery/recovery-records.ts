/*
 * What the vault keeps of recovery by friends: for the owner of a recovery file who its friends are, and for somebody who has
 * lost a vault the request that waits for answers. Neither is in a backup or shared with other devices: the first is about one
 * file, and the second ends with the recovery.
 */
import type { Share } from '../../crypto/secret-sharing.ts';
import { fromBase64url } from '../../crypto/bytes.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import type { VaultDraft } from '../vault/draft.ts';

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

/** The value of the record of friends; undefined without one. */
export const recoveryFriendsOf = (record: VaultRecord | undefined): RecoveryFriends | undefined =>
  record?.value as RecoveryFriends | undefined;

/** Writes the record of a file's friends. */
export function putRecoveryFriends(draft: VaultDraft, friends: RecoveryFriends): void {
  const value = friends as unknown as Json;
  draft.put({ id: RECOVERY_FRIENDS, type: RECOVERY_FRIENDS, value });
}

/** The value of the record of a request; undefined without one. */
export const pendingRecoveryOf = (record: VaultRecord | undefined): PendingRecovery | undefined =>
  record?.value as PendingRecovery | undefined;

/** Writes the record of a request that waits. */
export function putPendingRecovery(draft: VaultDraft, pending: PendingRecovery): void {
  const value = pending as unknown as Json;
  draft.put({ id: RECOVERY_REQUEST, type: RECOVERY_REQUEST, value });
}

/** The shares that have come, whose bytes the caller wipes. */
export const sharesOf = ({ shares }: PendingRecovery): Share[] =>
  shares.map(({ index, share }) => ({ index, bytes: fromBase64url(share) }));
