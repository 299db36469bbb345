/* Random changes to inputs. The same seed gives the same changes. */
import { Dice } from '../../bench/stress-engines/dice.ts';

const BYTES = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x20, 0x22, 0x2c, 0x2d, 0x30, 0x3d, 0x5c, 0x7b, 0x7d];
const NUMBERS = [0, 1, 127, 128, 255, 256, 32_767, 65_535, 65_536, 2 ** 24, 2 ** 31, 2 ** 32 - 1];

/** Makes inputs out of others. */
export class Mutator {
  readonly #dice: Dice;
  readonly #maxBytes: number;
  readonly #words: readonly Uint8Array[];

  /**
   * @param seed any text
   * @param words what is inserted now and then: magic bytes, names of members
   */
  constructor(seed: string, maxBytes: number, words: readonly Uint8Array[]) {
    this.#dice = new Dice(seed);
    this.#maxBytes = maxBytes;
    this.#words = words;
  }

  /** 0 … length - 1. */
  index(length: number): number {
    return this.#dice.integer(0, length - 1);
  }

  /** @param other an input whose parts may be taken over */
  mutated(input: Uint8Array, other: Uint8Array): Uint8Array {
    let result = input;
    const count = 1 << this.#dice.integer(0, 3);
    for (let i = 0; i < count; i++) result = this.#changed(result, other);
    return result.subarray(0, this.#maxBytes);
  }

  #changed(input: Uint8Array, other: Uint8Array): Uint8Array {
    const dice = this.#dice;
    const at = dice.integer(0, input.length);
    const length = Math.min(1 << dice.integer(0, 7), input.length - at);
    switch (dice.integer(0, 11)) {
      case 0:
        return this.#withByte(input, (byte) => byte ^ (1 << dice.integer(0, 7)));
      case 1:
        return this.#withByte(input, () => dice.integer(0, 255));
      case 2:
        return this.#withByte(input, () => dice.pick(BYTES));
      case 3:
        return this.#withByte(input, (byte) => byte + dice.integer(-8, 8));
      case 4:
        return replaced(input, at, length, new Uint8Array(0));
      case 5:
        return replaced(input, at, 0, dice.bytes(dice.integer(1, 16)));
      case 6:
        return replaced(input, at, 0, this.#part(input));
      case 7:
        return replaced(input, at, length, this.#part(other));
      case 8:
        return this.#words.length === 0 ? input : replaced(input, at, 0, dice.pick(this.#words));
      case 9: {
        const word = this.#words.length === 0 ? dice.bytes(4) : dice.pick(this.#words);
        return replaced(input, at, Math.min(word.length, input.length - at), word);
      }
      case 10: {
        const number = number32(dice.pick(NUMBERS) + dice.integer(-1, 1));
        const part = number.subarray(4 - (1 << dice.integer(0, 2)));
        return replaced(input, at, Math.min(part.length, input.length - at), part);
      }
      default:
        return this.#withDigit(input);
    }
  }

  #withByte(input: Uint8Array, change: (byte: number) => number): Uint8Array {
    if (input.length === 0) return this.#dice.bytes(1);
    const result = input.slice();
    const at = this.index(input.length);
    result[at] = change(result[at]!);
    return result;
  }

  /** Numbers in texts reach more than their single digits would. */
  #withDigit(input: Uint8Array): Uint8Array {
    const text = Buffer.from(input).toString('latin1');
    const numbers = Array.from(text.matchAll(/-?\d+/g));
    if (numbers.length === 0) return this.#withByte(input, (byte) => byte ^ 0x20);
    const { 0: found, index } = this.#dice.pick(numbers);
    const other = String(this.#dice.pick([...NUMBERS, -1, 2 ** 53, 2 ** 53 - 1, 1e21, 0.5]));
    return replaced(input, index, found.length, new Uint8Array(Buffer.from(other)));
  }

  #part(of: Uint8Array): Uint8Array {
    const from = this.#dice.integer(0, of.length);
    return of.subarray(from, from + (1 << this.#dice.integer(0, 7)));
  }
}

function replaced(input: Uint8Array, at: number, length: number, part: Uint8Array): Uint8Array {
  const result = new Uint8Array(input.length - length + part.length);
  result.set(input.subarray(0, at));
  result.set(part, at);
  result.set(input.subarray(at + length), at + part.length);
  return result;
}

function number32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
