import { expect } from 'chai';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { CONTACT, contactOf, contactRecord } from '../../../src/keys/annotations/contact.ts';
import {
  allKeyDetails,
  annotateKeyIn,
  removeKeyIn,
  takeOverKeyIn,
} from '../../../src/keys/annotations/key-details.ts';
import {
  SITE_FIELDS,
  siteFieldsId,
  siteFieldsOf,
  siteFieldsRecord,
} from '../../../src/keys/annotations/site-fields.ts';
import { digestOfKey } from '../../../src/keys/devices/contents.ts';
import { joinReport } from '../../../src/keys/devices/join-report.ts';
import { deletionRecord } from '../../../src/keys/annotations/deletions.ts';
import {
  DELETION_KEPT_MS,
  merge,
  withoutOldDeletions,
} from '../../../src/keys/devices/shared-state.ts';
import { sitesIn } from '../../../src/keys/devices/sites.ts';
import { SharedStateError } from '../../../src/keys/devices/state-text.ts';
import { APP } from '../../../src/keys/ring/key-records.ts';
import {
  PERSISTENT_KEY,
  persistentKeyId,
  persistentKeyOf,
  persistentKeyRecord,
} from '../../../src/keys/ring/persistent-key.ts';
import { userKeyOf, userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import type { UserKeyValue } from '../../../src/keys/ring/user-key.ts';
import { canonicalText } from '../../../src/keys/values/json.ts';
import { keptKey, PASSPHRASE, START, TestBrowser } from '../world.ts';
import { Device, exchange } from './device.ts';

const [A, B, C] = ['https://a.example', 'https://b.example', 'https://c.example'] as const;
const publicKey = (byte: number) =>
  publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(byte) });
const contactId = (byte: number) => toBase64url(new Uint8Array(16).fill(byte));
const FIELD = { tag: 'textarea', by: 'name', value: 'message' } as const;
const OTHER_FIELD = { tag: 'input', by: 'id', value: 'subject' } as const;

/** Two devices, each with a vault and a root of its own. */
function two(): [Device, Device] {
  const devices: [Device, Device] = [new Device(1), new Device(2)];
  devices[1].now += 1;
  return devices;
}

async function refsOf(device: Device): Promise<string[]> {
  return (await device.ring.list()).map(({ ref }) => ref);
}

