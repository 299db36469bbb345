/* `sealwright/bigint`: modular exponentiation for Node, Deno, browsers and workers. */
import { createModExp } from '../crypto/bigint/mod-exp.ts';
import { libraryPower } from './power.ts';

export { ready } from './power.ts';
export type { ReadyOptions } from './power.ts';
export type { ModExp } from '../crypto/bigint/mod-exp.ts';

/** base^exponent modulo modulus, by the fastest engine that is loaded; see `ModExp` and `ready`. */
export const modExp = createModExp(libraryPower.power);
