import { expect } from 'chai';
import { strengthOf } from '../../../../extension/views/unlock/strength.ts';
import { createEstimator } from '../../../../extension/views/unlock/strength-estimator.ts';
import { suggestPassphrase } from '../../../../extension/views/unlock/use-new-passphrase.ts';

const YEAR = 365.2425 * 86_400_000;

describe('strength of a passphrase', () => {
  for (const [guesses, level, acceptable] of [
    [1, 0, false],
    [1e8 - 1, 0, false],
    [1e8, 1, false],
    [1e10 - 1, 1, false],
    [1e10, 2, true],
    [1e12, 3, true],
    [1e14, 4, true],
    [Infinity, 4, true],
  ] as const) {
    it(`of ${guesses} guesses is level ${level}, ${acceptable ? '' : 'not '}acceptable`, () => {
      expect(strengthOf(guesses)).to.include({ level, acceptable });
    });
  }

  it('counts 10,000 guesses a second', () => {
    expect(strengthOf(1e12).crackMs).to.equal(1e11);
  });

  it('is instant below one second', () => {
    expect(strengthOf(9_999).crackMs).to.equal('instant');
    expect(strengthOf(10_000).crackMs).to.equal(1000);
  });

  it('is centuries above a hundred years', () => {
    expect(strengthOf((100 * YEAR * 10_000) / 1000).crackMs).to.equal(100 * YEAR);
    expect(strengthOf((101 * YEAR * 10_000) / 1000).crackMs).to.equal('centuries');
  });
});

describe('estimator', () => {
  const estimator = createEstimator();
  const levelOf = (passphrase: string) => strengthOf(estimator.guesses(passphrase)).level;

  for (const weak of [
    'password',
    'qwertyuiop',
    'sunshine2024',
    'aaaaaaaaaaaaaaaa',
    'Sealwright1',
  ]) {
    it(`rates “${weak}” as weak`, () => {
      expect(strengthOf(estimator.guesses(weak)).acceptable).to.be.false;
    });
  }

  it('rates four unrelated words as good', () => {
    expect(levelOf('violet tractor lantern mosaic')).to.be.at.least(3);
  });

  it('rates every suggestion as strong', () => {
    for (let turn = 0; turn < 5; turn++) {
      const suggestion = suggestPassphrase(estimator.words, (it) => crypto.getRandomValues(it));
      expect(levelOf(suggestion), suggestion).to.equal(4);
    }
  });

  it('suggests six words of diceware with 77 bits, none of them grim', () => {
    const { size } = new Set(estimator.words);
    expect(6 * Math.log2(size)).to.be.above(77);
    expect(estimator.words).to.have.lengthOf(size).and.include('lantern');
    for (const grim of ['mortuary', 'graveyard', 'suffocate', 'gangrene']) {
      expect(estimator.words).to.not.include(grim);
    }
  });
});

describe('suggested passphrase', () => {
  const draws = (...values: number[]) => {
    const left = [...values];
    return (target: Uint16Array) => void target.fill(left.shift()!);
  };

  it('is six words joined by hyphens', () => {
    const words = ['a', 'b', 'c', 'd'];
    expect(suggestPassphrase(words, draws(0, 1, 2, 3, 4, 5))).to.equal('a-b-c-d-a-b');
  });

  it('draws again for numbers in the last, incomplete range', () => {
    // 65,536 = 3 × 21,845 + 1: accepting 65,535 would favour the first of three words.
    const words = ['a', 'b', 'c'];
    expect(suggestPassphrase(words, draws(65_535, 65_534, 0, 0, 0, 0, 0))).to.equal('c-a-a-a-a-a');
  });

  it('refuses an empty list and one of more than 65,536 words', () => {
    expect(() => suggestPassphrase([], draws())).to.throw(RangeError, 'words: 0');
    expect(() => suggestPassphrase(Array<string>(65_537).fill('a'), draws())).to.throw(RangeError);
  });
});
