/*
 * Heads: which generation of the vault counts. There are two slots, written in turn, so that a torn
 * write of one leaves the other. A commit has happened when its head is written.
 *
 * A head has a MAC under the vault key, because one of the stores may be written by others than the
 * vault. What one store holds never hides the newest authentic head of the other.
 */
import { concat, equal, u16be, u64be, utf8, wipe } from '../../crypto/bytes.ts';
import { SHA256 } from '../../crypto/hash/sha256.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import { hmac } from '../../crypto/mac/hmac.ts';
import { NEWEST_SCHEMA } from '../values/record.ts';
import { HEADS, headName } from '../values/value-names.ts';
import type { SealingKey } from '../values/vault-seal.ts';
import { frameValue, unframeValue } from '../values/checksummed-value.ts';
import type { Reading, Replicas } from './replicas.ts';

const HASH_BYTES = 32;
const MAC_BYTES = 32;
const FIELDS_BYTES = 2 + 8 + HASH_BYTES;
const BODY_BYTES = FIELDS_BYTES + MAC_BYTES;

/**
 * The head of one generation. Stored in the frame of checksummed-value.ts as
 *
 *     schema u16 ‖ generation u64 ‖ SHA-256 of the sealed manifest (32) ‖ MAC (32)
 *
 * The MAC is HMAC-SHA-256 over vault id ‖ stored name ‖ 00 ‖ all before it. Earlier versions wrote
 * no MAC. A later schema keeps these 74 bytes and may add others.
 */
export interface Head {
  readonly schema: number;
  readonly generation: number;
  /** 32 bytes. */
  readonly manifestHash: Uint8Array;
}

/** The newest head of a store. It counts where its manifest verifies. */
export interface Candidate {
  readonly head: Head;
  /** False for a head without a MAC, of an earlier version. */
  readonly isAuthentic: boolean;
  /** Whether both slots of that store are undamaged, so that it had no newer head. */
  readonly isSound: boolean;
}

/** What the head slots of all stores hold. */
export interface Heads {
  /** The newest head of each store, without repetition, the newest first. */
  readonly candidates: readonly Candidate[];
  /**
   * Whether every slot has an undamaged copy in some store. If not, the newest head may be lost, and
   * the candidates may be older ones.
   */
  readonly whole: boolean;
  /** Whether all stores that are present hold the same, undamaged and authentic. */
  readonly settled: boolean;
  /**
   * Whether a later version wrote the newest generation: 'claimed' where a store says so that
   * another one contradicts, and no MAC shows it.
   */
  readonly newer: 'no' | 'claimed' | 'certain';
  /** The newest authentic copy of each slot. */
  readonly slots: ReadonlyMap<string, Head | undefined>;
}

type Copy =
  | { readonly kind: 'authentic' | 'without MAC'; readonly head: Head }
  | { readonly kind: 'newer'; readonly head: Head; readonly isAuthentic: boolean }
  | { readonly kind: 'damaged' | 'unreadable' };

/** Reads both head slots from all stores that are present. */
export async function readHeads(
  replicas: Pick<Replicas, 'copiesOf'>,
  key: SealingKey,
): Promise<Heads> {
  const readings = await replicas.copiesOf(HEADS);
  const stores = readings.map((copies) => HEADS.map((name, i) => copyOf(key, name, copies[i]!)));
  const trusted = stores.map(withoutDoubtful);
  const bySlot = HEADS.map((_, i) => trusted.map((copies) => copies[i]!));
  return {
    candidates: candidatesOf(trusted),
    whole: bySlot.every((copies) => copies.some((copy) => headOf(copy) !== undefined)),
    settled: bySlot.every(areSettled),
    newer: newerIn(trusted),
    slots: new Map(HEADS.map((name, i) => [name, newest(bySlot[i]!.map(authenticHeadOf))])),
  };
}

/** Where a store has an authentic head, one without a MAC is not from an earlier version. */
function withoutDoubtful(copies: readonly Copy[]): Copy[] {
  const hasAuthentic = copies.some(({ kind }) => kind === 'authentic');
  return copies.map((copy) =>
    hasAuthentic && copy.kind === 'without MAC' ? { kind: 'damaged' } : copy,
  );
}

function candidatesOf(stores: readonly (readonly Copy[])[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const copies of stores) {
    const head = newest(copies.map(headOf));
    if (head === undefined || isNewer(copies)) continue;
    const isSound = copies.every((copy) => headOf(copy) !== undefined);
    const isAuthentic = copies.some(({ kind }) => kind === 'authentic');
    candidates.push({ head, isAuthentic, isSound });
  }
  const distinct = candidates.filter(
    ({ head }, i) => !candidates.slice(0, i).some((before) => sameHead(before.head, head)),
  );
  return distinct.sort((a, b) => b.head.generation - a.head.generation);
}

