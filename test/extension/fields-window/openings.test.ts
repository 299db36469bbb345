import { expect } from 'chai';
import { FIRST_STEP, NEXT_STEP, stepEnd } from '../../../extension/fields-window/use-openings.ts';
import { MAX_FOUND } from '../../../src/rpc/methods/ui-fields.ts';

const texts = (count: number, bytes: number) =>
  Array.from({ length: count }, () => new Uint8Array(bytes));

describe('the sealed texts of a page', () => {
  it('are opened by themselves only if they are few and short', () => {
    expect(stepEnd(texts(3, 1_000), 0, FIRST_STEP)).to.equal(3);
    expect(stepEnd(texts(MAX_FOUND, 1_000), 0, FIRST_STEP)).to.equal(FIRST_STEP.texts);
    expect(stepEnd(texts(5, 100_000), 0, FIRST_STEP)).to.equal(2);
    expect(stepEnd(texts(5, FIRST_STEP.bytes + 1), 0, FIRST_STEP)).to.equal(0);
  });

  it('are opened by twenty at a press', () => {
    expect(stepEnd(texts(MAX_FOUND, 1_000), 5, NEXT_STEP)).to.equal(25);
    expect(stepEnd(texts(30, 1_000), 25, NEXT_STEP)).to.equal(30);
    expect(stepEnd(texts(MAX_FOUND, 2 ** 20), 5, NEXT_STEP)).to.equal(9);
    expect(stepEnd([], 0, NEXT_STEP)).to.equal(0);
  });
});
