import { expect } from 'chai';
import { CipherCache } from '../../../src/service/messages/cipher-cache.ts';

describe('Kept ciphers', () => {
  let forget: () => void;
  let kept: CipherCache<{ wipe(): void }>;
  let wiped: string[];

  beforeEach(() => {
    kept = new CipherCache({ onForget: (listener) => (forget = listener) });
    wiped = [];
  });

  const made = (name: string) => ({ wipe: (): void => void wiped.push(name) });

  it('are made once for each name', () => {
    const one = kept.of('a', () => made('a'));
    expect(kept.of('a', () => expect.fail('made again'))).to.equal(one);
    expect(kept.of('b', () => made('b'))).to.not.equal(one);
    expect(kept.of('c', () => undefined)).to.equal(undefined);
    const c = made('c');
    expect(kept.of('c', () => c)).to.equal(c);
  });

  it('are wiped with all that was read of the vault', () => {
    kept.of('a', () => made('a'));
    kept.of('b', () => made('b'));
    forget();
    expect(wiped).to.deep.equal(['a', 'b']);
    const again = made('a');
    expect(kept.of('a', () => again)).to.equal(again);
  });

  it('are no more than 64', () => {
    for (let i = 0; i < 64; i++) kept.of(`${i}`, () => made(`${i}`));
    expect(wiped).to.have.length(0);
    kept.of('one more', () => made('one more'));
    expect(wiped).to.have.length(64);
  });
});