describe('Sites of devices that join', () => {
  it('know the person as before, where one device alone used them', async () => {
    const [one, other] = two();
    const { ref } = await one.ring.createSealingKey('Letters');
    const { ref: second } = await other.ring.createSealingKey('Briefe');
    for (const used of [APP, ref]) await one.seal(used, A);
    for (const used of [APP, second]) await other.seal(used, B);
    const before = [await one.seenBy(A, [APP, ref]), await other.seenBy(B, [APP, second])];
    expect(joinReport(await one.share(), await other.share()).anew).to.deep.equal({
      here: [],
      there: [],
    });
    await exchange(one, other);
    for (const device of [one, other]) {
      expect(await device.seenBy(A, [APP, ref])).to.deep.equal(before[0]);
      expect(await device.seenBy(B, [APP, second])).to.deep.equal(before[1]);
      expect(await device.unopened([...one.sealed, ...other.sealed])).to.deep.equal([]);
      expect(await device.rootCount()).to.equal(2);
    }
    expect(await one.seenBy(C, [APP, ref])).to.deep.equal(await other.seenBy(C, [APP, ref]));
  });

  it('know the person anew on one device, where both used them, and all opens everywhere', async () => {
    const [one, other] = two();
    for (const device of [one, other]) {
      await device.seal(APP, A);
      await device.vault.commit((draft) => device.ring.rotateIn(draft, APP, A));
      await device.seal(APP, A);
    }
    await one.seal(APP, B);
    const states = [await one.share(), await other.share()] as const;
    expect(joinReport(...states).anew).to.deep.equal({ here: [], there: [A] });
    expect(joinReport(states[1], states[0]).anew).to.deep.equal({ here: [A], there: [] });
    const before = await one.seenBy(A, [APP]);
    await exchange(one, other);
    for (const device of [one, other]) {
      expect(await device.seenBy(A, [APP])).to.deep.equal(before);
      expect(await device.unopened([...one.sealed, ...other.sealed])).to.deep.equal([]);
    }
    // From now on both rotate one key.
    for (const device of [one, other]) {
      await device.vault.commit((draft) => device.ring.rotateIn(draft, APP, A));
      await device.seal(APP, A);
    }
    expect(one.sealed.at(-1)!.key).to.equal(other.sealed.at(-1)!.key);
    await exchange(one, other);
    expect(await one.unopened(other.sealed)).to.deep.equal([]);
    expect(await one.seenBy(A, [APP])).to.deep.equal(await other.seenBy(A, [APP]));
  });

  it('that have seen ids and no message keep them', async () => {
    const [one, other] = two();
    await one.ring.pairwiseId(APP, A);
    await other.ring.pairwiseId(APP, B);
    const { ref } = await other.ring.createSealingKey('Letters');
    await other.seal(ref, C);
    const idAtC = await other.ring.pairwiseId(ref, C);
    const idAtB = await other.ring.pairwiseId(APP, B);
    one.origins = [A];
    other.origins = [B, B];
    await exchange(one, other);
    for (const device of [one, other]) {
      expect(await device.ring.pairwiseId(APP, B)).to.equal(idAtB);
      expect(await device.ring.pairwiseId(ref, C)).to.equal(idAtC);
    }
  });

  it('have a root from the merge on by which the vault takes its first', async () => {
    const [one, other] = two();
    one.origins = [A];
    await other.seal(APP, B);
    // Device.take holds that the merge leaves nothing for the next share.
    await one.take(await other.share());
    expect(sitesIn(await one.share())).to.have.all.keys(A, B);
    await other.take(await one.share());
    expect(canonicalText(await other.share())).to.equal(canonicalText(await one.share()));
    expect(await one.seenBy(A, [APP])).to.deep.equal(await other.seenBy(A, [APP]));
  });

  it('take the derivation that has sealed before one that has not', async () => {
    const [one, other] = two();
    await one.ring.pairwiseId(APP, A);
    one.origins = [A];
    const key = await other.seal(APP, A);
    expect(joinReport(await one.share(), await other.share()).anew).to.deep.equal({
      here: [A],
      there: [],
    });
    await exchange(one, other);
    expect(await one.seal(APP, A)).to.equal(key);
  });
});

