/*
 * The row for the second content script, which the user can switch on: it sends digests of pointer
 * movements. Pages cannot call it.
 */
import { page } from './page.ts';
import { boolean, bytes, object } from '../validate.ts';

/** Length of a digest (SHA-256). */
export const MOVEMENTS_BYTES = 32;
/** How many movements or key events a digest is of, at most; those of sites have as many each. */
export const MOVEMENTS_EVENTS = 32;

/** The row for the script that gathers pointer movements as entropy. */
export const MOVEMENT_METHODS = Object.freeze({
  /** `digest`: of times and distances. `wanted`: whether more digests are wanted; if not, the script ends. */
  stirMovements: page(
    'nothing',
    'pure',
    object({ digest: bytes(MOVEMENTS_BYTES) }),
    object({ wanted: boolean }),
    { uncounted: true },
  ),
});
