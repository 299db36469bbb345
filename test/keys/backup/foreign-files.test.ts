import { expect } from 'chai';
import fc from 'fast-check';
import { fromBase64url, toBase64url } from '../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { CONTACT, contactOf, contactRecord } from '../../../src/keys/annotations/contact.ts';
import { allKeyDetails, detailsRecord } from '../../../src/keys/annotations/key-details.ts';
import { SITE_FIELDS, siteFieldsRecord } from '../../../src/keys/annotations/site-fields.ts';
import {
  BACKED_UP_TYPES,
  backedUpOf,
  encodeContents,
  parseContents,
  recordsOfBackedUp,
} from '../../../src/keys/backup/backup-contents.ts';
import type { BackupContents } from '../../../src/keys/backup/backup-contents.ts';
import { headerKeyIdsOf } from '../../../src/keys/backup/key-set.ts';
import {
  KEY_USE,
  keyRootRecord,
  keyUseOf,
  keyUseRecord,
} from '../../../src/keys/ring/key-records.ts';
import {
  PERSISTENT_KEY,
  persistentKeyId,
  persistentKeyRecord,
} from '../../../src/keys/ring/persistent-key.ts';
import { USER_KEY_KINDS } from '../../../src/keys/ring/kinds.ts';
import type { UserKeyKind } from '../../../src/keys/ring/kinds.ts';
import { userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import type { UserKeyValue } from '../../../src/keys/ring/user-key.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import type { RandomSource } from '../../../src/random/contract.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { PlainVault } from '../plain-vault.ts';
import { keptKey, START, TestKeyRing } from '../world.ts';

/*
 * Any file that is not of this vault, with records of every type. Afterwards the vault derives, chooses and opens
 * what it would without the file: so no two such files differ in what they do, and no byte of one counts.
 */

const RUNS = Number(process.env['SEALWRIGHT_FOREIGN_FILES'] ?? (IS_NIGHTLY ? 2000 : 40));
const ORIGINS = ['https://a.example', 'https://b.example', 'https://c.example'] as const;
const [A] = ORIGINS;
const publicKey = (bytes: Uint8Array) =>
  publicKeyText({ type: 'X25519', bytes: Uint8Array.from(bytes) });
const OWN_CONTACT = publicKey(new Uint8Array(32).fill(4));

/** A vault, and the names in it that a forged file may use, too. */
interface Target {
  readonly vault: PlainVault;
  readonly refs: readonly string[];
  readonly headerKeyIds: readonly string[];
  readonly contactIds: readonly string[];
}

type Fill = (ring: TestKeyRing, vault: Vault) => Promise<unknown>;

const TARGETS: Readonly<Record<string, Fill>> = {
  'with a contact only': (_ring, vault) => vault.commit((draft) => draft.put(ownContact)),
  'with a sealing key that no site uses': (ring) => ring.createSealingKey('Letters'),
  'that sites use': async (ring, vault) => {
    await vault.commit((draft) => {
      draft.put(ownContact);
      ring.addKey(draft, { kind: 'sharing', label: 'Mine' });
      ring.addKey(draft, { kind: 'jose', label: 'Tokens', origin: A });
      draft.put(persistentKeyRecord(OWN_REFERENCE, keptKey(A)));
    });
    const { ref } = await ring.createSealingKey('Letters');
    for (const used of ['app', ref]) await ring.sealingMaterial(used, A);
  },
};

const OWN_REFERENCE = persistentKeyId(toBase64url(new Uint8Array(32).fill(6)));

const ownContact = contactRecord(toBase64url(new Uint8Array(16).fill(1)), {
  name: 'Grace',
  publicKey: OWN_CONTACT,
  created: 1,
  verified: null,
});

async function target(fill: Fill): Promise<Target> {
  const vault = new PlainVault();
  const ring = new TestKeyRing({ vault: vault.asVault, random: systemRandom, now: () => START });
  await fill(ring, vault.asVault);
  const keys = (await ring.list()).map(({ ref }) => ref);
  const uses = (await vault.list(KEY_USE)).map(keyUseOf);
  return {
    vault,
    refs: keys.filter((ref) => ref !== 'app'),
    headerKeyIds: uses.flatMap(headerKeyIdsOf).map(({ id }) => id),
    contactIds: (await vault.list(CONTACT)).map(({ id }) => id),
  };
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const encoded = (length: number) => bytes(length).map(toBase64url);
const time = fc.oneof(fc.constantFrom(0, 1, START, START + 1, START + 2), fc.maxSafeNat());
const label = fc.constantFrom('Letters', 'Mine', 'Grace', '\u202eLetters', 'A');
const oneOf = <T>(known: readonly T[], other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  known.length === 0 ? other : fc.oneof(fc.constantFrom(...known), other);

const ALGORITHMS: Readonly<Record<UserKeyKind, Partial<UserKeyValue>>> = {
  sealing: {},
  signing: { algorithm: 'Ed25519' },
  sharing: { algorithm: 'X25519' },
  sync: { algorithm: 'sealwright' },
  age: {},
  jose: { origin: A },
};

function userKey(ref: fc.Arbitrary<string>): fc.Arbitrary<VaultRecord> {
  const parts = fc.record({
    kind: fc.constantFrom(...USER_KEY_KINDS),
    ref,
    label,
    created: time,
    keys: fc.array(encoded(32), { minLength: 1, maxLength: 3 }),
  });
  return parts.map(({ kind, ref: id, keys, ...rest }) => {
    const extra = kind === 'age' ? { publicKey: keys[0]! } : {};
    const generations = keys.map((key, at) => ({ generation: at + 1, key, created: 0, ...extra }));
    return userKeyRecord(kind, id, { ...rest, ...ALGORITHMS[kind], generations });
  });
}

/** Uses of a key by a site, with header key ids of generations that the file has, and others beside them. */
function keyUses(keys: readonly VaultRecord[], { headerKeyIds }: Target) {
  const id = oneOf(headerKeyIds, encoded(16));
  const sealing = keys.filter(({ type }) => type === 'sealing-key').map((record) => record.id);
  const parts = fc.record({
    ref: fc.constantFrom('app', ...sealing),
    origin: fc.constantFrom(...ORIGINS),
    salt: encoded(32),
    generation: fc.constantFrom(1, 2, 7),
    first: fc.array(id, { maxLength: 1 }),
    kept: fc.uniqueArray(fc.record({ id, key: encoded(32) }), {
      maxLength: 3,
      selector: (it) => it.id,
    }),
  });
  const use = parts.map(({ first, kept, ...rest }) =>
    keyUseRecord({
      ...rest,
      headerKeyIds: first.map((each) => ({ generation: 1, id: each })),
      kept: kept.map((each) => ({ generation: 1, ...each })),
    }),
  );
  return fc.uniqueArray(use, { maxLength: 6, selector: (record) => record.id });
}

function annotations(keys: readonly VaultRecord[], { contactIds }: Target) {
  const refs = keys.map(({ id }) => id);
  const details = fc.record({
    note: label,
    tone: fc.constantFrom('', 'red'),
    archived: fc.option(time),
  });
  const contact = fc.record({
    id: oneOf(contactIds, encoded(16)),
    name: label,
    publicKey: fc.oneof(fc.constant(OWN_CONTACT), bytes(32).map(publicKey)),
    created: time,
    verified: fc.option(time),
  });
  const site = fc.record({
    origin: fc.constantFrom(...ORIGINS),
    ref: fc.constantFrom(null, ...refs),
    alwaysSealed: fc.constantFrom([], [{ tag: 'input', by: 'name', value: 'x' } as const]),
  });
  return fc
    .tuple(
      fc.tuple(...refs.map((ref) => details.map((value) => detailsRecord(ref, value)))),
      fc.array(
        contact.map(({ id, ...value }) => contactRecord(id, value)),
        { maxLength: 3 },
      ),
      fc.array(site.map(siteFieldsRecord), { maxLength: 3 }),
    )
    .map((all) => all.flat());
}

const persistentKey = fc
  .record({
    id: fc.oneof(fc.constant(OWN_REFERENCE), encoded(32).map(persistentKeyId)),
    origin: fc.constantFrom(...ORIGINS),
    content: encoded(32),
    archived: fc.option(time, { nil: undefined }),
  })
  .map(({ id, origin, content, archived }) => {
    const value = keptKey(origin, content);
    return persistentKeyRecord(id, archived === undefined ? value : { ...value, archived });
  });

/** A file that opens: of one that is not whole, nothing is taken. */
function foreignFile(into: Target): fc.Arbitrary<BackupContents> {
  const root = fc.record({
    appRoot: encoded(32),
    pairwiseSecret: encoded(32),
    created: time,
    label,
  });
  const ref = oneOf(into.refs, encoded(16));
  const keys = fc.uniqueArray(userKey(ref), { maxLength: 4, selector: (record) => record.id });
  return fc.tuple(root.map(keyRootRecord), keys).chain(([rootRecord, userKeys]) =>
    fc
      .tuple(
        keyUses(userKeys, into),
        annotations(userKeys, into),
        fc.array(persistentKey, { maxLength: 2 }),
        fc.record({ created: time, vault: encoded(16) }),
      )
      .map(([uses, notes, kept, head]) => {
        const unique = new Map(
          [rootRecord, ...userKeys, ...uses, ...notes, ...kept].map((record) => [
            record.id,
            record,
          ]),
        );
        return parseContents(encodeContents({ ...head, ...backedUpOf([...unique.values()]) }));
      }),
  );
}

const idsIn = ({ keys }: BackupContents): readonly string[] =>
  [...keys.uses.values()].flatMap(headerKeyIdsOf).map(({ id }) => id);

const text = (key: Uint8Array | undefined) => key && toBase64url(key);

/** What these header key ids open at sites. */
async function opened(plain: PlainVault, ids: readonly string[]) {
  const ring = new TestKeyRing({ vault: plain.asVault, random: systemRandom, now: () => START });
  const found: unknown[] = [];
  for (const id of ids.map(fromBase64url)) {
    for (const origin of ORIGINS) {
      const material = await ring.openingMaterial(id, origin);
      found.push([(await ring.keyOfMessage(id, origin))?.ref, text(material?.key)]);
    }
    found.push(await ring.useOfHeaderKeyId(id));
  }
  return found;
}

/** What the vault derives and chooses by itself. The ring draws the same bytes each time. */
async function choices({ refs }: Target, plain: PlainVault) {
  const vault = plain.asVault;
  let drawn = 0;
  const random: RandomSource = { bytes: (length) => new Uint8Array(length).fill(100 + drawn++) };
  const ring = new TestKeyRing({ vault, random, now: () => START + 9 });
  const details = await allKeyDetails(vault);
  const keys = await ring.list();
  const contacts = (await vault.list(CONTACT)).map(contactOf);
  const derived: unknown[] = [];
  for (const origin of ORIGINS) {
    derived.push(await ring.pairwiseId('app', origin));
    for (const { ref } of keys.filter(
      ({ kind, ref }) => kind === 'app' || (kind === 'sealing' && refs.includes(ref)),
    )) {
      const { key, keyId, generation } = await ring.sealingMaterial(ref, origin);
      const used = await ring.usedKeys(ref, origin);
      derived.push([text(key), text(keyId), generation, used.map(text)]);
      derived.push(await ring.pairwiseId(ref, origin));
    }
  }
  return {
    // The first of a kind is the one that is offered, sealed with and handed out.
    offered: keys.filter(({ ref }) => (details.get(ref)?.archived ?? null) === null),
    order: keys.slice(0, refs.length + 1),
    verified: contacts.filter(({ verified }) => verified !== null),
    ownContact: await vault.read(ownContact.id),
    siteFields: await vault.list(SITE_FIELDS),
    persistentKeys: await vault.list(PERSISTENT_KEY),
    derived,
  };
}

describe('Any file of someone else', function () {
  this.timeout(60_000 + RUNS * 100);

  for (const [title, fill] of Object.entries(TARGETS)) {
    it(`counts for nothing in a vault ${title}`, async () => {
      const into = await target(fill);
      const expected = await choices(into, into.vault.copy());
      await fc.assert(
        fc.asyncProperty(foreignFile(into), foreignFile(into), async (file, next) => {
          const ids = [...new Set([...into.headerKeyIds, ...idsIn(file), ...idsIn(next)])];
          const vault = into.vault.copy();
          const backups = vault.backups();
          for (const each of [file, next, file]) {
            expect((await backups.bring(each)).relation).to.equal('foreign');
          }
          expect(await opened(vault, ids)).to.deep.equal(await opened(into.vault, ids));
          expect(await choices(into, vault)).to.deep.equal(expected);
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('has records of every type', async () => {
    const files = fc.sample(foreignFile(await target(TARGETS['that sites use']!)), 200);
    const types = files.flatMap(recordsOfBackedUp).map(({ type }) => type);
    expect(new Set(types)).to.deep.equal(new Set(BACKED_UP_TYPES));
  });
});
