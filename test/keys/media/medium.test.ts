import { expect } from 'chai';
import { toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { CONTACT, contactRecord } from '../../../src/keys/annotations/contact.ts';
import {
  firstEpoch,
  syncKeyOf,
  withMember,
  withoutMember,
} from '../../../src/keys/circle/changes.ts';
import { EpochError } from '../../../src/keys/circle/epoch.ts';
import type { Epoch } from '../../../src/keys/circle/epoch.ts';
import { codePair, memberOf } from '../../../src/keys/circle/members.ts';
import { withLocalChanges } from '../../../src/keys/devices/local-changes.ts';
import { EMPTY_STATE, merge } from '../../../src/keys/devices/shared-state.ts';
import type { SharedState } from '../../../src/keys/devices/shared-state.ts';
import { BOXES, ITEM_NAMES, wrappedKeysIn } from '../../../src/keys/media/items.ts';
import { circleOf, mediumChanges, openItems, stateOf } from '../../../src/keys/media/medium.ts';
import type { MediumChanges, MediumContents } from '../../../src/keys/media/medium.ts';
import { APP, keyRootRecord, keyUseRecord } from '../../../src/keys/ring/key-records.ts';
import { userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import { seededRandom } from '../seeded-random.ts';
import { newDevice, PARTS, X_WING } from '../circle/circle.ts';
import type { Person } from '../circle/circle.ts';
import { START } from '../world.ts';

/** What `storage.sync` has: bytes in all, and of one item with its name. */
const [QUOTA, ITEM_QUOTA] = [102_400, 8_192];
const CODE = new Uint8Array(16).fill(9);

const random = seededRandom('medium');
const text = (length: number): string => toBase64url(random.bytes(length));
const [ONE, OTHER] = [text(16), text(16)] as const;
const originOf = (at: number): string => `https://www.site-${String(at).padStart(3, '0')}.example`;

const rootRecord = keyRootRecord({
  appRoot: text(32),
  pairwiseSecret: text(32),
  created: START,
  label: 'App key',
});

/** A sealing key that one site has used. */
function keyRecords(at: number): VaultRecord[] {
  const [ref, origin] = [text(16), originOf(at)];
  const generations = [{ generation: 1, key: text(32), created: START + at }];
  const use = {
    ref,
    origin,
    generation: 1,
    salt: text(32),
    headerKeyIds: [{ generation: 1, id: text(16) }],
  };
  return [
    userKeyRecord('sealing', ref, { label: `Letters ${at}`, created: START + at, generations }),
    keyUseRecord(use),
  ];
}

/** A site that has used its app key. */
const siteRecord = (at: number): VaultRecord =>
  keyUseRecord({
    ...{ ref: APP, origin: originOf(at), generation: 1, salt: text(32) },
    headerKeyIds: [{ generation: 1, id: text(16) }],
  });

const friendRecord = (at: number): VaultRecord =>
  contactRecord(text(16), {
    ...{ name: `Friend number ${at}`, created: START, verified: START },
    publicKey: publicKeyText({ type: 'X-Wing', bytes: random.bytes(1216) }),
  });

/** From three quarters of the room on, to five sixths. */
const CHANGES = 50;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('A medium', function () {
  this.timeout(120_000);
  const people: Person[] = [];
  let epoch: Epoch;
  let earlier: Epoch;
  let syncKey: Uint8Array;
  let state: SharedState;

  before(async () => {
    for (const at of numbers(7)) people.push(await newDevice(`Laptop at home ${at}`, random));
    const code = await memberOf(codePair(CODE), '', X_WING);
    const first = people.map(({ member }) => member);
    earlier = await firstEpoch(first, people[0]!.pair, PARTS);
    epoch = await withMember(earlier, code, people[1]!.pair, PARTS);
    syncKey = await syncKeyOf(epoch, people[0]!.pair, PARTS);
    const records = numbers(100).flatMap((at) => [...keyRecords(at), siteRecord(at)]);
    const half = withLocalChanges(EMPTY_STATE, [rootRecord, ...records], ONE);
    state = withLocalChanges(
      half,
      [rootRecord, ...records, ...numbers(8).map(friendRecord)],
      OTHER,
    );
  });

  const contentsOf = (of: SharedState): MediumContents => ({
    epoch,
    syncKey,
    links: [earlier],
    present: [people[0]!.pair.id],
    state: of,
  });
  const opened = (texts: ReadonlyMap<string, string>) => openItems(texts, { ...epoch, syncKey });

  /** Writes what is due. */
  async function write(texts: Map<string, string>, of: SharedState): Promise<MediumChanges> {
    const changes = await mediumChanges(contentsOf(of), texts, await opened(texts), random);
    for (const [name, value] of changes.writes) texts.set(name, value);
    return changes;
  }

  async function filled(of: SharedState): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    await write(texts, of);
    return texts;
  }

  it('holds 100 keys, 100 sites, 8 contacts and 8 members, with a fifth of the room free', async () => {
    const texts = new Map<string, string>();
    const { leftOut, usedBytes, roomBytes } = await write(texts, state);
    expect(leftOut).to.deep.equal([]);
    expect(usedBytes / roomBytes).to.be.within(0.7, 0.8);
    const items = await opened(texts);
    expect(stateOf(items)).to.deep.equal(state);
    expect(circleOf(items, wrappedKeysIn(texts))).to.deep.include({ epoch });
    expect(circleOf(items, wrappedKeysIn(texts)).links.map(({ number }) => number)).to.deep.equal([
      1, 2,
    ]);
    expect(circleOf(items, wrappedKeysIn(texts)).present).to.deep.equal([
      toHex(people[0]!.pair.id),
    ]);
  });

  it('is as many bytes whatever it holds, and what a browser takes', async () => {
    const lengths = async (of: SharedState) =>
      [...(await filled(of))]
        .map(([name, value]) => `${name} ${JSON.stringify(value).length}`)
        .sort();
    const all = await lengths(state);
    expect(await lengths(EMPTY_STATE)).to.deep.equal(all);
    expect(all).to.have.length(ITEM_NAMES.length);
    const texts = await filled(state);
    const bytes = [...texts].map(([name, value]) => name.length + JSON.stringify(value).length);
    expect(Math.max(...bytes)).to.be.at.most(ITEM_QUOTA);
    expect(bytes.reduce((a, b) => a + b)).to.be.at.most(QUOTA);
    // Browsers escape these: each would count for more.
    expect([...texts.values()].join('')).to.match(/^[!#-;=-[\]-~]+$/);
  });

  it('is written in at most two items for a change', async () => {
    const texts = await filled(state);
    let of = state;
    const counts: number[] = [];
    for (const at of numbers(CHANGES)) {
      of = withLocalChanges(of, [rootRecord, siteRecord(200 + at)], ONE);
      const { writes, leftOut, usedBytes, roomBytes } = await write(texts, of);
      expect(leftOut).to.deep.equal([]);
      expect(usedBytes / roomBytes).to.be.below(0.85);
      counts.push(writes.size);
    }
    expect(Math.max(...counts)).to.equal(2);
    expect((await write(texts, of)).writes.size).to.equal(0);
    expect(stateOf(await opened(texts)).entries).to.deep.equal(of.entries);
  });

  it('opens item by item, and none that was changed, moved, or is of another epoch', async () => {
    const texts = await filled(state);
    for (const [at, name] of ITEM_NAMES.slice(BOXES).entries()) {
      const items = await opened(new Map([[name, texts.get(name)!]]));
      expect(items.filter(Boolean)).to.have.length(1);
      const { seen, entries } = stateOf(items);
      // Of what is missing nothing is said.
      expect(seen).to.deep.equal({});
      for (const [entry, value] of Object.entries(entries)) {
        expect(value).to.deep.equal(state.entries[entry]);
      }
      const elsewhere = ITEM_NAMES[BOXES + ((at + 1) % (ITEM_NAMES.length - BOXES))]!;
      expect(await isOpened(new Map([[elsewhere, texts.get(name)!]]))).to.equal(false);
    }
    const name = ITEM_NAMES[BOXES]!;
    const value = texts.get(name)!;
    for (let at = 0; at < value.length; at += 41) {
      const other = value[at] === 'A' ? 'B' : 'A';
      const changed = value.slice(0, at) + other + value.slice(at + 1);
      expect(await isOpened(new Map([[name, changed]])), `character ${at}`).to.equal(false);
    }
    for (const wrong of ['', value.slice(2), `${value}!!`, `"${value.slice(1)}`, 7, null]) {
      expect(await isOpened(new Map([[name, wrong as string]]))).to.equal(false);
    }
    const next = await withoutMember(epoch, people[6]!.pair.id, people[0]!.pair, PARTS);
    const key = { ...next, syncKey: await syncKeyOf(next, people[0]!.pair, PARTS) };
    expect((await openItems(texts, key)).every((item) => item === undefined)).to.equal(true);
    expect(
      (await openItems(texts, { ...next, syncKey })).every((item) => item === undefined),
    ).to.equal(true);
  });

  const isOpened = async (texts: ReadonlyMap<string, string>): Promise<boolean> =>
    (await opened(texts)).some((item) => item !== undefined);

  it('is opened by a recovery code alone', async () => {
    const texts = await filled(state);
    const pair = codePair(CODE);
    const [wrapped, ...others] = wrappedKeysIn(texts);
    expect(others).to.deep.equal([]);
    const key = { ...wrapped!, syncKey: await syncKeyOf(wrapped!, pair, PARTS) };
    const items = await openItems(texts, key);
    expect(stateOf(items)).to.deep.equal(state);
    const { epoch: found } = circleOf(items, wrappedKeysIn(texts));
    expect(found).to.deep.equal(epoch);
    const renewed = await withoutMember(found!, people[0]!.pair.id, pair, PARTS);
    expect(renewed.number).to.equal(3);
  });

  it('shows the members in one box where the other is lost', async () => {
    const texts = await filled(state);
    const reached = { none: 0, first: 0, second: 0 };
    for (const { pair } of people) {
      for (const lost of [0, 1]) {
        const [wrapped] = wrappedKeysIn(
          new Map([...texts].filter(([name]) => name !== ITEM_NAMES[lost])),
        );
        const key = await syncKeyOf(wrapped!, pair, PARTS).catch((error: unknown) => {
          expect(error).to.be.instanceOf(EpochError);
        });
        if (key) expect(toHex(key)).to.equal(toHex(syncKey));
        reached[key ? (lost === 0 ? 'second' : 'first') : 'none']++;
      }
    }
    expect(reached.first + reached.second).to.equal(people.length);
    const mixed = new Map(texts);
    const other = await withoutMember(epoch, people[6]!.pair.id, people[0]!.pair, PARTS);
    const changes = await mediumChanges(
      {
        ...contentsOf(EMPTY_STATE),
        epoch: other,
        syncKey: await syncKeyOf(other, people[0]!.pair, PARTS),
      },
      new Map(),
      await opened(new Map()),
      random,
    );
    mixed.set(ITEM_NAMES[1]!, changes.writes.get(ITEM_NAMES[1]!)!);
    expect(wrappedKeysIn(mixed).map(({ number }) => number)).to.deep.equal([2, 3]);
    expect(circleOf(await opened(texts), wrappedKeysIn(mixed)).epoch).to.equal(undefined);
    expect(wrappedKeysIn(new Map([[ITEM_NAMES[0]!, 'x']]))).to.deep.equal([]);
  });

  it('leaves contacts to a file where it is full, and claims nothing of those who added them', async () => {
    const friends = numbers(30).map(friendRecord);
    const full = withLocalChanges(state, [rootRecord, ...friends], OTHER);
    const texts = await filled(state);
    const { leftOut, usedBytes, roomBytes } = await write(texts, full);
    expect(leftOut.length).to.be.within(10, 30);
    expect(leftOut.every((name) => name.startsWith(`${CONTACT} `))).to.equal(true);
    expect(usedBytes).to.be.at.most(roomBytes);
    const read = stateOf(await opened(texts));
    expect(Object.keys(read.entries)).to.have.length(
      Object.keys(full.entries).length - leftOut.length,
    );
    expect(read.seen).to.deep.equal({ [ONE]: full.seen[ONE] });
    // A device that has not got them leaves the others where they are.
    const without = merge(EMPTY_STATE, read);
    expect((await write(texts, without)).writes.size).to.equal(0);
    // From the ranges as they are now one more may fit, and never fewer: so it comes to rest.
    let left = leftOut.length;
    for (let writes = 1; writes > 0;) {
      const again = await write(texts, full);
      writes = again.writes.size;
      expect(again.leftOut.length).to.satisfy((it: number) =>
        writes > 0 ? it < left : it === left,
      );
      left = again.leftOut.length;
    }
  });
});
