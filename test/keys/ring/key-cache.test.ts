import { expect } from 'chai';
import { KeyCache } from '../../../src/keys/ring/key-cache.ts';
import type { KeyUse } from '../../../src/keys/ring/key-records.ts';

const HERE = 'https://a.example';
const THERE = 'https://b.example';
const ID = new Uint8Array(16).fill(1);
const USE: KeyUse = { ref: 'app', origin: HERE, salt: '', generation: 1, headerKeyIds: [] };

/** A key whose copy, where one is made, can be looked at afterwards. */
function watched() {
  const key = new Uint8Array(32).fill(7);
  const copies: Uint8Array[] = [];
  key.slice = () => {
    const copy = Uint8Array.from(key);
    copies.push(copy);
    return copy;
  };
  return { key, copies };
}

describe('KnownKeys', () => {
  it('gives copies of what it keeps, which the caller may wipe', () => {
    const known = new KeyCache();
    known.putSealing('app', HERE, { key: new Uint8Array(32).fill(7), keyId: ID, generation: 1 });
    known.putOpening(ID, USE, { ref: 'app', generation: 1, key: new Uint8Array(32).fill(7) });
    known.sealing('app', HERE)!.key.fill(0);
    known.opening(ID, HERE)!.key.fill(0);
    expect(known.sealing('app', HERE)!.key[0]).to.equal(7);
    expect(known.opening(ID, HERE)!.key[0]).to.equal(7);
  });

  it('returns an app key for its own origin only, a user key for all origins', () => {
    const known = new KeyCache();
    const key = new Uint8Array(32);
    known.putOpening(ID, USE, { ref: 'app', generation: 1, key });
    expect(known.opening(ID, HERE)?.ref).to.equal('app');
    expect(known.opening(ID, THERE)?.ref).to.equal(undefined);
    expect(known.opening(ID, THERE)).to.equal(undefined);
    known.putOpening(ID, { ...USE, ref: 'k' }, { ref: 'k', generation: 2, key });
    expect(known.opening(ID, THERE)?.ref).to.equal('k');
    known.putRef('id', HERE, 'k');
    expect([known.ref('id', HERE), known.ref('id', THERE)]).to.deep.equal(['k', undefined]);
  });

  it('forgets all, and wipes its copies', () => {
    const known = new KeyCache();
    const [sealing, opening] = [watched(), watched()];
    known.putSealing('app', HERE, { key: sealing.key, keyId: ID, generation: 1 });
    known.putOpening(ID, USE, { ref: 'app', generation: 1, key: opening.key });
    known.putRef('id', HERE, 'k');
    known.forget();
    const zeros = new Uint8Array(32);
    expect([...sealing.copies, ...opening.copies]).to.deep.equal([zeros, zeros]);
    expect(known.sealing('app', HERE)).to.equal(undefined);
    expect(known.opening(ID, HERE)).to.equal(undefined);
    expect(known.ref('id', HERE)).to.equal(undefined);
  });
});