function areSettled(copies: readonly Copy[]): boolean {
  const [first, ...others] = copies.map(authenticHeadOf);
  return first !== undefined && others.every((head) => head !== undefined && sameHead(head, first));
}

/** A store that does not answer contradicts nothing. */
function newerIn(stores: readonly (readonly Copy[])[]): Heads['newer'] {
  const readable = stores.filter((copies) => copies.some(({ kind }) => kind !== 'unreadable'));
  const newer = readable.filter(isNewer);
  if (newer.length === 0) return 'no';
  const isShown = newer.flat().some((copy) => copy.kind === 'newer' && copy.isAuthentic);
  return isShown || newer.length === readable.length ? 'certain' : 'claimed';
}

/** Whether the newest head of a store is of a later version. */
function isNewer(copies: readonly Copy[]): boolean {
  const own = newest(copies.map(headOf))?.generation ?? 0;
  return copies.some((copy) => copy.kind === 'newer' && copy.head.generation > own);
}

function authenticHeadOf(copy: Copy): Head | undefined {
  return copy.kind === 'authentic' ? copy.head : undefined;
}

function headOf(copy: Copy): Head | undefined {
  return copy.kind === 'authentic' || copy.kind === 'without MAC' ? copy.head : undefined;
}

/**
 * What both slots should hold, by name, when `head` is the newest: the other slot keeps an older
 * head, or gets this one.
 */
export function slotsFor(key: SealingKey, head: Head, { slots }: Heads): Map<string, Uint8Array> {
  const slotValues = HEADS.map((name): [string, Uint8Array] => {
    const past = slots.get(name);
    const isPast = past !== undefined && past.generation < head.generation;
    const isOther = name !== headName(head.generation);
    return [name, encodeHead(key, name, isPast && isOther ? past : head)];
  });
  return new Map(slotValues);
}

/** Whether both name the same generation with the same manifest. */
export function sameHead(a: Head, b: Head): boolean {
  return a.generation === b.generation && equal(a.manifestHash, b.manifestHash);
}

function newest(heads: readonly (Head | undefined)[]): Head | undefined {
  return heads.reduce((best, head) => {
    return head !== undefined && (best === undefined || head.generation > best.generation)
      ? head
      : best;
  }, undefined);
}

/** @param name the stored name of the slot */
export function encodeHead(key: SealingKey, name: string, head: Head): Uint8Array {
  const fields = concat(u16be(head.schema), u64be(head.generation), head.manifestHash);
  return frameValue(name, concat(fields, macOf(key, name, fields)));
}

/** Damaged are also a head that was stored under another slot's name, and one with a wrong MAC. */
function copyOf(key: SealingKey, name: string, reading: Reading): Copy {
  if (reading.state === 'unreadable') return { kind: 'unreadable' };
  const body = reading.state === 'present' ? unframeValue(name, reading.bytes) : undefined;
  if (body === undefined || body.length < FIELDS_BYTES) return { kind: 'damaged' };
  const head = parseFields(body);
  if (!Number.isSafeInteger(head.generation)) return { kind: 'damaged' };
  const mac = macOf(key, name, body.subarray(0, FIELDS_BYTES));
  const isAuthentic = equal(mac, body.subarray(FIELDS_BYTES, BODY_BYTES));
  if (head.schema > NEWEST_SCHEMA) return { kind: 'newer', head, isAuthentic };
  if (body.length === FIELDS_BYTES) return { kind: 'without MAC', head };
  const isOurs = isAuthentic && body.length === BODY_BYTES;
  return isOurs ? { kind: 'authentic', head } : { kind: 'damaged' };
}

function parseFields(body: Uint8Array): Head {
  const view = new DataView(body.buffer, body.byteOffset);
  return {
    schema: view.getUint16(0),
    generation: Number(view.getBigUint64(2)),
    manifestHash: body.slice(10, FIELDS_BYTES),
  };
}

function macOf({ key, keyId }: SealingKey, name: string, fields: Uint8Array): Uint8Array {
  const macKey = hkdfExpand(SHA512, key, utf8('SWM1 vault head'), MAC_BYTES);
  const mac = hmac(SHA256, macKey, keyId, utf8(`${name}\0`), fields);
  wipe(macKey);
  return mac;
}
