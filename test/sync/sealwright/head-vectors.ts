/* The vectors of heads, vectors/heads.json, generated once by scripts/make-head-vectors.ts. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fromHex } from '../../../src/crypto/bytes.ts';
import type { SealedItem } from '../../../src/sync/sealwright/checkpoint.ts';
import {
  digestKey,
  digestOf,
  type Chunk,
  type Digest,
  type Head,
} from '../../../src/sync/sealwright/head-layout.ts';

/** Checkpoints of one device, one after the other. Keys are hex, the newest first. */
export interface HeadVectors {
  readonly collection: string;
  readonly device: string;
  readonly keys: readonly string[];
  /** For each checkpoint what was written; payload null: deleted. */
  readonly records: readonly (readonly {
    readonly id: string;
    readonly payload: string | null;
    readonly generation: number;
  }[])[];
  readonly checkpoints: readonly {
    readonly head: SealedItem & { readonly content: Head };
    readonly chunks: readonly (SealedItem & { readonly content: Chunk })[];
  }[];
}

/** Reads the vectors. */
export function readHeadVectors(): HeadVectors {
  const file = new URL('vectors/heads.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as HeadVectors;
}

/** Digests by Node's HMAC. @param first the key of the first generation, hex */
export function digester(first: string, collection: string) {
  const key = digestKey(fromHex(first), collection);
  return (texts: readonly Uint8Array[]): Digest[] =>
    texts.map((text) => digestOf(createHmac('sha256', key).update(text).digest()));
}
