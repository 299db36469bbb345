import { expect } from 'chai';
import fc from 'fast-check';
import {
  requestedDuration,
  durationChoices,
  ONCE_WITHIN_MS,
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
  it('tell the time after which the service ends an unused grant', () => {
    expect(UNUSED_ENDS_MS).to.equal(UNUSED_MS);
  });

  it('go up to “until revoked” when the site sets no end', () => {
    expect(times(null)).to.deep.equal([HOUR, DAY, 30 * DAY, null]);
  });

  it('end with what the site asked for', () => {
    expect(times(7 * DAY)).to.deep.equal([HOUR, DAY, 7 * DAY]);
  });

  it('do not repeat what the site asked for', () => {
    expect(times(DAY)).to.deep.equal([HOUR, DAY]);
  });

  it('are that alone when it is shorter than an hour', () => {
    expect(times(60_000)).to.deep.equal([60_000]);
  });

  it('begin with a single use, that lapses soon', () => {
    const [first] = durationChoices({ expiresInMs: null, maxUses: 500 });
    expect(first).to.deep.equal({ ms: ONCE_WITHIN_MS, once: true });
    const [shorter] = durationChoices({ expiresInMs: 60_000, maxUses: null });
    expect(shorter).to.deep.equal({ ms: 60_000, once: true });
  });

  it('offer no single use to a site that asks for no more', () => {
    const choices = durationChoices({ expiresInMs: null, maxUses: 1 });
    expect(choices.some(({ once }) => once)).to.be.false;
  });

  it('never exceed what the site asked for, and always contain it, last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 * DAY }), (expiresInMs) => {
        const asked = { expiresInMs, maxUses: null };
        const choices = durationChoices(asked);
        expect(choices.at(-1)).to.deep.equal(requestedDuration(asked));
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
