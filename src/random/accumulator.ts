import type { Hash } from '../crypto/contracts.ts';
import { concat, wipe } from '../crypto/bytes.ts';
import { checkBytes, checkInteger } from '../crypto/errors.ts';
import { FortunaGenerator, MAX_REQUEST_BYTES, type MakeForwardCipher } from './generator.ts';
import { NotSeededError } from './contract.ts';
import { beginShaD, endShaD, type ShaDVariant } from './sha-d.ts';

/** "Cryptography Engineering", section 9.5.2 */
export const POOL_COUNT = 32;
/** Credited bytes in pool 0 that make a reseed due (section 9.5.5). */
export const MIN_POOL_BYTES = 64;
/** The shortest time between two reseeds (section 9.5.5). */
export const RESEED_INTERVAL_MS = 100;

/** The source number of an event is one byte (section 9.5.6). */
export const MAX_SOURCE = 255;
/** The most data of one event (section 9.5.6). */
export const MAX_EVENT_BYTES = 32;

interface Pool {
  readonly hash: Hash;
  /** Credited bytes: those that count towards a reseed */
  bytes: number;
}

/**
 * Fortuna's accumulator ("Cryptography Engineering", section 9.5). Events of many sources are
 * distributed over 32 pools, and pool i is used in every 2^i-th reseed. If an attacker knows or sends
 * a part of the events, some pool still collects enough unknown ones before it is used. Entropy is
 * not estimated.
 */
export class FortunaAccumulator {
  readonly #shaD: ShaDVariant;
  readonly #generator: FortunaGenerator;
  readonly #pools: Pool[];
  #reseedCount = 0;
  #lastReseedMs = -Infinity;

  constructor(options: { readonly shaD?: ShaDVariant } = {}) {
    this.#shaD = options.shaD ?? '2010';
    this.#generator = new FortunaGenerator({ shaD: this.#shaD });
    this.#pools = Array.from({ length: POOL_COUNT }, () => this.#emptyPool());
  }

  /** Uses another implementation of AES-256 from now on. */
  useCipher(make: MakeForwardCipher): void {
    this.#generator.useCipher(make);
  }

  get reseedCount(): number {
    return this.#reseedCount;
  }

  /** The credited bytes of each pool since it was last used. */
  get poolBytes(): readonly number[] {
    return this.#pools.map(({ bytes }) => bytes);
  }

  /**
   * Section 9.5.6: P_i ← P_i ‖ source ‖ length ‖ data. Each source should use the pools in turn.
   *
   * @param source 0 … 255: the number of the source
   * @param pool 0 … 31
   * @param data 1 … 32 bytes
   */
  addEvent(source: number, pool: number, data: Uint8Array): void {
    const added = this.addUncredited(source, pool, data); // checks the arguments
    this.#pools[pool]!.bytes += added;
  }

  /**
   * Adds data that must not make a reseed due, because others may know or replay it: a stored seed, or
   * events that pages also see.
   *
   * @returns the bytes added, source and length included
   */
  addUncredited(source: number, pool: number, data: Uint8Array): number {
    checkInteger('source', source, 0, MAX_SOURCE);
    checkInteger('pool', pool, 0, POOL_COUNT - 1);
    checkBytes('data', data, { min: 1, max: MAX_EVENT_BYTES });
    this.#pools[pool]!.hash.update(Uint8Array.of(source, data.length)).update(data);
    return 2 + data.length;
  }

  /**
   * Section 9.5.5: reseeds if that is due, then generates bytes.
   *
   * @param lengthBytes 0 … 2^20
   * @param nowMs the time in milliseconds, from any clock that advances
   * @throws NotSeededError until pool 0 has collected 64 bytes for the first time
   */
  randomData(lengthBytes: number, nowMs: number): Uint8Array<ArrayBuffer> {
    checkInteger('lengthBytes', lengthBytes, 0, MAX_REQUEST_BYTES);
    if (!Number.isFinite(nowMs)) throw new TypeError('nowMs must be a finite number');
    if (this.#pools[0]!.bytes >= MIN_POOL_BYTES && this.#intervalIsOver(nowMs)) {
      this.#reseed(nowMs);
    }
    if (this.#reseedCount === 0) throw new NotSeededError();
    return this.#generator.generate(lengthBytes);
  }

  /** True also after the clock was set back: that must not stop the reseeding. */
  #intervalIsOver(nowMs: number): boolean {
    return nowMs - this.#lastReseedMs > RESEED_INTERVAL_MS || nowMs < this.#lastReseedMs;
  }

  /** ReseedCnt ← ReseedCnt + 1; s ← the hashes of each P_i with 2^i | ReseedCnt; P_i ← empty. */
  #reseed(nowMs: number): void {
    this.#reseedCount++;
    const digests: Uint8Array[] = [];
    for (let i = 0; i < POOL_COUNT && this.#reseedCount % 2 ** i === 0; i++) {
      digests.push(endShaD(this.#pools[i]!.hash));
      this.#pools[i] = this.#emptyPool();
    }
    const seed = concat(...digests);
    this.#generator.reseed(seed);
    wipe(seed, ...digests);
    this.#lastReseedMs = nowMs;
  }

  #emptyPool(): Pool {
    return { hash: beginShaD(this.#shaD), bytes: 0 };
  }
}
