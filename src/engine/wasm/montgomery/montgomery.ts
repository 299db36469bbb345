/**
 * The Montgomery module: modular exponentiation for odd moduli of up to 16,384 bits.
 *
 * Constant time: the operations depend on the lengths of base, exponent and modulus only (see
 * generator/montgomery, and `pick` for the table). The windows of the exponent are numbers that pass through
 * JavaScript as arguments of `window`. Memory from `secrets` on is wiped after each power.
 */
import type { OddPower } from '../../../crypto/bigint/odd-power.ts';
import { oddPower } from '../../../crypto/bigint/odd-power.ts';
import { windowsOf, windowWidth } from '../../../crypto/bigint/windows.ts';
import { wipe } from '../../../crypto/bytes.ts';
import { writeBiases } from '../generator/montgomery/biases.ts';
import type { MontgomeryLayout } from '../generator/montgomery/layout.ts';
import { BYTES_LENGTH, LAYOUTS, MAX_BYTES, MAX_WIDTH } from '../generator/montgomery/layout.ts';
import type { Variant } from '../generator/dsl/lookup.ts';
import { bestVariant, loadModule, readModule } from '../loader.ts';
import type { LoadWasm, ReadWasm, WasmModule } from '../loader.ts';

/** Exports of the module. Arguments are offsets and counts; only those of `pick` and `window` are secret. */
interface MontgomeryFunctions {
  /** Only in the relaxed variant */
  readonly fused?: () => number;
  readonly prepare: (pairs: number) => void;
  readonly multiply: (a: number, b: number, target: number, pairs: number) => void;
  readonly square: (a: number, target: number, pairs: number) => void;
  readonly shift: (x: number, bits: number, pairs: number) => void;
  readonly narrow: (x: number, pairs: number) => void;
  readonly add: (x: number, y: number, pairs: number) => void;
  readonly pick: (index: number, entries: number, target: number, pairs: number) => void;
  readonly window: (x: number, factor: number, index: number, width: number, pairs: number) => void;
  readonly split: (x: number, pairs: number) => void;
  readonly join: (x: number, pairs: number) => void;
  readonly wipe: (offset: number, length: number) => void;
}

/** Maximum bits per call of `shift`. */
const SHIFT_BITS = 11;
/** Up to about 2^(2^SHIFTED), shifting is cheaper than squaring to compute R². */
const SHIFTED = 7;

/**
 * @param variant for tests; default: the best one that the platform supports
 * @returns powers modulo odd numbers; above 16,384 bits with the portable arithmetic
 * @throws errors of the loader and of WebAssembly
 */
export async function loadMontgomery(
  loadWasm: LoadWasm,
  variant: Variant | undefined = bestVariant(),
): Promise<OddPower> {
  const load = async (wanted: Variant | undefined): Promise<WasmRing> =>
    new WasmRing(await loadModule<MontgomeryFunctions>(loadWasm, 'montgomery', wanted));
  const best = await load(variant);
  // In relaxed SIMD the platform decides whether it rounds once; the kernel requires that.
  return powerOf(best.isExact() ? best : await load('simd'));
}

/**
 * `loadMontgomery` without waiting.
 *
 * @throws errors of the reader and of WebAssembly
 */
export function readMontgomery(readWasm: ReadWasm): OddPower {
  const read = (wanted?: Variant): WasmRing =>
    new WasmRing(readModule<MontgomeryFunctions>(readWasm, 'montgomery', wanted));
  const best = read();
  return powerOf(best.isExact() ? best : read('simd'));
}

function powerOf(ring: WasmRing): OddPower {
  return (base, exponent, modulus) =>
    modulus.length > MAX_BYTES
      ? oddPower(base, exponent, modulus)
      : ring.power(base, exponent, modulus);
}

class WasmRing {
  readonly #functions: MontgomeryFunctions;
  readonly #bytes: Uint8Array;
  readonly #layout: MontgomeryLayout;
  readonly #variant: Variant;
  /** Pairs of limbs of the current modulus, and those of the biases in memory. */
  #pairs = 0;
  #biasedPairs = 0;

  constructor({ functions, bytes, variant }: WasmModule<MontgomeryFunctions>) {
    this.#functions = functions;
    this.#bytes = bytes;
    this.#layout = LAYOUTS[variant];
    this.#variant = variant;
  }

