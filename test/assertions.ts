import { config, util } from 'chai';

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/**
 * What `deep.equal` means for bytes, as for chai, but without its comparison of one element after the other: that was a
 * twentieth of what the unit tests computed. .mocharc.json loads it.
 */
const deepEqual = (a: unknown, b: unknown): boolean =>
  isBytes(a) && isBytes(b) ? Buffer.compare(a, b) === 0 : util.eql(a, b);

// Assertions that do not exist are found by the compiler: a proxy for each costs twice the assertion. The types of chai do not
// have `deepEqual` yet.
Object.assign(config, { deepEqual, useProxy: false });
