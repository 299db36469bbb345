import { expect } from 'chai';
import { fromBase64 } from '../../../src/sync/base64.ts';
import { accountBundle } from '../../../src/sync/key-sources/account-key.ts';
import { openCollectionKeys, bundleFor } from '../../../src/sync/weave/collection-keys.ts';
import { openPayloads, sealPayloads } from '../../../src/sync/weave/encrypted-payload.ts';
import type { KeyBundle } from '../../../src/sync/key-bundle.ts';
import { openKintoRecord } from '../../../src/sync/weave/kinto-record.ts';
import { parsePayloads } from '../../../src/sync/weave/parsed-payload.ts';
import { recordCipher } from '../../../src/sync/record-cipher.ts';
import { valueOf } from '../../../src/sync/results.ts';
import { readSyncKey, syncKeyBundle } from '../../../src/sync/key-sources/sync-key.ts';
import { openWeaveRecord } from '../../../src/sync/weave/weave-record.ts';
import { checkAll, describeVectors } from '../../support/vectors.ts';
import type { Fields } from '../../support/vectors.ts';
import { algorithmsOf, ENGINES } from '../engines.ts';
import { fromBase64Text, fromHexText, WEAVE } from './weave-vectors.ts';
import type { Chain } from './weave-vectors.ts';

const parseRecord = (text: string): Fields[] => (JSON.parse(text) as { vectors: Fields[] }).vectors;

const pairOf = ({ encryptionKey, hmacKey }: KeyBundle): string[] =>
  [encryptionKey, hmacKey].map((key) => Buffer.from(key).toString('base64'));

const parsedOf = (payload: string) => parsePayloads([payload]).map(valueOf);

function bundleOfChain({ syncKey, username, kB }: Chain): KeyBundle {
  return kB ? accountBundle(fromHexText(kB)) : syncKeyBundle(readSyncKey(syncKey!), username!);
}

for (const engine of ENGINES) {
  describe(`sync/vectors, ${engine}`, () => {
    it('the raw record of the documentation, in both directions', async () => {
      const { encryptionKey, hmacKey, iv, cleartext, ciphertext, hmac } = WEAVE.raw;
      const bundle = { encryptionKey: fromHexText(encryptionKey), hmacKey: fromHexText(hmacKey) };
      const cipher = await recordCipher(await algorithmsOf(engine), bundle);
      const draft = { iv: fromHexText(iv), cleartext: { text: cleartext } };
      const [payload] = await sealPayloads(cipher, [draft]);
      const IV = Buffer.from(iv, 'hex').toString('base64');
      const expected = JSON.stringify({ ciphertext, IV, hmac });
      expect(Buffer.from(payload!).toString()).to.equal(expected);
      const [opened] = await openPayloads(cipher, parsedOf(expected));
      expect(Buffer.from(valueOf(opened!)).toString()).to.equal(cleartext);
      cipher.wipe();
    });

    it('complete chains: from the secret through crypto/keys to a record', async () => {
      const algorithms = await algorithmsOf(engine);
      await checkAll('chains', WEAVE.chains, async (chain) => {
        const { keys, defaultKeys, id, record, member } = chain;
        const account = await recordCipher(algorithms, bundleOfChain(chain));
        const opened = await openCollectionKeys(account, JSON.stringify(keys));
        expect(pairOf(opened.default)).to.deep.equal(defaultKeys);
        const cipher = await recordCipher(algorithms, bundleFor(opened, 'history'));
        const cleartext = await openWeaveRecord(cipher, id, JSON.stringify(record));
        expect(cleartext['id']).to.equal(id);
        expect(cleartext[member[0]]).to.deep.equal(member[1]);
      });
    });

    it('the record of Firefox for Kinto', async () => {
      const { keys, id, IV, ciphertext, hmac, status } = WEAVE.kinto;
      const [encryptionKey, hmacKey] = keys.map(fromBase64Text) as [Uint8Array, Uint8Array];
      const cipher = await recordCipher(await algorithmsOf(engine), { encryptionKey, hmacKey });
      const payload = JSON.stringify({ ciphertext, IV, hmac });
      const opened = await openKintoRecord(cipher, id, payload);
      expect(opened).to.include({ id, _status: status });
    });

    describeVectors(
      'vectors/libraries/application-services-record.json',
      parseRecord,
      async (vector) => {
        const bundle = {
          encryptionKey: fromBase64(vector['encKeyB64']!)!,
          hmacKey: fromBase64(vector['hmacKeyB64']!)!,
        };
        const cipher = await recordCipher(await algorithmsOf(engine), bundle);
        const payload = JSON.stringify({
          ciphertext: vector['ciphertext_b64'],
          IV: vector['IV_b64'],
          hmac: vector['hmac_hex'],
        });
        const [opened] = await openPayloads(cipher, parsedOf(payload));
        expect(Buffer.from(valueOf(opened!)).toString('base64')).to.equal(vector['cleartext_b64']);
      },
    );
  });
}
