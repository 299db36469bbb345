/**
 * The module of Serpent (Anderson, Biham, Knudsen, "Serpent: A Proposal for the Advanced Encryption Standard",
 * 1998, section 3) in bit-slice form: sixteen blocks at once, and single blocks.
 *
 * A word of four blocks is a vector; four such groups take turns, because one is a chain of dependent
 * instructions. Rounds stand eight in a loop, one for each S-box.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, v128 } from '../dsl/expression.ts';
import type { Expr, I32, ValueType } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { WORDS_32, WORDS_32X4 } from '../dsl/words.ts';
import type { Words } from '../dsl/words.ts';
import { KEYS, LARGE_GROUP_BYTES, MEMORY_BYTES } from './layout.ts';
import { groupFunction, inVectors, modeFunctions, singleFunctions } from './modes.ts';
import { INVERSES, S_BOXES } from './serpent-boxes.ts';

/** Turns of eight rounds. */
const TURNS = 4;
/** Bytes of the keys of eight rounds, four words each. */
const TURN_BYTES = 8 * 16;

/** @returns the text of the module */
export function serpentModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  modeFunctions(module, 16, LARGE_GROUP_BYTES);
  singleFunctions(module, 16, encryptBlock);
  for (const name of ['encrypt', 'decrypt'] as const) {
    const prepare = (body: Body) => groupsOf(body, (rounds) => rounds[name]());
    groupFunction(module, name, prepare, LARGE_GROUP_BYTES);
  }
  return module.toString();
}

function encryptBlock(body: Body, block: readonly Expr<'i32'>[]): readonly Expr<'i32'>[] {
  const state = block.map((word) => body.local('i32', word));
  const load = (key: Local<'i32'>, offset: number) => i32.load(key, offset);
  new Rounds(body, WORDS_32, load, [state]).encrypt();
  return state;
}

function groupsOf(body: Body, crypt: (rounds: Rounds<'v128'>) => void): (at: I32) => void {
  const load = (key: Local<'i32'>, offset: number) => v128.load32splat(key, offset);
  return inVectors(body, LARGE_GROUP_BYTES / 64, (states) => {
    const rounds = new Rounds(body, WORDS_32X4, load, states);
    return () => crypt(rounds);
  });
}

/** The four words of a group, while it is in a round. */
type State<T extends ValueType> = readonly Expr<T>[];

/** The rounds on groups of words of one type, which take turns. */
class Rounds<T extends ValueType> {
  private readonly body: Body;
  private readonly words: Words<T>;
  private readonly load: (key: Local<'i32'>, offset: number) => Expr<T>;
  private readonly states: readonly (readonly Local<T>[])[];
  private readonly key: Local<'i32'>;

  /** @param load a word of a round key */
  constructor(
    body: Body,
    words: Words<T>,
    load: (key: Local<'i32'>, offset: number) => Expr<T>,
    states: readonly (readonly Local<T>[])[],
  ) {
    this.body = body;
    this.words = words;
    this.load = load;
    this.states = states;
    this.key = body.local('i32');
  }

  /** Round i: X ⊕ K_i, S_{i mod 8}, the linear transformation; K_32 in place of the last of these. */
  encrypt(): void {
    const { body, key } = this;
    body.set(key, i32.const(KEYS));
    const turns = body.local('i32', TURNS);
    body.loop(turns, () => {
      S_BOXES.forEach((box, round) =>
        this.inTurns((x) => {
          const y = this.substitute(box, this.addKey(x, 16 * round));
          return round < 7 ? this.transform(y) : y;
        }),
      );
      body.set(key, i32.add(key, TURN_BYTES));
      body.if(i32.ne(turns, 1), () => this.each((x) => this.transform(x)));
    });
    this.each((x) => this.addKey(x, 0));
  }

  decrypt(): void {
    const { body, key } = this;
    body.set(key, i32.const(KEYS + TURNS * TURN_BYTES));
    this.each((x) => this.addKey(x, 0));
    const turns = body.local('i32', TURNS);
    body.loop(turns, () => {
      body.set(key, i32.sub(key, TURN_BYTES));
      for (let round = 7; round >= 0; round--) {
        this.inTurns((x) => {
          const y = round < 7 ? this.transformBack(x) : x;
          return this.addKey(this.substitute(INVERSES[round]!, y), 16 * round);
        });
      }
      body.if(i32.ne(turns, 1), () => this.each((x) => this.transformBack(x)));
    });
  }

  /**
   * A round of each group after the other. V8 (TurboFan) puts computations without effects as late as their block
   * allows: of several rounds in one block it does all of the first group, then all of the second, and one waits
   * for its own results while the other could be computed. So each round of several groups has a block of its own,
   * whose condition, an address, is never 0: 1.9 times as fast.
   */
  private inTurns(round: (x: State<T>) => State<T>): void {
    if (this.states.length === 1) this.each(round);
    else this.body.if(this.key, () => this.each(round));
  }

  private each(work: (x: State<T>) => State<T>): void {
    for (const state of this.states) {
      // All of them first: a new word may depend on old ones.
      const values = work(state).map((word) => this.body.let(word));
      values.forEach((word, i) => this.body.set(state[i]!, word));
    }
  }

  /** @param offset of the round key */
  private addKey(x: State<T>, offset: number): State<T> {
    const { body, words, load, key } = this;
    return x.map((word, i) => body.let(words.xor(word, load(key, offset + 4 * i))));
  }

  /** Reads the steps of a circuit. */
  private substitute(box: string, x: State<T>): State<T> {
    const { body, words } = this;
    const values = new Map(x.map((word, i) => ['abcd'[i]!, word]));
    const operations = { '^': words.xor, '&': words.and, '|': words.or };
    for (const step of box.trim().split(/;\s*/)) {
      const [, name, left, symbol, right] = /^(\w+) = (?:(\w+) ([&^|]) |~)(\w+)$/.exec(step)!;
      const last = values.get(right!)!;
      const value = left
        ? operations[symbol as keyof typeof operations](values.get(left)!, last)
        : words.not(last);
      values.set(name!, body.let(value));
    }
    return [0, 1, 2, 3].map((i) => values.get(`y${i}`)!);
  }

  /** The linear transformation, section 3 */
  private transform([x0, x1, x2, x3]: State<T>): State<T> {
    const { body, words } = this;
    const { xor, shl } = words;
    const a = this.rotated(x0!, 13);
    const c = this.rotated(x2!, 3);
    const b = this.rotated(body.let(xor(x1!, xor(a, c))), 1);
    const d = this.rotated(body.let(xor(x3!, xor(c, shl(a, 3)))), 7);
    return [
      this.rotated(body.let(xor(a, xor(b, d))), 5),
      b,
      this.rotated(body.let(xor(c, xor(d, shl(b, 7)))), 22),
      d,
    ];
  }

  private transformBack([x0, b, x2, d]: State<T>): State<T> {
    const { body, words } = this;
    const { xor, shl } = words;
    const c = body.let(xor(this.rotated(x2!, -22), xor(d!, shl(b!, 7))));
    const a = body.let(xor(this.rotated(x0!, -5), xor(b!, d!)));
    const x3 = body.let(xor(this.rotated(d!, -7), xor(c, shl(a, 3))));
    const x1 = body.let(xor(this.rotated(b!, -1), xor(a, c)));
    return [this.rotated(a, -13), x1, this.rotated(c, -3), x3];
  }

  /** x <<< count. @param x a name, not a computation: vectors evaluate it twice */
  private rotated(x: Expr<T>, count: number): Expr<T> {
    return this.body.let(this.words.rotr(x, (32 - count) & 31));
  }
}
