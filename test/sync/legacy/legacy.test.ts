import { constants, createCipheriv, createHmac, publicEncrypt } from 'node:crypto';
import { expect } from 'chai';
import { oddPower } from '../../../src/crypto/bigint/odd-power.ts';
import { legacyBundle, openLegacyKeyPair } from '../../../src/sync/legacy/keys.ts';
import type { LegacyPrivateKey } from '../../../src/sync/legacy/keys.ts';
import { openLegacyRecord } from '../../../src/sync/legacy/record.ts';
import { recordCipher } from '../../../src/sync/record-cipher.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { algorithmsOf } from '../engines.ts';
import { nodeSeal } from '../node-weave.ts';
import { hexOf, WEAVE } from '../weave/weave-vectors.ts';

const { passphrase, wrapped, hmac, aesKey, publicKeyData, ...rest } = WEAVE.legacy;
const PAIR = { salt: rest.salt, iv: rest.iv, privateKeyData: rest.privateKeyData, publicKeyData };
const PUBLIC = { key: Buffer.from(publicKeyData, 'base64'), format: 'der', type: 'spki' } as const;
const parts = async () => ({
  algorithms: await algorithmsOf('wasm-simd'),
  power: oddPower,
  random: systemRandom,
});

function failureOf(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

describe('sync/storage 1 to 3', function () {
  this.timeout(120_000);
  let key: LegacyPrivateKey;
  before(async () => {
    key = await openLegacyKeyPair(PAIR, passphrase, await parts());
  });

  it('the passphrase of 2010 opens the private key, with the low bytes of its characters', () => {
    expect(hexOf(key.unwrap(wrapped, hmac))).to.equal(aesKey);
    expect(hexOf(key.unwrap(wrapped))).to.equal(aesKey);
  });

  it('the other encoding has valid padding by chance, and is refused', async () => {
    const wrong = ['moneyislike$', 'something else', ''];
    for (const other of wrong) {
      const error = await openLegacyKeyPair(PAIR, other, await parts()).catch((e: unknown) => e);
      expect((error as Error).name).to.equal('AuthenticationError');
    }
  });

  it('every wrong wrapped key gives the same error: no oracle for paddings', () => {
    const encrypted = (padded: Buffer): string =>
      publicEncrypt({ ...PUBLIC, padding: constants.RSA_NO_PADDING }, padded).toString('base64');
    const right = Buffer.concat([
      Buffer.of(0, 2),
      Buffer.alloc(256 - 35, 0x11),
      Buffer.of(0),
      Buffer.alloc(32, 7),
    ]);
    expect(hexOf(key.unwrap(encrypted(right)))).to.equal('07'.repeat(32));
    const altered = (at: number, to: number): string => {
      const copy = Buffer.from(right);
      copy[at] = to;
      return encrypted(copy);
    };
    const wrong = [
      altered(0, 1),
      altered(1, 1),
      altered(1, 0),
      altered(2, 0),
      altered(100, 0),
      altered(222, 0),
      altered(223, 1),
      wrapped.replace('V', 'W'),
      Buffer.alloc(256, 0xff).toString('base64'),
      Buffer.alloc(255, 1).toString('base64'),
      Buffer.alloc(257, 1).toString('base64'),
      '!',
      '',
    ];
    const failures = new Set(wrong.map((text) => failureOf(() => key.unwrap(text))));
    failures.add(failureOf(() => key.unwrap(wrapped, hmac.replace('f', 'e'))));
    expect([...failures]).to.deep.equal(['AuthenticationError: Authentication failed']);
  });

  it('records of version 3: the HMAC key is the text of the AES key', async () => {
    const bytes = key.unwrap(wrapped, hmac);
    const text = Buffer.from(bytes).toString('base64');
    const bundle = { encryptionKey: bytes, hmacKey: Buffer.from(text) };
    const sealed = nodeSeal(bundle, Buffer.alloc(16, 3), '{"id":"a","title":"old"}');
    const cipher = await recordCipher(await algorithmsOf('wasm-simd'), legacyBundle(bytes));
    const payload = JSON.stringify({
      encryption: '../crypto/steam',
      ...(JSON.parse(sealed) as object),
    });
    expect(await openLegacyRecord(cipher, 'a', payload)).to.deep.equal({ id: 'a', title: 'old' });
    const other = await openLegacyRecord(cipher, 'b', payload).catch((error: unknown) => error);
    expect((other as Error).name).to.equal('AuthenticationError');
  });

  it('records of version 1: no HMAC, one IV for all, a list of one object', async () => {
    const bytes = Buffer.from(aesKey, 'hex');
    const bulkIv = Buffer.alloc(16, 9);
    const cipher = createCipheriv('aes-256-cbc', bytes, bulkIv);
    const list = '[{"id":"a","title":"oldest"}]';
    const ciphertext = Buffer.concat([cipher.update(list), cipher.final()]).toString('base64');
    const payload = JSON.stringify({ encryption: '../crypto/steam', ciphertext });
    const keyed = await recordCipher(await algorithmsOf('js'), legacyBundle(bytes));
    expect(await openLegacyRecord(keyed, 'a', payload, bulkIv)).to.deep.equal({
      id: 'a',
      title: 'oldest',
    });
    // A version 3 record whose HMAC a server removed is not opened as version 1.
    const error = await openLegacyRecord(keyed, 'a', payload).catch((reason: unknown) => reason);
    expect((error as Error).name).to.equal('AuthenticationError');
  });

  it('the tag of a wrapped key is over its text, under the passphrase', () => {
    const low = Buffer.from(passphrase, 'utf16le').filter((_, i) => i % 2 === 0);
    expect(createHmac('sha256', low).update(wrapped).digest('hex')).to.equal(hmac);
  });
});
