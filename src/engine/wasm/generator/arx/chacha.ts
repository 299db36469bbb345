/** ChaCha20 (RFC 8439, section 2.3) on four or eight blocks at once, and the subkeys of XChaCha20. */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, V128 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import { addGroup, counters, groupVariables, loadGroup, rotated } from './group.ts';
import type { Words } from './group.ts';
import { GROUP_BYTES, PAIR_BYTES, ROTATE_16, ROTATE_8, STATE, STATE_COUNTER } from './layout.ts';

const COUNTER_WORD = 12;
/** Column and diagonal rounds together: 20 rounds (RFC 8439, section 2.3). */
export const DOUBLE_ROUNDS = 10;

/** Adds the exports of ChaCha20 and HChaCha20. */
export function chachaFunctions(module: ModuleText, lookup: Lookup): void {
  chacha(module, lookup);
  hchacha(module, lookup);
}

/**
 * XORs key stream to whole groups of 256 bytes. Updates the counter of STATE.
 *
 * The rounds of one group are a chain of dependent instructions, with idle slots in between. Two groups fill
 * them, although their words do not fit into the registers.
 */
function chacha(module: ModuleText, lookup: Lookup): void {
  const params = { offset: 'i32', groups: 'i32' } as const;
  module.func('chacha', { params }, (body, { offset, groups }) => {
    const turn = (work: ChachaGroups) => {
      work.begin();
      const count = body.local('i32', DOUBLE_ROUNDS);
      body.loop(count, () => work.doubleRound());
      work.end(offset);
    };
    const two = new ChachaGroups(body, lookup, 2);
    const pairs = body.local('i32', i32.shrU(groups, 1));
    body.loop(pairs, () => {
      turn(two);
      body.set(offset, i32.add(offset, PAIR_BYTES));
    });
    body.if(i32.and(groups, 1), () => turn(new ChachaGroups(body, lookup, 1)));
  });
}

/** The work on one or two groups in three parts, so that other work can be interleaved with the rounds. */
export class ChachaGroups {
  private readonly body: Body;
  private readonly lookup: Lookup;
  private readonly byteOrders: readonly [V128, V128];
  private readonly groups: readonly Words[];
  /** The counters of each group. */
  private own: readonly ReadonlyMap<number, V128>[] = [];

  constructor(body: Body, lookup: Lookup, count: 1 | 2) {
    this.body = body;
    this.lookup = lookup;
    this.byteOrders = loadByteOrders(body);
    this.groups = Array.from({ length: count }, () => groupVariables(body));
  }

  begin(): void {
    this.own = this.groups.map(
      (_, index) => new Map([[COUNTER_WORD, counters(this.body, COUNTER_WORD, index)]]),
    );
    this.groups.forEach((words, i) => loadGroup(this.body, words, this.own[i]!));
  }

  /** Columns, then diagonals. */
  doubleRound(): void {
    for (const turn of [0, 1]) {
      for (const words of this.groups) {
        const quarters = [0, 1, 2, 3].map((i) =>
          [0, 1, 2, 3].map((row) => words[4 * row + ((i + turn * row) & 3)]!),
        );
        quarterRounds(this.body, this.lookup, this.byteOrders, quarters);
      }
    }
  }

  /** XORs the key stream to 256 bytes for each group, and increments the counters. */
  end(target: Expr<'i32'>): void {
    this.groups.forEach((words, i) => {
      addGroup(this.body, words, this.own[i]!, target, GROUP_BYTES * i);
    });
    const counter = i32.load(0, STATE_COUNTER);
    this.body.store(0, i32.add(counter, 4 * this.groups.length), STATE_COUNTER);
  }
}

function loadByteOrders(body: Body): readonly [V128, V128] {
  return [body.let(v128.load(0, ROTATE_16)), body.let(v128.load(0, ROTATE_8))];
}

/** QUARTERROUND (section 2.1) on several quarters side by side, so that they do not wait for each other. */
function quarterRounds(
  body: Body,
  lookup: Lookup,
  [by16, by8]: readonly [V128, V128],
  quarters: readonly (readonly Local<'v128'>[])[],
): void {
  const step = (sum: number, addend: number, word: number, rotate: (x: V128) => V128) => {
    for (const q of quarters) body.set(q[sum]!, i32x4.add(q[sum]!, q[addend]!));
    for (const q of quarters) body.set(q[word]!, rotate(v128.xor(q[word]!, q[sum]!)));
  };
  step(0, 1, 3, (x) => lookup(x, by16));
  step(2, 3, 1, (x) => rotated(body, x, 12));
  step(0, 1, 3, (x) => lookup(x, by8));
  step(2, 3, 1, (x) => rotated(body, x, 7));
}

/**
 * HChaCha20 (draft-irtf-cfrg-xchacha-03, section 2.2) of STATE: replaces the key by its subkey. A single
 * block is in four vectors, one row of the matrix each.
 */
function hchacha(module: ModuleText, lookup: Lookup): void {
  module.func('hchacha', {}, (body) => {
    const rows = [0, 1, 2, 3].map((i) => body.local('v128', v128.load(0, STATE + 16 * i)));
    const byteOrders = loadByteOrders(body);
    const turned = (row: number, by: number) => {
      const order = Array.from({ length: 16 }, (_, i) => (i + 4 * by) & 15);
      body.set(rows[row]!, i8x16.shuffle(rows[row]!, rows[row]!, order));
    };
    const count = body.local('i32', DOUBLE_ROUNDS);
    body.loop(count, () => {
      quarterRounds(body, lookup, byteOrders, [rows]);
      // Row i rotates by i lanes, so that the diagonals become columns, and back.
      for (const row of [1, 2, 3]) turned(row, row);
      quarterRounds(body, lookup, byteOrders, [rows]);
      for (const row of [1, 2, 3]) turned(row, -row);
    });
    body.store(0, rows[0]!, STATE + 16);
    body.store(0, rows[3]!, STATE + 32);
  });
}
