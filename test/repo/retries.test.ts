import { expect } from 'chai';
import { malformed, unlisted } from '../../scripts/retries.mjs';
import list from '../browser/known-flaky.json' with { type: 'json' };

const entry = { test: 'fields open', reason: 'the browser loses a key', since: '2026-11-22' };

describe('A test that needs its second try', () => {
  it('fails the run', () => {
    expect(unlisted(['fields open'], [], [])).to.deep.equal(['fields open']);
  });

  it('is named once, in however many browsers and files it was repeated', () => {
    expect(unlisted(['a', 'a', 'b'], [], [])).to.deep.equal(['a', 'b']);
  });

  it('is accepted when the list has it with a reason and a date', () => {
    expect(unlisted(['fields open'], [], [entry])).to.deep.equal([]);
    expect(malformed([entry])).to.deep.equal([]);
  });

  it('is not counted twice when its second try failed too', () => {
    expect(unlisted(['fields open'], ['fields open'], [])).to.deep.equal([]);
  });

  it('needs a reason and a date in the list', () => {
    const [test, reason, since] = [entry.test, entry.reason, entry.since];
    for (const bad of [{ test }, { test, reason }, { test, since }, { ...entry, since: 'today' }]) {
      expect(malformed([bad])).to.have.length(1);
    }
  });

  it('finds every entry of the list complete', () => {
    expect(malformed(list)).to.deep.equal([]);
  });
});
