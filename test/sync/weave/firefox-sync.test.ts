import { expect } from 'chai';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import {
  bundleFor,
  createCollectionKeys,
  decryptRecord,
  encryptRecord,
  keyBundleFromBase64,
  keyBundleFromJwk,
  keyBundleFromKB,
  keyBundleFromSyncKey,
  openCollectionKeys,
} from '../../../src/sync/weave/firefox-sync.ts';
import type { Cleartext, KeyBundle } from '../../../src/sync/weave/firefox-sync.ts';
import { checkAll } from '../../support/vectors.ts';
import { nodeOpen, nodeSeal } from '../node-weave.ts';
import { fromHexText, hexOf, WEAVE } from './weave-vectors.ts';

const BUNDLE = keyBundleFromKB(new Uint8Array(32).fill(7));
const OTHER = keyBundleFromKB(new Uint8Array(32).fill(8));
const RECORD: Cleartext = { id: 'abcdefghijkl', title: 'Grüße', tags: [1, null] };
const nodeBundle = ({ encKey: encryptionKey, hmacKey }: KeyBundle) => ({ encryptionKey, hmacKey });
const halves = ({ encKey, hmacKey }: KeyBundle) => [hexOf(encKey), hexOf(hmacKey)];

async function failure(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'resolved';
  } catch (error) {
    if (error instanceof AuthenticationError) return 'AUTH_FAILED';
    return String(error);
  }
}

describe('Firefox Sync without the extension', () => {
  it('derives the published bundles from Sync Key, kB and JSON Web Key', async () => {
    await checkAll('bundles', WEAVE.bundles, ({ username, syncKey, encryptionKey, hmacKey }) => {
      const bundle = keyBundleFromSyncKey(username, syncKey);
      expect(halves(bundle)).to.deep.equal([encryptionKey, hmacKey]);
      return Promise.resolve();
    });
    const whole = WEAVE.accounts.filter(({ kB }) => kB.length === 64);
    await checkAll('accounts', whole, ({ kB, encryptionKey, hmacKey }) => {
      expect(halves(keyBundleFromKB(fromHexText(kB)))).to.deep.equal([encryptionKey, hmacKey]);
      return Promise.resolve();
    });
    const { kB, kid, k } = WEAVE.oldsyncJwk;
    const bundle = keyBundleFromJwk({ kty: 'oct', kid, k });
    expect(halves(bundle)).to.deep.equal(halves(keyBundleFromKB(fromHexText(kB))));
  });

  it('opens published accounts, from the secret through crypto/keys to a record', async () => {
    await checkAll('chains', WEAVE.chains, async (chain) => {
      const { kB, username, syncKey, keys, defaultKeys, id, record, member } = chain;
      const account = kB
        ? keyBundleFromKB(fromHexText(kB))
        : keyBundleFromSyncKey(username!, syncKey!);
      const opened = await openCollectionKeys(account, {
        id: 'keys',
        payload: JSON.stringify(keys),
      });
      expect(opened.default).to.deep.equal(keyBundleFromBase64(defaultKeys));
      const bundle = bundleFor(opened, 'history');
      const cleartext = await decryptRecord(bundle, { id, payload: JSON.stringify(record) });
      expect(cleartext.id).to.equal(id);
      expect(cleartext[member[0]]).to.deep.equal(member[1]);
    });
  });

  it('and another implementation open each other’s records', async () => {
    const { id, payload } = await encryptRecord(BUNDLE, RECORD);
    expect(id).to.equal(RECORD.id);
    expect(JSON.parse(nodeOpen(nodeBundle(BUNDLE), payload))).to.deep.equal(RECORD);
    const theirs = nodeSeal(
      nodeBundle(BUNDLE),
      fromHexText('00'.repeat(16)),
      JSON.stringify(RECORD),
    );
    expect(await decryptRecord(BUNDLE, { id, payload: theirs })).to.deep.equal(RECORD);
    expect((await encryptRecord(BUNDLE, RECORD)).payload).to.not.equal(payload);
  });

  it('makes crypto/keys, new or from given bundles', async () => {
    const collections = new Map([['bookmarks', OTHER]]);
    const made = await createCollectionKeys(BUNDLE, { default: BUNDLE, collections });
    const opened = await openCollectionKeys(BUNDLE, made);
    expect(opened).to.deep.equal({ default: BUNDLE, collections });
    expect(bundleFor(opened, 'bookmarks')).to.deep.equal(OTHER);
    expect(bundleFor(opened, 'history')).to.deep.equal(BUNDLE);
    const [one, two] = [await createCollectionKeys(BUNDLE), await createCollectionKeys(BUNDLE)];
    const fresh = await openCollectionKeys(BUNDLE, one);
    expect(fresh.collections.size).to.equal(0);
    expect(fresh.default).to.not.deep.equal((await openCollectionKeys(BUNDLE, two)).default);
  });

  it('has one error for everything that does not verify', async () => {
    const record = await encryptRecord(BUNDLE, RECORD);
    const { ciphertext, IV, hmac } = JSON.parse(record.payload) as Record<string, string>;
    const altered = (members: object) => ({
      id: record.id,
      payload: JSON.stringify({ ciphertext, IV, hmac, ...members }),
    });
    const last = hmac!.at(-1) === '0' ? '1' : '0';
    const keys = await createCollectionKeys(BUNDLE);
    const failing = [
      () => decryptRecord(OTHER, record),
      () => decryptRecord(BUNDLE, { ...record, id: 'mnopqrstuvwx' }),
      () => decryptRecord(BUNDLE, altered({ hmac: hmac!.slice(0, -1) + last })),
      () => decryptRecord(BUNDLE, altered({ ciphertext: `AAAA${ciphertext!.slice(4)}` })),
      () => openCollectionKeys(BUNDLE, { ...record, id: 'keys' }),
      () => openCollectionKeys(OTHER, keys),
    ];
    for (const work of failing) expect(await failure(work)).to.equal('AUTH_FAILED');
    const wrong = decryptRecord(BUNDLE, { id: record.id, payload: '{}' });
    expect(await wrong.catch((error: unknown) => error)).to.include({ code: 'BAD_RECORD' });
  });

  it('says which argument is wrong, and quotes none', async () => {
    const secret = 'c2VjcmV0';
    const cases: readonly (readonly [() => unknown, RegExp])[] = [
      [() => keyBundleFromSyncKey('ada', secret), /^RangeError: syncKey/],
      [() => keyBundleFromKB(new Uint8Array(31)), /^RangeError: kB must have 32 bytes/],
      [() => keyBundleFromJwk({ kty: 'oct', kid: 'x', k: secret }), /^RangeError: jwk/],
      [() => keyBundleFromJwk({ kty: 'oct', kid: 'x', k: 'A'.repeat(43) }), /^RangeError: jwk.*64/],
      [() => keyBundleFromBase64([secret, secret]), /^RangeError: pair/],
      [
        () => encryptRecord({ ...BUNDLE, encKey: new Uint8Array(16) }, RECORD),
        /^RangeError: bundle\.encKey/,
      ],
      [() => encryptRecord(BUNDLE, { title: 'x' } as unknown as Cleartext), /^TypeError: id must/],
      [() => decryptRecord(BUNDLE, { id: 'x' } as never), /^TypeError: payload must/],
      [() => openCollectionKeys(BUNDLE, { id: 'x', payload: '{}' }), /^RangeError: bso\.id/],
    ];
    for (const [work, words] of cases) {
      expect(await failure(work))
        .to.match(words)
        .and.to.not.contain(secret);
    }
  });
});
