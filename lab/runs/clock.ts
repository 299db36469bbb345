/**
 * The clock of the processor, measured: a chain of multiplications in which each factor is the last product. No processor
 * can begin one before the last has ended, and all common ones take three cycles from the factors to the product (32 bits;
 * Intel since 2008, AMD since 2017, ARM's and Apple's large cores). The loop around it runs beside the chain.
 */
import { CLOCK_TASK } from '../tasks.ts';
import type { Call, Trial } from './trial.ts';

/** Cycles from the factors of a 32-bit multiplication to its product. */
const CYCLES_OF_PRODUCT = 3;
const PRODUCTS = 1 << 16;
/**
 * Odd, so that no product becomes 0. In memory that may be written: V8 multiplies a constant factor by itself beforehand,
 * and a chain of eight products becomes one.
 */
const FACTOR = Int32Array.of(0x9e3779b1);

/** @returns factor^PRODUCTS modulo 2^32 */
function chain(factor: number): number {
  let x = 1;
  for (let i = 0; i < PRODUCTS; i += 8) {
    x = Math.imul(x, factor);
    x = Math.imul(x, factor);
    x = Math.imul(x, factor);
    x = Math.imul(x, factor);
    x = Math.imul(x, factor);
    x = Math.imul(x, factor);
    x = Math.imul(x, factor);
    x = Math.imul(x, factor);
  }
  return x;
}

/** The same by squaring. */
function power(factor: number): number {
  let x = factor;
  for (let products = 1; products < PRODUCTS; products *= 2) x = Math.imul(x, x);
  return x;
}

const bytesOf = (word: number): Uint8Array => new Uint8Array(Int32Array.of(word).buffer);

/** A call to be timed in turns with those whose cycles are asked for, and its answer by another way. */
export function clockCall(): Required<Pick<Trial, 'calls' | 'witnesses'>> {
  const call: Call = {
    task: CLOCK_TASK,
    engine: 'js' as const,
    amount: CYCLES_OF_PRODUCT * PRODUCTS,
    run: () => chain(FACTOR[0]!),
    answer: bytesOf,
  };
  const witness = { name: 'squarings', answer: bytesOf(power(FACTOR[0]!)) };
  return { calls: [call], witnesses: { [CLOCK_TASK]: witness } };
}
