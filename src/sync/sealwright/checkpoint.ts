import type { Awaitable } from '../../engine/contract.ts';
import {
  chunkId,
  encodeChunk,
  encodeHead,
  headId,
  HEADS_BEFORE,
  type Digest,
} from './head-layout.ts';
import { changedLeaves, sealedLeaf, type Change, type Leaf, type OwnList } from './own-list.ts';

/** A head or a chunk, as the server stores it. */
export interface SealedItem {
  readonly id: string;
  /** An armored message, in ASCII. */
  readonly payload: string;
}

/** What a checkpoint needs of cryptography. */
export interface CheckpointCrypto {
  /** Seals the content of a head or a chunk. @returns the armored message, in ASCII */
  readonly seal: (id: string, content: Uint8Array) => Promise<Uint8Array>;
  /** Of texts in UTF-8, in their order. */
  readonly digests: (texts: readonly Uint8Array[]) => Awaitable<readonly Digest[]>;
}

/** What the server is to store, and what the device is to keep. */
export interface Checkpoint {
  readonly head: SealedItem;
  /** To be stored before the head. */
  readonly chunks: readonly SealedItem[];
  readonly list: OwnList;
}

/**
 * The next head of a device, after it has written or deleted records.
 *
 * @param at ms since the epoch
 * @throws TooManyError for more records than a device can list
 */
export async function checkpoint(
  list: OwnList,
  changes: readonly Change[],
  at: number,
  { seal, digests }: CheckpointCrypto,
): Promise<Checkpoint> {
  const { device } = list;
  const count = list.count + 1;
  const { leaves, toSeal } = changedLeaves(list.leaves, changes, at);
  const numbers = [...toSeal];
  const texts = await Promise.all(
    numbers.map((number) => seal(chunkId(device, number), chunkOf(leaves[number]!, count))),
  );
  const after = [...leaves];
  const digestsOf = await digests(texts);
  numbers.forEach((number, i) => (after[number] = sealedLeaf(after[number]!, digestsOf[i]!)));
  const chunks = after.map(({ versions }) => versions[0]!);
  const head = await seal(headId(device), encodeHead({ count, before: list.heads, chunks }));
  const [digest] = await digests([head]);
  return {
    head: itemOf(headId(device), head),
    chunks: numbers.map((number, i) => itemOf(chunkId(device, number), texts[i]!)),
    list: {
      ...list,
      count,
      heads: [digest!, ...list.heads].slice(0, HEADS_BEFORE),
      leaves: after,
    },
  };
}

function chunkOf({ versions, entries }: Leaf, count: number): Uint8Array {
  const ordered = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return encodeChunk({ count, before: versions, entries: ordered });
}

function itemOf(id: string, text: Uint8Array): SealedItem {
  return { id, payload: new TextDecoder().decode(text) };
}
