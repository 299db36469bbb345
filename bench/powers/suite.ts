import { inV8, timesAsFast, timesTheTime, type Figure } from '../figures.ts';
import { JS, WASM } from '../names.ts';
import type { Suite } from '../suite.ts';
import { plotPowers } from './plots.ts';
import { POWER_SIZES, type PowerSize } from '../../lab/tasks.ts';
import { powerRow } from './row-key.ts';

function figuresFor(size: PowerSize): Figure[] {
  const row = powerRow(size);
  const { modulus } = size;
  return [
    timesAsFast(row, WASM, 'sjcl', inV8(modulus === 1024 ? 80 : 100)),
    timesAsFast(row, WASM, 'gmp-wasm', inV8(modulus === 15360 ? 2 : 3)),
    // OpenSSL takes no moduli of more than 10,000 bits here.
    ...(modulus <= 10_000
      ? [timesTheTime(row, WASM, 'OpenSSL', modulus >= 2048 ? { node: 1.3 } : {})]
      : []),
    timesAsFast(row, JS, 'sjcl', inV8(12)),
  ];
}

export const powers: Suite = {
  name: 'powers',
  title: 'Modular exponentiation',
  rows: 'bench/powers/rows.ts',
  // Bytes of the largest modulus
  largest: 15360 / 8,
  figures: POWER_SIZES.flatMap(figuresFor),
  plots: [plotPowers],
};
