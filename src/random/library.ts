/** `sealwright/random`: what the library offers to programs outside the extension. */
export { FortunaAccumulator } from './accumulator.ts';
export { NotSeededError } from './errors.ts';
export { FortunaGenerator } from './generator.ts';
export type { ShaDVariant } from './sha-d.ts';
