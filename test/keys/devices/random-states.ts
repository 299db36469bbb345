import fc from 'fast-check';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { contactRecord } from '../../../src/keys/annotations/contact.ts';
import { detailsRecord } from '../../../src/keys/annotations/key-details.ts';
import { siteFieldsRecord } from '../../../src/keys/annotations/site-fields.ts';
import { EMPTY_STATE, mergeVersions } from '../../../src/keys/devices/shared-state.ts';
import type { Entry, SharedState, VersionVector } from '../../../src/keys/devices/shared-state.ts';
import { withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { APP, keyRootRecord, keyUseRecord } from '../../../src/keys/ring/key-records.ts';
import { USER_KEY_KINDS } from '../../../src/keys/ring/kinds.ts';
import type { UserKeyKind } from '../../../src/keys/ring/kinds.ts';
import { persistentKeyId, persistentKeyRecord } from '../../../src/keys/ring/persistent-key.ts';
import { userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import type { UserKeyValue } from '../../../src/keys/ring/user-key.ts';
import type { Json } from '../../../src/keys/values/json.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import { keptKey, START } from '../world.ts';

/* States of a few devices that know the same few things, so that most merges meet differences. */

const filled = (length: number, byte: number): string =>
  toBase64url(new Uint8Array(length).fill(byte));

/** The ids of three devices. */
export const DEVICES = [1, 2, 3].map((byte) => filled(16, byte)) as [string, string, string];
export const ORIGINS = ['https://a.example', 'https://b.example'] as const;

/** The ref of the only key of a kind. */
const refOf = (kind: UserKeyKind): string => filled(16, 10 + USER_KEY_KINDS.indexOf(kind));

const vector: fc.Arbitrary<VersionVector> = fc
  .tuple(...DEVICES.map(() => fc.nat(2)))
  .map((counts) =>
    Object.fromEntries(
      DEVICES.map((device, at) => [device, counts[at]!] as const).filter(([, count]) => count > 0),
    ),
  );

const version = fc.record({
  by: fc.constantFrom(...DEVICES),
  version: vector,
  value: fc.constantFrom<Json>(null, true, false, 'one', 'two', 3),
});

/** Facts have one value, but for times, in which devices may differ. */
const FACTS = [
  ...[1, 2].flatMap((number) =>
    ['x', 'y'].map((digest) => [`generation ${number} ${digest}`, { key: digest }] as const),
  ),
  ...['p', 'q'].map((id) => [`id ${id}`, { generation: 1, root: 'r', salt: 's' }] as const),
  ['derivation r s 1', true],
  ['created', 1],
  ['created', 2],
] as const;

const facts = fc
  .subarray([...FACTS], { maxLength: 4 })
  .map((some) => Object.fromEntries(some) as Record<string, Json>);

const registers = fc
  .array(
    fc.tuple(
      fc.constantFrom('label', 'verified', 'mark x'),
      fc.array(version, { maxLength: 3, minLength: 1 }),
    ),
    {
      maxLength: 2,
    },
  )
  .map((some) => Object.fromEntries(some.map(([name, all]) => [name, mergeVersions(all, [])])));

const entry: fc.Arbitrary<Entry> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      incarnation: fc.integer({ min: 1, max: 2 }),
      version: vector,
      facts,
      registers,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      incarnation: fc.integer({ min: 1, max: 2 }),
      deleted: fc.record({ seen: vector, at: fc.nat(2) }),
    }),
  },
);

/**
 * Any state, also one that no honest device makes: two changes under one number, an entry that was changed after its
 * end. The names are of every type.
 */
export function anyState(types: readonly string[]): fc.Arbitrary<SharedState> {
  const name = fc.constantFrom(...types.map((type) => `${type} a`));
  const entries = fc.array(fc.tuple(name, entry), { maxLength: 5 }).map(Object.fromEntries);
  return fc.record({ seen: vector, entries }) as fc.Arbitrary<SharedState>;
}

const ALGORITHMS: Readonly<Record<UserKeyKind, Partial<UserKeyValue>>> = {
  sealing: {},
  signing: { algorithm: 'Ed25519' },
  sharing: { algorithm: 'X25519' },
  sync: { algorithm: 'weave-5' },
  age: {},
  jose: { origin: ORIGINS[0] },
};

const label = fc.constantFrom('Letters', 'Mine', 'Briefe');
const text = (length: number) =>
  fc.integer({ min: 1, max: 250 }).map((byte) => filled(length, byte));

