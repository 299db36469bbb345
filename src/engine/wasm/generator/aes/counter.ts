/**
 * Counter mode on bit planes. Work that neighbouring counter blocks share is done once.
 *
 * In a run of 256 blocks only the lowest byte of the counter changes. After round 1 only one column differs
 * between blocks, so that SubBytes of round 2 has 4 bytes for each block instead of 16: one evaluation serves
 * 32 blocks. Round 1 itself is a table of the counting byte (`prepareCounter`), indexed by the public
 * counter. The remaining parts of both rounds are the same for the whole run (`startRun`).
 *
 * Two kinds of counter blocks: kind 0 counts in the last four bytes, big-endian (SP 800-38A, GCM), kind 1 in
 * the first four, little-endian (GCM-SIV, RFC 8452, section 4).
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import {
  ALL_BUT_COLUMN,
  ALL_BUT_COUNT,
  COUNT_FACTORS,
  COUNT_PLANES,
  GATHER_COLUMN,
  GATHER_COUNTS,
  INTO_ORDER,
  OUT_OF_ORDER,
  REVERSE,
  SPREAD,
} from './constants.ts';
import {
  BLOCKS,
  CONTEXT,
  COUNTER,
  COUNTER_TABLE,
  PAIR_BYTES,
  ROUND_KEYS,
  RUN_COLUMN,
  RUN_STATE,
  SLICED_KEYS,
  STATES,
  VARYING,
} from './layout.ts';
import { Permuter } from './permute.ts';
import {
  addKey,
  doubled,
  loadRotations,
  mixColumns,
  PLANES,
  planeVariables,
  setPlanes,
  spreadBits,
  subBytes,
  wipePair,
} from './sliced.ts';
import type { Planes } from './sliced.ts';

/** Adds the exports of counter mode. */
export function counterFunctions(module: ModuleText, lookup: Lookup): void {
  prepareCounter(module, lookup);
  startRun(module, lookup);
  vary(module);
  counterMany(module, lookup);
  counterFew(module, lookup);
}

/** 16 bytes from a table by order (of 16 bytes each). */
const byOrder = (body: Body, table: number, order: I32): V128 =>
  body.let(v128.load(i32.shl(i32.and(order, 3), 4), table));

/** COUNTER_TABLE of a key, for counter blocks of one kind. */
function prepareCounter(module: ModuleText, lookup: Lookup): void {
  module.func('prepareCounter', { params: { kind: 'i32' } }, (body, { kind }) => {
    const order = i32.load(0, CONTEXT);
    const key = lookup(v128.load(0, ROUND_KEYS), byOrder(body, OUT_OF_ORDER, order));
    // Byte 15 or byte 0 of the first round key, in all lanes
    const place = i8x16.splat(i32.and(i32.sub(kind, 1), 15));
    const keyBits = spreadBits(body, body.let(lookup(key, place)));
    const factors = body.let(i32.shl(kind, 5));
    const odd = body.let(v128.load(factors, COUNT_FACTORS));
    const twice = body.let(v128.load(factors, COUNT_FACTORS + 16));
    const target = body.local('i32', COUNTER_TABLE);
    const high = body.local('v128');
    const half = body.local('i32', 2);
    body.loop(half, () => {
      // 128 counters: bit 7 is `high`, bits 3 … 6 the lane, bits 0 … 2 the bit of the lane.
      const counts = PLANES.map((i) => (i < 7 ? v128.load(0, COUNT_PLANES + 16 * i) : high));
      const planes = counts.map((count, i) => body.let(v128.xor(count, keyBits[i]!)));
      const substituted = subBytes(body, planes);
      const quarter = body.local('i32', 0);
      body.while(i32.ltU(quarter, 64), () => {
        const gather = body.let(v128.load(quarter, GATHER_COUNTS));
        const once = substituted.map((plane) => body.let(lookup(plane, gather)));
        doubled(body, once).forEach((plane, i) => {
          const sum = v128.xor(v128.and(once[i]!, odd), v128.and(plane, twice));
          body.store(target, sum, 16 * i);
        });
        body.set(target, i32.add(target, 128));
        body.set(quarter, i32.add(quarter, 16));
      });
      body.set(high, v128.not(high));
    });
  });
}