  /**
   * Multiplies a number whose square a double cannot represent: with one rounding, the difference is exact.
   */
  isExact(): boolean {
    const { fused } = this.#functions;
    if (fused === undefined) return true;
    const operands = new DataView(this.#bytes.buffer, this.#layout.bytes, 16);
    operands.setFloat64(0, 2 ** 27 + 1, true);
    operands.setFloat64(8, -(2 ** 54 + 2 ** 28), true);
    return fused() === 1;
  }

  power(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array<ArrayBuffer> {
    this.#enter(modulus);
    this.#load(base, modulus.length);
    const width = Math.min(windowWidth(8 * exponent.length), MAX_WIDTH);
    this.#raise(exponent, width);
    const { x, one, bytes, secrets, table } = this.#layout;
    const pairs = this.#pairs;
    this.#functions.multiply(x, one, x, pairs);
    this.#functions.narrow(x, pairs);
    this.#functions.join(x, pairs);
    const result = this.#bytes.slice(bytes, bytes + modulus.length).reverse();
    this.#functions.wipe(secrets, table - secrets + 2 ** width * 16 * pairs);
    return result;
  }

  /** Sets up the modulus, 1, and R² modulo N; Montgomery of src/crypto/bigint explains the steps. */
  #enter(modulus: Uint8Array): void {
    const functions = this.#functions;
    const { limbBits, n, one, square } = this.#layout;
    const pairs = this.#resize(modulus.length);
    this.#split(modulus, n);
    functions.prepare(pairs);
    this.#split(Uint8Array.of(1), one);
    const bitsOfR = 2 * limbBits * pairs;
    const start = new Uint8Array(modulus.length);
    start[0] = 1;
    this.#split(start, square);
    const chain = bitsOfR.toString(2);
    const first = Number.parseInt(chain.slice(0, SHIFTED), 2);
    const shifts = bitsOfR + first - (8 * modulus.length - 8);
    for (let left = shifts; left > 0; left -= SHIFT_BITS) {
      functions.shift(square, Math.min(left, SHIFT_BITS), pairs);
    }
    for (const bit of chain.slice(SHIFTED)) {
      functions.square(square, square, pairs);
      if (bit === '1') functions.add(square, square, pairs);
    }
  }

  /** @returns pairs of limbs for moduli of this length */
  #resize(lengthBytes: number): number {
    this.#pairs = this.#layout.pairsFor(lengthBytes);
    if (this.#variant === 'relaxed' && this.#pairs !== this.#biasedPairs) {
      writeBiases(this.#bytes, this.#layout, this.#pairs);
      this.#biasedPairs = this.#pairs;
    }
    return this.#pairs;
  }

  /** x = base in Montgomery's form. A base longer than the modulus is processed in pieces (Horner). */
  #load(base: Uint8Array, pieceBytes: number): void {
    const functions = this.#functions;
    const { x, square, factor, shift } = this.#layout;
    const pairs = this.#pairs;
    let end = base.length % pieceBytes || pieceBytes;
    this.#split(base.subarray(0, end), x);
    functions.multiply(x, square, x, pairs);
    if (end >= base.length) return;
    const radix = new Uint8Array(pieceBytes + 1);
    radix[0] = 1;
    this.#split(radix, shift);
    functions.multiply(shift, square, shift, pairs);
    while (end < base.length) {
      this.#split(base.subarray(end, end + pieceBytes), factor);
      functions.multiply(factor, square, factor, pairs);
      functions.multiply(x, shift, x, pairs);
      functions.add(x, factor, pairs);
      end += pieceBytes;
    }
  }

  /** x = x^exponent by windows of equal width. */
  #raise(exponent: Uint8Array, width: number): void {
    const { multiply, square, pick, window } = this.#functions;
    const { x, one, square: squareOfR, factor, table } = this.#layout;
    const pairs = this.#pairs;
    const entry = (index: number): number => table + index * 16 * pairs;
    multiply(squareOfR, one, entry(0), pairs);
    this.#bytes.copyWithin(entry(1), x, x + 16 * pairs);
    const entries = 2 ** width;
    for (let i = 2; i < entries; i++) {
      if (i % 2 === 0) square(entry(i / 2), entry(i), pairs);
      else multiply(entry(i - 1), x, entry(i), pairs);
    }
    const digits = windowsOf(exponent, width);
    pick(digits.at(-1) ?? 0, entries, x, pairs);
    for (let i = digits.length - 2; i >= 0; i--) window(x, factor, digits[i]!, width, pairs);
    wipe(digits);
  }

  /** @param integer big-endian, at most one byte longer than the modulus */
  #split(integer: Uint8Array, target: number): void {
    const bytes = this.#bytes;
    const start = this.#layout.bytes;
    bytes.fill(0, start, start + BYTES_LENGTH);
    bytes.set(integer, start);
    bytes.subarray(start, start + integer.length).reverse();
    this.#functions.split(target, this.#pairs);
  }
}