/** A key of one kind with generations that may be others than those of the same numbers elsewhere, and its details. */
function userKeyRecords(kind: UserKeyKind): fc.Arbitrary<VaultRecord[]> {
  const ref = refOf(kind);
  const parts = fc.record({
    keys: fc.array(text(32), { minLength: 1, maxLength: 3 }),
    label,
    note: fc.constantFrom('', 'of the office'),
    archived: fc.constantFrom(null, START),
    isGuest: fc.boolean(),
    set: fc.option(fc.constantFrom(7, 8)),
  });
  return parts.map(({ keys, isGuest, set, note, archived, ...rest }) => {
    const extra = kind === 'age' ? { publicKey: keys[0]! } : {};
    const generations =
      kind === 'sync'
        ? [{ generation: 1, key: filled(64, 5), created: START }]
        : keys.map((key, at) => ({ generation: at + 1, key, created: START, ...extra }));
    const sets = kind === 'sync' && set !== null;
    const value: UserKeyValue = {
      ...rest,
      created: START,
      ...ALGORITHMS[kind],
      generations,
      ...(isGuest && { guest: true }),
      ...(sets && {
        collectionKeys: [{ created: set, default: filled(64, set), collections: [] }],
      }),
    };
    const details = { note, tone: '', archived: isGuest ? START : archived };
    return [userKeyRecord(kind, ref, value), detailsRecord(ref, details)];
  });
}

function useRecords(keys: readonly VaultRecord[]): fc.Arbitrary<VaultRecord[]> {
  const sealing = keys.find(({ type }) => type === 'sealing-key');
  const part = fc.record({
    ref: fc.constantFrom(APP, ...(sealing ? [sealing.id] : [])),
    origin: fc.constantFrom(...ORIGINS),
    salt: text(32),
    ids: fc.uniqueArray(text(16), { maxLength: 2 }),
    kept: fc.uniqueArray(text(16), { maxLength: 1 }),
  });
  const use = part.map(({ ids, kept, ...rest }) =>
    keyUseRecord({
      ...rest,
      generation: 1,
      headerKeyIds: ids.map((id) => ({ generation: 1, id })),
      kept: kept
        .filter((id) => !ids.includes(id))
        .map((id) => ({ generation: 1, id, key: filled(32, 255) })),
    }),
  );
  return fc.uniqueArray(use, { maxLength: 3, selector: ({ id }) => id });
}

const root = fc.tuple(fc.constantFrom(1, 2), label).map(([byte, name]) => ({
  appRoot: filled(32, byte),
  pairwiseSecret: filled(32, byte),
  created: START + byte,
  label: name,
}));

const contacts = fc.uniqueArray(
  fc
    .record({
      key: fc.constantFrom(1, 2),
      id: fc.integer({ min: 100, max: 250 }).map((byte) => filled(16, byte)), // and no ref of a key
      name: label,
      created: fc.constantFrom(1, 2),
      verified: fc.constantFrom(null, START),
    })
    .map(({ key, id, ...rest }) => {
      const bytes = new Uint8Array(32).fill(key);
      return contactRecord(id, { ...rest, publicKey: publicKeyText({ type: 'X25519', bytes }) });
    }),
  { maxLength: 2, selector: ({ value }) => (value as { publicKey: string }).publicKey },
);

const fields = fc
  .record({
    origin: fc.constantFrom(...ORIGINS),
    ref: fc.constantFrom(null, refOf('sealing')),
    alwaysSealed: fc.subarray([
      { tag: 'input', by: 'name', value: 'a b' } as const,
      { tag: 'textarea', by: 'aria-label', value: 'x' } as const,
    ]),
  })
  .filter(({ ref, alwaysSealed }) => ref !== null || alwaysSealed.length > 0)
  .map((settings) => [siteFieldsRecord(settings)]);

const keptKeys = fc
  .subarray([1, 2])
  .map((bytes) =>
    bytes.map((byte) =>
      persistentKeyRecord(persistentKeyId(filled(32, byte)), keptKey(ORIGINS[0])),
    ),
  );

/** The records of a vault, of every type that is shared. */
export const recordsOfVault: fc.Arbitrary<VaultRecord[]> = fc
  .subarray([...USER_KEY_KINDS])
  .chain((kinds) => fc.tuple(...kinds.map(userKeyRecords)))
  .map((keys) => keys.flat())
  .chain((keys) => fc.tuple(root, fc.constant(keys), useRecords(keys), contacts, fields, keptKeys))
  .map(([rootValue, ...others]) => [keyRootRecord(rootValue), ...others.flat()])
  .map((records) => {
    // A header key id is random, so no two uses have the same.
    const seen = new Set<string>();
    return records.map((record) => {
      if (record.type !== 'key-use') return record;
      const { headerKeyIds, kept, ...use } = record.value as unknown as Parameters<
        typeof keyUseRecord
      >[0];
      const isNew = ({ id }: { readonly id: string }) => !seen.has(id) && seen.add(id);
      const own = headerKeyIds.filter(isNew).toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const others = (kept ?? []).filter(isNew);
      return keyUseRecord({
        ...use,
        headerKeyIds: own,
        ...(others.length > 0 && { kept: others }),
      });
    });
  });

/** What a device has made of its vault, in one or two changes. */
export const stateOfVault: fc.Arbitrary<SharedState> = fc
  .tuple(fc.constantFrom(...DEVICES), fc.array(recordsOfVault, { minLength: 1, maxLength: 2 }))
  .map(([device, sets]) =>
    sets.reduce((state, records) => withLocalChanges(state, records, device), EMPTY_STATE),
  );
