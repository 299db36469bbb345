import { expect } from 'chai';
import { fromBase64url as bytesOf, toBase64url } from '../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { CONTACT, contactRecord } from '../../../src/keys/annotations/contact.ts';
import {
  allKeyDetails,
  annotateKeyIn,
  detailsRecord,
  takeOverKeyIn,
} from '../../../src/keys/annotations/key-details.ts';
import { siteFieldsRecord } from '../../../src/keys/annotations/site-fields.ts';
import {
  BACKED_UP_TYPES,
  backedUpOf,
  encodeContents,
  parseContents,
} from '../../../src/keys/backup/backup-contents.ts';
import type { BackupContents } from '../../../src/keys/backup/backup-contents.ts';
import {
  KEY_ROOT,
  KEY_USE,
  keyRootRecord,
  keyUseOf,
  keyUseRecord,
} from '../../../src/keys/ring/key-records.ts';
import { persistentKeyId, persistentKeyRecord } from '../../../src/keys/ring/persistent-key.ts';
import { USER_KEY_KINDS } from '../../../src/keys/ring/kinds.ts';
import type { UserKeyKind } from '../../../src/keys/ring/kinds.ts';
import { userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import type { UserKeyValue } from '../../../src/keys/ring/user-key.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import type { RandomSource } from '../../../src/random/contract.ts';
import { errorNameOf } from '../../support/outcomes.ts';
import { keptKey, PASSPHRASE, START, TestBrowser, TestKeyRing } from '../world.ts';

const ORIGINS = ['https://a.example', 'https://b.example', 'https://c.example'];
const [A, B] = ORIGINS as [string, string, string];

/** Bytes of the file: none of them is in the vault before. */
const forged = (bytes: number, fill: number): string =>
  toBase64url(new Uint8Array(bytes).fill(fill));

const publicKeyOf = (fill: number): string =>
  publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(fill) });

const OWN_CONTACT = { name: 'Grace', publicKey: publicKeyOf(4), created: 1, verified: null };
const CONTACT_ID = forged(16, 1);
/** The first of the file's sealing keys, and a header key id of it. */
const FOREIGN = forged(16, 30);
const FOREIGN_ID = forged(16, 49);

/** What the vault computes without asking the user. The ring draws the same bytes each time. */
async function derivations(world: TestBrowser, vault: Vault, refs: readonly string[]) {
  let drawn = 0;
  const random: RandomSource = { bytes: (length) => new Uint8Array(length).fill(100 + drawn++) };
  const ring = new TestKeyRing({ vault, random, now: () => world.time });
  const sealing: Record<string, string> = {};
  for (const origin of ORIGINS) {
    for (const ref of ['app', ...refs]) {
      const { key, keyId, generation } = await ring.sealingMaterial(ref, origin);
      sealing[`${ref} ${origin}`] = [toBase64url(key), toBase64url(keyId), generation].join();
      sealing[`id of ${ref} ${origin}`] = await ring.pairwiseId(ref, origin);
      const used = await ring.usedKeys(ref, origin);
      sealing[`used of ${ref} ${origin}`] = used.map(toBase64url).join();
    }
  }
  return sealing;
}

function openedBy(ring: TestKeyRing, ids: readonly string[]) {
  return Promise.all(ids.map(async (id) => ring.openingMaterial(bytesOf(id), A)));
}

/** What may seal, sign or be handed out. */
async function keysInUse(ring: TestKeyRing, vault: Vault) {
  const details = await allKeyDetails(vault);
  return (await ring.list()).filter(({ ref }) => (details.get(ref)?.archived ?? null) === null);
}

const GENERATION = { generation: 1, key: forged(32, 21), created: 0 };
const IMPORTED = { ...GENERATION, publicKey: forged(32, 22) };
const VALUES: Readonly<Record<UserKeyKind, Partial<UserKeyValue>>> = {
  sealing: {},
  signing: { algorithm: 'Ed25519' },
  sharing: { algorithm: 'X25519' },
  sync: { algorithm: 'sealwright' },
  age: { generations: [IMPORTED] },
  jose: { origin: A },
};

