import { expect } from 'chai';
import type { Scope } from '../../../src/service/calls/frame-policy.ts';
import {
  MESSAGE_KEY_QUOTA,
  MessageKeyQuota,
  type MessagePower,
} from '../../../src/service/messages/one-message-keys.ts';

const { perScope, withinMs } = MESSAGE_KEY_QUOTA;
const [one, other] = ['https://one.example', 'https://other.example'].map((origin) => ({
  origin,
  topOrigin: origin,
  container: null,
})) as [Scope, Scope];

describe('Releases', () => {
  for (const power of Object.keys(perScope) as MessagePower[]) {
    it(`are as many a minute as the limit says, for each scope alone: ${power}`, () => {
      let now = 1_000;
      const quota = new MessageKeyQuota(() => now);
      for (let i = 0; i < perScope[power]; i++) {
        quota.admit(one, power);
        now += 10;
      }
      expect(() => quota.admit(one, power))
        .to.throw()
        .and.include({ code: 'QUOTA' })
        .and.have.deep.property('data', { retryAfterMs: withinMs - 10 * perScope[power] });
      quota.admit(other, power);
      quota.admit({ ...one, topOrigin: other.origin }, power);
      quota.admit({ ...one, container: 'work' }, power);
    });
  }

  it('come back one by one, as the minute of each is over', () => {
    let now = 0;
    const quota = new MessageKeyQuota(() => now);
    for (let i = 0; i < perScope.opens; i++) quota.admit(one, 'opens');
    now = withinMs - 1;
    expect(() => quota.admit(one, 'opens')).to.throw();
    now = withinMs;
    quota.admit(one, 'opens');
  });

  it('count together, and say when the smaller quota has room again', () => {
    let now = 0;
    const quota = new MessageKeyQuota(() => now);
    for (now = 0; now < perScope.opens + 50; now++) quota.admit(one, 'replaces');
    expect(() => quota.admit(one, 'opens'))
      .to.throw()
      .and.have.deep.property('data', { retryAfterMs: 50 + withinMs - now });
    now = 50 + withinMs;
    quota.admit(one, 'opens');
  });

  it('to seal do not count among those to open', () => {
    const quota = new MessageKeyQuota(() => 0);
    for (let i = 0; i < perScope.seals; i++) quota.admit(one, 'seals');
    for (let i = 0; i < perScope.opens; i++) quota.admit(one, 'opens');
    expect(() => quota.admit(one, 'seals')).to.throw();
    expect(() => quota.admit(one, 'opens')).to.throw();
  });

  it('are not held up for ever by a clock that was set back', () => {
    let now = 10 * withinMs;
    const quota = new MessageKeyQuota(() => now);
    for (let i = 0; i < perScope.opens; i++) quota.admit(one, 'opens');
    now = 0;
    quota.admit(one, 'opens');
  });
});