/** Computes RUN_STATE and RUN_COLUMN from COUNTER, for any value of its counting byte. */
function startRun(module: ModuleText, lookup: Lookup): void {
  const signature = { params: { kind: 'i32' }, exported: false } as const;
  module.func('startRun', signature, (body, { kind }) => {
    const order = body.local('i32', i32.load(0, CONTEXT));
    const state = planeVariables(body);
    const block = body.let(lookup(v128.load(0, COUNTER), byOrder(body, INTO_ORDER, order)));
    setPlanes(body, state, addKey(body, spreadBits(body, block), SLICED_KEYS));
    const constant = body.local('v128');
    const keptAt = i32.add(i32.shl(kind, 6), i32.shl(i32.and(order, 3), 4));
    body.set(constant, v128.load(keptAt, ALL_BUT_COUNT));
    const key = body.local('i32', SLICED_KEYS);
    const target = body.local('i32', RUN_STATE);
    const round = body.local('i32', 2);
    body.loop(round, () => {
      body.set(key, i32.add(key, 128));
      body.set(order, i32.sub(order, 1));
      const kept = subBytes(body, state).map((plane) => body.let(v128.and(plane, constant)));
      const mixed = mixColumns(body, lookup, kept, loadRotations(body, order));
      setPlanes(body, state, addKey(body, mixed, key));
      const gather = byOrder(body, GATHER_COLUMN, order);
      state.forEach((plane, i) => {
        body.store(target, plane, 16 * i);
        // Of round 1 only; round 2 overwrites values that are no longer needed.
        body.store(target, lookup(plane, gather), RUN_COLUMN - RUN_STATE + 16 * i);
      });
      body.set(target, i32.add(target, 128));
      body.set(constant, byOrder(body, ALL_BUT_COLUMN, order));
    });
  });
}

/** VARYING for the 32 blocks around a counter. */
function vary(module: ModuleText): void {
  const signature = { params: { counter: 'i32' }, exported: false } as const;
  module.func('vary', signature, (body, { counter }) => {
    const table = body.let(i32.shl(i32.and(counter, 0xe0), 2));
    const planes = PLANES.map((i) => {
      const column = v128.load(0, RUN_COLUMN + 16 * i);
      return body.let(v128.xor(v128.load(table, COUNTER_TABLE + 16 * i), column));
    });
    subBytes(body, planes).forEach((plane, i) => body.store(0, plane, VARYING + 16 * i));
  });
}

/** Big-endian to little-endian. */
function swapped(word: Expr<'i32'>): Expr<'i32'> {
  return i32.or(
    i32.and(i32.rotl(word, 8), 0x00ff_00ff),
    i32.and(i32.rotr(word, 8), 0xff00_ff00 | 0),
  );
}

/**
 * XORs key stream to pairs of groups, 16 blocks at once.
 *
 * COUNTER is a counter block whose counter is a multiple of 16, and is updated to the next pair's.
 */