describe('Keys of devices that join', () => {
  it('that both rotated at once keep both generations, and one seals everywhere', async () => {
    const [one, other] = two();
    const { ref } = await one.ring.createSealingKey('Letters');
    await one.seal(ref, A);
    await exchange(one, other);
    for (const device of [one, other]) {
      await device.vault.commit((draft) => device.ring.rotateIn(draft, ref, A));
      await device.seal(ref, A);
      await device.seal(ref, B);
    }
    expect(one.sealed.at(-1)!.key).not.to.equal(other.sealed.at(-1)!.key);
    await exchange(one, other);
    const sealing = [await one.seal(ref, A), await other.seal(ref, A)];
    expect(sealing[0]).to.equal(sealing[1]);
    expect(await one.unopened(other.sealed)).to.deep.equal([]);
    expect(await other.unopened(one.sealed)).to.deep.equal([]);
    const signing = await one.vault.commit((draft) =>
      one.ring.addKey(draft, { kind: 'signing', label: 'Mine' }),
    );
    await exchange(one, other);
    for (const device of [one, other]) {
      await device.vault.commit((draft) => device.ring.rotateIn(draft, signing.ref, A));
    }
    await exchange(one, other);
    const generations = [];
    for (const device of [one, other]) {
      const { generations: all } = await device.ring.userKey(signing.ref);
      generations.push(all.map(({ generation, key }) => [generation, toBase64url(key)]));
    }
    expect(generations[0]!.map(([generation]) => generation)).to.deep.equal([2, 1, 2]);
    expect(generations[1]).to.deep.equal(generations[0]);
  });

  it('sign with the generation that signed before, and not with one that was kept beside it', async () => {
    const [one, other] = two();
    const keys = [1, 2].map((byte) => toBase64url(new Uint8Array(32).fill(byte)));
    const [kept, signing] = keys.sort((a, b) => (digestOfKey(a) < digestOfKey(b) ? -1 : 1));
    const generation = { generation: 1, created: START };
    const ref = toBase64url(new Uint8Array(16).fill(5));
    const value: UserKeyValue = {
      label: 'Mine',
      created: START,
      algorithm: 'Ed25519',
      generations: [{ ...generation, key: signing! }],
      kept: [{ ...generation, key: kept! }],
    };
    await one.vault.commit((draft) => draft.put(userKeyRecord('signing', ref, value)));
    await exchange(one, other);
    for (const device of [one, other]) {
      expect(await device.ring.userKeyValue(ref, 'signing')).to.deep.equal(value);
    }
  });

  it('show the newer label, note and archive, and of two written at once the same', async () => {
    const [one, other] = two();
    const { ref } = await one.ring.createSealingKey('First');
    await exchange(one, other);
    await other.ring.relabel(ref, 'Second');
    await exchange(one, other);
    await one.vault.commit((draft) => annotateKeyIn(draft, ref, { note: 'Mine', archived: 5 }));
    await exchange(one, other);
    const shown = async (device: Device) => [
      (await device.ring.describe(ref, A)).label,
      (await allKeyDetails(device.vault)).get(ref),
    ];
    const expected = ['Second', { note: 'Mine', tone: '', archived: 5 }];
    expect(await shown(one)).to.deep.equal(expected);
    expect(await shown(other)).to.deep.equal(expected);
    await one.ring.relabel(ref, 'Of one');
    await one.ring.relabel(APP, 'App of one');
    await other.ring.relabel(ref, 'Of the other');
    await exchange(one, other);
    expect((await shown(one))[0]).to.equal('Of the other');
    for (const device of [one, other]) {
      expect((await shown(device))[0]).to.equal('Of the other');
      expect((await device.ring.describe(APP, A)).label).to.equal('App of one');
    }
    await one.ring.relabel(ref, 'Of one, later');
    await exchange(other, one);
    expect((await shown(other))[0]).to.equal('Of one, later');
  });

  it('that one device owns and another has as a guest are own', async () => {
    const [one, other] = two();
    const { ref } = await one.ring.createSealingKey('Letters');
    await one.seal(ref, A);
    const [key] = (await one.records()).filter(({ id }) => id === ref);
    const value = { ...userKeyOf(key!), guest: true as const };
    const guest = { ...key!, value: value as never };
    await other.vault.commit(async (draft) => {
      draft.put(guest);
      await annotateKeyIn(draft, ref, { archived: 7 });
    });
    await exchange(one, other);
    for (const device of [one, other]) {
      expect((await device.ring.describe(ref, A)).guest).to.equal(false);
      expect((await allKeyDetails(device.vault)).get(ref)?.archived ?? null).to.equal(null);
      expect(await device.unopened(one.sealed)).to.deep.equal([]);
    }
    const third = new Device(3);
    const { ref: foreign } = await third.ring.createSealingKey('Of Ada');
    const [record] = (await third.records()).filter(({ id }) => id === foreign);
    await one.vault.commit(async (draft) => {
      draft.put({ ...record!, value: { ...(record!.value as object), guest: true } });
      await annotateKeyIn(draft, foreign, { archived: 7 });
    });
    await exchange(one, other);
    expect((await other.ring.describe(foreign, A)).guest).to.equal(true);
    expect((await allKeyDetails(other.vault)).get(foreign)?.archived).to.be.a('number');
    await other.vault.commit((draft) => takeOverKeyIn(draft, foreign, 9));
    await exchange(one, other);
    expect((await one.ring.describe(foreign, A)).guest).to.equal(false);
    expect((await allKeyDetails(one.vault)).get(foreign)?.archived ?? null).to.equal(null);
  });
});

