import { expect } from 'chai';
import { JOURNAL, entryOf, withEntry, type Journal } from '../../../src/service/calls/journal.ts';

const A = 'https://a.example';
const B = 'https://b.example';
const entry = (call: string, at: number) => ({ call, at, result: null });
const found = (journal: Journal, origin: string, call: string, at = 0) =>
  entryOf(journal, origin, { call, at });
const filled = (origin: string, count: number, at: number): Journal => {
  let journal: Journal = {};
  for (let i = 0; i < count; i++) journal = withEntry(journal, origin, entry(`doc ${i}`, at));
  return journal;
};

describe('The journal', () => {
  it('finds a call under its own origin only', () => {
    const journal = withEntry({}, A, entry('doc 1', 0));
    expect(found(journal, A, 'doc 1')).to.deep.equal(entry('doc 1', 0));
    expect(found(journal, A, 'doc 2')).to.equal(undefined);
    expect(found(journal, B, 'doc 1')).to.equal(undefined);
    expect(found(journal, 'constructor', 'name')).to.equal(undefined);
  });

  it('keeps the newest of an origin, and those of others', () => {
    const other = withEntry(filled(A, JOURNAL.maxPerOrigin, 0), B, entry('b', 0));
    const journal = withEntry(other, A, entry('last', 0));
    expect(journal[A]).to.have.length(JOURNAL.maxPerOrigin);
    expect(found(journal, A, 'doc 0')).to.equal(undefined);
    expect(found(journal, A, 'doc 1')).to.not.equal(undefined);
    expect(found(journal, B, 'b')).to.not.equal(undefined);
  });

  it('forgets entries when they are old, or from a clock far ahead', () => {
    const old = filled(A, 1, 1000);
    const atTheEdge = withEntry(old, B, entry('b', 1000 + JOURNAL.keepMs - 1));
    expect(found(atTheEdge, A, 'doc 0', 1000)).to.not.equal(undefined);
    const past = withEntry(old, B, entry('b', 1000 + JOURNAL.keepMs));
    expect(past).to.not.have.property(A);
    const ahead = withEntry(filled(A, 1, 10 * JOURNAL.keepMs), B, entry('b', 0));
    expect(ahead).to.not.have.property(A);
  });
});
