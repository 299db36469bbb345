/** `sealwright/random`: what the library offers to programs outside the extension. */
export { FortunaAccumulator } from '../random/accumulator.ts';
export { NotSeededError } from '../random/contract.ts';
export { FortunaGenerator } from '../random/generator.ts';
export type { ShaDVariant } from '../random/sha-d.ts';