describe('A deletion', () => {
  /** Two devices with one key, which the first has in the archive. */
  async function withKey() {
    const [one, other] = two();
    const { ref } = await one.ring.createSealingKey('Letters');
    await one.seal(ref, A);
    await exchange(one, other);
    await one.vault.commit((draft) => annotateKeyIn(draft, ref, { archived: 5 }));
    const deleted = () => one.deleteKey(ref);
    return { one, other, ref, deleted };
  }

  it('removes a key, its uses and its details on every device', async () => {
    const { one, other, ref, deleted } = await withKey();
    await exchange(one, other);
    await deleted();
    await exchange(one, other);
    for (const device of [one, other]) {
      expect(await refsOf(device)).to.deep.equal([APP]);
      expect(JSON.stringify(await device.share())).not.to.include(one.sealed[0]!.key);
      expect(JSON.stringify(await device.records())).not.to.include(ref);
    }
  });

  it('is the only thing that deletes: what is missing in a vault comes back', async () => {
    const { one, other, ref } = await withKey();
    await one.vault.commit((draft) => removeKeyIn(draft, ref));
    await exchange(one, other);
    expect(await refsOf(one)).to.include(ref);
    expect(await one.unopened(one.sealed)).to.deep.equal([]);
  });

  it('takes nothing that changed elsewhere since, and reports it', async () => {
    const { one, other, ref, deleted } = await withKey();
    await other.vault.commit((draft) => other.ring.rotateIn(draft, ref, A));
    await other.seal(ref, A);
    await deleted();
    const [own, theirs] = [await other.share(), await one.share()];
    const name = `sealing-key ${ref}`;
    expect(joinReport(own, theirs).changedSince).to.deep.equal({ here: [name], there: [] });
    expect(joinReport(theirs, own).changedSince).to.deep.equal({ here: [], there: [name] });
    await exchange(one, other);
    for (const device of [one, other]) {
      expect(await device.unopened([...one.sealed, ...other.sealed])).to.deep.equal([]);
      expect(joinReport(await one.share(), await other.share()).changedSince.here).to.deep.equal(
        [],
      );
    }
  });

  for (const isRotated of [false, true]) {
    const what = isRotated ? 'generation and use' : 'use';
    it(`that a change elsewhere undoes takes no ${what} that a third device still has`, async () => {
      const { one, other, ref, deleted } = await withKey();
      const third = new Device(3);
      await exchange(one, other, third);
      if (isRotated) await third.vault.commit((draft) => third.ring.rotateIn(draft, ref, B));
      await third.seal(ref, B);
      await one.take(await third.share());
      await deleted();
      await other.ring.relabel(ref, 'Still in use');
      await other.take(await one.share());
      await third.take(await other.share());
      await exchange(one, other, third);
      for (const device of [one, other, third]) {
        const { label, generation } = await device.ring.describe(ref, B);
        expect([label, generation]).to.deep.equal(['Still in use', isRotated ? 2 : 1]);
        expect(await device.unopened([...one.sealed, ...third.sealed])).to.deep.equal([]);
      }
    });
  }

  it('can be undone by a restore, and done again', async () => {
    const { one, other, ref, deleted } = await withKey();
    await exchange(one, other);
    const backup = await one.records();
    await deleted();
    await exchange(one, other);
    await other.vault.commit((draft) => {
      for (const record of backup.filter(({ id }) => id.includes(ref))) draft.put(record);
    });
    await exchange(one, other);
    expect(await one.unopened(one.sealed)).to.deep.equal([]);
    await deleted();
    await exchange(other, one);
    expect(await refsOf(other)).to.deep.equal([APP]);
  });

  it('that a restore undoes takes no generation that another device has, and ends the settings it had seen', async () => {
    const { one, other, ref, deleted } = await withKey();
    const backup = (await one.records()).filter(({ id }) => id.includes(ref));
    await other.vault.commit((draft) => other.ring.rotateIn(draft, ref, B));
    await other.seal(ref, B);
    await other.ring.relabel(ref, 'Briefe');
    await one.take(await other.share());
    await deleted();
    await one.share();
    await one.vault.commit((draft) => {
      for (const record of backup) draft.put(record);
    });
    await exchange(one, other);
    for (const device of [one, other]) {
      const { label, generation } = await device.ring.describe(ref, A);
      expect([label, generation]).to.deep.equal(['Letters', 2]);
      expect(await device.unopened([...one.sealed, ...other.sealed])).to.deep.equal([]);
    }
  });

  it('that is undone before it is shared leaves the key as it was', async () => {
    const { one, other, ref, deleted } = await withKey();
    const backup = await one.records();
    await deleted();
    await one.vault.commit((draft) => {
      for (const record of backup.filter(({ id }) => id.includes(ref))) draft.put(record);
    });
    await exchange(one, other);
    expect(await other.unopened(one.sealed)).to.deep.equal([]);
    expect((await other.ring.describe(ref, A)).label).to.equal('Letters');
  });

  it('is removed after 400 days, and a device that was away for longer is asked', async () => {
    const { one, other, ref, deleted } = await withKey();
    await deleted();
    const at = one.now;
    const shared = await one.share();
    const asleep = await other.share();
    const name = `sealing-key ${ref}`;
    const inTime = withoutOldDeletions(shared, at + DELETION_KEPT_MS);
    expect(joinReport(asleep, inTime).forgotten).to.deep.equal({ here: [], there: [] });
    expect(merge(asleep, inTime).entries[name]).to.have.property('deleted');
    const late = withoutOldDeletions(shared, at + DELETION_KEPT_MS + 1);
    expect(joinReport(asleep, late).forgotten).to.deep.equal({ here: [name], there: [] });
    expect(joinReport(late, asleep).forgotten).to.deep.equal({ here: [], there: [name] });
    // It reports and does not decide.
    expect(merge(asleep, late).entries[name]).not.to.have.property('deleted');
    // What the sleeper made in the meantime is not asked about.
    await other.ring.createSealingKey('New');
    expect(joinReport(await other.share(), late).forgotten.here).to.deep.equal([name]);
    await other.ring.relabel(ref, 'Used again');
    expect(joinReport(await other.share(), late).forgotten.here).to.deep.equal([]);
  });

  it('is of keys and contacts alone', async () => {
    const [one] = two();
    await one.seal(APP, A);
    for (const record of await one.records()) {
      expect(() => deletionRecord(record, START)).to.throw(RangeError);
    }
  });
});

