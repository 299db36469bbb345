import type { RowKey } from '../row.ts';

/** V5 records under one bundle: to encrypt, or encrypted already. */
export interface RecordsTask {
  readonly operation: Operation;
  readonly bundle: { readonly encryptionKey: Uint8Array; readonly hmacKey: Uint8Array };
  readonly records: readonly {
    readonly id: string;
    /** JSON of so many bytes, with the id in it. */
    readonly payload: { readonly id: string; readonly text: string };
    /** The same, encrypted: by the peer, so that opening it shows that both agree. */
    readonly encrypted: string;
  }[];
}

export type Operation = 'encrypt' | 'decrypt';

export const OPERATIONS: readonly Operation[] = ['encrypt', 'decrypt'];
export const SIZES = [256, 1024, 16 * 1024];

/** As many as the background hands to the codec at once (src/service/calls/batch.ts). */
export const TOGETHER = 16;
export const COUNTS = [1, TOGETHER];

/** Peers of the codec alone. */
export const FIREFOX_SYNC = 'firefox-sync (node:crypto)';
export const NOBLE = '@noble/ciphers and @noble/hashes';

export const recordRow = (operation: Operation, size: number, count: number): RowKey => ({
  algorithm: `${operation} ${count === 1 ? 'a v5 record' : `${count} v5 records`}`,
  size,
  unit: 'B',
});
