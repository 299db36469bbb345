import type { RowKey } from '../row.ts';

/** One v5 record: to encrypt, or encrypted already. */
export interface RecordTask {
  readonly operation: Operation;
  readonly bundle: { readonly encryptionKey: Uint8Array; readonly hmacKey: Uint8Array };
  readonly id: string;
  /** JSON of so many bytes, with the id in it. */
  readonly payload: { readonly id: string; readonly text: string };
  /** The same, encrypted: by the peer, so that whoever opens it agrees with it. */
  readonly encrypted: string;
}

export type Operation = 'encrypt' | 'decrypt';

export const OPERATIONS: readonly Operation[] = ['encrypt', 'decrypt'];
export const SIZES = [256, 1024, 16 * 1024];

/** Peers of the codec alone. */
export const FIREFOX_SYNC = 'firefox-sync (node:crypto)';
export const NOBLE = '@noble/ciphers and @noble/hashes';

export const recordRow = (operation: Operation, size: number): RowKey => ({
  algorithm: `${operation} a v5 record`,
  size,
  unit: 'B',
});
