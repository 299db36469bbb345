import { expect } from 'chai';
import fc from 'fast-check';
import {
  array,
  boolean,
  bytes,
  either,
  integer,
  InvalidValue,
  literal,
  nullable,
  object,
  optional,
  string,
  tagged,
  union,
} from '../../src/rpc/validate.ts';
import { hasNoLoneUnit } from '../../src/rpc/primordials.ts';
import type { Validator } from '../../src/rpc/validate.ts';

function refusal(validator: Validator<unknown>, value: unknown): InvalidValue {
  try {
    validator(value, 'x');
  } catch (error) {
    if (error instanceof InvalidValue) return error;
    throw error;
  }
  throw new Error('was accepted');
}

function isAccepted(validator: Validator<unknown>, value: unknown): boolean {
  try {
    validator(value, 'x');
    return true;
  } catch {
    return false;
  }
}

const person = object({ name: string(10, 1), age: optional(integer(0, 150)) });

describe('validators', () => {
  it('accept the ends of their ranges and refuse values one beyond', () => {
    expect(string(3, 1)('abc', 'x')).to.equal('abc');
    expect(string(3, 1)('a', 'x')).to.equal('a');
    refusal(string(3, 1), '');
    refusal(string(3, 1), 'abcd');
    expect(integer(-1, 2)(-1, 'x')).to.equal(-1);
    expect(integer(-1, 2)(2, 'x')).to.equal(2);
    for (const value of [-2, 3, 0.5, Number.NaN, Infinity, '1', 1n, null]) {
      refusal(integer(-1, 2), value);
    }
    expect(array(boolean, 2, 1)([true], 'x')).to.deep.equal([true]);
    refusal(array(boolean, 2, 1), []);
    refusal(array(boolean, 2, 1), [true, true, true]);
  });

  it('refuse bytes beyond the limit with TOO_LARGE and everything else with INVALID_ARGUMENT', () => {
    expect(bytes(2)(new Uint8Array(2), 'x')).to.have.length(2);
    expect(refusal(bytes(2), new Uint8Array(3)).code).to.equal('TOO_LARGE');
    for (const value of [[1, 2], new Uint16Array(1), new ArrayBuffer(1), 'ab', { length: 1 }]) {
      expect(refusal(bytes(2), value).code).to.equal('INVALID_ARGUMENT');
    }
  });

  it('refuse text with lone surrogates and accept pairs', () => {
    expect(string(10)('a😀b', 'x')).to.equal('a😀b');
    for (const text of ['\ud800', 'a\udc00', '\ud800a', '\udc00\ud800', 'a\ud800']) {
      refusal(string(10), text);
    }
  });

  it('find lone surrogates of any text as the platform does, also without the platform’s method', () => {
    const anyText = fc.array(fc.constantFrom('a', '\ud83d', '\ude00', '\udfff'), { maxLength: 6 });
    fc.assert(
      fc.property(anyText, (units) => {
        const text = units.join('');
        const expected = Buffer.from(text).toString() === text;
        expect(hasNoLoneUnit(text), 'without the method').to.equal(expected);
        expect(isAccepted(string(10), text)).to.equal(expected);
      }),
    );
  });

  it('distinguish two records by a boolean field', () => {
    const full = object({ ok: literal(true), value: integer(0) });
    const empty = object({ ok: literal(false) });
    const one = either('ok', full, empty);
    expect(one({ ok: true, value: 1 }, 'x')).to.deep.equal({ ok: true, value: 1 });
    expect(one({ ok: false }, 'x')).to.deep.equal({ ok: false });
    const inherited = Object.create({ ok: false }) as object;
    for (const wrong of [
      { ok: true },
      { ok: false, value: 1 },
      { ok: 0 },
      {},
      null,
      7,
      inherited,
    ]) {
      refusal(one, wrong);
    }
  });

  it('build records without a prototype, only from own properties', () => {
    const built = person({ name: 'Ada' }, 'x');
    expect(Object.getPrototypeOf(built)).to.equal(null);
    expect({ ...built }).to.deep.equal({ name: 'Ada' });
    refusal(person, Object.create({ name: 'Ada' }));
  });

  it('refuse fields that are not listed, also with odd names', () => {
    const odd = JSON.parse('{"name":"Ada","__proto__":{"age":3}}') as unknown;
    for (const value of [{ name: 'Ada', extra: 1 }, odd, { name: 'Ada', [Symbol('s')]: 1 }]) {
      expect(refusal(person, value).code).to.equal('INVALID_ARGUMENT');
    }
  });

  it('treat undefined as absent for optional fields only', () => {
    expect('age' in person({ name: 'Ada', age: undefined }, 'x')).to.equal(false);
    refusal(person, { name: undefined });
    refusal(person, { name: 'Ada', age: null });
  });

  it('call a getter once', () => {
    let runs = 0;
    const value = {
      get name() {
        runs++;
        return 'Ada';
      },
    };
    expect(person(value, 'x').name).to.equal('Ada');
    expect(runs).to.equal(1);
  });

  it('name the field in the error and quote no content', () => {
    const people = object({ list: array(person, 5) });
    const error = refusal(people, { list: [{ name: 'Ada' }, { name: 'secret secret' }] });
    expect(error.message).to.equal('x.list[1].name: expected 1 to 10 characters');
  });

  it('choose a record by its tag, and name the field that is wrong in it', () => {
    const shape = tagged('kind', {
      dot: object({ kind: literal('dot') }),
      line: object({ kind: literal('line'), length: integer(1) }),
    });
    expect(shape({ kind: 'line', length: 2 }, 'x')).to.deep.equal({ kind: 'line', length: 2 });
    expect(refusal(shape, { kind: 'line' }).message).to.match(/^x.length: /);
    expect(refusal(shape, { kind: 'dot', length: 2 }).message).to.match(/^x.length: .*no such/);
    expect(refusal(shape, { kind: 'toString' }).message).to.equal(
      'x.kind: expected "dot" or "line"',
    );
    for (const value of [null, 'dot', [], {}, Object.create({ kind: 'dot' })]) {
      refusal(shape, value);
    }
  });

  it('suggest the field that may be meant, and repeat no long name', () => {
    expect(refusal(person, { nam: 'a' }).message).to.match(/^x.nam: .*; did you mean name$/);
    expect(refusal(person, { colour: 1 }).message).to.equal('x.colour: expected no such field');
    const long = refusal(person, { ['a'.repeat(65)]: 1 }).message;
    expect(long).to.equal('x: expected no other fields than the documented ones');
  });

  it('try each member of a union and report the expected ones', () => {
    const either = union('a or b', literal('a'), object({ b: nullable(boolean) }));
    expect(either('a', 'x')).to.equal('a');
    expect({ ...(either({ b: null }, 'x') as object) }).to.deep.equal({ b: null });
    expect(refusal(either, 'c').message).to.equal('x: expected a or b');
  });

  it('throw InvalidValue or return, for any value', () => {
    const all = object({
      a: array(union('?', person, integer(0), bytes(3)), 3),
      b: literal('p', 'q'),
    });
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withTypedArray: true }), (value) => {
        for (const validator of [all, person, bytes(1), string(2), array(boolean, 2)]) {
          try {
            (validator as Validator<unknown>)(value, 'x');
          } catch (error) {
            expect(error).to.be.instanceOf(InvalidValue);
          }
        }
      }),
    );
  });
});
