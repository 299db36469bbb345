import { expect } from 'chai';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { enableRelaxedSimd } from '../support/wasm.ts';
import { foundIn, PLANTS } from './plants.ts';

enableRelaxedSimd();

/** One of each kind in `npm test`. */
const TRIED = PLANTS.filter(
  ({ kind }, i) => IS_NIGHTLY || PLANTS.findIndex((one) => one.kind === kind) === i,
);

describe(`the proof finds ${TRIED.length} planted leaks`, () => {
  for (const plant of TRIED) {
    it(`${plant.title}: ${plant.kind}`, async () => {
      expect(await foundIn(plant, true)).to.include(`${plant.kind} in ${plant.func}`);
      expect(await foundIn(plant, false)).to.deep.equal([]);
    });
  }

  it('of every kind', () => {
    const kinds = new Set(PLANTS.map(({ kind }) => kind));
    expect([...kinds].sort()).to.deep.equal([
      'address',
      'branch',
      'call',
      'division',
      'length',
      'result',
      'select',
      'table',
      'trap',
    ]);
  });
});
