import { expect } from 'chai';
import fc from 'fast-check';
import { concat } from '../../../src/crypto/bytes.ts';
import { merge } from '../../../src/keys/devices/shared-state.ts';
import { SHARED_TYPES } from '../../../src/keys/devices/contents.ts';
import { ByteReader, decodeContent, encodeContent } from '../../../src/keys/media/entry-bytes.ts';
import { anyState, DEVICES, stateOfVault } from '../devices/random-states.ts';

describe('An entry in few bytes', () => {
  const roundTrip = (name: string, content: Parameters<typeof encodeContent>[1]) => {
    const bytes = encodeContent(name, content, DEVICES);
    const reader = new ByteReader(concat(bytes, Uint8Array.of(1)));
    expect(decodeContent(reader, DEVICES)).to.deep.equal({ name, content });
    expect([...reader.rest()]).to.deep.equal([1]);
    return bytes;
  };

  it('is the same after bytes, whatever a state holds', () => {
    const states = fc.oneof(
      anyState(SHARED_TYPES),
      stateOfVault,
      fc.tuple(stateOfVault, stateOfVault).map(([a, b]) => merge(a, b)),
    );
    fc.assert(
      fc.property(states, ({ entries }) => {
        for (const [name, entry] of Object.entries(entries)) roundTrip(name, { entry });
      }),
      { numRuns: 300 },
    );
  });

  it('is the same after bytes with any text and any JSON', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '',
        ' ',
        '  ',
        'swp1.',
        'swp1. x',
        'swp1.swp1.',
        'swp1.AQID 1',
        'A',
        'AA',
        'AB',
        '__proto__',
      ),
    );
    const json = fc.jsonValue();
    fc.assert(
      fc.property(text, fc.dictionary(text, json), (name, facts) => {
        const given = JSON.parse(JSON.stringify(facts)) as never;
        roundTrip(name, { entry: { incarnation: 1, version: {}, facts: given, registers: {} } });
        roundTrip(name, { bytes: new TextEncoder().encode(name) });
      }),
      { numRuns: 1000 },
    );
  });
});
