import { expect } from 'chai';
import fc from 'fast-check';
import { jsonText } from '../../../../extension/page/api/json-text.ts';

class Amount {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
  toJSON(key: string): unknown {
    return { [key]: [this.cents], toJSON: () => 'is not asked again' };
  }
}

const SPECIAL: readonly unknown[] = [
  new Date(0),
  new Date(NaN),
  new Amount(7),
  [new Amount(1), [new Amount(2)]],
  new URL('https://a.example/'),
  Object(7),
  Object('text'),
  Object(true),
  Object(Symbol('s')),
  () => 1,
  Object.assign(() => 1, { toJSON: () => 'of a function' }),
  Symbol('s'),
  undefined,
  -0,
  NaN,
  Infinity,
  new Map([[1, 2]]),
  new Uint8Array([1, 2]),
  Object.assign([1, 2], { toJSON: () => 'of an array' }),
  Object.assign([1], { 2: 3 }), // a hole is null in JSON
  JSON.parse('{"__proto__":{"x":1},"toJSON":5,"a":{"toJSON":[1]}}'),
  { toJSON: () => undefined },
  Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } }),
  '\ud800 \u2028 "',
];

describe('JSON text that the prototypes of a page do not change', () => {
  /** What Prototype.js 1.6 and others put there. */
  const POISONED = [Object, Array, Function, Number, String, Boolean, BigInt, Symbol, Date].map(
    ({ prototype }) => prototype as object,
  );

  function poisoned<T>(work: () => T): T {
    const before = POISONED.map((one) => Object.getOwnPropertyDescriptor(one, 'toJSON'));
    for (const one of POISONED) {
      Object.defineProperty(one, 'toJSON', { value: () => 'poisoned', configurable: true });
    }
    try {
      return work();
    } finally {
      for (const [i, one] of POISONED.entries()) {
        if (before[i]) Object.defineProperty(one, 'toJSON', before[i]);
        else Reflect.deleteProperty(one, 'toJSON');
      }
    }
  }

  it('is that of JSON.stringify, with toJSON of the value and of its class', () => {
    for (const [i, value] of SPECIAL.entries()) {
      for (const each of [value, [value], { a: value, b: { value } }]) {
        const expected = JSON.stringify(each);
        expect(jsonText(each), String(i)).to.equal(expected);
        expect(
          poisoned(() => jsonText(each)),
          `${i}, poisoned`,
        ).to.equal(expected);
      }
    }
  });

  it('is that of JSON.stringify for any value of JSON', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withNullPrototype: true }), (value) => {
        const expected = JSON.stringify(value) as string | undefined;
        expect(poisoned(() => jsonText(value))).to.equal(expected);
      }),
      { numRuns: 200 },
    );
  });

  it('does not exist for a BigInt and for a cycle', () => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    for (const value of [1n, [1n], { a: Object(1n) as unknown }]) {
      expect(() => poisoned(() => jsonText(value))).to.throw(TypeError);
    }
    expect(() => jsonText(cycle)).to.throw(RangeError);
  });
});
