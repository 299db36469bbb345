/*
 * Heads: which generation of the vault counts. There are two slots, written in turn, so that a torn
 * write of one leaves the other. A commit has happened when its head is written.
 */
import { concat, equal, u16be, u64be } from '../../crypto/bytes.ts';
import { HEADS, headName } from '../vault/value-names.ts';
import { frameValue, unframeValue } from './checksummed-value.ts';
import type { Reading, Replicas } from './replicas.ts';

const HASH_BYTES = 32;
const BODY_BYTES = 2 + 8 + HASH_BYTES;

/**
 * The head of one generation. Stored as schema u16 ‖ generation u64 ‖ SHA-256 of the sealed manifest (32),
 * in the frame of checksummed-value.ts.
 */
export interface Head {
  readonly schema: number;
  readonly generation: number;
  /** 32 bytes. */
  readonly manifestHash: Uint8Array;
}

/** What the head slots of both stores hold. */
export interface Heads {
  /** The newest head that any store holds. */
  readonly best: Head | undefined;
  /**
   * Whether every slot has an undamaged copy in some store. If not, the newest head may be lost, and
   * `best` may be an older one.
   */
  readonly whole: boolean;
  /** Whether all stores that are present hold the same, undamaged. */
  readonly settled: boolean;
  /** The newest undamaged copy of each slot. */
  readonly slots: ReadonlyMap<string, Head | undefined>;
}

/** Reads both head slots from all stores that are present. */
export async function readHeads(replicas: Replicas): Promise<Heads> {
  const slots = new Map<string, Head | undefined>();
  let settled = true;
  for (const name of HEADS) {
    const copies = (await replicas.copies(name)).map((reading) => parse(name, reading));
    const [first] = copies;
    settled &&= first !== undefined && copies.every((copy) => copy && sameHead(first, copy));
    slots.set(name, newest(copies));
  }
  const found = [...slots.values()];
  return { best: newest(found), whole: !found.includes(undefined), settled, slots };
}

/**
 * What both slots should hold, by name, when `head` is the newest: the other slot keeps an older
 * head, or gets this one.
 */
export function slotsFor(head: Head, { slots }: Heads): Map<string, Uint8Array> {
  const slotValues = HEADS.map((name): [string, Uint8Array] => {
    const past = slots.get(name);
    const isPast = past !== undefined && past.generation < head.generation;
    return [name, encodeHead(name, isPast && name !== headName(head.generation) ? past : head)];
  });
  return new Map(slotValues);
}

/** Whether both name the same generation with the same manifest. */
export function sameHead(a: Head, b: Head): boolean {
  return a.generation === b.generation && equal(a.manifestHash, b.manifestHash);
}

function parse(name: string, reading: Reading): Head | undefined {
  return reading.state === 'present' ? parseHead(name, reading.bytes) : undefined;
}

function newest(heads: readonly (Head | undefined)[]): Head | undefined {
  return heads.reduce((best, head) => {
    return head !== undefined && (best === undefined || head.generation > best.generation)
      ? head
      : best;
  }, undefined);
}

/** @param name the stored name of the slot */
export function encodeHead(name: string, head: Head): Uint8Array {
  const body = concat(u16be(head.schema), u64be(head.generation), head.manifestHash);
  return frameValue(name, body);
}

/** Undefined where the value is damaged, or was stored under another slot's name. */
export function parseHead(name: string, value: Uint8Array): Head | undefined {
  const body = unframeValue(name, value);
  if (body?.length !== BODY_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  const generation = Number(view.getBigUint64(2));
  if (!Number.isSafeInteger(generation)) return undefined;
  return { schema: view.getUint16(0), generation, manifestHash: body.slice(10) };
}
