import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { AuthenticationError, checkBytes, checkInteger } from '../../src/crypto/errors.ts';

describe('errors', () => {
  it('AuthenticationError is an Error with one message and no details', () => {
    const error = new AuthenticationError();
    expect(error).to.be.instanceOf(Error);
    expect(error.name).to.equal('AuthenticationError');
    expect(error.message).to.equal('Authentication failed');
    expect(error.cause).to.equal(undefined);
  });

  it('checkBytes accepts byte arrays of any realm and subclass, and no lookalikes', () => {
    checkBytes('key', new Uint8Array(0));
    checkBytes('key', new Uint8Array(8).subarray(8));
    checkBytes('key', Buffer.alloc(3));
    checkBytes('key', runInNewContext('new Uint8Array(3)'));
    const lookalike = { length: 3, [Symbol.toStringTag]: 'Uint8Array' };
    for (const value of [undefined, null, 'abc', [1, 2], new ArrayBuffer(3), lookalike]) {
      expect(() => checkBytes('key', value)).to.throw(TypeError, 'key must be a Uint8Array');
    }
    for (const view of [new Int8Array(3), new Uint8ClampedArray(3), new Uint16Array(3)]) {
      expect(() => checkBytes('key', view)).to.throw(TypeError, 'key must be a Uint8Array');
    }
  });

  it('checkBytes distinguishes a detached buffer from an empty array', () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(() => checkBytes('data', bytes)).to.throw(TypeError, 'data is a view of a detached');
    for (const empty of [new Uint8Array(0), Buffer.alloc(0), new Uint8Array(8).subarray(8)]) {
      checkBytes('data', empty);
    }
  });

  it('checkBytes refuses a view that its buffer has become too short for, which has length 0 as well', () => {
    type Resizable = ArrayBuffer & { resize(lengthBytes: number): void };
    const Resizables = ArrayBuffer as unknown as new (length: number, options: object) => Resizable;
    const buffer = new Resizables(8, { maxByteLength: 8 });
    const [fixed, following] = [new Uint8Array(buffer, 4, 4), new Uint8Array(buffer)];
    buffer.resize(0);
    expect([fixed.length, following.length]).to.deep.equal([0, 0]);
    expect(() => checkBytes('data', fixed)).to.throw(TypeError, 'has become too short');
    checkBytes('data', following);
  });

  it('checkBytes reports the allowed lengths and the actual one', () => {
    const bytes = new Uint8Array(5);
    const cases: [Parameters<typeof checkBytes>[2], string][] = [
      [4, 'iv must have 4 bytes, got 5'],
      [[4, 6], 'iv must have 4 or 6 bytes, got 5'],
      [[1, 2, 3], 'iv must have 1, 2 or 3 bytes, got 5'],
      [{ min: 6 }, 'iv must have at least 6 bytes, got 5'],
      [{ min: 1, max: 4 }, 'iv must have 1 to 4 bytes, got 5'],
      [{ min: 0, multipleOf: 4 }, 'iv must have at least 0, a multiple of 4, bytes, got 5'],
    ];
    for (const [lengths, message] of cases) {
      expect(() => checkBytes('iv', bytes, lengths)).to.throw(RangeError, message);
    }
    for (const lengths of [5, [5], { min: 5 }, { min: 5, max: 5 }, { min: 0, multipleOf: 5 }]) {
      checkBytes('iv', bytes, lengths);
    }
  });

  it('checkInteger distinguishes a wrong type from a wrong value', () => {
    checkInteger('n', 3, 3, 3);
    for (const value of ['3', 3n, 1.5, Number.NaN, 2 ** 53, undefined]) {
      expect(() => checkInteger('n', value, 0, 9)).to.throw(TypeError, 'n must be an integer');
    }
    for (const value of [-1, 10]) {
      expect(() => checkInteger('n', value, 0, 9)).to.throw(RangeError, `0 to 9, got ${value}`);
    }
  });
});
