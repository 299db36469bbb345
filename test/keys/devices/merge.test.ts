import { expect } from 'chai';
import fc from 'fast-check';
import { KEY_DETAILS } from '../../../src/keys/annotations/key-details.ts';
import { SHARED_TYPES } from '../../../src/keys/devices/contents.ts';
import { changesFor, withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { EMPTY_STATE, merge } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import { encodeState, parseState } from '../../../src/keys/devices/state-text.ts';
import { recordsOfState } from '../../../src/keys/devices/state-records.ts';
import { canonicalText } from '../../../src/keys/values/json.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { anyState, DEVICES, recordsOfVault, stateOfVault } from './random-states.ts';

const MERGES = Number(
  process.env['SEALWRIGHT_MERGES'] ?? (IS_NIGHTLY ? 20_000 : inDepth(5000, 1000)),
);
/** Of states that are made of records: each costs as much as a hundred of the others. */
const OF_VAULTS = Math.ceil(MERGES / 25);

/** The laws of a least upper bound. */
function expectLaws(a: SharedState, b: SharedState, c: SharedState): void {
  const ab = merge(a, b);
  const text = canonicalText(ab);
  expect(canonicalText(merge(b, a)), 'commutative').to.equal(text);
  expect(canonicalText(merge(ab, b)), 'idempotent').to.equal(text);
  expect(canonicalText(merge(a, structuredClone(a))), 'idempotent').to.equal(canonicalText(a));
  const left = canonicalText(merge(ab, c));
  expect(canonicalText(merge(a, merge(b, c))), 'associative').to.equal(left);
}

describe('The merge of shared states', function () {
  this.timeout(60_000 + MERGES * 20);

  it(`is commutative, associative and idempotent, in ${MERGES} triples of any states`, () => {
    const state = anyState(SHARED_TYPES);
    fc.assert(fc.property(state, state, state, expectLaws), { numRuns: MERGES });
  });

  it(`is so in ${OF_VAULTS} triples of states of vaults, and every merged state is usable`, () => {
    const property = fc.property(stateOfVault, stateOfVault, stateOfVault, (a, b, c) => {
      expectLaws(a, b, c);
      const merged = merge(merge(a, b), c);
      expect(parseState(encodeState(merged))).to.deep.equal(merged);
    });
    fc.assert(property, { numRuns: OF_VAULTS });
  });

  it(`has nothing that a vault lacks: alone it changes no record, in ${OF_VAULTS} vaults`, () => {
    const property = fc.property(recordsOfVault, (records) => {
      const state = withLocalChanges(EMPTY_STATE, records, DEVICES[0]);
      expect(changesFor(state, records)).to.deep.equal({ put: [], removed: [] });
      expect(withLocalChanges(state, records, DEVICES[0])).to.equal(state);
      // A device that has none of them gets them all.
      const { put } = changesFor(state, []);
      expect(new Set(put.map(({ type }) => type))).to.include.all.keys(
        ...new Set(records.map(({ type }) => type).filter((type) => type !== KEY_DETAILS)),
      );
      expect(withLocalChanges(state, put, DEVICES[1])).to.equal(state);
    });
    fc.assert(property, { numRuns: OF_VAULTS });
  });

  it('is tried with records of every type', () => {
    const states = fc.sample(stateOfVault, 200);
    const types = states.flatMap((state) => recordsOfState(state)).map(({ type }) => type);
    expect(new Set(types)).to.deep.equal(new Set(SHARED_TYPES));
  });
});
