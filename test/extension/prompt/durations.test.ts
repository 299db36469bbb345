import { expect } from 'chai';
import fc from 'fast-check';
import { durationChoices } from '../../../extension/prompt/durations.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('choices of duration', () => {
  it('go up to “until revoked” when the site sets no end', () => {
    expect(durationChoices(null)).to.deep.equal([HOUR, DAY, 30 * DAY, null]);
  });

  it('end with what the site asked for', () => {
    expect(durationChoices(7 * DAY)).to.deep.equal([HOUR, DAY, 7 * DAY]);
  });

  it('do not repeat what the site asked for', () => {
    expect(durationChoices(DAY)).to.deep.equal([HOUR, DAY]);
  });

  it('are that alone when it is shorter than an hour', () => {
    expect(durationChoices(60_000)).to.deep.equal([60_000]);
  });

  it('never exceed what the site asked for, and always contain it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 * DAY }), (asked) => {
        const choices = durationChoices(asked);
        expect(choices).to.include(asked);
        expect(choices.every((ms) => ms !== null && ms <= asked)).to.be.true;
        expect([...choices].sort((a, b) => a! - b!)).to.deep.equal(choices);
      }),
    );
  });
});
