import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect } from 'chai';
import { toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { BACKUP_MAX_BYTES, openBackup, sealBackup } from '../../../src/keys/backup/backup-file.ts';
import { encodeContents, parseContents } from '../../../src/keys/backup/backup-contents.ts';
import { siteFieldsOf, siteFieldsRecord } from '../../../src/keys/annotations/site-fields.ts';
import { contactRecord } from '../../../src/keys/annotations/contact.ts';
import { allKeyDetails, annotateKeyIn } from '../../../src/keys/annotations/key-details.ts';
import { ARGON2ID_MAX, PBKDF2_COST } from '../../../src/keys/unlock/passphrase-kdf.ts';
import { ARGON2ID_COST } from '../../../src/format/passphrase.ts';
import {
  charactersOf,
  mergePersistentKeys,
  PERSISTENT_KEY_ARCHIVE_MS,
  PERSISTENT_KEYS_MAX_CHARACTERS,
  persistentKeyId,
} from '../../../src/keys/ring/persistent-key.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import { cheapKdf, systemRandom } from '../../support/stores/memory-store.ts';
import { keptKey, PASSPHRASE, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

const BY = { passphrase: PASSPHRASE };
const BY_OTHER = { passphrase: 'of another machine' };
const OWN = 'a passphrase of its own';
const [A, B] = ['https://a.example', 'https://b.example'];
const NOTHING = {
  keys: 0,
  sites: 0,
  messageKeys: 0,
  contacts: 0,
  notes: 0,
  siteSettings: 0,
  persistentKeys: 0,
};
const PUBLIC_KEY = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(3) });
const PARTS = { derive: cheapKdf, random: systemRandom, cost: ARGON2ID_COST };

/** What messages of this origin are sealed with: the header key id and the key, as text. */
interface Sealed {
  readonly id: string;
  readonly key: string;
  readonly origin: string;
}

/** A vault with an app key in use by two sites and a named key in use by one. */
async function filled() {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  const ring = world.keyRing(vault);
  const { ref } = await ring.createSealingKey('Letters');
  const sealed = [
    await seal(world, vault, 'app', A),
    await seal(world, vault, 'app', B),
    await seal(world, vault, ref, A),
  ];
  return { world, vault, ref, sealed, backups: world.backups(vault) };
}

async function seal(
  world: TestBrowser,
  vault: Vault,
  ref: string,
  origin: string,
): Promise<Sealed> {
  const { keyId, key } = await world.keyRing(vault).sealingMaterial(ref, origin);
  return { id: toBase64url(keyId), key: toBase64url(key), origin };
}

/** The messages that cannot be opened. */
async function missing(
  world: TestBrowser,
  vault: Vault,
  sealed: readonly Sealed[],
): Promise<string[]> {
  const ring = world.keyRing(vault);
  const lost: string[] = [];
  for (const { id, key, origin } of sealed) {
    const found = await ring.openingMaterial(new Uint8Array(Buffer.from(id, 'base64url')), origin);
    if (!found || toBase64url(found.key) !== key) lost.push(id);
  }
  return lost;
}

async function freshWorld() {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create('of another machine');
  return { world, vault, backups: world.backups(vault) };
}

