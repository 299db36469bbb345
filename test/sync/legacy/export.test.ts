import { expect } from 'chai';
import { oddPower } from '../../../src/crypto/bigint/odd-power.ts';
import { openLegacyExport } from '../../../src/sync/legacy/export.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { algorithmsOf } from '../engines.ts';
import { LEGACY_PASSPHRASE, legacyAccount } from './legacy-account.ts';
import { errorNameOf } from '../../support/outcomes.ts';

const opened = async (account: unknown, passphrase = LEGACY_PASSPHRASE) => {
  const algorithms = await algorithmsOf('wasm-simd');
  const parts = { algorithms, power: oddPower, random: systemRandom };
  return openLegacyExport(JSON.stringify(account), passphrase, parts);
};

describe('sync/an account of storage 1 to 3', function () {
  this.timeout(120_000);

  it('opens completely: both versions, the key of each collection, and no other collection', async () => {
    expect(await opened(legacyAccount())).to.deep.equal({
      collections: {
        bookmarks: ['a', 'b'].map((id) => ({ id, title: `Bookmark ${id} ü` })),
        history: ['c', 'd'].map((id) => ({ id, title: `Page ${id}` })),
      },
      failed: [],
    });
  });

  it('names the records that do not open, and opens the others', async () => {
    const account = legacyAccount();
    const [a, b] = account['bookmarks']!;
    const [c, d] = account['history']!;
    account['bookmarks'] = [{ ...b!, id: 'a' }, b!, { id: 'x', payload: 'no JSON' }];
    account['history'] = [c!, { ...d!, payload: d!.payload.replace('/history', '/nowhere') }];
    account['lost'] = [a!, { id: 'y', payload: '{"ciphertext":"QUJD"}' }];
    const { collections, failed } = await opened(account);
    const ids = Object.entries(collections).map(([name, all]) => [name, all.map(({ id }) => id)]);
    expect(ids).to.deep.equal([
      ['bookmarks', ['b']],
      ['history', ['c']],
      // A record names its key, whichever collection contains it.
      ['lost', ['a']],
    ]);
    expect(failed).to.have.members(['bookmarks/a', 'bookmarks/x', 'history/d', 'lost/y']);
  });

  it('collections may have names of built-in properties', async () => {
    const account = legacyAccount();
    const renamed = JSON.stringify(account).replace('"bookmarks":[', '"__proto__":[');
    const { collections } = await opened(JSON.parse(renamed));
    expect(Object.keys(collections)).to.have.members(['__proto__', 'history']);
    expect(Object.getPrototypeOf(collections)).to.equal(Object.prototype);
  });

  it('a wrong passphrase and a text that is not an account have different errors', async () => {
    expect(await errorNameOf(opened(legacyAccount(), 'moneyislike$'))).to.equal(
      'AuthenticationError',
    );
    const { meta, bookmarks } = legacyAccount();
    const keysGone = { meta, bookmarks };
    const keyless = legacyAccount();
    keyless['keys']![0]!.payload = '{"salt":"QUJD"}';
    const wrong = [[], 'text', { keys: 5 }, { keys: [{ id: 1 }] }, keysGone, keyless, {}];
    for (const account of wrong) {
      expect(await errorNameOf(opened(account)), JSON.stringify(account)).to.equal('SyncError');
    }
  });
});
