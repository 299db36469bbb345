/* Our contenders, by the names that rows, figures and plots share. */

/** Engine `js`, with a fresh result for every call, as the peers give it. */
export const JS = 'Sealwright js';
/** Engine `wasm-simd`, into an array that is there already. */
export const WASM = 'Sealwright wasm-simd';
/** The same with a fresh array for every call, as the peers give it. */
export const WASM_FRESH = 'Sealwright wasm-simd, fresh array';
/** Engine `wasm-threads`, a worker for each processor. */
export const THREADS = 'Sealwright wasm-threads';
