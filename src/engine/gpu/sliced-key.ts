import { wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { STEPS } from './cipher.ts';
import type { StepName, Words } from './cipher.ts';

const NUMBERS: Words<number> = {
  xor: (a, b) => a ^ b,
  and: (a, b) => a & b,
  mask: (a, bits) => a & bits,
  left: (a, places) => a << places,
  right: (a, places) => a >>> places,
};

/** What the circuit's S-box lacks, in each byte. MixColumns does not change four equal bytes. */
const AFFINE = 0x6363_6363;

const step = (name: StepName, planes: readonly number[]) => STEPS[name](NUMBERS, planes);

/**
 * An AES key as a shader takes it, and AES itself for single blocks: the key schedule, the hash key of GCM,
 * and the blocks by which a card's results are checked. Constant-time, and slow: tens of microseconds a block.
 */
export class SlicedKey {
  /** 10, 12 or 14 */
  readonly rounds: number;
  /** Eight planes for each of the `rounds` + 1 round keys. */
  readonly planes: Uint32Array<ArrayBuffer>;

  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    checkBytes('key', key, [16, 24, 32]);
    const words = expandKey(key);
    this.rounds = key.length / 4 + 6;
    this.planes = new Uint32Array(8 * (this.rounds + 1));
    for (let round = 0; round <= this.rounds; round++) {
      const own = [...words.subarray(4 * round, 4 * round + 4)];
      const both = own.flatMap((word) => {
        const whole = round === 0 ? word : word ^ AFFINE;
        return [whole, whole];
      });
      this.planes.set(step('transpose', both), 8 * round);
    }
    wipe(words);
  }

  /** @param block 16 bytes @returns 16 bytes */
  encrypt(block: Uint8Array): Uint8Array<ArrayBuffer> {
    let state = this.#add(into(block), 0);
    for (let round = 1; round < this.rounds; round++) {
      state = this.#add(step('middle', state), round);
    }
    return outOf(this.#add(step('last', state), this.rounds));
  }

  /** The inverse of `encrypt`. */
  decrypt(block: Uint8Array): Uint8Array<ArrayBuffer> {
    let state = this.#add(into(block), this.rounds);
    for (let round = this.rounds - 1; round > 0; round--) {
      state = step('unmix', this.#add(step('undo', state), round));
    }
    return outOf(this.#add(step('undo', state), 0));
  }

  wipe(): void {
    wipe(this.planes);
  }

  #add(state: readonly number[], round: number): number[] {
    return state.map((plane, i) => plane ^ this.planes[8 * round + i]!);
  }
}

/** The block's words, little-endian, in the place of both blocks. */
function into(block: Uint8Array): number[] {
  const words = new Uint32Array(4);
  new Uint8Array(words.buffer).set(block);
  return step(
    'transpose',
    [...words].flatMap((word) => [word, word]),
  );
}

function outOf(state: readonly number[]): Uint8Array<ArrayBuffer> {
  const words = step('transpose', state);
  return new Uint8Array(Uint32Array.of(words[0]!, words[2]!, words[4]!, words[6]!).buffer);
}

/** KeyExpansion (FIPS 197, algorithm 2), with words in little-endian order. */
function expandKey(key: Uint8Array): Uint32Array {
  const nk = key.length / 4;
  const w = new Uint32Array(key.length + 28);
  new Uint8Array(w.buffer).set(key);
  let rcon = 1;
  for (let i = nk; i < w.length; i++) {
    let temp = w[i - 1]!;
    if (i % nk === 0) {
      temp = substituteWord(temp);
      temp = (temp >>> 8) ^ (temp << 24) ^ rcon;
      rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
    } else if (nk > 6 && i % nk === 4) {
      temp = substituteWord(temp);
    }
    w[i] = w[i - nk]! ^ temp;
  }
  return w;
}

/** SUBWORD. The rows are substituted and then moved, so row r is taken from where it went. */
function substituteWord(word: number): number {
  const columns = [word, 0, word, 0, word, 0, word, 0];
  const moved = step('transpose', step('last', step('transpose', columns)));
  // All columns are equal, so ShiftRows exchanges equal bytes.
  return moved[0]! ^ AFFINE;
}
