import { expect } from 'chai';
import { enableRelaxedSimd } from '../support/wasm.ts';
import { foundIn, PLANTS } from './plants.ts';

enableRelaxedSimd();

describe(`the proof finds ${PLANTS.length} planted leaks`, () => {
  for (const plant of PLANTS) {
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
