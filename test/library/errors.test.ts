import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { isSealwrightError as isOfPage, SealwrightClientError } from '../../src/client/errors.ts';
import { EnvelopeError } from '../../src/format/errors.ts';
import { isSealwrightError } from '../../src/library/errors.ts';
import type { SealwrightErrorCodes } from '../../src/library/errors.ts';
import type { ClientErrorCode } from '../../src/client/errors.ts';
import type { EnvelopeErrorCode } from '../../src/format/errors.ts';
import { NotSeededError } from '../../src/random/contract.ts';
import { ERROR_CODES, SealwrightError } from '../../src/rpc/errors.ts';
import type { ErrorCode } from '../../src/rpc/errors.ts';
import { SyncError } from '../../src/sync/errors.ts';
import type { SyncErrorCode } from '../../src/sync/errors.ts';

/** The compiler refuses a list that lacks a code or has another. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const SAME: [
  Same<SealwrightErrorCodes['SealwrightError'], ErrorCode>,
  Same<SealwrightErrorCodes['SealwrightClientError'], ClientErrorCode>,
  Same<SealwrightErrorCodes['EnvelopeError'], EnvelopeErrorCode>,
  Same<SealwrightErrorCodes['AuthenticationError'], AuthenticationError['code']>,
  Same<SealwrightErrorCodes['NotSeededError'], NotSeededError['code']>,
  Same<SealwrightErrorCodes['SyncError'], SyncErrorCode>,
] = [true, true, true, true, true, true];

const OURS = [
  new SealwrightError('LOCKED', 'locked'),
  new SealwrightClientError('ABSENT', 'absent'),
  new EnvelopeError('TOO_LARGE', 'too large'),
  new AuthenticationError(),
  new NotSeededError(),
  new SyncError('BAD_CLEARTEXT', 'not an object'),
];

describe('isSealwrightError', () => {
  it('tells the errors of all subpaths, with any of the codes or with those that are asked for', () => {
    expect(SAME).to.have.length(OURS.length);
    for (const error of OURS) {
      expect(isSealwrightError(error), error.name).to.equal(true);
      expect(isSealwrightError(error, error.code), error.name).to.equal(true);
      expect(isSealwrightError(error, 'BAD_RECORD', error.code), error.name).to.equal(true);
      expect(isSealwrightError(error, 'BAD_RECORD'), error.name).to.equal(false);
    }
  });

  it('of the client takes codes too, for the errors of the extension and its own', () => {
    const [provider, client, ...others] = OURS;
    for (const error of [provider!, client!]) {
      expect(isOfPage(error)).to.equal(true);
      expect(isOfPage(error, 'LOCKED', 'ABSENT')).to.equal(true);
      expect(isOfPage(error, 'QUOTA')).to.equal(false);
    }
    for (const error of [...others, undefined, null, 'LOCKED']) {
      expect(isOfPage(error)).to.equal(false);
    }
  });

  it('holds for another copy of a class, and for no other error', () => {
    class Copy extends Error {
      override readonly name = 'AuthenticationError';
      readonly code = 'AUTH_FAILED';
    }
    expect(isSealwrightError(new Copy())).to.equal(true);
    const others = [
      ...[undefined, null, 'AUTH_FAILED', {}, new TypeError('x'), { name: 'toString', code: 'X' }],
      new DOMException('x', 'OperationError'),
      Object.assign(new Error('x'), { name: 'AuthenticationError' }),
      Object.assign(new Error('x'), { code: 'ENOENT' }),
    ];
    for (const other of others) expect(isSealwrightError(other)).to.equal(false);
  });

  it('and the classes are one family to instanceof, whichever script they are of', () => {
    class Copy extends Error {
      override readonly name: string;
      constructor(name: string) {
        super();
        this.name = name;
      }
    }
    expect(new Copy('AuthenticationError')).to.be.instanceOf(AuthenticationError);
    expect(new Copy('EnvelopeError')).to.be.instanceOf(EnvelopeError);
    expect(new Copy('AuthenticationError')).to.not.be.instanceOf(EnvelopeError);
    expect(new TypeError('x')).to.not.be.instanceOf(AuthenticationError);
  });

  it('has every code in docs/library.md', () => {
    const [, errors = ''] = readFileSync('docs/library.md', 'utf8').split('\n## Errors\n');
    const rest = [
      'ABSENT',
      'NOT_SEALED',
      'BAD_RECORD',
      'LOCAL_DATABASE',
      'ATTACHMENT',
      'WRONG_PLACE',
    ];
    for (const code of [...ERROR_CODES, ...rest, 'NOT_SEEDED']) {
      expect(errors).to.include(`\`${code}\``);
    }
  });
});
