import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { createSHA256 } from 'hash-wasm';
import type { WasmHashes } from '../../src/engine/wasm/hash/hashes.ts';
import { sha256Many } from '../../src/engine/wasm/hash/sha256-many.ts';
import { pattern } from '../pattern.ts';
import type { Entry, RowPlan } from '../row.ts';
import { WASM } from '../names.ts';

export const FOUR_STREAMS = 'SHA-256 of four messages';

/** Four messages of one length: ours hashes them side by side, others one after the other. */
export function fourStreamsRow(hashes: WasmHashes, size: number): RowPlan {
  const messages = [3, 4, 5, 6].map((seed) => pattern(size, seed));
  const bytes = (result: unknown) =>
    Uint8Array.from((result as Uint8Array[]).flatMap((digest) => [...digest]));
  const entries: Entry[] = [
    {
      name: WASM,
      kind: 'ours',
      prepare: () => ({ run: () => sha256Many(hashes.sha, messages), bytes }),
    },
    {
      name: 'hash-wasm',
      kind: 'wasm',
      prepare: async () => {
        const hasher = await createSHA256();
        const digest = (message: Uint8Array) => hasher.init().update(message).digest('binary');
        return { run: () => messages.map(digest), bytes };
      },
    },
    {
      name: '@noble/hashes',
      kind: 'pure js',
      prepare: () => ({ run: () => messages.map((message) => nobleSha256(message)), bytes }),
    },
  ];
  return { algorithm: FOUR_STREAMS, size, unit: 'B', bytes: 4 * size, entries };
}
