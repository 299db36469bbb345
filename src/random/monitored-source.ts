import type { RandomSource } from './contract.ts';
import { equal } from '../crypto/bytes.ts';
import { HealthTests } from './health.ts';

/** Platform generators claim full entropy; one false alarm in 2^40 samples. */
const CLAIM = { entropyBits: 8, falseAlarmBits: 40 } as const;

/** Draws shorter than this may repeat by chance and are not compared. */
const COMPARED_BYTES = 16;

/**
 * A source with health tests. It is disabled permanently when it throws, fails a health test, or
 * repeats its output (the continuous test of FIPS 140-2, section 4.9.2).
 */
export class MonitoredSource {
  readonly #source: RandomSource;
  readonly #tests = new HealthTests(CLAIM);
  #previous = new Uint8Array(0);
  #failure: string | undefined;

  constructor(source: RandomSource) {
    this.#source = source;
  }

  /** Why the source was disabled; undefined if it was not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** @returns lengthBytes bytes, or undefined if the source is disabled */
  draw(lengthBytes: number): Uint8Array<ArrayBuffer> | undefined {
    if (this.#failure !== undefined) return undefined;
    const bytes = this.#read(lengthBytes);
    if (bytes === undefined) return undefined;
    if (!this.#tests.check(bytes)) this.#failure = this.#tests.failure;
    else if (this.#isRepeated(bytes)) this.#failure = 'repeated output';
    return this.#failure === undefined ? bytes : undefined;
  }

  /** A source that throws, or returns another number of bytes, has failed. */
  #read(lengthBytes: number): Uint8Array<ArrayBuffer> | undefined {
    try {
      const bytes = this.#source.bytes(lengthBytes);
      if (bytes.length === lengthBytes) return bytes;
      this.#failure = 'wrong length';
    } catch (error) {
      this.#failure = error instanceof Error ? error.name : 'unknown error';
    }
    return undefined;
  }

  /** Compares the beginnings of two draws, to detect a source that was restarted. */
  #isRepeated(bytes: Uint8Array): boolean {
    if (bytes.length < COMPARED_BYTES) return false;
    const beginning = bytes.slice(0, COMPARED_BYTES);
    const repeated = equal(beginning, this.#previous);
    this.#previous = beginning;
    return repeated;
  }
}
