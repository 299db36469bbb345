import { expect } from 'chai';
import { CipherCache } from '../../../src/service/messages/cipher-cache.ts';

interface FakeCipher {
  wipe(): void;
}

const same = <T>(cipher: T): T => cipher;
const noCipher = (): never => expect.fail('made again');

describe('Cached ciphers', () => {
  let forget: () => void;
  let cache: CipherCache<FakeCipher>;
  let wiped: string[];

  beforeEach(() => {
    const refresh = (): void => undefined;
    cache = new CipherCache({ onForget: (listener) => (forget = listener), refresh });
    wiped = [];
  });

  const create = (name: string): FakeCipher => ({ wipe: (): void => void wiped.push(name) });
  const use = (name: string): FakeCipher => {
    const cipher = cache.use(name, () => create(name), same);
    return cipher instanceof Promise ? expect.fail('waited') : cipher;
  };

  it('are made once for each name, and used without a promise', () => {
    const one = use('a');
    expect(cache.use('a', noCipher, same)).to.equal(one);
    expect(use('b')).to.not.equal(one);
  });

  it('are used once and wiped without a name', () => {
    const work = () => [...wiped];
    expect(cache.use(undefined, () => create('a'), work)).to.deep.equal([]);
    expect(wiped).to.deep.equal(['a']);
  });

  it('are wiped with all that was read of the vault', () => {
    use('a');
    use('b');
    forget();
    expect(wiped).to.deep.equal(['a', 'b']);
    const again = create('a');
    expect(cache.use('a', () => again, same)).to.equal(again);
  });

  it('are not cached when the vault changed while they were made', async () => {
    let finish!: (cipher: FakeCipher) => void;
    const slow = new Promise<FakeCipher>((resolve) => (finish = resolve));
    const used = cache.use('a', () => slow, same);
    forget();
    finish(create('a'));
    await used;
    expect(wiped).to.deep.equal(['a']);
    const again = create('a');
    expect(cache.use('a', () => again, same)).to.equal(again);
  });

  it('are no more than 64', () => {
    for (let i = 0; i < 64; i++) use(`${i}`);
    expect(wiped).to.have.length(0);
    use('one more');
    expect(wiped).to.have.length(64);
  });
});
