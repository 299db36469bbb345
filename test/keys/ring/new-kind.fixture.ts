/* The kind "stamp" of new-kind.test.ts, in a tree that has it. */
import { createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { keyFacts } from '../../../extension/ui/text/key-facts.ts';
import { capabilityWords, MADE_KINDS } from '../../../extension/ui/text/key-words.ts';
import { Text } from '../../../extension/ui/text/i18n.ts';
import { messageReader } from '../../../extension/ui/text/message-reader.ts';
import type { Messages } from '../../../extension/platform/windows/chosen-words.ts';
import {
  BACKED_UP_TYPES,
  backedUpOf,
  encodeContents,
} from '../../../src/keys/backup/backup-contents.ts';
import { takeOverKeyIn } from '../../../src/keys/annotations/key-details.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import { errorName, pageSubtle } from '../../support/page-subtle.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';
import { PASSPHRASE, TestBrowser } from '../world.ts';

const KIND = 'stamp' as 'jose';
const STAMP = { key: { kind: KIND }, capabilities: ['stamp' as 'signToken'] };
const A = pageCaller();
const DATA = new TextEncoder().encode('a form');
const LOCK = { passphrase: 'a passphrase of its own' };

const textIn = (locale: string) => {
  const json = readFileSync(`_locales/${locale}/messages.json`, 'utf8');
  return new Text(messageReader(JSON.parse(json) as Messages), locale);
};

describe('A kind of user key that is added by six files', function () {
  this.timeout(60_000);

  it('is made by the user, and listed with its words in every language', async () => {
    const world = await World.unlocked();
    const made = await world.surface('ui.createKey', { kind: KIND as 'sealing', label: 'Office' });
    expect(made).to.include({ kind: KIND, label: 'Office', generation: 1, origin: null });
    expect(await world.surface('ui.keys', {})).to.deep.include(made);
    expect(MADE_KINDS.map(({ value }) => value)).to.deep.equal([
      'sealing',
      'signing',
      'sync',
      KIND,
    ]);
    const locales = readdirSync('_locales');
    expect(locales).to.have.length.above(11);
    for (const locale of locales) {
      const text = textIn(locale);
      expect(keyFacts(made, text)[0]).to.equal(`keyStamps in ${locale}`);
      const { name, detail } = capabilityWords('stamp');
      expect(text.t(name)).to.equal(`capabilityStamp in ${locale}`);
      expect(text.t(detail)).to.equal(`capabilityStampDetail in ${locale}`);
      expect(text.t(MADE_KINDS.at(-1)!.made)).to.equal(`keyKindStamp in ${locale}`);
    }
  });

  it('is granted, by the capability that is its own alone', async () => {
    const world = await World.unlocked();
    const [grant] = await world.connect(STAMP, A, { newKeyLabel: 'Office' });
    expect(grant!.capabilities).to.deep.equal(['stamp']);
    expect(await world.call('keys', {})).to.have.nested.property('0.kind', KIND);
    const wrong = [
      { ...STAMP, capabilities: ['stamp', 'seal'] },
      { ...STAMP, key: { kind: 'sealing' } },
      { ...STAMP, key: 'app' },
    ];
    for (const request of wrong) {
      const asked = world.call('connect', { purpose: 'p', ...request } as never);
      expect(await codeOf(asked)).to.equal('INVALID_ARGUMENT');
    }
    expect(await codeOf(world.call('seal', { plaintext: DATA, key: grant!.keyId }))).to.equal(
      'NOT_GRANTED',
    );
  });

  const used = async (world: World, keyId: string) => {
    const subtle = pageSubtle(world);
    const key = await subtle.importKey('sealwright' as 'raw', keyId as never, 'Ed448', false, [
      'sign',
    ]);
    const half = await (subtle as never as { getPublicKey: Halving }).getPublicKey(key, ['verify']);
    const jwk = await subtle.exportKey('jwk', half);
    return { jwk, signature: new Uint8Array(await subtle.sign('Ed448', key, DATA)) };
  };

  it('signs in subtle what its public key verifies, in OpenSSL too', async () => {
    const world = await World.unlocked();
    const [grant] = await world.connect({ ...STAMP, maxUses: 1 }, A, { newKeyLabel: 'Office' });
    const { jwk, signature } = await used(world, grant!.keyId);
    const publicKey = createPublicKey({ key: jwk as never, format: 'jwk' });
    expect(verify(null, DATA, publicKey, signature)).to.equal(true);
    await world.saved();
    const log = await world.surface('ui.activity', { offset: 0, limit: 10 });
    expect(log.entries.map(({ operation }) => operation)).to.include('subtle.sign');
    expect(await errorName(used(world, grant!.keyId))).to.equal('InvalidAccessError');
    const [other] = await world.connect({ key: 'app' }, A);
    expect(await errorName(used(world, other!.keyId))).to.equal('InvalidAccessError');
  });

  it('is rotated, and signs as another from then on', async () => {
    const world = await World.unlocked();
    const [grant] = await world.connect(STAMP, A, { newKeyLabel: 'Office' });
    const before = await used(world, grant!.keyId);
    const { answer } = world.begin('rotateKey', { keyId: grant!.keyId }, A);
    await settled();
    await world.surface('ui.answerPrompt', { promptId: world.prompter.shown.at(-1)!, allow: true });
    expect(await answer).to.include({ kind: KIND, generation: 2 });
    expect((await used(world, grant!.keyId)).jwk).to.not.deep.equal(before.jwk);
  });
});

type Halving = (key: CryptoKey, usages: KeyUsage[]) => Promise<CryptoKey>;

/** A vault with such a key, and its backup. */
async function backedUp() {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  const ring = world.keyRing(vault);
  await ring.sealingMaterial('app', 'https://a.example');
  const before = world.clone();
  const { ref } = await vault.commit((draft) =>
    ring.addKey(draft, { kind: KIND, label: 'Office' }),
  );
  const file = await world.backups(vault).make({ passphrase: PASSPHRASE }, LOCK);
  return { before, vault, ring, ref, file };
}

const keyIn = async (world: TestBrowser, vault: Vault, ref: string) =>
  (await world.keyRing(vault).list()).find((key) => key.ref === ref);

describe('A backup of such a key', function () {
  this.timeout(60_000);

  it('has a format of its own, which older versions call newer', async () => {
    const { vault } = await backedUp();
    const lists = await Promise.all(BACKED_UP_TYPES.map((type) => vault.list(type)));
    const contents = { created: 1, vault: 'A'.repeat(22), ...backedUpOf(lists.flat()) };
    const text = new TextDecoder().decode(encodeContents(contents));
    expect(text).to.match(/^\{"format":"sealwright-backup\/10"/);
  });

  it('comes back as one’s own', async () => {
    const { before, ring, ref, file } = await backedUp();
    const vault = before.vault();
    await vault.unlock(PASSPHRASE);
    expect(await keyIn(before, vault, ref)).to.equal(undefined);
    const { relation, brings } = await before.backups(vault).restore(file, LOCK.passphrase);
    expect([relation, brings.keys]).to.deep.equal(['own', 1]);
    expect(await keyIn(before, vault, ref)).to.include({ kind: KIND, guest: false });
    const found = await before.keyRing(vault).userKey(ref);
    expect(found).to.deep.equal(await ring.userKey(ref));
  });

  it('comes as a guest where another made it: not rotated, until it is taken over', async () => {
    const { ref, file } = await backedUp();
    const other = new TestBrowser();
    const vault = other.vault();
    await vault.create('of another machine');
    const ring = other.keyRing(vault);
    await ring.sealingMaterial('app', 'https://a.example');
    const { relation } = await other.backups(vault).restore(file, LOCK.passphrase);
    expect(relation).to.equal('foreign');
    expect(await keyIn(other, vault, ref)).to.include({ kind: KIND, guest: true });
    const rotating = () => vault.commit((draft) => ring.rotateIn(draft, ref, 'https://a.example'));
    expect(await codeOf(rotating())).to.match(/RangeError/);
    await vault.commit((draft) => takeOverKeyIn(draft, ref, other.time));
    expect(await rotating()).to.equal(2);
  });
});
