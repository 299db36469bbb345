/**
 * Instantiates one of the generated modules: selects the variant that this platform supports, gets its bytes
 * from the injected loader, and returns its functions and views of its memory.
 *
 * These memories never grow, so the views stay valid, and hot paths need not create new ones.
 */
import type { Variant } from './generator/dsl/lookup.ts';

/**
 * Loads the bytes of a module that scripts/make-wasm.ts generated.
 *
 * @param name "aes.relaxed", "aes.simd": family and variant; "sha": a family without variants
 */
export type LoadWasm = (name: string) => Promise<BufferSource>;

/** The same without waiting, where the platform can read files so. @throws errors of the file system */
export type ReadWasm = (name: string) => BufferSource;

/** A loaded module: its functions and its memory. */
export interface CommonModule<F> {
  readonly functions: F;
  /** The whole memory. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Overwrites the whole memory above `offset` (below are constants). */
  wipe(offset: number): void;
}

/** A loaded module of a family with variants, and its variant. */
export interface WasmModule<F> extends CommonModule<F> {
  readonly variant: Variant;
}

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

/**
 * @param family the kernel's name
 * @param variant for tests; default: the best one that the platform supports
 * @throws Error if the platform has no SIMD; errors of the loader and of WebAssembly
 */
export async function loadModule<F>(
  loadWasm: LoadWasm,
  family: string,
  variant: Variant | undefined = bestVariant(),
): Promise<WasmModule<F>> {
  if (variant === undefined) throw new Error('WebAssembly SIMD is missing');
  return { ...(await loadCommonModule<F>(loadWasm, `${family}.${variant}`)), variant };
}

/**
 * Loads a module without variants.
 *
 * @throws errors of the loader and of WebAssembly; Error if the platform has no SIMD
 */
export async function loadCommonModule<F>(
  loadWasm: LoadWasm,
  name: string,
): Promise<CommonModule<F>> {
  const { instance } = await WebAssembly.instantiate(await loadWasm(name));
  return commonModule(instance);
}

/**
 * `loadModule` without waiting. Browsers compile only small modules so on a page's main thread.
 *
 * @throws Error if the platform has no SIMD; errors of the reader and of WebAssembly
 */
export function readModule<F>(
  readWasm: ReadWasm,
  family: string,
  variant: Variant | undefined = bestVariant(),
): WasmModule<F> {
  if (variant === undefined) throw new Error('WebAssembly SIMD is missing');
  const module = new WebAssembly.Module(readWasm(`${family}.${variant}`));
  return { ...commonModule<F>(new WebAssembly.Instance(module)), variant };
}

function commonModule<F>(instance: WebAssembly.Instance): CommonModule<F> {
  const { memory, ...functions } = instance.exports as Functions & { memory: WebAssembly.Memory };
  const bytes = new Uint8Array(memory.buffer);
  return { functions: functions as F, bytes, wipe: (offset) => bytes.fill(0, offset) };
}

/** The variant that this platform supports, or undefined if it has no WebAssembly with SIMD. */
export function bestVariant(): Variant | undefined {
  if (typeof WebAssembly !== 'object') return undefined;
  if (WebAssembly.validate(RELAXED_PROBE)) return 'relaxed';
  return WebAssembly.validate(SIMD_PROBE) ? 'simd' : undefined;
}

/** A module with one function () → v128: two zero vectors and then the given instruction. */
function probe(...instruction: readonly number[]): Uint8Array<ArrayBuffer> {
  const zero = [0x41, 0x00, 0xfd, 0x0f]; // i32.const 0, i8x16.splat
  const code = [0x00, ...zero, ...zero, ...instruction, 0x0b]; // no locals … end
  const sections = [
    [0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b], // type: () → v128
    [0x03, 0x02, 0x01, 0x00], // function
    [0x0a, code.length + 2, 0x01, code.length, ...code], // code
  ];
  return Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, ...sections.flat());
}

const SIMD_PROBE = /* @__PURE__ */ probe(0xfd, 0x0e); // i8x16.swizzle
const RELAXED_PROBE = /* @__PURE__ */ probe(0xfd, 0x80, 0x02); // i8x16.relaxed_swizzle
