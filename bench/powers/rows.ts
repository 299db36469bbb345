import { oddPower, type OddPower } from '../../src/crypto/bigint/odd-power.ts';
import { loadMontgomery } from '../../src/engine/wasm/montgomery/montgomery.ts';
import { asBytes, type Contender } from '../contender.ts';
import { JS, WASM } from '../names.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf } from '../row.ts';
import { bigintPower, bnPower, gmpPower, opensslPower, sjclPower } from './peers.ts';
import { POMCOR, powerRow, type PomcorSize, type PowerTask } from './task.ts';

/* The eight sizes of Pomcor's four tables of modular exponentiation, two of which are of a phone. */

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const all: Contender<PowerTask>[] = [
    ours(JS, oddPower),
    ours(WASM, await loadMontgomery(loadWasm)),
    opensslPower,
    sjclPower,
    bnPower,
    bigintPower,
    gmpPower,
  ];
  return POMCOR.filter(({ modulusBits }) => modulusBits / 8 <= largest).map((size) =>
    rowOf({ ...powerRow(size), bytes: 0 }, taskOf(size), all),
  );
};

const ours = (name: string, power: OddPower): Contender<PowerTask> => ({
  name,
  kind: 'ours',
  prepare: ({ base, exponent, modulus }) => ({
    run: () => power(base, exponent, modulus),
    bytes: asBytes,
  }),
});

/** Numbers of just those lengths; an odd modulus is all that Montgomery's arithmetic needs. */
function taskOf({ modulusBits, exponentBits }: PomcorSize): PowerTask {
  const modulus = pattern(modulusBits / 8, 11).slice();
  modulus[0]! |= 0x80;
  modulus[modulus.length - 1]! |= 1;
  const exponent = pattern(exponentBits / 8, 13).slice();
  exponent[0]! |= 0x80;
  const base = pattern(modulusBits / 8, 17).slice();
  base[0]! &= 0x7f;
  return { base, exponent, modulus };
}
