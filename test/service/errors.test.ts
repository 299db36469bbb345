import { expect } from 'chai';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { EnvelopeError } from '../../src/format/errors.ts';
import { VaultError } from '../../src/keys/values/errors.ts';
import { needsKey, SealwrightError, toWire } from '../../src/rpc/errors.ts';
import { argumentChecked, asCallerError } from '../../src/service/errors.ts';
import { errorOf } from '../support/outcomes.ts';

describe('Errors that cross to a caller', () => {
  const ROWS: readonly [string, Error, string][] = [
    ['a message that does not verify', new AuthenticationError(), 'AUTH_FAILED'],
    ['no envelope', new EnvelopeError('BAD_ENVELOPE', 'not a sealed message'), 'BAD_ENVELOPE'],
    ['too large', new EnvelopeError('TOO_LARGE', 'too large'), 'TOO_LARGE'],
    ['a later release', new EnvelopeError('UNSUPPORTED', 'later'), 'UNSUPPORTED'],
    ['a locked vault', new VaultError('LOCKED'), 'LOCKED'],
    ['no vault', new VaultError('ABSENT'), 'LOCKED'],
    ['a lost vault', new VaultError('LOST'), 'LOCKED'],
    ['a wrong passphrase', new VaultError('WRONG_PASSPHRASE'), 'AUTH_FAILED'],
    ['a vault that exists', new VaultError('EXISTS'), 'INVALID_ARGUMENT'],
    ['a damaged record', new VaultError('CORRUPT'), 'INTERNAL'],
    ['a newer vault', new VaultError('NEWER'), 'UNSUPPORTED'],
    ['a full disk', new VaultError('QUOTA'), 'INTERNAL'],
    ['a store that fails', new VaultError('UNAVAILABLE'), 'INTERNAL'],
    ['anything else', new Error('key 0123456789abcdef'), 'INTERNAL'],
    ['a bug', new TypeError('secret is not a function'), 'INTERNAL'],
  ];
  for (const [name, error, code] of ROWS) {
    it(`${name}: ${code}`, () => {
      const told = asCallerError(error);
      expect(told).to.be.instanceOf(SealwrightError).with.property('code', code);
    });
  }

  it('show the same for absent, lost and locked, so that no page can tell them apart', () => {
    const told = (['ABSENT', 'LOST', 'LOCKED'] as const).map((code) =>
      toWire(asCallerError(new VaultError(code))),
    );
    expect(told).to.deep.equal([told[0], told[0], told[0]]);
  });

  it('leak nothing of what was not foreseen', () => {
    const cause = new Error('cause');
    const told = asCallerError(new Error('key 0123456789abcdef', { cause }));
    expect(told.message).to.not.contain('0123');
    expect(told.cause).to.equal(undefined);
  });

  it('pass an abort, and what is in the contract’s words already', () => {
    const abort = new DOMException('gone', 'AbortError');
    expect(asCallerError(abort)).to.equal(abort);
    const known = needsKey('id');
    expect(asCallerError(known)).to.equal(known);
  });

  it('call a mistake in typed text INVALID_ARGUMENT, and let other errors be', async () => {
    const told = (error: Error) => errorOf(argumentChecked(Promise.reject(error)));
    expect(await told(new RangeError('label: too long'))).to.include({
      code: 'INVALID_ARGUMENT',
      message: 'label: too long',
    });
    const other = new VaultError('LOCKED');
    expect(await told(other)).to.equal(other);
  });
});
