/*
 * What the second content script, where the user has switched it on, tells of a person's pointer
 * movements. Pages have no way to it.
 */
import { page } from './page.ts';
import { boolean, bytes, object } from '../validate.ts';

/** Of SHA-256. */
export const MOVEMENTS_BYTES = 32;

/** The row for the script that gathers pointer movements as entropy. */
export const MOVEMENT_METHODS = Object.freeze({
  /** `digest`: of times and distances. `wanted`: whether to go on; else the script ends. */
  stirMovements: page(
    'nothing',
    'pure',
    object({ digest: bytes(MOVEMENTS_BYTES) }),
    object({ wanted: boolean }),
    { uncounted: true },
  ),
});