describe('Backups', () => {
  it('brings all keys back from an age file, with its identity and with nothing else', async () => {
    const { backups } = await filled();
    const identity = await generateX25519Identity();
    const file = await backups.make(BY, { recipients: [await identityToRecipient(identity)] });
    const report = await backups.check(file, `# mine\n${identity}`);
    expect(report.ofThisVault).to.equal(true);
    const other = await generateX25519Identity();
    for (const wrong of [other, OWN, '', '# nothing']) {
      expect(await codeOf(backups.check(file, wrong))).to.equal('WRONG_PASSPHRASE');
    }
    const bad = file.slice(0, -1);
    expect(await codeOf(backups.restore(bad, identity))).to.equal('BAD_BACKUP');
    expect(await codeOf(backups.make(BY, { recipients: ['age1wrong'] }))).to.match(/RangeError/);
  });

  it('comes back in a new vault, whole', async () => {
    const { world, sealed, backups } = await filled();
    const file = await backups.make(BY, { passphrase: OWN });
    expect(await backups.times()).to.deep.equal({ made: world.time, checked: null });
    const other = await freshWorld();
    const report = await other.backups.restore(file, OWN);
    expect(report).to.deep.include({ ofThisVault: false, labels: ['Letters'], sites: 2 });
    expect(report.brings).to.deep.equal({ ...NOTHING, keys: 1, sites: 3, messageKeys: 3 });
    expect(report.lacks).to.deep.equal(NOTHING);
    expect(await missing(other.world, other.vault, sealed)).to.deep.equal([]);
    const again = await seal(other.world, other.vault, 'app', A);
    expect(again).to.deep.equal(sealed[0]);
    const pairwise = await world.keyRing(world.vault()).pairwiseId('app', A);
    expect(await other.world.keyRing(other.vault).pairwiseId('app', A)).to.equal(pairwise);
  });

  it('carries key details and contacts', async () => {
    const { vault, ref, backups } = await filled();
    const contact = { name: 'Ada', publicKey: PUBLIC_KEY, created: 1, verified: 2 };
    const contactId = toBase64url(new Uint8Array(16).fill(9));
    await vault.commit(async (draft) => {
      await annotateKeyIn(draft, ref, { note: 'To Ada.\nOld ones.', tone: 'blue', archived: 5 });
      draft.put(contactRecord(contactId, contact));
    });
    const file = await backups.make(BY, { passphrase: OWN });
    const other = await freshWorld();
    const report = await other.backups.restore(file, OWN);
    expect(report.brings).to.include({ keys: 1, contacts: 1, notes: 1 });
    expect((await allKeyDetails(other.vault)).get(ref)).to.deep.equal({
      note: 'To Ada.\nOld ones.',
      tone: 'blue',
      archived: 5,
    });
    const [restored, ...more] = await other.vault.list('contact');
    expect([restored?.id, restored?.value, more]).to.deep.equal([contactId, contact, []]);
    expect((await other.backups.check(file, OWN)).brings).to.deep.equal(NOTHING);
    expect((await backups.check(file, OWN)).lacks).to.deep.equal(NOTHING);
    await vault.commit((draft) => annotateKeyIn(draft, ref, { tone: 'red' }));
    expect((await backups.check(file, OWN)).lacks).to.deep.equal({ ...NOTHING, notes: 1 });
  });

  it('carries the settings of site fields, and no draft', async () => {
    const { vault, ref, backups } = await filled();
    const settled = siteFieldsRecord({
      origin: A,
      ref,
      alwaysSealed: [{ tag: 'textarea', by: 'name', value: 'message' }],
    });
    const [field] = siteFieldsOf(settled).alwaysSealed;
    await vault.commit((draft) => {
      // What the page calls a field is known on this device alone.
      const labelled = { ...field!, label: 'Your message' };
      draft.put(siteFieldsRecord({ origin: A, ref, alwaysSealed: [labelled] }));
      draft.put({ id: `draft ${A}`, type: 'draft', value: { text: 'not sent yet', at: 1 } });
    });
    const file = await backups.make(BY, { passphrase: OWN });
    const other = await freshWorld();
    const { brings } = await other.backups.restore(file, OWN);
    expect(brings.siteSettings).to.equal(1);
    expect((await other.vault.list('site-fields')).map(({ value }) => value)).to.deep.equal([
      settled.value,
    ]);
    expect(await other.vault.list('draft')).to.deep.equal([]);
    expect((await other.backups.check(file, OWN)).brings).to.deep.equal(NOTHING);
  });

  describe('that anyone can have made', () => {
    const [id, ownId] = [9, 8].map((fill) => toBase64url(new Uint8Array(16).fill(fill)));
    const forged = { name: 'Ada', publicKey: PUBLIC_KEY, created: 1, verified: 2 };
    const OTHER_KEY = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(4) });

    /** Another vault, whose user knows the recipient or has told the passphrase. */
    async function foreignVault() {
      const { vault, ref, backups } = await filled();
      await vault.commit((draft) => {
        draft.put(contactRecord(id!, forged));
        draft.put(contactRecord(ownId!, { ...forged, publicKey: OTHER_KEY }));
        draft.put(siteFieldsRecord({ origin: A, ref, alwaysSealed: [] }));
      });
      return backups;
    }

    async function attacked(uses: boolean) {
      const { world, vault } = await freshWorld();
      const mine = { name: 'Grace', publicKey: OTHER_KEY, created: 1, verified: null };
      await vault.commit((draft) =>
        draft.put(contactRecord(toBase64url(new Uint8Array(16)), mine)),
      );
      if (uses) await seal(world, vault, 'app', A);
      return { vault, backups: world.backups(vault) };
    }

    for (const kind of ['a passphrase', 'a recipient of age'] as const) {
      for (const uses of [true, false]) {
        const own = uses ? 'one that is used' : 'one that no site uses yet';
        it(`verifies no contact and changes no site of ${own}, under ${kind}`, async () => {
          const identity = await generateX25519Identity();
          const recipients = [await identityToRecipient(identity)];
          const under = kind === 'a passphrase' ? { passphrase: OWN } : { recipients };
          const secret = kind === 'a passphrase' ? OWN : identity;
          const file = await (await foreignVault()).make(BY, under);
          const { vault, backups } = await attacked(uses);
          expect(await backups.check(file, secret)).to.include({ relation: 'foreign' });
          const report = await backups.restore(file, secret);
          expect(report).to.include({ relation: 'foreign', ofThisVault: false });
          expect(report.brings).to.include({ keys: 1, contacts: 1, siteSettings: 0 });
          const contacts = (await vault.list('contact')).map(({ value }) => value);
          expect(contacts).to.have.length(2);
          for (const contact of contacts) expect(contact).to.include({ verified: null });
          expect(await vault.list('site-fields')).to.deep.equal([]);
        });
      }
    }

    it('is not what a vault of the same origin made: one restored from its backup, or itself', async () => {
      const { vault, ref, backups } = await filled();
      await vault.commit((draft) => {
        draft.put(contactRecord(id!, forged));
        draft.put(siteFieldsRecord({ origin: A, ref, alwaysSealed: [] }));
      });
      const file = await backups.make(BY, { passphrase: OWN });
      expect(await backups.check(file, OWN)).to.include({ relation: 'own', ofThisVault: true });
      const heir = await freshWorld();
      expect(await heir.backups.restore(file, OWN)).to.include({ relation: 'first' });
      expect((await heir.vault.list('contact'))[0]!.value).to.include({ verified: 2 });
      await vault.commit((draft) => draft.put(contactRecord(id!, { ...forged, verified: null })));
      const back = await heir.backups.make(BY_OTHER, { passphrase: OWN });
      expect(await backups.restore(back, OWN)).to.include({ relation: 'own', ofThisVault: false });
      expect((await vault.list('contact'))[0]!.value).to.include({ verified: 2 });
    });

    it('is not what a vault made before any site used it', async () => {
      const { vault, backups } = await attacked(false);
      const file = await backups.make(BY_OTHER, { passphrase: OWN });
      await vault.commit((draft) => draft.remove(toBase64url(new Uint8Array(16))));
      expect(await backups.restore(file, OWN)).to.include({ relation: 'own', ofThisVault: true });
    });
  });

  it('puts no record over one of another kind', async () => {
    const { vault, ref, backups } = await filled();
    const file = await backups.make(BY, { passphrase: OWN });
    const other = await freshWorld();
    await other.vault.commit((draft) => draft.put({ id: ref, type: 'grant', value: 'mine' }));
    expect(await codeOf(other.backups.restore(file, OWN))).to.equal('BAD_BACKUP');
    expect(await other.vault.read(ref)).to.include({ type: 'grant', value: 'mine' });
    expect(await vault.read(ref)).to.include({ type: 'sealing-key' });
  });

  it('changes nothing where everything is there, and says so', async () => {
    const { world, backups } = await filled();
    const file = await backups.make(BY, { passphrase: OWN });
    const before = world.clone();
    const report = await backups.restore(file, OWN);
    expect(report.brings).to.deep.equal(NOTHING);
    expect(world.primary.values).to.deep.equal(before.primary.values);
  });

  it('merges two vaults that grew apart, both ways, and loses no message of either', async () => {
    const first = await filled();
    const file = await first.backups.make(BY, { passphrase: OWN });
    const second = await freshWorld();
    await second.backups.restore(file, OWN);
    // Each has used a site that the other uses, too, and one of its own.
    const own = [
      await seal(second.world, second.vault, 'app', 'https://c.example'),
      await seal(second.world, second.vault, 'app', 'https://d.example'),
    ];
    const theirs = [
      await seal(first.world, first.vault, 'app', 'https://c.example'),
      await seal(first.world, first.vault, 'app', 'https://e.example'),
    ];
    await second.backups.restore(await first.backups.make(BY, { passphrase: OWN }), OWN);
    const all = [...first.sealed, ...own, ...theirs];
    expect(await missing(second.world, second.vault, all)).to.deep.equal([]);
    // What it seals with has not changed: its messages still open there where it sealed before.
    expect(await seal(second.world, second.vault, 'app', 'https://c.example')).to.deep.equal(
      own[0],
    );
    // Both go on, and meet again.
    const later = [
      await seal(first.world, first.vault, first.ref, B),
      await seal(second.world, second.vault, first.ref, B),
      await seal(second.world, second.vault, 'app', 'https://f.example'),
    ];
    const back = await second.backups.make(
      { passphrase: 'of another machine' },
      { passphrase: OWN },
    );
    const report = await first.backups.restore(back, OWN);
    expect(report.brings.messageKeys).to.equal(own.length + 2);
    expect(await missing(first.world, first.vault, [...all, ...later])).to.deep.equal([]);
    const third = await first.backups.restore(back, OWN);
    expect(third.brings).to.deep.equal(NOTHING);
  });

  it('keeps both of a key that was rotated in two places', async () => {
    const first = await filled();
    const twin = first.world.clone();
    const twinVault = twin.vault();
    await twinVault.unlock(PASSPHRASE);
    await rotate(first.vault, first.ref);
    await rotate(twinVault, first.ref);
    await rotate(twinVault, first.ref);
    const sealed = [
      ...first.sealed,
      await seal(first.world, first.vault, first.ref, A),
      await seal(twin, twinVault, first.ref, A),
    ];
    await first.backups.restore(await twin.backups(twinVault).make(BY, { passphrase: OWN }), OWN);
    expect(await missing(first.world, first.vault, sealed)).to.deep.equal([]);
    expect((await first.world.keyRing(first.vault).list())[1]).to.include({ generation: 3 });
  });

  it('reports what a backup holds, and changes nothing but the time of the check', async () => {
    const { world, vault, backups, ref } = await filled();
    const file = await backups.make(BY, { passphrase: OWN });
    await seal(world, vault, ref, B);
    await world.keyRing(vault).createSealingKey('Recipes');
    world.time += 1000;
    const report = await backups.check(file, OWN);
    expect(report).to.deep.include({ ofThisVault: true, brings: NOTHING });
    expect(report.lacks).to.deep.equal({ ...NOTHING, keys: 1, sites: 1, messageKeys: 1 });
    expect(await backups.times()).to.deep.equal({ made: world.time - 1000, checked: world.time });
    const other = await freshWorld();
    const before = other.world.clone();
    await other.backups.check(file, OWN);
    expect(other.world.primary.values).to.deep.equal(before.primary.values);
  });

  it('asks for a secret of the vault before it gives a copy away', async () => {
    const { world, vault, backups } = await filled();
    const before = world.clone();
    expect(await codeOf(backups.make({ passphrase: OWN }, { passphrase: OWN }))).to.equal(
      'WRONG_PASSPHRASE',
    );
    expect(await codeOf(backups.make(BY, { passphrase: '' }))).to.match(/RangeError/);
    expect(world.primary.values).to.deep.equal(before.primary.values);
    await vault.lock();
    const file = await sealBackup(new Uint8Array(8), OWN, PARTS);
    const tries = [
      backups.make(BY, { passphrase: OWN }),
      backups.check(file, OWN),
      backups.restore(file, OWN),
    ];
    for (const each of tries) expect(await codeOf(each)).to.equal('LOCKED');
  });

  it('holds no key, label or origin in clear', async () => {
    const { sealed, backups } = await filled();
    const text = Buffer.from(await backups.make(BY, { passphrase: OWN })).toString('latin1');
    const markers = ['Letters', 'example', 'records', OWN, ...sealed.map(({ key }) => key)];
    for (const marker of markers) expect(text.includes(marker), marker).to.equal(false);
  });
});

