import { expect } from 'chai';
import type { MessageSealer } from '../../src/format/message-sealer.ts';
import { KnownSealers } from '../../src/service/known-sealers.ts';

describe('Known sealers', () => {
  let forget: () => void;
  let sealers: KnownSealers;
  let wiped: string[];

  beforeEach(() => {
    sealers = new KnownSealers({ onForget: (listener) => (forget = listener) });
    wiped = [];
  });

  const made = (name: string) => ({ wipe: () => wiped.push(name) }) as unknown as MessageSealer;

  it('are made once for each name', () => {
    const one = sealers.of('a', () => made('a'));
    expect(sealers.of('a', () => expect.fail('made again'))).to.equal(one);
    expect(sealers.of('b', () => made('b'))).to.not.equal(one);
    expect(sealers.of('c', () => undefined)).to.equal(undefined);
    const c = made('c');
    expect(sealers.of('c', () => c)).to.equal(c);
  });

  it('are wiped with all that was read of the vault', () => {
    sealers.of('a', () => made('a'));
    sealers.of('b', () => made('b'));
    forget();
    expect(wiped).to.deep.equal(['a', 'b']);
    const again = made('a');
    expect(sealers.of('a', () => again)).to.equal(again);
  });

  it('are no more than 64', () => {
    for (let i = 0; i < 64; i++) sealers.of(`${i}`, () => made(`${i}`));
    expect(wiped).to.have.length(0);
    sealers.of('one more', () => made('one more'));
    expect(wiped).to.have.length(64);
  });
});
