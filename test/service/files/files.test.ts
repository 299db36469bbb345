import { armor, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect } from 'chai';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import { importedAgeKey } from '../../../src/keys/ring/age-key.ts';
import { hybridRecipient } from '../../../src/format/recipients/age-text.ts';
import { importedUserKey, userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import { openedAgeFile } from '../../support/age-files.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { LEGACY_PASSPHRASE, legacyAccount } from '../../sync/legacy/legacy-account.ts';
import { sjcl } from '../../support/references/sjcl.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** As age-keygen writes it. */
const identityFile = async (...identities: string[]): Promise<Uint8Array> => {
  const blocks = identities.map(
    async (identity) => `# public key: ${await identityToRecipient(identity)}\n${identity}\n`,
  );
  return utf8(`# created: 2021-01-01T00:00:00Z\n${(await Promise.all(blocks)).join('')}`);
};

async function ageFile(contents: string, ...recipients: string[]): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter.encrypt(contents);
}

async function underPassphrase(contents: string | Uint8Array, passphrase: string) {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(10);
  return encrypter.encrypt(contents);
}

describe('Files, opened by their user', () => {
  let world: World;

  const open = (file: Uint8Array | string, passphrase?: string) =>
    world.surface('ui.openFile', {
      file: typeof file === 'string' ? utf8(file) : file,
      ...(passphrase !== undefined && { passphrase }),
    });
  const openAge = (file: Uint8Array, passphrase?: string, from = world) =>
    openedAgeFile(file, from, passphrase);
  const importAge = (file: Uint8Array, passphrase?: string, label = 'Laptop') =>
    world.surface('ui.importAgeKey', {
      label,
      file,
      ...(passphrase !== undefined && { passphrase }),
    });

  beforeEach(async () => {
    world = await World.unlocked();
  });

  describe('of SJCL', () => {
    const sealed = (mode = 'ccm') => sjcl.encrypt('of 2011', 'Grüße 🌻', { iter: 1000, mode });

    it('open with their passphrase, and say what no tag proves', async () => {
      for (const [mode, trust] of [
        ['ccm', 'whole'],
        ['gcm', 'whole'],
        ['ocb2', 'forgeable'],
      ] as const) {
        const opened = await open(` ${sealed(mode)}\n`, 'of 2011');
        expect(text(opened.contents)).to.equal('Grüße 🌻');
        expect(opened).to.include({ format: 'sjcl', trust });
      }
    });

    it('tell a wrong passphrase from one that is missing, and from what is no message', async () => {
      expect(await codeOf(open(sealed(), 'of 2012'))).to.equal('AUTH_FAILED');
      expect(await codeOf(open(sealed()))).to.equal('NEEDS_KEY');
      expect(await codeOf(open('{"ct":"AAAA"}', 'x'))).to.equal('BAD_ENVELOPE');
      expect(await codeOf(open('{ not json', 'x'))).to.equal('BAD_ENVELOPE');
      const few = sealed().replace('"iter":1000', '"iter":100');
      expect(await codeOf(open(few, 'of 2011'))).to.equal('UNSUPPORTED');
    });

    it('open with a warning where their passphrase costs little to guess', async () => {
      for (const [iter, mode, trust] of [
        [101, 'ccm', 'weak'],
        [999, 'gcm', 'weak'],
        [999, 'ocb2', 'forgeable'],
        [1000, 'ccm', 'whole'],
      ] as const) {
        const opened = await open(sjcl.encrypt('of 2011', 'x', { iter, mode }), 'of 2011');
        expect(opened.trust).to.equal(trust);
      }
    });

    it('leave nothing of them in the vault or its log', async () => {
      await world.saved();
      const before = world.stored();
      await open(sealed(), 'of 2011');
      await world.saved();
      expect(world.stored()).to.equal(before);
    });
  });

  describe('of Weave: accounts of Firefox Sync before 2011', () => {
    const account = JSON.stringify(legacyAccount());

    it('open with their passphrase, as JSON, and say that others may have changed them', async () => {
      const opened = await open(account, LEGACY_PASSPHRASE);
      expect(opened).to.include({ format: 'weave', trust: 'forgeable' });
      expect(JSON.parse(text(opened.contents))).to.deep.nested.include({
        'collections.history[0].title': 'Page c',
        failed: [],
      });
    });

    it('tell a wrong passphrase from one that is missing, and from what is no account', async () => {
      expect(await codeOf(open(account, 'of 2012'))).to.equal('AUTH_FAILED');
      expect(await codeOf(open(account))).to.equal('NEEDS_KEY');
      expect(await codeOf(open('{"keys":[]}', 'x'))).to.equal('BAD_ENVELOPE');
    });

    it('leave nothing of them in the vault or its log', async () => {
      await world.saved();
      const before = world.stored();
      await open(account, LEGACY_PASSPHRASE);
      await world.saved();
      expect(world.stored()).to.equal(before);
    });
  });

  describe('of age', () => {
    let identity: string;
    let recipient: string;

    beforeEach(async () => {
      identity = await generateX25519Identity();
      recipient = await identityToRecipient(identity);
    });

    it('open with an identity of the vault, binary and armored, by whomever they are', async () => {
      await importAge(await identityFile(await generateX25519Identity()), undefined, 'Another');
      await importAge(await identityFile(identity));
      const file = await ageFile('to the laptop', recipient);
      for (const each of [file, utf8(armor.encode(file))]) {
        const opened = await openAge(each);
        expect(text(opened.contents)).to.equal('to the laptop');
        expect(opened.openedBy).to.deep.equal({ kind: 'age', label: 'Laptop', guest: false });
      }
      const { entries } = await world.surface('ui.activity', { offset: 0, limit: 10 });
      const uses = entries.filter(({ operation }) => operation === 'openFile');
      expect(uses.map(({ origin, key }) => [origin, key?.label])).to.deep.equal([[null, 'Laptop']]);
    });

    it('open with their passphrase too, which proves who made them', async () => {
      const file = await underPassphrase('of old', 'a passphrase');
      expect((await openAge(file, 'a passphrase')).openedBy).to.equal(null);
      expect(await codeOf(openAge(file, 'another'))).to.equal('AUTH_FAILED');
      expect(await codeOf(openAge(file))).to.equal('NEEDS_KEY');
    });

    it('for others want a key; damaged ones are told from them', async () => {
      const file = await ageFile('x', recipient);
      expect(await codeOf(openAge(file))).to.equal('NEEDS_KEY');
      await importAge(await identityFile(identity));
      expect(await errorOf(openAge(file.slice(0, -1)))).to.be.instanceOf(AuthenticationError);
      const stanza = text(file).indexOf('-> X25519 ') + 15;
      const changed = file.with(stanza, file[stanza] === 65 ? 66 : 65);
      expect(await codeOf(openAge(changed))).to.be.oneOf(['NEEDS_KEY', 'BAD_ENVELOPE']);
      const mac = text(file).indexOf('--- ') + 10;
      expect(await codeOf(openAge(file.with(mac, file[mac] === 65 ? 66 : 65)))).to.equal(
        'BAD_ENVELOPE',
      );
    });

    it('have identities that come from a file under a passphrase, several at once', async () => {
      const newer = await generateX25519Identity();
      const plain = await identityFile(identity, newer);
      const file = await underPassphrase(plain, 'of the file');
      expect(await codeOf(importAge(file))).to.equal('NEEDS_KEY');
      expect(await codeOf(importAge(file, 'wrong'))).to.equal('AUTH_FAILED');
      const { ref, kind } = await importAge(file, 'of the file');
      expect(kind).to.equal('age');
      for (const each of [identity, newer]) {
        const { contents } = await openAge(await ageFile('both', await identityToRecipient(each)));
        expect(text(contents)).to.equal('both');
      }
      const shown = await world.surface('ui.publicKey', { ref });
      expect(shown.text).to.equal(await identityToRecipient(newer));
    });

    it('take no identity from a file without one', async () => {
      const before = (await world.surface('ui.keys', {})).length;
      const many = Array.from({ length: 21 }, () => identity).join('\n');
      for (const wrong of ['', '# comment\n', 'AGE-SECRET-KEY-1NOPE', recipient, many]) {
        expect(await codeOf(importAge(utf8(wrong))), wrong).to.equal('INVALID_ARGUMENT');
      }
      expect(await world.surface('ui.keys', {})).to.have.lengthOf(before);
    });

    it('have keys that no site is offered, shown or made one of', async () => {
      const { ref } = await importAge(await identityFile(identity));
      const kind = 'age' as 'sealing';
      expect(await codeOf(world.connect({ key: { kind } }))).to.equal('INVALID_ARGUMENT');
      const requested = { key: { kind: 'sealing' } } as const;
      expect(await codeOf(world.connect(requested, undefined, { ref }))).to.equal(
        'INVALID_ARGUMENT',
      );
      const made = world.surface('ui.createKey', { kind, label: 'x' });
      expect(await codeOf(made)).to.equal('INVALID_ARGUMENT');
      const sealing = world.surface('ui.sealText', { text: utf8('x'), ref });
      expect(await codeOf(sealing)).to.equal('INVALID_ARGUMENT');
    });

    it('are backups that come back without an identity typed, once the vault has it', async () => {
      const other = await World.unlocked();
      await other.surface('ui.createKey', { label: 'Letters' });
      const by = { passphrase: PASSPHRASE };
      const under = { recipients: [recipient] };
      const { file } = await other.surface('ui.makeBackup', { by, under });
      expect(await codeOf(world.surface('ui.checkBackup', { file }))).to.equal('AUTH_FAILED');
      await importAge(await identityFile(identity));
      const look = await world.surface('ui.checkBackup', { file });
      expect(look.labels).to.deep.equal(['Letters']);
      await world.surface('ui.restoreBackup', { file });
      const labels = (await world.surface('ui.keys', {})).map(({ label }) => label);
      expect(labels).to.include('Letters');
      await world.surface('ui.lock', {});
      expect(await codeOf(world.surface('ui.checkBackup', { file }))).to.equal('LOCKED');
    });

    it('open although a key out of a backup holds no identity', async () => {
      const bad = importedAgeKey([{ identity: 'none', recipient: 'none' }]);
      const record = userKeyRecord('age', 'A'.repeat(22), importedUserKey(bad, 1, 'Bad'));
      await world.vault.commit((draft) => draft.put(record));
      await importAge(await identityFile(identity));
      const { contents } = await openAge(await ageFile('to the laptop', recipient));
      expect(text(contents)).to.equal('to the laptop');
      const stranger = await identityToRecipient(await generateX25519Identity());
      expect(await codeOf(openAge(await ageFile('for a stranger', stranger)))).to.equal(
        'NEEDS_KEY',
      );
      const by = { passphrase: PASSPHRASE };
      const under = { recipients: [recipient] };
      const { file } = await world.surface('ui.makeBackup', { by, under });
      expect((await world.surface('ui.checkBackup', { file })).ofThisVault).to.equal(true);
    });

    it('have identities that a backup brings to another vault', async () => {
      await importAge(await identityFile(identity));
      const by = { passphrase: PASSPHRASE };
      const under = { passphrase: 'of the backup' };
      const { file } = await world.surface('ui.makeBackup', { by, under });
      const there = await World.unlocked();
      await there.surface('ui.restoreBackup', { file, passphrase: 'of the backup' });
      const sealed = await ageFile('to the laptop', recipient);
      const { contents } = await openAge(sealed, undefined, there);
      expect(text(contents)).to.equal('to the laptop');
    });

    it('open with a sharing key, archived or not, to whose hybrid recipient they are', async () => {
      await importAge(await identityFile(identity));
      await world.surface('ui.createKey', { kind: 'sharing', label: 'Old' });
      const { ref } = await world.surface('ui.createKey', { kind: 'sharing', label: 'To me' });
      const own = (await world.surface('ui.ownSharingKeys', {})).find((key) => key.ref === ref)!;
      const hybrid = hybridRecipient(parsePublicKey(own.publicKey).bytes);
      const file = await ageFile('of a friend', hybrid);
      const opened = await openAge(file);
      expect(text(opened.contents)).to.equal('of a friend');
      expect(opened.openedBy).to.deep.equal({ kind: 'sharing', label: 'To me', guest: false });
      await world.surface('ui.archiveKey', { ref, archived: true });
      expect(text((await openAge(file)).contents)).to.equal('of a friend');
      const stranger = await World.unlocked();
      await stranger.surface('ui.createKey', { kind: 'sharing', label: 'To them' });
      expect(await codeOf(openAge(file, undefined, stranger))).to.equal('NEEDS_KEY');
    });

    it('are made for recipients, and for nothing else', async () => {
      const seal = (...recipients: string[]) =>
        world.surface('ui.releaseAgeSeal', { recipients, totalBytes: 1 });
      const { head, key } = await seal(recipient);
      expect(text(head)).to.match(/^age-encryption\.org\/v1\n-> X25519 /);
      expect(key).to.have.lengthOf(32);
      const hybrid = hybridRecipient(new Uint8Array(1216));
      for (const wrong of [
        ['age1x'],
        [recipient.toUpperCase()],
        [identity],
        [recipient, hybrid],
        [hybrid, recipient],
      ]) {
        expect(await codeOf(seal(...wrong)), wrong.join()).to.equal('INVALID_ARGUMENT');
      }
      const { entries } = await world.surface('ui.activity', { offset: 0, limit: 10 });
      const made = entries.filter(({ operation }) => operation === 'sealFile');
      expect(made.map(({ origin, key: used, bytes }) => [origin, used, bytes])).to.deep.equal([
        [null, null, 1],
      ]);
    });
  });

  it('refuse other files, and everything while locked', async () => {
    for (const other of [utf8(''), utf8('hello'), Uint8Array.of(0xff, 0xfe, 0)]) {
      expect(await codeOf(open(other))).to.equal('BAD_ENVELOPE');
    }
    await world.surface('ui.lock', {});
    const message = sjcl.encrypt('p', 'x', { iter: 1000 });
    expect(await codeOf(open(message, 'p'))).to.equal('LOCKED');
    expect(await codeOf(importAge(utf8('x')))).to.equal('LOCKED');
  });
});
