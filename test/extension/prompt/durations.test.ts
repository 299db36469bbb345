import { expect } from 'chai';
import fc from 'fast-check';
import {
  requestedDuration,
  durationChoices,
  ONCE_WITHIN_MS,
  perHourChoices,
  UNUSED_ENDS_MS,
} from '../../../extension/prompt/durations.ts';
import { UNUSED_MS } from '../../../src/service/grants/grant-rules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const times = (expiresInMs: number | null) =>
  durationChoices({ expiresInMs, maxUses: null })
    .filter(({ once }) => !once)
    .map(({ ms }) => ms);

describe('choices of duration', () => {
  it('use the service’s limit for unused grants', () => {
    expect(UNUSED_ENDS_MS).to.equal(UNUSED_MS);
  });

  it('include “until revoked” if the site sets no end', () => {
    expect(times(null)).to.deep.equal([HOUR, DAY, 30 * DAY, null]);
  });

  it('end with the duration that the site requested', () => {
    expect(times(7 * DAY)).to.deep.equal([HOUR, DAY, 7 * DAY]);
  });

  it('do not repeat the requested duration', () => {
    expect(times(DAY)).to.deep.equal([HOUR, DAY]);
  });

  it('consist of the requested duration if it is shorter than an hour', () => {
    expect(times(60_000)).to.deep.equal([60_000]);
  });

  it('begin with a single use, which expires within an hour', () => {
    const [first] = durationChoices({ expiresInMs: null, maxUses: 500 });
    expect(first).to.deep.equal({ ms: ONCE_WITHIN_MS, once: true });
    const [shorter] = durationChoices({ expiresInMs: 60_000, maxUses: null });
    expect(shorter).to.deep.equal({ ms: 60_000, once: true });
  });

  it('of an hour end with what the site requests, and are all smaller', () => {
    expect(perHourChoices(null)).to.deep.equal([10, 100, 1000, null]);
    expect(perHourChoices(1000)).to.deep.equal([10, 100, 1000]);
    expect(perHourChoices(7)).to.deep.equal([7]);
  });

  it('include no single use if the site requests just one', () => {
    const choices = durationChoices({ expiresInMs: null, maxUses: 1 });
    expect(choices.some(({ once }) => once)).to.be.false;
  });

  it('never exceed the requested duration, which is always the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 * DAY }), (expiresInMs) => {
        const requested = { expiresInMs, maxUses: null };
        const choices = durationChoices(requested);
        expect(choices.at(-1)).to.deep.equal(requestedDuration(requested));
        expect(choices.every(({ ms }) => ms !== null && ms <= expiresInMs)).to.be.true;
        expect(
          times(expiresInMs)
            .slice()
            .sort((a, b) => a! - b!),
        ).to.deep.equal(times(expiresInMs));
      }),
    );
  });
});
