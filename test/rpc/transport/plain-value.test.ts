import { expect } from 'chai';
import { runInNewContext } from 'node:vm';
import { MAX_PARCEL_BYTES } from '../../../src/rpc/envelope.ts';
import { plainValue } from '../../../src/rpc/transport/plain-value.ts';
import { InvalidValue } from '../../../src/rpc/validate.ts';

function codeFor(value: unknown): string {
  try {
    plainValue(value, 'params');
    return 'done';
  } catch (error) {
    expect(error).to.be.instanceOf(InvalidValue);
    return (error as InvalidValue).code;
  }
}

/** A value nested in this many arrays. */
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

describe('plain values', () => {
  it('are rebuilt without a prototype, with the same bytes', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const given = { a: [1, 'two', null, true, undefined], b: { bytes, more: new Uint8Array(4) } };
    const { value, bytes: length } = plainValue(given, 'params');
    expect(value).to.deep.equal(given);
    expect(Object.getPrototypeOf(value)).to.equal(null);
    expect((value as typeof given).b.bytes).to.equal(bytes);
    expect(length).to.equal(7);
  });

  it('may be of any realm', () => {
    const given: unknown = runInNewContext('({ a: [1], bytes: new Uint8Array(2) })');
    const { value, bytes } = plainValue(given, 'params');
    expect(bytes).to.equal(2);
    expect((value as { a: unknown }).a).to.deep.equal([1]);
  });

  it('may have a field called __proto__, which sets no prototype', () => {
    const { value } = plainValue(JSON.parse('{"__proto__":{"a":1}}'), 'params');
    expect(Object.getPrototypeOf(value)).to.equal(null);
    expect(Object.keys(value as object)).to.deep.equal(['__proto__']);
  });

  it('have at most 7 levels, 10,000 values and 64 characters per name', () => {
    expect(codeFor(nested(7))).to.equal('done');
    expect(codeFor(nested(8))).to.equal('INVALID_ARGUMENT');
    expect(codeFor(Array.from({ length: 9_999 }, () => 0))).to.equal('done');
    expect(codeFor(Array.from({ length: 10_000 }, () => 0))).to.equal('TOO_LARGE');
    expect(codeFor({ ['x'.repeat(64)]: 1 })).to.equal('done');
    expect(codeFor({ ['x'.repeat(65)]: 1 })).to.equal('INVALID_ARGUMENT');
  });

  it('have at most 512 Ki characters and the bytes of one message', () => {
    expect(codeFor(['x'.repeat(2 ** 19)])).to.equal('done');
    expect(codeFor(['x'.repeat(2 ** 19), 'y'])).to.equal('TOO_LARGE');
    const half = new Uint8Array(MAX_PARCEL_BYTES / 2);
    expect(codeFor([half, half])).to.equal('done');
    expect(codeFor([half, half, new Uint8Array(1)])).to.equal('TOO_LARGE');
  });

  it('contain no functions, symbols, bigints, lone surrogates or shared memory', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(1));
    for (const wrong of [() => 1, Symbol('x'), 1n, '\udc00', { '\ud800': 1 }, shared]) {
      expect(codeFor(wrong)).to.equal('INVALID_ARGUMENT');
    }
  });
});