/** A file with records of every type: of keys of its maker, and under the names of what the vault has. */
function fileOf(refs: readonly string[], knownIds: readonly string[]): BackupContents {
  const records: VaultRecord[] = [
    keyRootRecord({
      appRoot: forged(32, 11),
      pairwiseSecret: forged(32, 12),
      created: 0,
      label: 'L',
    }),
    ...USER_KEY_KINDS.map((kind, at) => {
      const value = { label: 'Letters', created: 0, generations: [GENERATION], ...VALUES[kind] };
      return userKeyRecord(kind, forged(16, 30 + at), value);
    }),
    ...refs.map((ref) => {
      const generations = [GENERATION, { ...GENERATION, generation: 2 }];
      return userKeyRecord('sealing', ref, { label: 'Letters', created: 0, generations });
    }),
    contactRecord(CONTACT_ID, { ...OWN_CONTACT, verified: 2 }),
    contactRecord(forged(16, 2), { ...OWN_CONTACT, publicKey: publicKeyOf(5), verified: 2 }),
    persistentKeyRecord(persistentKeyId(forged(32, 9)), keptKey('https://a.example')),
  ];
  for (const ref of [...refs, FOREIGN]) {
    records.push(detailsRecord(ref, { note: 'forged', tone: 'red', archived: null }));
  }
  let id = 50;
  for (const origin of ORIGINS) {
    records.push(siteFieldsRecord({ origin, ref: FOREIGN, alwaysSealed: [] }));
    for (const ref of ['app', ...refs, FOREIGN]) {
      const use = { ref, origin, generation: 1, salt: forged(32, 13) };
      const headerKeyIds = [{ generation: 1, id: forged(16, id++) }];
      const kept = [forged(16, id++), ...(ref === FOREIGN ? [FOREIGN_ID, ...knownIds] : [])];
      const keys = kept.map((it) => ({ generation: 1, id: it, key: forged(32, 14) }));
      records.push(keyUseRecord({ ...use, headerKeyIds, kept: keys }));
    }
  }
  expect(new Set(records.map(({ type }) => type))).to.deep.equal(new Set(BACKED_UP_TYPES));
  const contents = { created: 0, vault: forged(16, 3), ...backedUpOf(records) };
  return parseContents(encodeContents(contents));
}

/** Vaults that are not empty, by what was done with them. */
const VAULTS: Readonly<Record<string, (ring: TestKeyRing, vault: Vault) => Promise<string[]>>> = {
  'with a contact only': async (_ring, vault) => {
    await vault.commit((draft) => draft.put(contactRecord(CONTACT_ID, OWN_CONTACT)));
    return [];
  },
  'with a sealing key that no site uses': async (ring) => {
    return [(await ring.createSealingKey('Letters')).ref];
  },
  'with a root': async (ring, vault) => {
    await vault.commit((draft) => draft.put(contactRecord(CONTACT_ID, OWN_CONTACT)));
    const { ref } = await ring.createSealingKey('Letters');
    for (const used of ['app', ref]) await ring.sealingMaterial(used, A);
    return [ref];
  },
};

