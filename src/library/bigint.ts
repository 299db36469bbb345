/* `sealwright/bigint`: modular exponentiation for Node, Deno, browsers and workers. */
import { createModExp } from '../crypto/bigint/mod-exp.ts';
import { libraryPower } from './power.ts';

export type { ModExp } from '../crypto/bigint/mod-exp.ts';

/** base^exponent modulo modulus, by the fastest engine; see `ModExp`. */
export const modExp = createModExp(libraryPower);
