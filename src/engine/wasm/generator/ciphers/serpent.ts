/**
 * The module of Serpent (Anderson, Biham, Knudsen, "Serpent: A Proposal for the Advanced Encryption Standard",
 * 1998, section 3) in bit-slice form: eight blocks at once, and single blocks.
 *
 * A word of four blocks is a vector; two such groups take turns, because one is a chain of dependent
 * instructions. Rounds stand eight in a loop, one for each S-box.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, v128 } from '../dsl/expression.ts';
import type { Expr, I32, ValueType } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { WORDS_32, WORDS_32X4 } from '../dsl/words.ts';
import type { Words } from '../dsl/words.ts';
import { KEYS, MEMORY_BYTES } from './layout.ts';
import { groupFunction, inVectors, modeFunctions, singleFunctions } from './modes.ts';
import { INVERSES, S_BOXES } from './serpent-boxes.ts';

/** Turns of eight rounds. */
const TURNS = 4;
/** Bytes of the keys of eight rounds, four words each. */
const TURN_BYTES = 8 * 16;

/** @returns the text of the module */
export function serpentModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  modeFunctions(module, 16);
  singleFunctions(module, 16, encryptBlock);
  groupFunction(module, 'encrypt', (body) => groupsOf(body, (rounds) => rounds.encrypt()));
  groupFunction(module, 'decrypt', (body) => groupsOf(body, (rounds) => rounds.decrypt()));
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
  return inVectors(body, (states) => {
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
      let groups: readonly State<T>[] = this.states;
      S_BOXES.forEach((box, round) => {
        groups = this.addKey(groups, 16 * round).map((x) => this.substitute(box, x));
        if (round < 7) groups = groups.map((x) => this.transform(x));
      });
      body.set(key, i32.add(key, TURN_BYTES));
      this.keep(groups);
      body.if(i32.ne(turns, 1), () => this.keep(this.states.map((x) => this.transform(x))));
    });
    this.keep(this.addKey(this.states, 0));
  }

  decrypt(): void {
    const { body, key } = this;
    body.set(key, i32.const(KEYS + TURNS * TURN_BYTES));
    this.keep(this.addKey(this.states, 0));
    const turns = body.local('i32', TURNS);
    body.loop(turns, () => {
      body.set(key, i32.sub(key, TURN_BYTES));
      let groups: readonly State<T>[] = this.states;
      for (let round = 7; round >= 0; round--) {
        const box = INVERSES[round]!;
        if (round < 7) groups = groups.map((x) => this.transformBack(x));
        const substituted = groups.map((x) => this.substitute(box, x));
        groups = this.addKey(substituted, 16 * round);
      }
      this.keep(groups);
      body.if(i32.ne(turns, 1), () => this.keep(this.states.map((x) => this.transformBack(x))));
    });
  }

  private keep(groups: readonly State<T>[]): void {
    groups.forEach((x, group) => {
      // All of them first: a new word may depend on old ones.
      const values = x.map((word) => this.body.let(word));
      values.forEach((word, i) => this.body.set(this.states[group]![i]!, word));
    });
  }

  /** @param offset of the round key */
  private addKey(groups: readonly State<T>[], offset: number): State<T>[] {
    const { body, words, load, key } = this;
    const added: Expr<T>[][] = groups.map(() => []);
    for (const i of [0, 1, 2, 3]) {
      // One load for all groups
      const word = body.let(load(key, offset + 4 * i));
      groups.forEach((x, group) => added[group]!.push(body.let(words.xor(x[i]!, word))));
    }
    return added;
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
