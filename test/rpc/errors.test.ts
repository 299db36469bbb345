import { expect } from 'chai';
import { ERROR_CODES, fromWire, SealwrightError, toWire } from '../../src/rpc/errors.ts';

describe('errors on the wire', () => {
  it('keep code, message and data, and derive retryable from the code', () => {
    const sent = new SealwrightError('QUOTA', 'Wait', { retryAfterMs: 5 });
    const arrived = fromWire(structuredClone(toWire(sent)));
    expect(arrived).to.be.instanceOf(SealwrightError).and.be.instanceOf(Error);
    expect(arrived.name).to.equal('SealwrightError');
    expect(arrived).to.include({ code: 'QUOTA', message: 'Wait', retryable: true });
    expect(arrived.data).to.deep.equal({ retryAfterMs: 5 });
  });

  it('reveal nothing of other errors', () => {
    const secret = Object.assign(new TypeError('key 00ff'), { code: 'AUTH_FAILED', data: 'key' });
    for (const error of [secret, 'key 00ff', { message: 'key 00ff' }, null, undefined]) {
      expect(toWire(error)).to.deep.equal({
        code: 'INTERNAL',
        message: 'Sealwright met an unexpected error',
      });
    }
  });

  it('have the codes of the page contract', () => {
    expect([...ERROR_CODES].sort()).to.deep.equal(
      (
        'AUTH_FAILED BAD_ENVELOPE DISCONNECTED EXPIRED FROZEN INTERNAL INVALID_ARGUMENT LOCKED NEEDS_KEY ' +
        'NOT_GRANTED QUOTA TOO_LARGE UNSUPPORTED USER_REJECTED'
      ).split(' '),
    );
  });
});
