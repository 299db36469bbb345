import { equal, concat, u16be, u64be } from '../../crypto/bytes.ts';
import type { Reading, Replicas } from './replicas.ts';
import { HEADS, headName } from '../vault/value-names.ts';
import { frameValue, unframeValue } from './checksummed-value.ts';

/** What the head slots of both stores say together. */
export interface Heads {
  /** The newest head that any store holds. */
  readonly best: Head | undefined;
  /**
   * Whether every slot has an undamaged copy somewhere. If not, the newest head may be the one that
   * is gone, and `best` an older one.
   */
  readonly whole: boolean;
  /** Whether all stores that are present hold the same, undamaged. */
  readonly settled: boolean;
  /** The newest undamaged copy of each slot. */
  readonly slots: ReadonlyMap<string, Head | undefined>;
}

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

/** What both slots should hold when `head` is the newest; a slot without a past points to it too. */
export function slotsFor(head: Head, { slots }: Heads): Map<string, Uint8Array> {
  const wanted = HEADS.map((name): [string, Uint8Array] => {
    const past = slots.get(name);
    const isPast = past !== undefined && past.generation < head.generation;
    return [name, encodeHead(name, isPast && name !== headName(head.generation) ? past : head)];
  });
  return new Map(wanted);
}

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

/**
 * A head: which generation of the vault counts. There are two slots, written in turn, so that a
 * torn write of one leaves the other; moving a head is the moment at which a commit has happened.
 *
 * Body: schema u16 ‖ generation u64 ‖ SHA-256 of the sealed manifest (32).
 */
export interface Head {
  readonly schema: number;
  readonly generation: number;
  readonly manifestHash: Uint8Array;
}

const HASH_BYTES = 32;
const BODY_BYTES = 2 + 8 + HASH_BYTES;

export function encodeHead(name: string, head: Head): Uint8Array {
  const body = concat(u16be(head.schema), u64be(head.generation), head.manifestHash);
  return frameValue(name, body);
}

/** Undefined where the value is damaged or was another slot's. */
export function parseHead(name: string, value: Uint8Array): Head | undefined {
  const body = unframeValue(name, value);
  if (body?.length !== BODY_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  return {
    schema: view.getUint16(0),
    generation: Number(view.getBigUint64(2)),
    manifestHash: body.slice(10),
  };
}