function counterMany(module: ModuleText, lookup: Lookup): void {
  const params = { offset: 'i32', pairs: 'i32', kind: 'i32' } as const;
  module.func('counterMany', { params }, (body, { offset, pairs, kind }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    const counter = body.local('i32');
    body.if(
      kind,
      () => body.set(counter, i32.load(0, COUNTER)),
      () => body.set(counter, swapped(body.let(i32.load(0, COUNTER + 12)))),
    );
    const store = () => {
      body.if(
        kind,
        () => body.store(0, counter, COUNTER),
        () => body.store(0, swapped(counter), COUNTER + 12),
      );
    };
    const count = body.local('i32');
    const spread = body.let(i32.shl(i32.and(i32.sub(rounds, 2), 3), 5));
    body.while(pairs, () => {
      store();
      body.call('startRun', kind);
      body.call('vary', counter);
      const left = body.let(i32.sub(16, i32.and(i32.shrU(counter, 4), 15)));
      body.set(count, pairs);
      body.if(i32.ltU(left, pairs), () => body.set(count, left));
      body.set(pairs, i32.sub(pairs, count));
      body.loop(count, () => {
        const group = body.local('i32', 0);
        body.while(i32.ltU(group, PAIR_BYTES), () => {
          // The lanes of the group's blocks in VARYING
          const lanes = i32.add(i32.and(i32.shrU(counter, 1), 8), i32.shrU(group, 5));
          const place = body.let(i8x16.splat(lanes));
          const odd = body.let(i8x16.add(v128.load(spread, SPREAD), place));
          const twice = body.let(i8x16.add(v128.load(spread, SPREAD + 16), place));
          secondRound(body, lookup, odd, twice).forEach((plane, i) => {
            body.store(group, plane, STATES + 16 * i);
          });
          body.set(group, i32.add(group, 128));
        });
        body.call('encryptStates', 3);
        for (let i = 0; i < PAIR_BYTES; i += 16) {
          const stream = v128.load(0, BLOCKS + i);
          body.store(offset, v128.xor(stream, v128.load(offset, i)), i);
        }
        body.set(offset, i32.add(offset, PAIR_BYTES));
        body.set(counter, i32.add(counter, 16));
        body.if(i32.eqz(i32.and(counter, 31)), () => body.call('vary', counter));
      });
    });
    store();
    wipePair(body);
  });
}

/**
 * The state after round 2 of one group: the common part of the run, and the contributions of the varying
 * column.
 */
function secondRound(body: Body, lookup: Lookup, odd: V128, twice: V128): Planes {
  const varying = PLANES.map((i) => body.let(v128.load(0, VARYING + 16 * i)));
  const doubledPart = varying.map((plane) => body.let(lookup(plane, twice)));
  return doubled(body, doubledPart).map((plane, i) => {
    const constant = v128.load(0, RUN_STATE + 128 + 16 * i);
    return body.let(v128.xor(v128.xor(plane, constant), lookup(varying[i]!, odd)));
  });
}

/** XORs key stream to any number of blocks; best for few. Updates COUNTER. */
function counterFew(module: ModuleText, lookup: Lookup): void {
  const params = { offset: 'i32', blocks: 'i32', kind: 'i32' } as const;
  module.func('counterFew', { params }, (body, { offset, blocks, kind }) => {
    const permuter = new Permuter(body, lookup);
    // Counts in little-endian words: for kind 0 the whole block is reversed.
    const orderOfKind = body.let(v128.load(i32.shl(kind, 4), REVERSE));
    const order = body.let(lookup(orderOfKind, permuter.intoOrder()));
    const counter = body.local('v128', lookup(v128.load(0, COUNTER), orderOfKind));
    const one = body.let(i32x4.replace(0, i32x4.splat(0), 1));
    const turn = (states: readonly Local<'v128'>[]) => {
      for (const state of states) {
        body.set(state, v128.xor(permuter.hold(lookup(counter, order)), permuter.firstKey));
        body.set(counter, i32x4.add(counter, one));
      }
      permuter.encrypt(states);
      states.forEach((state, i) => {
        body.store(offset, v128.xor(state, v128.load(offset, 16 * i)), 16 * i);
      });
      body.set(offset, i32.add(offset, 16 * states.length));
      body.set(blocks, i32.sub(blocks, states.length));
    };
    const states = [0, 1, 2, 3].map(() => body.local('v128'));
    body.while(i32.geU(blocks, 4), () => turn(states));
    body.while(i32.geU(blocks, 2), () => turn(states.slice(0, 2)));
    body.if(blocks, () => turn(states.slice(0, 1)));
    body.store(0, lookup(counter, orderOfKind), COUNTER);
  });
}
