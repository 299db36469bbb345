import { expect } from 'chai';
import { toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { accountBundle, clientStateText } from '../../../src/sync/key-sources/account-key.ts';
import { bundleBytes } from '../../../src/sync/key-bundle.ts';
import { openKeysJwe } from '../../../src/sync/key-sources/keys-jwe.ts';
import { readSyncKeySource } from '../../../src/sync/key-sources/read-source.ts';
import {
  oldsyncScopedKey,
  OLDSYNC_SCOPE,
  readScopedKey,
  scopedKey,
} from '../../../src/sync/key-sources/scoped-key.ts';
import {
  readSyncKey,
  showSyncKey,
  syncKeyBundle,
  syncKeyOfPassphrase,
  syncUsername,
} from '../../../src/sync/key-sources/sync-key.ts';
import { checkAll } from '../../support/vectors.ts';
import { fromBase64Text, fromHexText, hexOf, WEAVE } from '../weave/weave-vectors.ts';
import { errorNameOf } from '../../support/outcomes.ts';

describe('sync/key sources', () => {
  it('the Sync Key is shown and read as in Firefox', async () => {
    await checkAll('display', WEAVE.display, ({ hex, shown }) => {
      expect(showSyncKey(fromHexText(hex))).to.equal(shown);
      expect(hexOf(readSyncKey(shown))).to.equal(hex);
      expect(hexOf(readSyncKey(` ${shown.toUpperCase().replaceAll('-', ' ')} `))).to.equal(hex);
    });
  });

  it('other texts are refused, and not quoted', () => {
    const { shown } = WEAVE.display[0]!;
    const wrong = [
      '',
      shown.slice(0, -1),
      `${shown}a`,
      shown.replace('n', '!'),
      `${shown.slice(0, -1)}j`,
    ];
    for (const text of wrong) {
      expect(() => readSyncKey(text), text).to.throw(RangeError, /^syncKey: expected 26/);
    }
  });

  it('account names are converted to those of the server', async () => {
    await checkAll('usernames', WEAVE.usernames, ({ account, username }) => {
      expect(syncUsername(account)).to.equal(username);
    });
  });

  it('an old passphrase is converted to its Sync Key', () => {
    const { passphrase, salt, key, shown } = WEAVE.passphraseUpgrade;
    const derived = syncKeyOfPassphrase(passphrase, fromBase64Text(salt));
    expect(Buffer.from(derived).toString('base64')).to.equal(key);
    expect(showSyncKey(derived)).to.equal(shown);
  });

  it('bundles A, B and C are derived from Sync Key and username', async () => {
    await checkAll('bundles', WEAVE.bundles, ({ username, syncKey, encryptionKey, hmacKey }) => {
      const bundle = syncKeyBundle(readSyncKey(syncKey), username);
      expect(hexOf(bundle.encryptionKey)).to.equal(encryptionKey);
      expect(hexOf(bundle.hmacKey)).to.equal(hmacKey);
    });
  });

  it('kSync and X-Client-State are derived from kB', async () => {
    await checkAll('accounts', WEAVE.accounts, ({ kB, encryptionKey, hmacKey, clientState }) => {
      const bundle = accountBundle(fromHexText(kB));
      expect(hexOf(bundle.encryptionKey)).to.equal(encryptionKey);
      expect(hexOf(bundle.hmacKey)).to.equal(hmacKey);
      if (clientState) expect(clientStateText(fromHexText(kB))).to.equal(clientState);
    });
  });

  it('the scoped key of Firefox Sync has its id and bytes', () => {
    const { kB, rotatedAt, kid, k } = WEAVE.oldsyncJwk;
    const made = oldsyncScopedKey({ kB: fromHexText(kB), rotatedAt });
    expect({ ...made, key: toBase64url(made.key) }).to.deep.equal({
      scope: OLDSYNC_SCOPE,
      kid,
      key: k,
    });
    const read = readScopedKey({ kty: 'oct', k, kid, scope: OLDSYNC_SCOPE });
    expect(read).to.deep.equal(made);
  });

  it('scoped keys of other applications are derived from account and rotation secret', async () => {
    await checkAll('scopedKeys', WEAVE.scopedKeys, (vector) => {
      const { kB, rotatedAt, uid, rotationSecret, identifier, kid, k } = vector;
      const account = { kB: fromHexText(kB), rotatedAt };
      const names = { scope: 'https://example.com', identifier };
      const made = scopedKey(account, fromHexText(uid), fromHexText(rotationSecret), names);
      expect(made.kid).to.equal(kid);
      expect(toBase64url(made.key)).to.equal(k);
    });
  });

  for (const jwk of [
    undefined,
    null,
    [],
    'text',
    { kty: 'EC', k: 'AAAA', kid: 'x' },
    { kty: 'oct', k: 'A'.repeat(43), kid: '' },
    { kty: 'oct', k: 'A'.repeat(22), kid: 'x' },
    { kty: 'oct', k: '+'.repeat(43), kid: 'x' },
    { kty: 'oct', kid: 'x' },
  ]) {
    it(`${JSON.stringify(jwk)} is not a scoped key`, () => {
      expect(() => readScopedKey(jwk)).to.throw(RangeError, /^jwk: expected/);
    });
  }

  it('keys_jwe opens with its private key', async () => {
    const { privateJwk, jwe, kid, k } = WEAVE.keysJwe;
    const [key, ...others] = await openKeysJwe(jwe, privateJwk);
    expect(others).to.be.empty;
    expect({ ...key, key: toBase64url(key!.key) }).to.deep.equal({
      scope: OLDSYNC_SCOPE,
      kid,
      key: k,
    });
  });

  it('keys_jwe for another key, altered or malformed, is refused', async () => {
    const { privateJwk, jwe } = WEAVE.keysJwe;
    const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
      'deriveBits',
    ]);
    const other = await crypto.subtle.exportKey('jwk', pair.privateKey);
    const refused = (text: string, key: JsonWebKey) => errorNameOf(openKeysJwe(text, key));
    expect(await refused(jwe, other)).to.equal('AuthenticationError');
    const changed = (part: number): string => {
      const parts = jwe.split('.');
      const bytes = Buffer.from(parts[part]!, 'base64url');
      // In the header within its kid, so that it stays JSON.
      const at = part === 0 ? bytes.indexOf('4PJM') : 3;
      parts[part] = Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))).toString(
        'base64url',
      );
      return parts.join('.');
    };
    const altered = [0, 2, 3, 4].map(changed);
    for (const text of altered) {
      expect(await refused(text, privateJwk)).to.equal('AuthenticationError');
    }
    expect(await refused(`${jwe}.`, privateJwk)).to.equal('SyncError');
    expect(await refused('a.b.c.d.e', privateJwk)).to.equal('SyncError');
    const dir = `${toBase64url(utf8('{"alg":"dir","enc":"A256GCM"}'))}....`;
    expect(await refused(dir, privateJwk)).to.equal('SyncError');
    expect(await refused(jwe, { kty: 'EC' })).to.equal('RangeError');
  });

  it('a key is read from whatever a person has of it, with its id at the service', async () => {
    const { hex, shown } = WEAVE.display[0]!;
    const account = 'johndoe@example.com';
    const bundle = syncKeyBundle(fromHexText(hex), syncUsername(account));
    const typed = await readSyncKeySource({ syncKey: shown, account }, 64);
    expect(typed).to.deep.equal({ key: bundleBytes(bundle) });
    const kB = 'ab'.repeat(32);
    const ofAccount = await readSyncKeySource(
      { accountKey: ` ${kB.slice(0, 8)} ${kB.slice(8)}` },
      64,
    );
    expect(ofAccount).to.deep.equal({
      key: bundleBytes(accountBundle(fromHexText(kB))),
      foreignId: clientStateText(fromHexText(kB)),
    });
    const { privateJwk, jwe, kid, k } = WEAVE.keysJwe;
    const sent = { text: JSON.stringify({ keys_jwe: jwe, private_jwk: privateJwk }) };
    const { key, foreignId } = await readSyncKeySource(sent, Buffer.from(k, 'base64url').length);
    expect([toBase64url(key), foreignId]).to.deep.equal([k, kid]);
  });

  it('of several keys by their scopes the one of the wanted length is read', async () => {
    const [long, short] = [64, 32].map((length) => ({
      kty: 'oct',
      kid: `${length}`,
      k: toBase64url(new Uint8Array(length).fill(length)),
    }));
    const text = JSON.stringify({ 'https://a.example': long, 'https://b.example': short });
    for (const length of [64, 32]) {
      const { key, foreignId } = await readSyncKeySource({ text }, length);
      expect([key, foreignId]).to.deep.equal([new Uint8Array(length).fill(length), `${length}`]);
    }
    const one = { text: JSON.stringify(short) };
    expect(await errorNameOf(readSyncKeySource(one, 64))).to.equal('RangeError');
  });

  it('anything else is refused with one error that quotes nothing', async () => {
    const { jwe } = WEAVE.keysJwe;
    const message = 'source: expected a key for these records, got something else';
    for (const source of [
      { syncKey: 'not a key', account: 'a' },
      { accountKey: 'ab'.repeat(31) },
      { accountKey: 'secret' },
      { text: '{' },
      { text: '[]' },
      { text: '{"kty":"oct","kid":"k","k":"secret"}' },
      { text: JSON.stringify({ keys_jwe: jwe }) },
      { text: JSON.stringify({ keys_jwe: 'a.b.c', private_jwk: {} }) },
    ]) {
      const error: unknown = await readSyncKeySource(source, 64).catch((reason: unknown) => reason);
      expect(error, JSON.stringify(source)).to.be.instanceOf(RangeError).and.include({ message });
    }
  });
});
