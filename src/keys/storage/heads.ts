import { equal } from '../../crypto/bytes.ts';
import { encodeHead, parseHead } from './head.ts';
import type { Head } from './head.ts';
import type { Reading, Replicas } from './replicas.ts';
import { HEADS, headName } from '../vault/value-names.ts';

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
