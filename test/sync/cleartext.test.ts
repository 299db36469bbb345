import { expect } from 'chai';
import fc from 'fast-check';
import { encodeCleartext, withId } from '../../src/sync/cleartext.ts';
import type { Cleartext } from '../../src/sync/cleartext.ts';
import { KINTO } from '../../src/sync/weave/kinto-record.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = ({ text, rest }: Cleartext): string => text + Buffer.from(rest ?? []).toString();
const object = fc.dictionary(
  fc.oneof(fc.string(), fc.constantFrom('id', '__proto__', 'toString')),
  fc.jsonValue(),
);

describe('sync/cleartext', () => {
  it('of JSON that is there already is the same text as of the object', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), object, (id, { ...members }) => {
        const json = JSON.stringify(members);
        const payload = JSON.parse(json) as Record<string, unknown>;
        const expected = JSON.stringify({ id, ...payload });
        const text = whole(withId(id, payload, utf8(json)));
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(expected));
        // JavaScript puts names that are numbers first.
        const hasNumbers = Object.keys(payload).some((name) => /^\d/u.test(name));
        if (!hasNumbers) expect(text).to.equal(expected);
        expect(whole(withId(id, payload))).to.equal(expected);
      }),
    );
  });

  it('has one id and the same members, however the JSON is written', () => {
    for (const json of [
      ...['{}', '{ }', ' {"a":1}', '\t\n{"a":1}', '{ "a" : 1 }', '{"a":1}\n', '{"a":1,"a":2}'],
      ...[
        '{"id":"x"}',
        '{"id":"y","id":"x"}',
        '{"\\u0069d":"x"}',
        '{"a":{"id":"y"}}',
        '{"__proto__":1}',
      ],
    ]) {
      const payload = JSON.parse(json) as Record<string, unknown>;
      for (const encode of [encodeCleartext, KINTO.encode]) {
        const text = whole(encode({ id: 'x', payload, json: utf8(json) }));
        expect(JSON.parse(text), json).to.deep.equal({ id: 'x', ...payload });
        expect(text.match(/"(i|\\\\u0069)d":"x"/gu), json).to.have.length(1);
      }
    }
  });

  it('takes JSON over only where it can follow the id', () => {
    const taken = (json: string) =>
      'rest' in withId('x', JSON.parse(json) as Record<string, unknown>, utf8(json));
    expect(['{"a":1}', '{ "a":1}'].map(taken)).to.deep.equal([true, true]);
    expect(['{}', ' {"a":1}', '{"id":"x"}'].map(taken)).to.deep.equal([false, false, false]);
  });
});