describe('Backup files', () => {
  it('is a message of purpose "backup" behind its parameters, padded', async () => {
    const file = await sealBackup(utf8('contents'), OWN, PARTS);
    expect(Buffer.from(file.subarray(0, 8)).toString('hex')).to.equal('5357424b0101001d');
    expect(inspect(file.subarray(8 + 29))).to.include({ purpose: 'backup', padded: true });
    expect(await openBackup(file, OWN, cheapKdf)).to.deep.equal(utf8('contents'));
  });

  it('refuses every altered byte, every truncation, and another passphrase', async () => {
    const file = await sealBackup(utf8('contents'), OWN, PARTS);
    const code = (bytes: Uint8Array) => codeOf(openBackup(bytes, OWN, cheapKdf));
    for (let at = 0; at < file.length; at++) {
      for (const bit of [1, 0x80]) {
        const changed = file.slice();
        changed[at]! ^= bit;
        expect(await code(changed), `byte ${at}`).to.be.oneOf([
          'BAD_BACKUP',
          'NEWER',
          'TOO_COSTLY',
          'WRONG_PASSPHRASE',
        ]);
      }
      const cut = await code(file.subarray(0, at));
      expect(cut, `cut at ${at}`).to.be.oneOf(['BAD_BACKUP', 'WRONG_PASSPHRASE']);
    }
    expect(await code(new Uint8Array(16 * 2 ** 20 + 1))).to.equal('BAD_BACKUP');
    for (const wrong of ['wrong', '', 'bell\u0007']) {
      expect(await codeOf(openBackup(file, wrong, cheapKdf))).to.equal('WRONG_PASSPHRASE');
    }
  });

  it('refuses parameters outside the accepted limits before any work', async () => {
    const file = await sealBackup(utf8('contents'), OWN, PARTS);
    const bomb = file.slice();
    new DataView(bomb.buffer).setUint32(8 + 1, 0xffffffff);
    const refuse = () => Promise.reject(new Error('worked'));
    expect(await codeOf(openBackup(bomb, OWN, refuse))).to.equal('TOO_COSTLY');
    for (const [at, value] of [
      [1, ARGON2ID_MAX.memoryKiB + 1],
      [5, ARGON2ID_MAX.passes + 1],
      [9, ARGON2ID_MAX.parallelism + 1],
    ] as const) {
      const costly = file.slice();
      new DataView(costly.buffer).setUint32(8 + at, value);
      expect(await codeOf(openBackup(costly, OWN, refuse))).to.equal('TOO_COSTLY');
    }
    const cheap = sealBackup(utf8('x'), OWN, { ...PARTS, cost: { iterations: 1 } });
    expect(await codeOf(cheap)).to.match(/RangeError/);
  });

  it('is sealed by PBKDF2 where Argon2id does not run', async function () {
    this.timeout(120_000);
    const file = await sealBackup(utf8('contents'), OWN, { ...PARTS, cost: PBKDF2_COST });
    expect(file[5]).to.equal(2);
    const never = () => Promise.reject(new Error('no Argon2id here'));
    expect(await openBackup(file, OWN, never)).to.deep.equal(utf8('contents'));
  });
});

