/*
 * Wrote test/format/vectors/groups.json, once. Run again, it must leave the file as it is: version 1 of the format never
 * changes.
 *
 *   npx tsx scripts/make-group-vectors.ts
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { concat, copyOf, equal, fromHex, toHex } from '../src/crypto/bytes.ts';
import { NATIVE_X25519 } from '../src/engine/kem/native-x25519.ts';
import { xWingKem } from '../src/engine/kem/x-wing-kem.ts';
import { ed25519PublicKey, signEd25519 } from '../src/engine/native/ed25519.ts';
import { epochText, type Epoch, type GroupMember } from '../src/format/groups/epoch.ts';
import { groupIdText } from '../src/format/groups/group-id.ts';
import { epochKeysOf, membersAmong } from '../src/format/groups/group.ts';
import { makeEpoch, type NewEpoch } from '../src/format/groups/new-epoch.ts';
import { GroupHistory } from '../src/format/groups/history.ts';
import { sealMessage } from '../src/format/message.ts';
import { NATIVE_CRYPTO } from '../src/format/native-crypto.ts';
import { groupRecipient, groupRecipientOf } from '../src/format/recipients/group-key.ts';
import { fingerprintOf } from '../src/format/recipients/sender.ts';
import { GROUP_RECIPIENT } from '../src/format/wire/recipient-table.ts';
import type {
  GroupMessage,
  GroupRefusal,
  GroupVector,
} from '../test/format/groups/group-vectors.ts';
import { countingRandom } from '../test/format/message-vectors.ts';

const FILE = new URL('../test/format/vectors/groups.json', import.meta.url);
const random = countingRandom();
const DEPS = { kem: xWingKem(() => NATIVE_X25519), crypto: NATIVE_CRYPTO, random };

const run = (first: number) => Uint8Array.from({ length: 32 }, (_, i) => (first + i) % 256);

async function person(first: number) {
  const [seed, adminSeed] = [run(first), run(first + 100)];
  const member = { publicKey: await DEPS.kem.publicKey(seed) };
  const publicKey = await ed25519PublicKey(adminSeed);
  return {
    seed,
    member,
    admin: { ...member, adminKey: publicKey },
    signer: { publicKey, sign: (data: Uint8Array<ArrayBuffer>) => signEd25519(adminSeed, data) },
  };
}
type Person = Awaited<ReturnType<typeof person>>;

const [adam, berta, carl, dora, eve] = (await Promise.all([1, 2, 3, 4, 5].map(person))) as [
  ...[Person, Person, Person, Person, Person],
];
const epochs = new Map<string, Epoch>();

async function made(
  name: string,
  by: Person,
  members: readonly GroupMember[],
  parents: readonly Epoch[] = [],
  more: Partial<NewEpoch> = {},
): Promise<Epoch> {
  const number = parents.length === 0 ? 0 : Math.max(...parents.map((each) => each.number)) + 1;
  const basis = { parents: parents.map(({ digest }) => digest), number };
  const group = parents.length === 0 ? {} : { group: first.digest };
  const epoch = await makeEpoch({ basis, ...group, members, ...more }, by.signer, DEPS);
  epochs.set(name, epoch);
  return epoch;
}

const first = await made('first', adam, [adam.admin, berta.admin, carl.admin]);
const oldKeys = await epochKeysOf(
  [first],
  await membersAmong([{ type: 2, key: adam.seed }], DEPS),
  DEPS,
);
const adds = [adam.admin, berta.admin, carl.admin, dora.member];
const second = await made('second', berta, adds, [first], { oldKeys });
await made('third', adam, [adam.admin, carl.admin, dora.member], [second]);
const added = await made('added-eve', carl, [...adds, eve.member], [second]);
const removed = await made('removed-dora', adam, [adam.admin, berta.admin, carl.admin], [second]);
const all = [adam.admin, berta.admin, carl.admin, eve.member];
await made('joined', carl, all, [added, removed]);
await made('joined-and-more', carl, [...all, dora.member], [added, removed]);
const out = await made('removed-berta', adam, [adam.admin, carl.admin], [first]);
const sneaked = await made('by-removed', berta, [...adds, eve.admin], [first]);
await made('by-stranger', eve, [eve.admin], [first]);
await made('after-removal', berta, [adam.admin, carl.admin, berta.admin], [out]);
await made('by-sneaked', eve, [adam.admin, eve.admin], [sneaked]);
await made('other-group', adam, [adam.admin]);
await made('not-by-admin', eve, [adam.admin]);
await made('added-dora-1', adam, adds, [first]);
await made('added-eve-1', berta, [adam.admin, berta.admin, carl.admin, eve.member], [first]);
await made('rivals-1', adam, [adam.admin, carl.admin, dora.member], [first]);
await made('rivals-2', berta, [berta.admin], [first]);
await made('skipped', adam, adds, [first], { basis: { parents: [first.digest], number: 2 } });

const known = (names: readonly string[]) => names.map((name) => epochs.get(name)!);

async function group(
  id: string,
  comment: string,
  names: readonly string[],
  { identity = adam, trusted = [] as readonly Person[], of = first } = {},
): Promise<GroupVector> {
  const keys = trusted.map(({ signer }) => signer.publicKey);
  const asked = { id, comment, group: groupIdText(of.digest), epochs: names };
  const given = { ...asked, trusted: keys.map(toHex), identity: toHex(identity.seed) };
  let history;
  try {
    history = await GroupHistory.check(known(names), { group: of.digest, trusted: keys });
  } catch (error) {
    return { ...given, error: (error as { code: 'BAD_ENVELOPE' | 'NEEDS_KEY' }).code };
  }
  const opened = await epochKeysOf(
    history.epochs,
    await membersAmong([{ type: 2, key: identity.seed }], DEPS),
    DEPS,
  );
  let newest = null;
  try {
    newest = history
      .newest()
      .map(({ digest }) => nameOf(digest))
      .sort();
  } catch {
    // They wait.
  }
  return {
    ...given,
    newest,
    members: history.members.map(({ publicKey }) => toHex(fingerprintOf(2, publicKey))).sort(),
    keys: opened.map(({ epoch, key }) => ({ epoch: nameOf(epoch), key: toHex(key) })),
  };
}

const nameOf = (digest: Uint8Array) =>
  [...epochs].find(([, epoch]) => equal(epoch.digest, digest))![0];

const chain = ['first', 'second', 'third'];
const groups = [
  await group('first', 'its first epoch alone', ['first']),
  await group('chain', 'three epochs in another order, the last removed an admin', [
    'third',
    'first',
    'second',
  ]),
  await group('removed', 'the same for the admin who was removed', chain, { identity: berta }),
  await group('old-keys', 'a member who came later and was given the older key', chain, {
    identity: dora,
  }),
  await group('stranger', 'the same for one who was never a member', chain, { identity: eve }),
  await group('short', 'from an epoch on whose signer was compared', ['second', 'third'], {
    trusted: [berta],
  }),
  await group('joining', 'two admins added a member each at the same time', [
    'first',
    'added-dora-1',
    'added-eve-1',
  ]),
  await group('waiting', 'one added and one removed: senders wait', [
    'first',
    'second',
    'added-eve',
    'removed-dora',
  ]),
  await group('joined', 'an admin joined both', [
    'first',
    'second',
    'added-eve',
    'removed-dora',
    'joined',
  ]),
  await group('void', 'a removed admin added a stranger by an old parent', [
    'first',
    'removed-berta',
    'by-removed',
    'by-sneaked',
  ]),
  await group('rivals', 'two admins removed each other: nothing else of both counts', [
    'first',
    'rivals-1',
    'rivals-2',
  ]),
  await group('gap', 'a parent is missing', ['first', 'third']),
  await group(
    'untrusted',
    'the first is missing, and the signer of the oldest was not compared',
    ['second', 'third'],
    { trusted: [adam] },
  ),
  await group('none', 'no epoch', []),
  await group('by-stranger', 'signed by one who is no admin', ['first', 'by-stranger']),
  await group('after-removal', 'signed by an admin whom its parent removed', [
    'first',
    'removed-berta',
    'after-removal',
  ]),
  await group('foreign', 'of another group', ['first', 'other-group']),
  await group('not-by-admin', 'a first epoch that none of its admins signed', ['not-by-admin'], {
    of: epochs.get('not-by-admin')!,
  }),
  await group('joined-and-more', 'it joins and adds', [
    'first',
    'second',
    'added-eve',
    'removed-dora',
    'joined-and-more',
  ]),
  await group('skipped', 'its number is not next', ['first', 'skipped']),
];

/** The first epoch, changed: where, and to what. */
function refusals(): GroupRefusal[] {
  const { bytes } = first;
  const changed = (at: number, value: number) => {
    const copy = copyOf(bytes);
    copy[at] = value;
    return copy;
  };
  const cases: [string, Uint8Array][] = [
    ['cut off', bytes.subarray(0, -1)],
    ['a byte more', concat(bytes, new Uint8Array(1))],
    ['another version', changed(0, 2)],
    ['a number without a parent', changed(4, 1)],
    ['a group in the first', changed(5, 1)],
    ['nine parents', changed(37, 9)],
    ['no members', changed(71, 0)],
    ['a mark of an admin that is neither 0 nor 1', changed(72, 2)],
    ['one bit of a wrap flipped', changed(1_400, bytes[1_400]! ^ 1)],
    ['one bit of the signature flipped', changed(bytes.length - 1, bytes.at(-1)! ^ 1)],
  ];
  return cases.map(([comment, each]) => ({ comment, epoch: epochText({ bytes: copyOf(each) }) }));
}

