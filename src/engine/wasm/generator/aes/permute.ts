/**
 * AES by vector permutation: one block in one vector, S-box and MixColumns by look-ups (tower.ts has the
 * mathematics). The fastest implementation for a single block, and so for serial modes; several blocks at
 * once fill the pipelines.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i64x2, v128 } from '../dsl/expression.ts';
import type { Expr, V128 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import {
  HOLD,
  INTO_ORDER,
  INVERSION,
  LOW_NIBBLES,
  OUTPUT_ONCE,
  OUTPUT_PLAIN,
  OUTPUT_THRICE,
  OUTPUT_TWICE,
  ROTATIONS,
  ROTATIONS_BYTES,
} from './constants.ts';
import { CONTEXT, PERMUTE_KEYS } from './layout.ts';

/** An inverted byte, as two indices. */
export interface Inverted {
  readonly io: V128;
  readonly jo: V128;
}
type Table = readonly [V128, V128];

/** Inputs of one round: its key, and the look-ups that rotate rows by one, two and three. */
interface Round {
  readonly key: V128;
  readonly first: V128;
  readonly second: V128;
  readonly third: V128;
}

/** Constants that a function keeps in registers to encrypt by permutation. */
export class Permuter {
  readonly rounds: Expr<'i32'>;
  readonly firstKey: V128;
  readonly lastKey: V128;
  private readonly body: Body;
  private readonly lookup: Lookup;
  private readonly low: V128;
  private readonly holdTable: Table;
  private readonly inversion: Table;
  private readonly once: Table;
  private readonly twice: Table;
  private readonly thrice: Table | undefined;
  private readonly plainTable: Table;

  /**
   * @param serial each block depends on the previous one: minimises the depth of a round instead of the
   * number of its instructions
   */
  constructor(body: Body, lookup: Lookup, serial = false) {
    this.body = body;
    this.lookup = lookup;
    const table = (offset: number): Table => [
      body.let(v128.load(0, offset)),
      body.let(v128.load(0, offset + 16)),
    ];
    this.low = body.let(v128.load(0, LOW_NIBBLES));
    this.holdTable = table(HOLD);
    this.inversion = table(INVERSION);
    this.once = table(OUTPUT_ONCE);
    this.twice = table(OUTPUT_TWICE);
    this.thrice = serial ? table(OUTPUT_THRICE) : undefined;
    this.plainTable = table(OUTPUT_PLAIN);
    this.rounds = body.let(i32.load(0, CONTEXT));
    this.firstKey = body.let(v128.load(0, PERMUTE_KEYS));
    this.lastKey = body.let(v128.load(i32.shl(this.rounds, 4), PERMUTE_KEYS));
  }

  /** The look-up that permutes blocks into the order of the first round. */
  intoOrder(): V128 {
    const order = i32.and(this.rounds, 3);
    return this.body.let(v128.load(i32.shl(order, 4), INTO_ORDER));
  }

  /** Converts to the representation (i, k). */
  hold(x: V128): V128 {
    const { low, high } = this.halves(x);
    return this.sum(this.holdTable, low, high);
  }

  /** S(x) ⊕ 0x63 in the standard representation, of bytes in the representation (i, k). */
  substitute(held: V128): V128 {
    const { io, jo } = this.invert(held);
    return this.sum(this.plainTable, io, jo);
  }

  /**
   * All rounds, side by side, on states to which the first round key was added. Results are in natural order.
   */
  encrypt(states: readonly Local<'v128'>[]): void {
    for (const [i, last] of this.allButLast(states).entries()) {
      this.body.set(states[i]!, this.plain(last));
    }
  }

  /** Ends with the inversion in the last round, whose results are `plain` and `held`. */
  allButLast(states: readonly Local<'v128'>[]): Inverted[] {
    const { body } = this;
    const key = body.local('i32', PERMUTE_KEYS);
    const count = body.local('i32', i32.sub(this.rounds, 1));
    body.loop(count, () => {
      body.set(key, i32.add(key, 16));
      // In round t, count is Nr - t: the order of its lanes.
      const rotation = body.let(i32.mul(i32.and(count, 3), ROTATIONS_BYTES));
      const round: Round = {
        key: body.let(v128.load(key)),
        first: body.let(v128.load(rotation, ROTATIONS)),
        second: body.let(v128.load(rotation, ROTATIONS + 16)),
        third: body.let(v128.load(rotation, ROTATIONS + 32)),
      };
      const inverted = states.map((state) => this.invert(state));
      states.forEach((state, i) => body.set(state, this.mix(inverted[i]!, round)));
    });
    return states.map((state) => this.invert(state));
  }

  /** The last round's result, as bytes. */
  plain({ io, jo }: Inverted): V128 {
    return v128.xor(this.sum(this.plainTable, io, jo), this.lastKey);
  }

  /** The last round's result in the representation (i, k) and without its key, for chains. */
  heldWithoutKey({ io, jo }: Inverted): V128 {
    return this.sum(this.once, io, jo);
  }

  /** SubBytes, MixColumns and AddRoundKey: 2·a_r + 3·a_{r+1} + a_{r+2} + a_{r+3} + key. */
  private mix({ io, jo }: Inverted, { key, first, second, third }: Round): V128 {
    const { body, lookup, thrice } = this;
    const once = body.let(this.sum(this.once, io, jo));
    const twice = this.sum(this.twice, io, jo);
    if (thrice !== undefined) {
      const keyed = body.let(v128.xor(twice, key));
      const next = v128.xor(keyed, lookup(this.sum(thrice, io, jo), first));
      return v128.xor(next, v128.xor(lookup(once, second), lookup(once, third)));
    }
    // 2·a_r + a_{r+1}; the next row's value is 2·a_{r+1} + a_{r+2}
    const pair = body.let(v128.xor(twice, lookup(once, first)));
    const keyed = body.let(v128.xor(lookup(once, third), key));
    return v128.xor(v128.xor(pair, keyed), lookup(pair, first));
  }

  private invert(held: V128): Inverted {
    const { body, lookup } = this;
    const [inverse, quotient] = this.inversion;
    const { low: k, high: i } = this.halves(held);
    const j = body.let(v128.xor(k, i));
    const ak = body.let(lookup(quotient, k));
    const iak = body.let(v128.xor(lookup(inverse, i), ak));
    const jak = body.let(v128.xor(lookup(inverse, j), ak));
    const io = body.let(v128.xor(lookup(inverse, iak), j));
    const jo = body.let(v128.xor(lookup(inverse, jak), i));
    return { io, jo };
  }

  private halves(bytes: V128): { readonly low: V128; readonly high: V128 } {
    const { body } = this;
    const x = body.let(bytes);
    const low = body.let(v128.and(x, this.low));
    // 64-bit lanes, because there are no shifts of bytes; bits that cross bytes are masked.
    const high = body.let(v128.and(i64x2.shrU(x, 4), this.low));
    return { low, high };
  }

  private sum([first, second]: Table, a: V128, b: V128): V128 {
    return v128.xor(this.lookup(first, a), this.lookup(second, b));
  }
}
