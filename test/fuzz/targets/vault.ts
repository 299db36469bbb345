/* What the vault reads from stores that others may write, from files, and from the user's typing. */
import { deepStrictEqual } from 'node:assert';
import { concat, toBase64url, toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { contactRecord } from '../../../src/keys/annotations/contact.ts';
import {
  mergeSiteFields,
  SITE_FIELDS_MAX,
  siteFieldsRecord,
} from '../../../src/keys/annotations/site-fields.ts';
import type { KnownField } from '../../../src/keys/annotations/site-fields.ts';
import {
  backedUpOf,
  encodeContents,
  parseContents,
  recordsOfBackedUp,
} from '../../../src/keys/backup/backup-contents.ts';
import type { BackupContents } from '../../../src/keys/backup/backup-contents.ts';
import { openBackup, sealBackup } from '../../../src/keys/backup/backup-file.ts';
import { APP, keyRootRecord, keyUseRecord, rootIdOf } from '../../../src/keys/ring/key-records.ts';
import type { KeyRoot } from '../../../src/keys/ring/key-records.ts';
import { persistentKeyId, persistentKeyRecord } from '../../../src/keys/ring/persistent-key.ts';
import {
  encodeVaultMarker,
  frameValue,
  parseVaultMarker,
  unframeValue,
} from '../../../src/keys/values/checksummed-value.ts';
import { encodeHead, readHeads } from '../../../src/keys/storage/heads.ts';
import { isPassphraseSlot } from '../../../src/keys/unlock/passphrase-slot.ts';
import {
  PBKDF2,
  encodeParameters,
  parseParameters,
} from '../../../src/keys/unlock/passphrase-kdf.ts';
import { ARGON2ID_COST, preparePassphrase } from '../../../src/format/passphrase.ts';
import { encodeRecoveryCode, parseRecoveryCode } from '../../../src/keys/unlock/recovery-code.ts';
import {
  encodeSlot,
  nameOfSlot,
  openSlot,
  parseSlot,
  sealSlot,
  SLOT_TYPES,
} from '../../../src/keys/unlock/slots.ts';
import { prfCredentialOf } from '../../../src/keys/unlock/strong-slot.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import { openManifest, sealManifest } from '../../../src/keys/values/manifest.ts';
import { openRecord, sealRecord } from '../../../src/keys/values/record.ts';
import { EXISTS, HEADS, slotName } from '../../../src/keys/values/value-names.ts';
import { PlainVault } from '../../keys/plain-vault.ts';
import { keptKey } from '../../keys/world.ts';
import {
  accepted,
  acceptedLater,
  bytesIn,
  counting,
  require,
  requireSame,
  textIn,
} from '../target.ts';
import type { FuzzTarget } from '../target.ts';

/** Not random, so that seeds are the same in every run. */
const random = { bytes: (length: number) => counting(length, 3) };
const KEY = { key: counting(32, 9), keyId: counting(16, 200) };
const derive = () => Promise.resolve(counting(32, 5));
const PASSPHRASE = 'correct horse';

const backupFile: FuzzTarget = {
  name: 'backup-file',
  files: [
    'src/keys/backup/backup-file.ts',
    'src/keys/unlock/passphrase-kdf.ts',
    'src/format/wire/envelope.ts',
    'src/format/wire/header.ts',
  ],
  sample: 800,
  async seeds() {
    const deps = { derive, random, cost: ARGON2ID_COST };
    const long = await sealBackup(new Uint8Array(300), PASSPHRASE, deps);
    return [await sealBackup(utf8('{}'), PASSPHRASE, deps), long];
  },
  async fuzz(data) {
    // The platform's PBKDF2 takes 0.2 s and more for each accepted header.
    if (data[5] === PBKDF2) parseParameters(PBKDF2, data.subarray(8));
    else await acceptedLater(() => openBackup(data, PASSPHRASE, derive), VaultError);
  },
};

const text = (bytes: Uint8Array) => toBase64url(bytes);
const generation = { generation: 1, key: text(counting(32)), created: 5 };

export function contentsSeeds(): Uint8Array[] {
  const root = {
    appRoot: text(counting(32)),
    pairwiseSecret: text(counting(32, 40)),
    created: 1,
    label: 'App key',
  };
  const ids = [{ generation: 1, id: text(counting(16)) }];
  const use = { ref: APP, origin: 'https://a.example', generation: 1, salt: text(counting(32)) };
  const ref = text(counting(16, 60));
  const key = { label: 'Key', created: 2, generations: [generation] };
  const collections = { created: 3, default: text(counting(64)), collections: [] };
  const records = [
    keyRootRecord(root),
    keyUseRecord({ ...use, headerKeyIds: ids }),
    { id: ref, type: 'sealing-key', value: key },
    { id: text(counting(16, 1)), type: 'signing-key', value: { ...key, algorithm: 'Ed25519' } },
    {
      id: text(counting(16, 2)),
      type: 'sync-key',
      value: {
        ...key,
        algorithm: 'weave-5',
        generations: [{ ...generation, key: text(counting(64)) }],
        foreignId: 'x',
        collectionKeys: [collections],
      },
    },
    {
      id: `key-details ${ref}`,
      type: 'key-details',
      value: { ref, note: 'note', tone: 'blue', archived: null },
    },
  ];
  const [mark, other] = ['note', 'x'].map((value) => {
    return { tag: 'input', by: 'name', value } as const;
  });
  const publicKey = publicKeyText({ type: 'X25519', bytes: counting(32) });
  const ofSites = [
    siteFieldsRecord({ origin: 'https://a.example', ref, alwaysSealed: [mark!, other!] }),
    contactRecord(text(counting(16, 4)), { name: 'Ada', publicKey, created: 1, verified: 2 }),
    persistentKeyRecord(persistentKeyId(text(counting(32, 8))), keptKey('https://a.example')),
  ];
  const { label: _, ...another } = { ...root, appRoot: text(counting(32, 70)) };
  const joined = { ...root, others: { [rootIdOf(another)]: another } };
  const ofDevices = [
    keyRootRecord(joined),
    keyUseRecord({
      ...use,
      origin: 'https://b.example',
      root: rootIdOf(another),
      headerKeyIds: [{ generation: 1, id: text(counting(16, 7)) }],
    }),
  ];
  const file = { created: 4, vault: text(counting(16)) };
  return [
    { format: 'sealwright-backup/1', ...file, records: records.slice(0, 3) },
    { format: 'sealwright-backup/2', ...file, records: records.slice(0, 4) },
    { format: 'sealwright-backup/3', ...file, records },
    { format: 'sealwright-backup/8', ...file, records: [...records, ...ofSites] },
    {
      format: 'sealwright-backup/9',
      ...file,
      records: [...records.slice(1), ...ofSites, ...ofDevices],
    },
    { format: 'sealwright-backup/10', ...file, records: [] },
  ].map((contents) => bytesIn(JSON.stringify(contents)));
}

const backupContents: FuzzTarget = {
  name: 'backup-contents',
  files: [
    'src/keys/backup/backup-contents.ts',
    'src/keys/backup/key-set.ts',
    'src/keys/annotations/annotations.ts',
    'src/keys/values/json.ts',
  ],
  maxBytes: 4096,
  seeds: contentsSeeds,
  fuzz(data) {
    const contents = accepted(() => parseContents(data), VaultError);
    if (!contents) return;
    deepStrictEqual(parseContents(encodeContents(contents)), contents);
  },
};

/** A vault in use that has these app keys, and names that a file may have, too. */
function vaultOf(root: KeyRoot): PlainVault {
  const [seed] = contentsSeeds().slice(-2, -1).map(parseContents);
  const known = [...seed!.keys.uses].filter(([, use]) => {
    return use.root === undefined || Object.hasOwn(root.others ?? {}, use.root);
  });
  const records = recordsOfBackedUp({
    ...seed!,
    keys: { ...seed!.keys, root, uses: new Map(known) },
  });
  return new PlainVault(new Map(records.map((record) => [record.id, record])));
}

const OTHER_ROOT: KeyRoot = {
  appRoot: text(counting(32, 90)),
  pairwiseSecret: text(counting(32, 91)),
  created: 1,
  label: 'Other',
};

/** @returns what the vault holds after a file, which a backup of it gives again; undefined: it is refused whole */
async function afterFile(vault: PlainVault, contents: BackupContents) {
  const before = vault.records;
  const report = await acceptedLater(() => vault.backups().bring(contents), VaultError);
  if (report === undefined) {
    deepStrictEqual(vault.records, before);
    return undefined;
  }
  const after = backedUpOf(vault.records);
  const { created, vault: id } = contents;
  deepStrictEqual(parseContents(encodeContents({ created, vault: id, ...after })), {
    created,
    vault: id,
    ...after,
  });
  return { report, after };
}

const backupRestore: FuzzTarget = {
  name: 'backup-restore',
  files: [
    'src/keys/backup/backups.ts',
    'src/keys/backup/merge-keys.ts',
    'src/keys/annotations/annotations.ts',
    'src/keys/annotations/site-fields.ts',
    'src/keys/ring/persistent-key.ts',
  ],
  maxBytes: 4096,
  sample: 400,
  seeds: contentsSeeds,
  async fuzz(data) {
    const contents = accepted(() => parseContents(data), VaultError);
    if (!contents) return;
    const { root } = contents.keys;
    if (root) {
      const vault = vaultOf(root);
      const own = await afterFile(vault, contents);
      require('a file of this vault is its own', own === undefined ||
        own.report.relation === 'own');
      const again = own && (await vault.backups().bring(contents));
      const isMore = again && Object.values(again.brings).some((count) => count > 0);
      require('the same file brings nothing again', isMore !== true);
    }
    const vault = vaultOf(OTHER_ROOT);
    const before = backedUpOf(vault.records);
    const foreign = await afterFile(vault, contents);
    if (!foreign) return;
    require('another file is foreign', foreign.report.relation === 'foreign');
    const { keys, annotations, persistentKeys } = foreign.after;
    deepStrictEqual(keys.root, before.keys.root);
    deepStrictEqual(persistentKeys, before.persistentKeys);
    deepStrictEqual(annotations.siteFields, before.annotations.siteFields);
    for (const [ref, key] of keys.userKeys) {
      const own = before.keys.userKeys.get(ref);
      if (own) deepStrictEqual(key, own);
      else require('a foreign key is a guest', key.value.guest === true);
    }
    for (const [id, { verified }] of annotations.contacts) {
      const own = before.annotations.contacts.get(id);
      require('a foreign file verifies no contact', verified === (own?.verified ?? null));
    }
  },
};

const SLOT_ID = counting(16, 77);

const slot: FuzzTarget = {
  name: 'slot',
  files: [
    'src/keys/unlock/slots.ts',
    'src/keys/unlock/passphrase-slot.ts',
    'src/keys/unlock/passphrase-kdf.ts',
    'src/keys/unlock/strong-slot.ts',
    'src/keys/values/checksummed-value.ts',
  ],
  sample: 800,
  async seeds() {
    const place = { vaultId: counting(16), slotId: SLOT_ID, created: 1_700_000_000_000 };
    const [ofPassphrase, ofPasskey] = [
      encodeParameters({ cost: ARGON2ID_COST, salt: counting(16) }),
      concat(Uint8Array.of(0, 5), counting(5), counting(32)),
    ];
    const headers = [
      { ...place, type: SLOT_TYPES.argon2id, parameters: ofPassphrase },
      { ...place, type: SLOT_TYPES.webauthnPrf, parameters: ofPasskey },
      { ...place, type: SLOT_TYPES.recoveryCode, parameters: new Uint8Array(0) },
    ];
    const slots = await Promise.all(
      headers.map((header) => sealSlot(header, KEY.key, counting(32), random)),
    );
    // Without the frame, whose checksum would refuse every change.
    return slots.map((one) => unframeValue(nameOfSlot(one), encodeSlot(one))!);
  },
  async fuzz(data) {
    const name = slotName(toHex(SLOT_ID));
    require('a value without its frame is no slot', parseSlot(name, data) === undefined);
    const framed = frameValue(name, data);
    const found = parseSlot(name, framed);
    if (!found) return;
    isPassphraseSlot(found);
    prfCredentialOf(found);
    await openSlot(found, KEY.key);
    requireSame('the slot', encodeSlot(found), framed);
  },
};

const head: FuzzTarget = {
  name: 'head',
  files: ['src/keys/storage/heads.ts', 'src/keys/values/checksummed-value.ts'],
  seeds() {
    const [name] = HEADS;
    const of = (generation: number) => ({ schema: 1, generation, manifestHash: counting(32) });
    const marker = { vaultId: counting(16), created: 1_700_000_000_000 };
    return [
      unframeValue(name, encodeHead(KEY, name, of(1)))!,
      unframeValue(name, encodeHead(KEY, name, of(2 ** 40)))!,
      unframeValue(EXISTS, encodeVaultMarker(marker))!,
      encodeHead(KEY, name, of(7)),
      encodeVaultMarker(marker),
    ];
  },
  async fuzz(data) {
    const [name] = HEADS;
    for (const bytes of [data, frameValue(name, data)]) {
      const store = [{ state: 'present', bytes } as const, { state: 'missing' } as const];
      const { slots } = await readHeads({ copiesOf: () => Promise.resolve([store]) }, KEY);
      const authentic = slots.get(name);
      if (authentic) requireSame('the head', encodeHead(KEY, name, authentic), bytes);
    }
    for (const value of [data, frameValue(EXISTS, data)]) {
      const found = parseVaultMarker(value);
      if (found) requireSame('the marker', encodeVaultMarker(found), value);
    }
  },
};

const [HERE, THERE] = HEADS;
const headOf = (at: string, number: number): Uint8Array =>
  encodeHead(KEY, at, { schema: 1, generation: number, manifestHash: counting(32, number) });

/** A store as the vault has left it. */
const WHOLE = [headOf(HERE, 6), headOf(THERE, 7)].map((bytes) => {
  return { state: 'present', bytes } as const;
});

/** That store, and another with two values of anyone, before it or after it: the MACs of both orders would take twice as long. */
const heads: FuzzTarget = {
  name: 'heads',
  files: ['src/keys/storage/heads.ts', 'src/keys/values/checksummed-value.ts'],
  seeds() {
    return [
      [headOf(HERE, 6), headOf(THERE, 7)],
      [headOf(HERE, 8), headOf(THERE, 7)],
      [headOf(THERE, 7), headOf(HERE, 6)],
      [unframeValue(HERE, headOf(HERE, 4))!, unframeValue(THERE, headOf(THERE, 5))!],
    ].flatMap(([a, b]) => [0, 4].map((flags) => concat(Uint8Array.of(a!.length, flags), a!, b!)));
  },
  async fuzz(data) {
    const [length = 0, flags = 0] = data;
    const halves = [data.subarray(2, 2 + length), data.subarray(2 + length)];
    const other = halves.map((half, i) => {
      const isFramed = ((flags >> i) & 1) === 1;
      return { state: 'present', bytes: isFramed ? frameValue(HEADS[i]!, half) : half } as const;
    });
    const stores = (flags & 4) === 0 ? [WHOLE, other] : [other, WHOLE];
    const found = await readHeads({ copiesOf: () => Promise.resolve(stores) }, KEY);
    const authentic = found.candidates.filter(({ isAuthentic }) => isAuthentic);
    require('no slot is lost', found.whole);
    require('no later version is certain', found.newer !== 'certain');
    require('the newest counts', (found.slots.get(THERE)?.generation ?? 0) >= 7);
    const isOurs = authentic.some(({ head: one }) => one.generation === 7);
    require('what one store holds hides nothing of the other', isOurs);
  },
};

/** What two backups say of one site. */
const fieldMarks: FuzzTarget = {
  name: 'field-marks',
  files: ['src/keys/annotations/site-fields.ts', 'src/keys/backup/backup-contents.ts'],
  seeds() {
    const one = { tag: 'input', by: 'name', value: 'note' };
    const many = Array.from({ length: 40 }, (_, i) => ({ ...one, value: `x${i}` }));
    return [
      [[one], [{ ...one, by: 'id' }]],
      [[], [one, { ...one, tag: 'textarea', by: 'aria-label', value: '\u202enote' }]],
      [many, [...many, one]],
    ].map((lists) => bytesIn(JSON.stringify(lists)));
  },
  maxBytes: 8192,
  fuzz(data) {
    const lists = accepted(() => JSON.parse(textIn(data)) as unknown, SyntaxError);
    if (!Array.isArray(lists)) return;
    const [own, other] = (lists as readonly KnownField[][]).slice(0, 2).map((alwaysSealed) => {
      const value = { origin: 'https://a.example', ref: null, alwaysSealed };
      const file = { format: 'sealwright-backup/5', created: 1, vault: text(counting(16)) };
      const bytes = bytesIn(JSON.stringify({ ...file, records: [siteFieldsRecord(value)] }));
      const contents = accepted(() => parseContents(bytes), VaultError);
      return contents?.annotations.siteFields.get(value.origin);
    });
    if (!own || !other) return;
    const merged = mergeSiteFields(own, other);
    require('bounded', merged.alwaysSealed.length <= SITE_FIELDS_MAX);
    deepStrictEqual(merged.alwaysSealed.slice(0, own.alwaysSealed.length), own.alwaysSealed);
    deepStrictEqual(mergeSiteFields(merged, other), merged);
  },
};

const manifest: FuzzTarget = {
  name: 'vault-values',
  files: [
    'src/keys/values/manifest.ts',
    'src/keys/values/record.ts',
    'src/keys/values/vault-seal.ts',
    'src/format/wire/envelope.ts',
    'src/format/wire/header.ts',
  ],
  sample: 800,
  async seeds() {
    const empty = { generation: 1, created: 5, slots: [], records: [], retired: [] };
    const record = { id: 'a', type: 'b', value: { c: 1 } };
    const place = { name: toHex(counting(16)), generation: 1 };
    return [await sealManifest(KEY, empty, random), await sealRecord(KEY, place, record, random)];
  },
  async fuzz(data) {
    const found = await openManifest(KEY, 1, data);
    require('a manifest is an object', found === undefined || typeof found === 'object');
    const record = await openRecord(KEY, { name: toHex(counting(16)), generation: 1 }, data);
    require('a record is an object', record === undefined || typeof record === 'object');
  },
};

const secrets: FuzzTarget = {
  name: 'typed-secrets',
  files: ['src/keys/unlock/recovery-code.ts', 'src/format/passphrase.ts'],
  seeds() {
    const code = encodeRecoveryCode(counting(16, 33));
    const spoken = code.toLowerCase().replaceAll('-', ' \u2013 ').replaceAll('0', 'o');
    return [code, spoken, 'correct horse battery', 'e\u0301\u00a0x\u200dy', '\u1112\u1161'].map(
      bytesIn,
    );
  },
  fuzz(data) {
    const typed = textIn(data);
    const secret = parseRecoveryCode(typed);
    if (secret) {
      const again = parseRecoveryCode(encodeRecoveryCode(secret));
      require('a recovery code comes back', again !== undefined);
      requireSame('a recovery code', again!, secret);
    }
    const prepared = accepted(() => preparePassphrase(typed), RangeError, TypeError);
    if (prepared) requireSame('prepared again', preparePassphrase(textIn(prepared)), prepared);
  },
};

export const VAULT_TARGETS: readonly FuzzTarget[] = [
  backupFile,
  backupContents,
  backupRestore,
  slot,
  head,
  heads,
  fieldMarks,
  manifest,
  secrets,
];
