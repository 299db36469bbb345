import { expect } from 'chai';
import {
  MESSAGE_KEY_QUOTA,
  MessageKeyQuota,
} from '../../../src/service/messages/one-message-keys.ts';

describe('Releases', () => {
  it('are as many a minute as the limit says, for each document alone', () => {
    let now = 1_000;
    const quota = new MessageKeyQuota(() => now);
    for (let i = 0; i < MESSAGE_KEY_QUOTA.perDocument; i++) {
      quota.admit('one');
      now += 100;
    }
    expect(() => quota.admit('one'))
      .to.throw()
      .and.include({ code: 'QUOTA' })
      .and.have.deep.property('data', { retryAfterMs: MESSAGE_KEY_QUOTA.withinMs - 10_000 });
    quota.admit('other');
  });

  it('come back one by one, as the minute of each is over', () => {
    let now = 0;
    const quota = new MessageKeyQuota(() => now);
    for (let i = 0; i < MESSAGE_KEY_QUOTA.perDocument; i++) quota.admit('one');
    now = MESSAGE_KEY_QUOTA.withinMs - 1;
    expect(() => quota.admit('one')).to.throw();
    now = MESSAGE_KEY_QUOTA.withinMs;
    quota.admit('one');
  });

  it('are not held up for ever by a clock that was set back', () => {
    let now = 10 * MESSAGE_KEY_QUOTA.withinMs;
    const quota = new MessageKeyQuota(() => now);
    for (let i = 0; i < MESSAGE_KEY_QUOTA.perDocument; i++) quota.admit('one');
    now = 0;
    quota.admit('one');
  });
});
