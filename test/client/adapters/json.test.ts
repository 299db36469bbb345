import { expect } from 'chai';
import { jsonOf } from '../../../src/client/adapters/json.ts';
import { textOfValue, valueOfText } from '../../../src/client/adapters/fields/values.ts';

/** What Prototype.js 1.6 and others put into the prototypes of arrays and objects. */
function patched<T>(work: () => T): T {
  const prototypes = [Object.prototype, Array.prototype];
  for (const one of prototypes) {
    Object.defineProperty(one, 'toJSON', { value: () => 'patched', configurable: true });
  }
  try {
    return work();
  } finally {
    for (const one of prototypes) Reflect.deleteProperty(one, 'toJSON');
  }
}

class Line {
  toJSON(key: string): unknown {
    return [key, [1, { two: [2] }]];
  }
}

describe('the JSON of adapters', () => {
  it('is that of JSON.stringify, also where a page has patched arrays and objects', () => {
    for (const value of [
      ...['text', 7, true, null, [], [1, [2, [3]]], { a: [{ b: [] }], c: undefined }],
      ...[
        new Date(0),
        new Line(),
        { line: new Line() },
        [new Line()],
        new URL('https://a.example'),
      ],
      ...[
        Object(7) as unknown,
        [Object('text'), Object(true)],
        new Map([[1, 2]]),
        new Uint8Array([1, 2]),
      ],
      ...[Object.assign([1], { 2: 3 }), { toJSON: 5 }, { toJSON: () => [[1]] }],
    ] as unknown[]) {
      const expected = JSON.stringify(value);
      expect(jsonOf(value)).to.equal(expected);
      expect(patched(() => jsonOf(value))).to.equal(expected);
    }
  });

  it('has rows of databases the same in every page', () => {
    const row = { list: [1, ['x']], at: new Date(0), bytes: new Uint8Array([1]) };
    const text = textOfValue(row);
    expect(patched(() => textOfValue(row))).to.equal(text);
    expect(patched(() => valueOfText(text))).to.deep.equal(row);
  });
});
