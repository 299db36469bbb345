import type { Primitive } from './primitive.ts';
import { AES } from './primitives/aes.ts';
import { ARX } from './primitives/arx.ts';
import { CONTROLS } from './primitives/controls.ts';
import { HASHES } from './primitives/hashes.ts';
import { INTEGERS } from './primitives/integers.ts';
import { LATTICE } from './primitives/lattice.ts';

/** Everything that is tested, controls first: without them the rest says nothing. */
export const PRIMITIVES: readonly Primitive[] = [
  ...CONTROLS,
  ...AES,
  ...ARX,
  ...HASHES,
  ...INTEGERS,
  ...LATTICE,
];
