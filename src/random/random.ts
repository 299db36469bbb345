import type { RandomSource } from './contract.ts';
import { wipe, xorInto } from '../crypto/bytes.ts';
import { checkBytes, checkInteger } from '../crypto/errors.ts';
import { FortunaAccumulator, MAX_EVENT_BYTES, POOL_COUNT } from './accumulator.ts';
import { MAX_REQUEST_BYTES, type MakeForwardCipher } from './generator.ts';
import { MonitoredSource } from './monitored-source.ts';
import { SystemSource } from './system-source.ts';

/** Source numbers of the platform and of a stored seed; events have 1 … 254. */
const PLATFORM_SOURCE = 0;
const SEED_SOURCE = 255;

/** Two events for each pool: pool 0 then holds 2 · (2 + 32) ≥ 64 bytes, and 2,048 samples (SP 800-90B
 * asks for 1,024 at start-up, section 4.3) have been tested. */
const START_UP_EVENTS = 2 * POOL_COUNT;

/** The longest result: the length that typed arrays of all JavaScript engines support. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * The source of all random bytes: Fortuna ⊕ platform. The result is secure if one of the two is;
 * NotSeededError if neither is available.
 *
 * The state is in memory only. Each instance is seeded from 2 KiB of the platform's output at its first
 * request.
 */
export class Random implements RandomSource {
  readonly #platform: MonitoredSource;
  readonly #nowMs: () => number;
  readonly #fortuna = new FortunaAccumulator();
  /** For each source the pool of its next event */
  readonly #nextPool = new Map<number, number>();
  #started = false;

  /**
   * @param parts.nowMs a clock in milliseconds, preferably one that is never set back
   * @param parts.platform the platform's generator; replaced in tests only
   */
  constructor(parts: { readonly nowMs: () => number; readonly platform?: RandomSource }) {
    this.#nowMs = parts.nowMs;
    this.#platform = new MonitoredSource(parts.platform ?? new SystemSource());
  }

  /** Lets Fortuna use another implementation of AES-256: the first one has tables, which caches may betray. */
  useCipher(make: MakeForwardCipher): void {
    this.#fortuna.useCipher(make);
  }

  /** False after the platform's generator was disabled; Fortuna can continue alone. */
  get healthy(): boolean {
    return this.#platform.failure === undefined;
  }

  get reseedCount(): number {
    return this.#fortuna.reseedCount;
  }

  /** The credited bytes of each of the 32 pools since it was last used, for display. */
  pools(): readonly { readonly bytes: number }[] {
    return this.#fortuna.poolBytes.map((bytes) => ({ bytes }));
  }

  /**
   * Adds an event to the next pool of its source. Only for events that no page sees. Their
   * unpredictability is not estimated.
   *
   * @param source 1 … 254
   * @param data 1 … 32 bytes
   */
  addEvent(source: number, data: Uint8Array): void {
    this.#checkEvent(source, data);
    this.#fortuna.addEvent(source, this.#poolFor(source), data);
  }

  /** The same for what others may know: it is stirred in, and never makes a reseed due. */
  addUncredited(source: number, data: Uint8Array): void {
    this.#checkEvent(source, data);
    this.#fortuna.addUncredited(source, this.#poolFor(source), data);
  }

  /**
   * Adds a seed to pool 0 without credit. The next reseed uses all of it.
   *
   * @param seed any length
   */
  stir(seed: Uint8Array): void {
    checkBytes('seed', seed);
    for (let offset = 0; offset < seed.length; offset += MAX_EVENT_BYTES) {
      const data = seed.subarray(offset, offset + MAX_EVENT_BYTES);
      this.#fortuna.addUncredited(SEED_SOURCE, 0, data);
    }
  }

  /**
   * @param lengthBytes 0 … 2^31 - 1
   * @throws NotSeededError if the platform failed before Fortuna was seeded
   */
  bytes(lengthBytes: number): Uint8Array<ArrayBuffer> {
    checkInteger('lengthBytes', lengthBytes, 0, MAX_BYTES);
    const bytes = new Uint8Array(lengthBytes);
    let offset = 0;
    do {
      const piece = this.#piece(Math.min(lengthBytes - offset, MAX_REQUEST_BYTES));
      bytes.set(piece, offset);
      offset += piece.length;
      wipe(piece);
    } while (offset < lengthBytes);
    return bytes;
  }

  /** One request to Fortuna, XORed with as many bytes of the platform. */
  #piece(lengthBytes: number): Uint8Array<ArrayBuffer> {
    this.#feed(this.#started ? 1 : START_UP_EVENTS);
    this.#started = true;
    const bytes = this.#fortuna.randomData(lengthBytes, this.#nowMs());
    const pad = this.#platform.draw(lengthBytes);
    if (pad !== undefined) {
      xorInto(bytes, pad);
      wipe(pad);
    }
    return bytes;
  }

  /** Adds platform events of 32 bytes each; none if the platform fails in between. */
  #feed(events: number): void {
    const drawn: Uint8Array[] = [];
    for (let i = 0; i < events; i++) {
      const data = this.#platform.draw(MAX_EVENT_BYTES);
      if (data === undefined) break;
      drawn.push(data);
    }
    for (const data of drawn.length === events ? drawn : []) {
      this.#fortuna.addEvent(PLATFORM_SOURCE, this.#poolFor(PLATFORM_SOURCE), data);
    }
    wipe(...drawn);
  }

  #poolFor(source: number): number {
    const pool = this.#nextPool.get(source) ?? 0;
    this.#nextPool.set(source, (pool + 1) % POOL_COUNT);
    return pool;
  }

  /** Checks before any change: a refused event must not advance the source's pool. */
  #checkEvent(source: number, data: Uint8Array): void {
    checkInteger('source', source, PLATFORM_SOURCE + 1, SEED_SOURCE - 1);
    checkBytes('data', data, { min: 1, max: MAX_EVENT_BYTES });
  }
}
