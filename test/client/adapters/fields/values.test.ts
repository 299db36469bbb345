import { expect } from 'chai';
import fc from 'fast-check';
import { textOfValue, valueOfText } from '../../../../src/client/adapters/fields/values.ts';

const again = (value: unknown): unknown => valueOfText(textOfValue(value));

describe('values of sealed fields', () => {
  it('come back as a structured clone gives them', () => {
    const proto = JSON.parse('{"__proto__":{"a":1},"b":2}') as unknown;
    const values = [
      ...[
        null,
        true,
        '',
        'text \u{1f512} \ud800',
        0,
        -0,
        1.5,
        NaN,
        Infinity,
        -Infinity,
        2n ** 70n,
        undefined,
      ],
      ...[
        new Date(0),
        new Date(1e12),
        new Map<unknown, unknown>([
          [1, { a: undefined }],
          ['k', [1n]],
        ]),
      ],
      ...[new Set(['a', new Date(5)]), Uint8Array.of(1, 2, 255), new Float64Array([1.5, NaN])],
      ...[new BigInt64Array([-1n]), new Uint8Array(new ArrayBuffer(8), 3, 2)],
      ...[{ $: ['date', 0] }, { $: 1, b: { $: [] } }, [1, [2, [3]]], { a: { b: [{}] } }, proto],
    ];
    for (const value of values) {
      const copy = again(value);
      expect(copy).to.deep.equal(structuredClone(value));
      expect(Object.prototype.toString.call(copy)).to.equal(Object.prototype.toString.call(value));
    }
    expect(new Uint8Array(again(Uint8Array.of(1, 2).buffer) as ArrayBuffer)).to.deep.equal(
      Uint8Array.of(1, 2),
    );
    expect(String(again(new Date(NaN)))).to.equal('Invalid Date');
    expect(Object.is(again(-0), -0)).to.equal(true);
    class Person {
      name = 'Ada';
    }
    expect(again(new Person())).to.deep.equal({ name: 'Ada' });
  });

  it('of any kind come back', () => {
    const anything = fc.anything({
      withDate: true,
      withBigInt: true,
      withTypedArray: true,
      withMap: true,
      withSet: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(again(value)).to.deep.equal(structuredClone(value));
      }),
      { numRuns: 300 },
    );
  });

  it('are refused where they could not come back', () => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    const values = [
      () => 1,
      Symbol('s'),
      /a/,
      new Error('x'),
      new Blob(['x']),
      cycle,
      Promise.resolve(),
      new WeakMap(),
    ];
    for (const value of values) {
      expect(() => textOfValue({ a: [value] })).to.throw(TypeError, 'cannot be sealed');
    }
    const twice = { a: 1 };
    expect(again([twice, twice])).to.deep.equal([{ a: 1 }, { a: 1 }]);
    for (const text of [
      '{"$":["unknown",1]}',
      '{"$":["__proto__",1]}',
      '{"$":["constructor","AA=="]}',
    ]) {
      expect(() => valueOfText(text)).to.throw(TypeError, 'unknown type');
    }
    expect(() => valueOfText('[')).to.throw(SyntaxError);
  });
});
