/* `sealwright/random`: Fortuna, for Node, Deno, browsers and workers. */
export { FortunaAccumulator } from '../random/accumulator.ts';
export { NotSeededError } from '../random/contract.ts';
export { FortunaGenerator } from '../random/generator.ts';
export type { ShaDVariant } from '../random/sha-d.ts';