describe('A backup that anyone can have made', () => {
  for (const [title, fill] of Object.entries(VAULTS)) {
    describe(`in a vault ${title}`, () => {
      let world: TestBrowser;
      let vault: Vault;
      let refs: readonly string[];
      let knownIds: readonly string[];
      let file: BackupContents;

      beforeEach(async () => {
        world = new TestBrowser();
        vault = world.vault();
        await vault.create(PASSPHRASE);
        const ring = world.keyRing(vault);
        refs = await fill(ring, vault);
        const uses = (await vault.list(KEY_USE)).map(keyUseOf);
        knownIds = uses.flatMap(({ headerKeyIds }) => headerKeyIds.map(({ id }) => id));
        file = fileOf(refs, knownIds);
        world.time = START + 1;
      });

      it('gives no byte to what the vault derives by itself, and changes no own key', async () => {
        const without = world.clone({ keepSession: true });
        const expected = await derivations(without, without.vault(), refs);
        expect(await world.backups(vault).bring(file)).to.include({ relation: 'foreign' });
        expect(await derivations(world, vault, refs)).to.deep.equal(expected);
      });

      it('has its keys archived, behind the own ones, and opens what these opened', async () => {
        const ring = world.keyRing(vault);
        const own = await keysInUse(ring, vault);
        const opened = await openedBy(ring, knownIds);
        await world.backups(vault).bring(file);
        expect(await keysInUse(ring, vault)).to.deep.equal(own);
        expect((await ring.list()).slice(0, own.length)).to.deep.equal(own);
        const guests = (await ring.list()).filter(({ guest }) => guest);
        expect(guests).to.have.length(USER_KEY_KINDS.length);
        for (const { created } of guests) expect(created).to.equal(START + 1);
        expect(await openedBy(ring, knownIds)).to.deep.equal(opened);
        for (const [ref, { note }] of await allKeyDetails(vault)) {
          if (refs.includes(ref)) expect(note).to.equal('');
        }
      });

      it('opens by its keys nothing at a site, and what the user opens alone', async () => {
        const ring = world.keyRing(vault);
        await world.backups(vault).bring(file);
        const id = bytesOf(FOREIGN_ID);
        for (const origin of ORIGINS) {
          expect(await ring.openingMaterial(id, origin)).to.equal(undefined);
          expect(await ring.keyOfMessage(id, origin)).to.equal(undefined);
          expect(await errorNameOf(ring.usedKeys(FOREIGN, origin))).to.equal('RangeError');
          expect(await errorNameOf(ring.sealingMaterial(FOREIGN, origin))).to.equal('RangeError');
        }
        expect(await ring.useOfHeaderKeyId(id)).to.equal(undefined);
        expect(await ring.ownersMaterial(id)).to.include({ ref: FOREIGN });
      });

      it('gives the user a key when it is taken over, behind the own ones', async () => {
        const ring = world.keyRing(vault);
        const opened = await openedBy(ring, knownIds);
        await world.backups(vault).bring(file);
        const unarchived = vault.commit((draft) =>
          annotateKeyIn(draft, FOREIGN, { archived: null }),
        );
        expect(await errorNameOf(unarchived)).to.equal('RangeError');
        world.time = START + 2;
        const { ref: newest } = await ring.createSealingKey('Made after the file');
        world.time = START + 3;
        await vault.commit((draft) => takeOverKeyIn(draft, FOREIGN, world.time));
        const again = vault.commit((draft) => takeOverKeyIn(draft, FOREIGN, world.time));
        expect(await errorNameOf(again)).to.equal('RangeError');
        expect((await ring.openingMaterial(bytesOf(FOREIGN_ID), A))?.ref).to.equal(FOREIGN);
        const inUse = (await keysInUse(ring, vault)).filter(({ kind }) => kind === 'sealing');
        const order = inUse.map(({ ref }) => ref);
        expect(order).to.deep.equal([...refs, newest, FOREIGN]);
        expect(await openedBy(ring, knownIds)).to.deep.equal(opened);
        await world.backups(vault).bring(file);
        expect(await keysInUse(ring, vault)).to.deep.include.members(inUse);
      });

      it('is still foreign when it is brought a second time', async () => {
        const root = await vault.read(KEY_ROOT);
        await world.backups(vault).bring(file);
        expect(await vault.read(KEY_ROOT)).to.deep.equal(root);
        expect(await world.backups(vault).bring(file)).to.include({ relation: 'foreign' });
        const contacts = (await vault.list(CONTACT)).map(({ value }) => value);
        for (const contact of contacts) expect(contact).to.include({ verified: null });
        expect(await vault.list('site-fields')).to.deep.equal([]);
      });
    });
  }

  it('opens by the keys that two vaults share what either sealed, but for app keys', async () => {
    const [one, two] = await Promise.all([usedVault(), usedVault()]);
    const { ref } = await one.ring.createSealingKey('Letters');
    const shared = await one.ring.sealingMaterial(ref, A);
    await two.backups.restore(await one.backups.make(BY, LOCK), LOCK.passphrase);
    await two.vault.commit((draft) => takeOverKeyIn(draft, ref, START));
    const later = await two.ring.sealingMaterial(ref, B);
    expect((await two.ring.openingMaterial(shared.keyId, A))?.key).to.deep.equal(shared.key);
    await one.backups.restore(await two.backups.make(BY, LOCK), LOCK.passphrase);
    expect((await one.ring.openingMaterial(later.keyId, B))?.key).to.deep.equal(later.key);
    for (const [ring, { keyId }] of [
      [one.ring, two.app],
      [two.ring, one.app],
    ] as const) {
      expect(await ring.openingMaterial(keyId, A)).to.equal(undefined);
    }
  });
});

const BY = { passphrase: PASSPHRASE };
const LOCK = { passphrase: 'a passphrase of its own' };

/** A vault with a root of its own. */
async function usedVault() {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  const ring = world.keyRing(vault);
  return { vault, ring, backups: world.backups(vault), app: await ring.sealingMaterial('app', A) };
}
