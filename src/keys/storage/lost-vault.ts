import { equal } from '../../crypto/bytes.ts';
import type { Replicas } from './replicas.ts';
import { encodeSlot, parseSlot } from '../unlock/slots.ts';
import type { Slot } from '../unlock/slots.ts';
import {
  EXISTS,
  FRESH,
  isSetAside,
  isSlot,
  isVaultValue,
  manifestGeneration,
} from '../vault/value-names.ts';
import { parseTombstone } from './tombstone.ts';
import type { Tombstone } from './tombstone.ts';

/** What can be known of a vault without its key. */
export interface Survey {
  readonly state: 'absent' | 'lost' | 'present';
  readonly tombstone: Tombstone | undefined;
  /** Undamaged slots, newest first. */
  readonly slots: readonly Slot[];
}

/**
 * Nothing counts as "no vault" but two stores that both answer, and hold nothing of one; or one that
 * holds the mark of a fresh installation, which goes when a vault is made. A store that throws, or
 * any leftover, be it set aside, means that there was a vault: lost, until it can be opened.
 */
export async function survey(replicas: Replicas): Promise<Survey> {
  const listed = await replicas.inventory(isTelling);
  const names = new Set([...listed.names].filter(isVaultValue));
  if (names.size === 0) {
    const wasThere = [...listed.names].some(isSetAside);
    const isAbsent = !wasThere && (listed.complete || listed.names.has(FRESH));
    return { state: isAbsent ? 'absent' : 'lost', tombstone: undefined, slots: [] };
  }
  const tombstone = (await replicas.find(EXISTS, parseTombstone))?.value;
  const slots = await readSlots(replicas, [...names].filter(isSlot));
  const manifests = [...names].some((name) => manifestGeneration(name) !== undefined);
  return { state: slots.length > 0 && manifests ? 'present' : 'lost', tombstone, slots };
}

const isTelling = (name: string): boolean =>
  isVaultValue(name) || isSetAside(name) || name === FRESH;

async function readSlots(replicas: Replicas, names: readonly string[]): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (const name of names) {
    // Both copies, should they differ: a checksum does not prove which one is right.
    for (const reading of await replicas.copies(name)) {
      const slot = reading.state === 'present' ? parseSlot(name, reading.bytes) : undefined;
      if (slot !== undefined && !slots.some((known) => sameSlot(known, slot))) slots.push(slot);
    }
  }
  return slots.sort((a, b) => b.created - a.created);
}

function sameSlot(a: Slot, b: Slot): boolean {
  return equal(encodeSlot(a), encodeSlot(b));
}
