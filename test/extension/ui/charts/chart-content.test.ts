import { expect } from 'chai';
import { isRound, scaleFor } from '../../../../extension/ui/charts/chart-content.ts';

describe('the axis of a plot', () => {
  it('begins at zero where the largest value is less than 20 times the smallest', () => {
    expect(scaleFor([125, 187])).to.equal('linear');
    expect(scaleFor([1, null, 19.9])).to.equal('linear');
    expect(scaleFor([1, 20])).to.equal('logarithmic');
    expect(scaleFor([0.004, 3, null])).to.equal('logarithmic');
  });

  it('begins at zero where there is nothing to compare', () => {
    expect(scaleFor([])).to.equal('linear');
    expect(scaleFor([null, 0])).to.equal('linear');
  });

  it('has numbers at 1, 2 and 5 times the powers of ten', () => {
    const round = [0.001, 0.002, 0.005, 0.1, 0.2, 1, 2, 5, 10, 50, 200, 1000, 2e9];
    expect(round.filter((value) => !isRound(value))).to.deep.equal([]);
    expect([0.003, 0.04, 3, 4, 6, 15, 25, 90, 700].filter(isRound)).to.deep.equal([]);
  });
});
