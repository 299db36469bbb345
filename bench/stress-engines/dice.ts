/**
 * Random numbers from a seed, so that a failing case can be repeated: xoshiro128** (Blackman
 * and Vigna, "Scrambled linear pseudorandom number generators", 2018). For tests, never for secrets.
 */
import { utf8 } from '../../src/crypto/bytes.ts';
import { sha256 } from '../../src/crypto/hash/sha256.ts';

export class Dice {
  private readonly state: Uint32Array;

  /** @param seed any text */
  constructor(seed: string) {
    const digest = new DataView(sha256(utf8(seed)).buffer);
    this.state = Uint32Array.from({ length: 4 }, (_, i) => digest.getUint32(4 * i, true));
  }

  /** @returns 0 … 2^32 - 1 */
  next(): number {
    const s = this.state as unknown as [number, number, number, number];
    const result = Math.imul(rotateLeft(Math.imul(s[1], 5), 7), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotateLeft(s[3], 11);
    return result;
  }

  /** @returns min … max */
  integer(min: number, max: number): number {
    return min + Math.floor((this.next() / 2 ** 32) * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)]!;
  }

  /** Random bytes; now and then all 0x00 or all 0xff, where carries and sign bits go wrong. */
  bytes(length: number): Uint8Array<ArrayBuffer> {
    if (this.chance(0.04)) return new Uint8Array(length).fill(this.chance(0.5) ? 0xff : 0);
    const words = Uint32Array.from({ length: (length + 3) >> 2 }, () => this.next());
    return new Uint8Array(words.buffer, 0, length);
  }

  /**
   * A length at which code goes wrong more often than elsewhere: near a multiple of a block, or near
   * the size of a buffer.
   *
   * @param most largest allowed
   */
  length(most: number): number {
    const edges = this.chance(0.8) ? BLOCKS : this.chance(0.9) ? GROUPS : BUFFERS;
    const edge = this.pick(edges);
    const near = this.chance(0.6) ? edge + this.integer(-2, 2) : this.integer(0, edge);
    return near < 0 || near > most ? this.integer(0, most) : near;
  }
}

/** Blocks of AES, ChaCha20, hashes; a few at once. */
const BLOCKS = [0, 16, 32, 64, 128, 136, 256, 512];
/** Where engines change their way: groups of blocks, chunks, counters that carry. */
const GROUPS = [512, 768, 1024, 2048, 4096];
/** Engines' buffers, and several fillings of them. */
const BUFFERS = [8192, 16384, 65536, 131_072];

function rotateLeft(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
