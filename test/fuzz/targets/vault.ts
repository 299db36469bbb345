/* What the vault reads from stores that others may write, from files, and from the user's typing. */
import { deepStrictEqual } from 'node:assert';
import { concat, toBase64url, utf8, toHex } from '../../../src/crypto/bytes.ts';
import { encodeContents, parseContents } from '../../../src/keys/backup/backup-contents.ts';
import { openBackup, sealBackup } from '../../../src/keys/backup/backup-file.ts';
import { APP, keyRootRecord, keyUseRecord } from '../../../src/keys/ring/key-records.ts';
import {
  encodeVaultMarker,
  frameValue,
  parseVaultMarker,
  unframeValue,
} from '../../../src/keys/values/checksummed-value.ts';
import { encodeHead, readHeads } from '../../../src/keys/storage/heads.ts';
import { isPassphraseSlot } from '../../../src/keys/unlock/passphrase-slot.ts';
import {
  ARGON2ID_COST,
  PBKDF2,
  encodeParameters,
  parseParameters,
} from '../../../src/keys/unlock/passphrase-kdf.ts';
import { preparePassphrase } from '../../../src/keys/unlock/passphrase.ts';
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

function contentsSeeds(): Uint8Array[] {
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
  const file = { created: 4, vault: text(counting(16)) };
  return [
    { format: 'sealwright-backup/1', ...file, records: records.slice(0, 3) },
    { format: 'sealwright-backup/2', ...file, records: records.slice(0, 4) },
    { format: 'sealwright-backup/3', ...file, records },
    { format: 'sealwright-backup/9', ...file, records: [] },
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
  files: ['src/keys/unlock/recovery-code.ts', 'src/keys/unlock/passphrase.ts'],
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
  slot,
  head,
  manifest,
  secrets,
];
