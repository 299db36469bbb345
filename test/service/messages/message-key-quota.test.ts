import { expect } from 'chai';
import {
  MESSAGE_KEY_QUOTA,
  MessageKeyQuota,
  type MessagePower,
} from '../../../src/service/messages/one-message-keys.ts';

const { perDocument, withinMs } = MESSAGE_KEY_QUOTA;

describe('Releases', () => {
  for (const power of Object.keys(perDocument) as MessagePower[]) {
    it(`are as many a minute as the limit says, for each document alone: ${power}`, () => {
      let now = 1_000;
      const quota = new MessageKeyQuota(() => now);
      for (let i = 0; i < perDocument[power]; i++) {
        quota.admit('one', power);
        now += 10;
      }
      expect(() => quota.admit('one', power))
        .to.throw()
        .and.include({ code: 'QUOTA' })
        .and.have.deep.property('data', { retryAfterMs: withinMs - 10 * perDocument[power] });
      quota.admit('other', power);
    });
  }

  it('come back one by one, as the minute of each is over', () => {
    let now = 0;
    const quota = new MessageKeyQuota(() => now);
    for (let i = 0; i < perDocument.opens; i++) quota.admit('one', 'opens');
    now = withinMs - 1;
    expect(() => quota.admit('one', 'opens')).to.throw();
    now = withinMs;
    quota.admit('one', 'opens');
  });

  it('count together, and say when the smaller quota has room again', () => {
    let now = 0;
    const quota = new MessageKeyQuota(() => now);
    for (now = 0; now < perDocument.opens + 50; now++) quota.admit('one', 'replaces');
    expect(() => quota.admit('one', 'opens'))
      .to.throw()
      .and.have.deep.property('data', { retryAfterMs: 50 + withinMs - now });
    now = 50 + withinMs;
    quota.admit('one', 'opens');
  });

  it('are not held up for ever by a clock that was set back', () => {
    let now = 10 * withinMs;
    const quota = new MessageKeyQuota(() => now);
    for (let i = 0; i < perDocument.opens; i++) quota.admit('one', 'opens');
    now = 0;
    quota.admit('one', 'opens');
  });
});
