/* `sealwright/subtle`: SubtleCrypto over this library's engines, for Node, Deno, browsers, workers. */
export { createSubtle, engines } from './create-subtle.ts';

export type { EngineName } from '../engine/contract.ts';
export type { EngineChoice, EngineReport } from '../engine/registry.ts';
export type { SubtleOptions } from './create-subtle.ts';
export type { KeyAlgorithmInfo, SubtleKey } from './key.ts';
export type { SubtleAlgorithm, SubtleParams } from './params.ts';
export type { StreamingHash } from './streaming-hash.ts';
export type { Subtle } from './subtle.ts';
export type { Usage } from './usages.ts';