describe('What the user wrote on devices that join', () => {
  it('is one contact for one public key, verified by the device that compared the words', async () => {
    const [one, other] = two();
    const grace = { name: 'Grace', publicKey: publicKey(4), created: START, verified: null };
    await one.vault.commit((draft) => draft.put(contactRecord(contactId(1), grace)));
    const known = { ...grace, name: 'Grace H.', created: START + 5, verified: START };
    await other.vault.commit((draft) => draft.put(contactRecord(contactId(2), known)));
    await exchange(one, other);
    const contacts = async (device: Device) => (await device.vault.list(CONTACT)).map(contactOf);
    const expected = [{ ...known, created: START }];
    expect(await contacts(one)).to.deep.equal(expected);
    expect(await contacts(other)).to.deep.equal(expected);
    expect((await one.vault.list(CONTACT))[0]!.id).to.equal(contactId(1));
    // Taken back on one device, compared again on another at once: a doubt counts.
    const put = (device: Device, id: string, verified: number | null) =>
      device.vault.commit((draft) => draft.put(contactRecord(id, { ...expected[0]!, verified })));
    await put(one, contactId(1), null);
    await put(other, contactId(2), START + 9);
    await exchange(one, other);
    expect((await contacts(other))[0]!.verified).to.equal(null);
    await other.delete(contactId(2));
    await exchange(one, other);
    expect(await contacts(one)).to.deep.equal([]);
  });

  it('marks each field that either marked, unless one that had seen it took the mark away', async () => {
    const [one, other] = two();
    const settle = (device: Device, alwaysSealed: readonly object[]) =>
      device.vault.commit((draft) =>
        draft.put(siteFieldsRecord({ origin: A, ref: null, alwaysSealed: alwaysSealed as never })),
      );
    const marked = async (device: Device) =>
      (await device.vault.list(SITE_FIELDS)).flatMap((record) => siteFieldsOf(record).alwaysSealed);
    await settle(one, [{ ...FIELD, label: 'Message' }]);
    await settle(other, [OTHER_FIELD]);
    await exchange(one, other);
    expect(await marked(one)).to.have.deep.members([{ ...FIELD, label: 'Message' }, OTHER_FIELD]);
    expect(await marked(other)).to.have.deep.members([FIELD, OTHER_FIELD]);
    await settle(other, [OTHER_FIELD]);
    await exchange(one, other);
    expect(await marked(one)).to.deep.equal([OTHER_FIELD]);
    // Off and on at once: on, whichever device says so.
    for (const [on, off] of [
      [one, other],
      [other, one],
    ] as const) {
      await settle(on, []);
      await on.share();
      await settle(on, [FIELD, OTHER_FIELD]);
      await off.vault.commit((draft) => draft.remove(siteFieldsId(A)));
      await exchange(one, other);
      for (const device of [one, other]) {
        expect(await marked(device)).to.have.deep.members([FIELD, OTHER_FIELD]);
      }
    }
    for (const device of [one, other]) await settle(device, []);
    await exchange(one, other);
    expect(await marked(one)).to.deep.equal([]);
    expect(await one.vault.list(SITE_FIELDS)).to.deep.equal([]);
  });

  it('is on both with the keys that sites keep, of which each device has its own archive', async () => {
    const [one, other] = two();
    const id = persistentKeyId(toBase64url(new Uint8Array(32).fill(6)));
    await one.vault.commit((draft) =>
      draft.put(persistentKeyRecord(id, { ...keptKey(A), archived: 5 })),
    );
    await exchange(one, other);
    const [theirs] = await other.vault.list(PERSISTENT_KEY);
    expect(persistentKeyOf(theirs!)).to.deep.equal(keptKey(A));
    const [own] = await one.vault.list(PERSISTENT_KEY);
    expect(persistentKeyOf(own!).archived).to.equal(5);
    await other.delete(id);
    await exchange(one, other);
    expect(await one.vault.list(PERSISTENT_KEY)).to.deep.equal([]);
  });
});