describe('Contents of backups', () => {
  const record = {
    id: toBase64url(new Uint8Array(16)),
    type: 'sealing-key',
    value: {
      label: 'Letters',
      created: 1,
      generations: [{ generation: 1, key: toBase64url(new Uint8Array(32)), created: 1 }],
    },
  };
  const use = {
    id: `key-use ${record.id} ${A}`,
    type: 'key-use',
    value: {
      ref: record.id,
      origin: A,
      generation: 1,
      salt: toBase64url(new Uint8Array(32)),
      headerKeyIds: [{ generation: 1, id: toBase64url(new Uint8Array(16)) }],
    },
  };
  const whole = {
    format: 'sealwright-backup/1',
    created: 1,
    vault: toBase64url(new Uint8Array(16)),
    records: [record, use],
  };
  const parse = (value: unknown) => parseContents(utf8(JSON.stringify(value)));
  const codeFor = (value: unknown) => {
    try {
      parse(value);
      return 'accepted';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };

  it('reads what we write, and says of a later format that it is newer', () => {
    expect(parse(whole).keys.userKeys.size).to.equal(1);
    expect(codeFor({ ...whole, format: 'sealwright-backup/10' })).to.equal('NEWER');
  });

  const seed = { generation: 1, key: toBase64url(new Uint8Array(32)), created: 1 };
  const imported = { ...seed, key: toBase64url(new Uint8Array(600)), publicKey: 'AAAA' };
  const keyOf = (type: string, change: object) => ({
    ...whole,
    format: 'sealwright-backup/2',
    records: [
      { ...record, type, value: { label: 'L', created: 1, generations: [seed], ...change } },
    ],
  });
  const signing = (change: object) => keyOf('signing-key', { algorithm: 'Ed25519', ...change });

  const guest = (change: object, archived: number | null) => {
    const key = { ...record, type: 'sealing-key' };
    const value = { label: 'L', created: 1, generations: [seed], ...change };
    const notes = { ref: record.id, note: '', tone: '', archived };
    const id = `key-details ${record.id}`;
    const records = [
      { ...key, value },
      { id, type: 'key-details', value: notes },
    ];
    return { ...whole, format: 'sealwright-backup/7', records };
  };

  it('is of the seventh format where it holds a key that is not taken over', () => {
    const parsed = parse(guest({ guest: true }, 1));
    const { format } = JSON.parse(new TextDecoder().decode(encodeContents(parsed))) as typeof whole;
    expect(format).to.equal('sealwright-backup/7');
  });

  const kept = (change: object = {}, id = persistentKeyId(toBase64url(new Uint8Array(32)))) => {
    const value = { ...keptKey(A), ...change };
    const records = [{ id, type: 'persistent-key', value }];
    return { ...whole, format: 'sealwright-backup/8', records };
  };

  it('is of the eighth format where it holds a key that a site keeps, which is checked', () => {
    const parsed = parse(kept({ archived: 3 }));
    expect([...parsed.persistentKeys.values()]).to.deep.equal([{ ...keptKey(A), archived: 3 }]);
    const { format } = JSON.parse(new TextDecoder().decode(encodeContents(parsed))) as typeof whole;
    expect(format).to.equal('sealwright-backup/8');
    const { scope, key } = keptKey(A);
    for (const wrong of [
      kept({}, 'persistent-key AAAA'),
      kept({ archived: null }),
      kept({ scope: { ...scope, origin: 'https://a.example/' } }),
      kept({ scope: { ...scope, container: '' } }),
      kept({ key: { ...key, content: '?' } }),
      kept({ key: { ...key, algorithm: { ...key.algorithm, p: '12x' } } }),
      kept({ key: { ...key, algorithm: { length: 128 } } }),
    ]) {
      expect(codeFor(wrong), JSON.stringify(wrong)).to.equal('BAD_BACKUP');
    }
  });

  it('is of the second format where it holds a key of another kind than sealing', () => {
    const formatOf = (value: unknown) => {
      const { format } = JSON.parse(
        new TextDecoder().decode(encodeContents(parse(value))),
      ) as typeof whole;
      return format;
    };
    expect(formatOf(whole)).to.equal('sealwright-backup/1');
    const dsa = { algorithm: 'DSA', generations: [imported] };
    for (const value of [
      signing({}),
      signing({ kept: [seed] }),
      signing(dsa),
      keyOf('sharing-key', { algorithm: 'X-Wing' }),
    ]) {
      expect(formatOf(value)).to.equal('sealwright-backup/2');
    }
  });

  const details = (change: object = {}, id = `key-details ${record.id}`) => ({
    ...whole,
    format: 'sealwright-backup/3',
    records: [
      record,
      {
        id,
        type: 'key-details',
        value: { ref: record.id, note: '', tone: '', archived: null, ...change },
      },
    ],
  });
  const publicKey = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32) });
  const contact = (change: object = {}, id = toBase64url(new Uint8Array(16).fill(9))) => ({
    ...whole,
    format: 'sealwright-backup/3',
    records: [
      {
        id,
        type: 'contact',
        value: { name: 'Ada', publicKey, created: 1, verified: 2, ...change },
      },
    ],
  });

  const bundle = toBase64url(new Uint8Array(64));
  const set = { created: 1, default: bundle, collections: [{ name: 'tabs', bundle }] };
  const sync = (algorithm: string, change: object = {}) => ({
    ...keyOf('sync-key', { algorithm, ...change }),
    format: 'sealwright-backup/3',
  });
  const weave = (change: object) =>
    sync('weave-5', { generations: [{ ...seed, key: bundle }], ...change });

  it('is of the third format where it holds a sync key, a note or a contact', () => {
    for (const value of [
      sync('sealwright'),
      sync('notes', { foreignId: 'kid' }),
      weave({}),
      weave({ foreignId: 'x', collectionKeys: [set, set] }),
      details({ note: 'n' }),
      details({ archived: 5 }),
      contact(),
    ]) {
      const again = JSON.parse(
        new TextDecoder().decode(encodeContents(parse(value))),
      ) as typeof whole;
      expect(again).to.deep.equal(value);
    }
  });

  const age = (change: object) => ({
    ...keyOf('age-key', change),
    format: 'sealwright-backup/4',
  });

  it('is of the fourth format where it holds an identity of age', () => {
    const value = age({ generations: [imported, { ...imported, generation: 2 }] });
    const again: unknown = JSON.parse(new TextDecoder().decode(encodeContents(parse(value))));
    expect(again).to.deep.equal(value);
  });

  const origin = 'https://a.example';
  const fields = [{ tag: 'textarea', by: 'name', value: 'message' }];
  const site = (change: object = {}, id = `site-fields ${origin}`) => ({
    ...whole,
    format: 'sealwright-backup/5',
    records: [
      { id, type: 'site-fields', value: { origin, ref: null, alwaysSealed: fields, ...change } },
    ],
  });

  it('is of the fifth format where it holds what was settled about fields of a site', () => {
    for (const value of [site(), site({ ref: record.id, alwaysSealed: [] })]) {
      const again: unknown = JSON.parse(new TextDecoder().decode(encodeContents(parse(value))));
      expect(again).to.deep.equal(value);
    }
  });

  const jose = (change: object = {}) => ({
    ...keyOf('jose-key', { origin, ...change }),
    format: 'sealwright-backup/6',
  });

  it('is of the sixth format where it holds a key for tokens', () => {
    const again: unknown = JSON.parse(new TextDecoder().decode(encodeContents(parse(jose()))));
    expect(again).to.deep.equal(jose());
  });

  const withValue = (change: object) => ({
    ...whole,
    records: [{ ...record, value: { ...record.value, ...change } }],
  });
  const withUse = (change: object) => ({
    ...whole,
    records: [record, { ...use, value: { ...use.value, ...change } }],
  });
  const WRONG: Record<string, unknown> = {
    'no object': 5,
    'fields of what is no origin': site({ origin: `${origin}/` }, `site-fields ${origin}/`),
    'fields of another site than its id says': site({}, 'site-fields https://b.example'),
    'fields with a key that is none': site({ ref: 'AAAA' }),
    'a field of another kind': site({ alwaysSealed: [{ ...fields[0], tag: 'div' }] }),
    'a field known by something else': site({ alwaysSealed: [{ ...fields[0], by: 'class' }] }),
    'a field with a long name': site({ alwaysSealed: [{ ...fields[0], value: 'x'.repeat(201) }] }),
    'more fields than a site may have': site({ alwaysSealed: Array(101).fill(fields[0]) }),
    'another format': { ...whole, format: 'something' },
    'no time': { ...whole, created: 'now' },
    'a vault id that is short': { ...whole, vault: 'AAAA' },
    'records that are no list': { ...whole, records: {} },
    'a record over one that is no key': { ...whole, records: [{ ...record, id: 'journal' }] },
    'a type that is no key': { ...whole, records: [{ ...record, type: 'grant' }] },
    'a type of the prototype': { ...whole, records: [{ ...record, type: 'toString' }] },
    'two of one id': { ...whole, records: [record, record] },
    'a key of 31 bytes': withValue({ generations: [{ generation: 1, key: 'AAAA', created: 1 }] }),
    'no generations': withValue({ generations: [] }),
    'a generation that is no number': withValue({ generations: [{ generation: '1' }] }),
    'an unknown field': withValue({ more: 1 }),
    'a label that is too long': withValue({ label: 'x'.repeat(5000) }),
    'a use of a key that is not there': { ...whole, records: [use] },
    'a use under another name': withUse({ origin: B }),
    'a use of a generation that is not there': withUse({
      headerKeyIds: [{ generation: 9, id: use.value.headerKeyIds[0]!.id }],
    }),
    'a ref that is no id': withUse({ ref: 'auto-lock' }),
    'a signing key of no algorithm': signing({ algorithm: undefined }),
    'a signing key that shares': signing({ algorithm: 'X-Wing' }),
    'a sealing key that signs': keyOf('sealing-key', { algorithm: 'Ed25519' }),
    'a seed for an imported key': signing({ algorithm: 'DSA' }),
    'an imported key for a seed': signing({ generations: [imported] }),
    'an imported key without end': signing({
      algorithm: 'RSA-PSS',
      generations: [{ ...imported, key: toBase64url(new Uint8Array(8193)) }],
    }),
    'a key for tokens of no site': jose({ origin: undefined }),
    'a key for tokens of what is no origin': jose({ origin: `${origin}/` }),
    'a key for tokens that says what it computes': jose({ algorithm: 'Ed25519' }),
    'a sealing key of one site': keyOf('sealing-key', { origin }),
    'an identity of age that says what it computes': age({
      algorithm: 'X25519',
      generations: [imported],
    }),
    'an identity of age without its recipient': age({}),
    'kept generations that are none': signing({ kept: [{ key: seed.key }] }),
    'a sync key of no format': sync('weave-4'),
    'a sync key that is short for its format': sync('weave-5'),
    'a sync key that is long for its format': sync('notes', {
      generations: [{ ...seed, key: bundle }],
    }),
    'a sync key made here that has a name elsewhere': sync('sealwright', { foreignId: 'x' }),
    'keys of collections that are short': weave({
      collectionKeys: [{ ...set, default: seed.key }],
    }),
    'keys of collections without names': weave({
      collectionKeys: [{ ...set, collections: [{ bundle }] }],
    }),
    'keys of collections by name': weave({ collectionKeys: [{ ...set, collections: {} }] }),
    'a key that is not taken over and in use': guest({ guest: true }, null),
    'a key that is taken over by half': guest({ guest: false }, 1),
    'a note on no key': details({ ref: toBase64url(new Uint8Array(16).fill(5)) }),
    'a note under another name': details({}, 'journal'),
    'a note without end': details({ note: 'x'.repeat(2001) }),
    'a colour that is none': details({ tone: 5 }),
    'a contact over one that is no contact': contact({}, 'journal'),
    'a contact without a name': contact({ name: '' }),
    'a contact without a key': contact({ publicKey: 'swp1.AA' }),
    'a contact with a key that signs': contact({
      publicKey: publicKeyText({ type: 'Ed25519', bytes: new Uint8Array(32) }),
    }),
    'a contact that was compared at no time': contact({ verified: true }),
  };
  for (const [title, value] of Object.entries(WRONG)) {
    it(`refuses ${title}`, () => {
      expect(codeFor(value)).to.equal('BAD_BACKUP');
    });
  }

  it('refuses bytes that are no text, and wipes what it was given', () => {
    const bytes = Uint8Array.of(0xff, 0xfe);
    expect(() => parseContents(bytes))
      .to.throw()
      .with.property('code', 'BAD_BACKUP');
    expect([...bytes]).to.deep.equal([0, 0]);
  });
});

