import { oddPower, type OddPower } from '../../src/crypto/bigint/odd-power.ts';
import { loadMontgomery } from '../../src/engine/wasm/montgomery/montgomery.ts';
import { asBytes, type Contender } from '../contender.ts';
import { JS, WASM } from '../names.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf } from '../row.ts';
import { bigintPower, bnPower, gmpPower, opensslPower, sjclPower } from './peers.ts';
import { powerNumbers, type PowerNumbers } from '../../lab/runs/pomcor.ts';
import { POWER_SIZES } from '../../lab/tasks.ts';
import { powerRow } from './row-key.ts';

/* The eight sizes of Pomcor's four tables of modular exponentiation, two of which are of a phone. */

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const all: Contender<PowerNumbers>[] = [
    ours(JS, oddPower),
    ours(WASM, await loadMontgomery(loadWasm)),
    opensslPower,
    sjclPower,
    bnPower,
    bigintPower,
    gmpPower,
  ];
  return POWER_SIZES.filter(({ modulus }) => modulus / 8 <= largest).map((size) =>
    rowOf({ ...powerRow(size), bytes: 0 }, powerNumbers(size, pattern), all),
  );
};

const ours = (name: string, power: OddPower): Contender<PowerNumbers> => ({
  name,
  kind: 'ours',
  prepare: ({ base, exponent, modulus }) => ({
    run: () => power(base, exponent, modulus),
    bytes: asBytes,
  }),
});