async function message(id: string, to: string): Promise<GroupMessage> {
  const epoch = epochs.get(to)!;
  const [key] = await epochKeysOf(
    [epoch],
    await membersAmong([{ type: 2, key: adam.seed }], DEPS),
    DEPS,
  );
  const counting = countingRandom();
  const recipientTypes = new Map([[GROUP_RECIPIENT, groupRecipient(NATIVE_CRYPTO, counting)]]);
  const salt = createHash('sha256').update(`group ${id}`).digest().subarray(0, 24);
  const recipients = [groupRecipientOf([key!])];
  const options = { purpose: 'page', recipients, recipientTypes, random: counting, salt } as const;
  const sealed = await sealMessage(options, Buffer.from(id));
  return {
    id,
    epoch: to,
    key: toHex(key!.key),
    salt: toHex(salt),
    message: toHex(Buffer.from(id)),
    sealed: toHex(sealed),
  };
}

const messages = [await message('to the first', 'first'), await message('to the third', 'third')];
const texts = Object.fromEntries([...epochs].map(([name, epoch]) => [name, epochText(epoch)]));
const content = { epochs: texts, groups, refused: refusals(), messages };
const text = await format(JSON.stringify(content), { parser: 'json', printWidth: 100 });
writeFileSync(FILE, text);
console.log(`${groups.length} groups, ${fromHex(messages[0]!.sealed).length} bytes`);
