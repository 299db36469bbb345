/*
 * What the page's script knows of the algorithms of `subtle`, from their table (src/crypto/subtle/table.ts): the operations
 * that each registers, and the parameters that they read (Web Cryptography API, section 18.4.4), so that a wrong one
 * fails at once and in the standard's order; and what `supports` has to know beside.
 *
 * A build puts the values of the exports in place of this module (scripts/evaluated.mjs): the script of a page has no
 * prices and none of the table's code.
 */
import { BOUNDS, ms } from '../../../src/crypto/subtle/prices.ts';
import type { Operations, PricedOperation, Row } from '../../../src/crypto/subtle/row.ts';
import { ALGORITHMS as TABLE, optional } from '../../../src/crypto/subtle/table.ts';

/** One algorithm, as a page's script knows it. */
export interface PageAlgorithm {
  readonly operations: Operations;
  /** What takes longer than a page may ask for, whatever the parameters are. */
  readonly tooLong?: readonly string[];
  /** The length of a derived key, at least, where it is neither given nor 256 bits. */
  readonly keyBits?: number;
  /** How much an agreement derives, where that does not depend on the key. */
  readonly secretBits?: number;
}

function forPages({
  operations,
  prices = {},
  isHazardous,
  keyBits,
  secretBits,
}: Row): PageAlgorithm {
  const tooLong = Object.keys(prices).filter((operation) => {
    const price = prices[operation as PricedOperation];
    return typeof price === 'number' && price > ms(BOUNDS.effortMs);
  });
  return {
    operations: isHazardous ? withFlag(operations) : operations,
    ...(tooLong.length > 0 && { tooLong }),
    // No hash has a shorter block than SHA-256.
    ...(keyBits && { keyBits: keyBits('SHA-256') }),
    ...(secretBits !== undefined && { secretBits }),
  };
}

/** Raw building blocks are unsafe alone: each use has to set the flag `hazardous`. */
function withFlag(operations: Operations): Operations {
  const rows = Object.entries(operations).map(([name, dictionary]) => [
    name,
    [...dictionary, optional('hazardous', 'flag')],
  ]);
  return Object.fromEntries(rows) as Operations;
}

/** By their names, as the standard writes them. */
export const ALGORITHMS: Readonly<Record<string, PageAlgorithm>> = Object.fromEntries(
  Object.entries(TABLE).map(([name, row]) => [name, forPages(row)]),
);

/** What `importKey('sealwright', …)` reads beside the name. */
export const NAMED_KEY = [
  optional('generation', 'long'),
  optional('hash', 'hash'),
  optional('hazardous', 'flag'),
  optional('length', 'long'),
  optional('namedCurve', 'text'),
] as const;