/** What a rotation does: one generation more. */
async function rotate(vault: Vault, ref: string): Promise<void> {
  await vault.commit(async (draft) => {
    const record = (await draft.get(ref))!;
    const value = record.value as { generations: { generation: number }[] };
    const generation = value.generations.at(-1)!.generation + 1;
    const key = toBase64url(systemRandom.bytes(32));
    const generations = [...value.generations, { generation, key, created: 1 }];
    draft.put({ ...record, value: { ...value, generations } });
  });
}

describe('Keys that sites keep, of two vaults of one user', () => {
  const ids = ['a', 'b', 'c'].map(persistentKeyId) as [string, string, string];
  const key = keptKey(A);

  it('are those of both, each as the vault has it, without what is past the archive', () => {
    const [first, second, third] = ids;
    const archived = { ...key, archived: 1 };
    const own = new Map([[first, archived]]);
    const other = new Map([
      [first, key],
      [second, key],
      [third, archived],
    ]);
    const merged = mergePersistentKeys(own, other, 1 + PERSISTENT_KEY_ARCHIVE_MS);
    expect([...merged]).to.deep.equal([
      [first, archived],
      [second, key],
    ]);
    expect(mergePersistentKeys(own, other, PERSISTENT_KEY_ARCHIVE_MS).size).to.equal(3);
  });

  it('are no more than a vault may hold, so that a backup with them stays below its bound', () => {
    const large = keptKey(A, 'A'.repeat(4 * 2 ** 20));
    const other = new Map(ids.map((id) => [id, large]));
    const merged = mergePersistentKeys(new Map(), other, 0);
    expect([...merged.keys()]).to.deep.equal(ids.slice(0, 2));
    expect(charactersOf(merged)).to.be.below(PERSISTENT_KEYS_MAX_CHARACTERS);
    expect(PERSISTENT_KEYS_MAX_CHARACTERS * 1.3).to.be.below(BACKUP_MAX_BYTES);
  });
});