describe('A state that was forged', () => {
  /** A device with a key of its own, and a state that fits no vault with that key. */
  async function forged(type: string, more: object) {
    const [one, other] = two();
    const { ref } = await one.ring.createSealingKey('Letters');
    await one.seal(ref, A);
    const [key] = (await one.records()).filter(({ id }) => id === ref);
    await other.vault.commit((draft) =>
      draft.put({ id: ref, type, value: { ...(key!.value as object), ...more } }),
    );
    return { one, state: await other.share(), ref };
  }

  it('with the ref of a key for a key of another kind is refused, and nothing of it taken', async () => {
    const { one, state } = await forged('signing-key', { algorithm: 'Ed25519' });
    await one.share();
    const before = await one.records();
    const error = await one.take(state).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SharedStateError);
    expect(await one.records()).to.deep.equal(before);
  });

  it('with another algorithm for a key is refused, though each side alone is a whole key', async () => {
    const [one, other] = two();
    const { ref } = await one.vault.commit((draft) =>
      one.ring.addKey(draft, { kind: 'signing', label: 'Mine' }),
    );
    const der = toBase64url(new Uint8Array(40).fill(7));
    const generations = [{ generation: 1, key: der, publicKey: der, created: START }];
    const value = { label: 'Mine', created: START, algorithm: 'RSA-PSS', generations };
    await other.vault.commit((draft) => draft.put({ id: ref, type: 'signing-key', value }));
    const before = await one.records();
    const error = await one.take(await other.share()).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SharedStateError);
    expect(await one.records()).to.deep.equal(before);
  });

  it('with the id of a record that is not shared is refused', async () => {
    const { one, state, ref } = await forged('sealing-key', {});
    const other = new Device(3);
    await other.vault.commit((draft) => draft.put({ id: ref, type: 'grant', value: {} }));
    const error = await other.take(state).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(SharedStateError);
    expect(await other.vault.read(ref)).to.deep.equal({ id: ref, type: 'grant', value: {} });
    await one.take(state);
  });
});

describe('Vaults in their stores', function () {
  this.timeout(20_000);

  it('come to one state by commits that change nothing once they have', async () => {
    const devices: Device[] = [];
    for (const number of [1, 2]) {
      const browser = new TestBrowser();
      const vault = browser.vault();
      await vault.create(PASSPHRASE);
      devices.push(new Device(number, { vault }));
    }
    const [one, other] = devices as [Device, Device];
    const { ref } = await one.ring.createSealingKey('Letters');
    await one.seal(ref, A);
    await other.seal(APP, A);
    await exchange(one, other);
    const states = [await one.share(), await other.share()];
    expect(canonicalText(states[0])).to.equal(canonicalText(states[1]));
    const byId = (records: readonly { readonly id: string }[]) =>
      records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(await one.records())).to.deep.equal(byId(await other.records()));
    const before = await one.records();
    await exchange(one, other);
    expect(await one.records()).to.deep.equal(before);
    expect(await one.share()).to.deep.equal(states[0]);
    expect(await other.unopened([...one.sealed, ...other.sealed])).to.deep.equal([]);
  });
});
