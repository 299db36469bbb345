/* `sealwright/subtle`: SubtleCrypto over this library's engines, for Node, Deno, browsers, workers. */
export { AEADS } from '../crypto/algorithms.ts';
export { createSubtle, engines } from '../subtle/create-subtle.ts';

export type { AeadName, AeadSizes } from '../crypto/algorithms.ts';
export type { EngineName } from '../engine/contract.ts';
export type { EngineChoice, EngineReport } from '../engine/registry.ts';
export type { SubtleOptions } from '../subtle/create-subtle.ts';
export type { KeyAlgorithmInfo, SubtleKey, SubtleKeyPair } from '../subtle/key.ts';
export type { SubtleAlgorithm, SubtleParams } from '../subtle/params.ts';
export type { StreamingHash } from '../subtle/streaming-hash.ts';
export type { EncapsulatedBits, EncapsulatedKey, Subtle } from '../subtle/subtle.ts';
export type { Usage } from '../subtle/key.ts';
