import type { Body } from './body.ts';
import type { V128 } from './expression.ts';
import { shuffle32 } from './words.ts';

/** Four vectors of four words: word j of vector i becomes word i of vector j. */
export function transpose32(body: Body, rows: readonly V128[]): V128[] {
  const [a, b, c, d] = rows as readonly [V128, V128, V128, V128];
  const pairs = (x: V128, y: V128, lanes: number[]): V128 => body.let(shuffle32(x, y, lanes));
  const low = [0, 4, 1, 5];
  const high = [2, 6, 3, 7];
  const [abLow, abHigh] = [pairs(a, b, low), pairs(a, b, high)];
  const [cdLow, cdHigh] = [pairs(c, d, low), pairs(c, d, high)];
  const [first, second] = [
    [0, 1, 4, 5],
    [2, 3, 6, 7],
  ] as const;
  return [
    pairs(abLow, cdLow, [...first]),
    pairs(abLow, cdLow, [...second]),
    pairs(abHigh, cdHigh, [...first]),
    pairs(abHigh, cdHigh, [...second]),
  ];
}
