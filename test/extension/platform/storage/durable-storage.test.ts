import { expect } from 'chai';
import { CacheStore } from '../../../../extension/platform/storage/cache-store.ts';
import { durableStorage as inFirefox } from '../../../../extension/platform/storage/durable-storage.firefox.ts';
import {
  durableStorage as inChromium,
  type DurableStorageDeps,
} from '../../../../extension/platform/storage/durable-storage.ts';
import { areaStores } from '../../../../extension/platform/storage/storage-area-store.ts';
import { StorageMove } from '../../../../extension/platform/storage/storage-move.ts';
import type { SessionStore } from '../../../../src/keys/storage/key-value-store.ts';
import { FakeCaches } from '../../../support/stores/fake-caches.ts';
import { FakeStorageArea } from '../../../support/stores/fake-storage-area.ts';
import { FAULTS, Faults, type Fault } from '../../../support/stores/faults.ts';
import { MemoryLocks } from '../../../../extension/testing/memory.ts';
import { type MemoryStore } from '../../../support/stores/memory-store.ts';
import { IS_NIGHTLY } from '../../../support/nightly.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, TestBrowser } from '../../../keys/world.ts';

const PICTURE = { symbols: ['cat'], tone: 'green', outline: 'circle' };
const GUARDED = ['https://a.example/*'];

/** `npm test` interrupts at every third step, from the first, second or third on. */
const STEP = IS_NIGHTLY ? 1 : 3;

/** A Firefox with its own storage areas and caches, and the vault's IndexedDB. */
class Profile {
  readonly area: FakeStorageArea;
  readonly session = new FakeStorageArea();
  readonly caches: FakeCaches;
  readonly primary: MemoryStore;
  isPrivate = false;

  constructor(primary: MemoryStore, area = new FakeStorageArea(), caches = new FakeCaches()) {
    this.primary = primary;
    this.area = area;
    this.caches = caches;
  }

  clone(): Profile {
    const { area, caches, primary } = new Profile(this.primary.clone());
    for (const [name, value] of this.area.values) area.values.set(name, value);
    for (const [name, value] of this.caches.values) caches.values.set(name, value);
    return new Profile(primary, area, caches);
  }

  deps(): DurableStorageDeps {
    const { area, session, caches, isPrivate } = this;
    const storage = { local: area.area, session: session.area };
    return { storage, isPrivate, caches: caches.storage, locks: new MemoryLocks() };
  }

  /** The stores as a background finds them that begins now. */
  start() {
    return inFirefox(this.deps());
  }

  /** As the version before the move: everything lies in storage.local. */
  startEarlier() {
    return areaStores(this.area.area);
  }
}

/** A profile that an earlier version filled: vault, notes, picture. */
async function earlierProfile(): Promise<Profile> {
  const { world } = await filledWorld();
  const profile = new Profile(world.primary);
  const { vaultCopy, notes: settings, pageValues } = profile.startEarlier();
  await vaultCopy.write(world.copy.values);
  await settings.set('guarded sites', GUARDED);
  await pageValues.set('picture', PICTURE);
  return profile;
}

/** What the stores of either version give: the vault by IndexedDB, the vault by the copy, the rest. */
async function contentsOf(profile: Profile, stores: ReturnType<Profile['startEarlier']>) {
  const opened = async (parts: object): Promise<unknown> => {
    const vault = new TestBrowser().vault(parts);
    await vault.unlock(PASSPHRASE);
    expect(vault.repairs, 'damage').to.deep.equal([]);
    return notes(vault);
  };
  const { vaultCopy: copy } = stores;
  const missing = {
    isThere: () => Promise.resolve(false),
    keys: () => Promise.reject(new Error()),
  };
  return {
    both: await opened({ primary: profile.primary, copy }),
    copyAlone: await opened({ primary: missing, copy }),
    guarded: await stores.notes.get('guarded sites'),
    picture: await stores.pageValues.get('picture'),
  };
}

const WHOLE = { both: EXPECTED, copyAlone: EXPECTED, guarded: GUARDED, picture: PICTURE };

/** The first start of the new version, in which one operation goes wrong. @returns all operations */
async function interruptedMove(profile: Profile, fault: Fault, at: number): Promise<Faults> {
  const faults = new Faults(fault, at);
  const { area } = profile;
  const guarded = faults.session({
    get: (key) => area.get(key),
    set: () => expect.fail('nothing is written to storage.local'),
    remove: (key) => area.remove(key),
  } satisfies SessionStore);
  const cache = new CacheStore({ caches: profile.caches.storage, prefix: '' });
  const move = new StorageMove({
    from: guarded as never,
    to: faults.store(cache, false),
    locks: new MemoryLocks(),
  });
  await Promise.race([move.ended().catch(() => undefined), faults.died]);
  return faults;
}

const oursIn = (area: FakeStorageArea) =>
  [...area.values.keys()].filter((name) => /^(vault\/|note\/|ui\.)/.test(name));

describe('The durable stores in Firefox', () => {
  it('take over what an earlier version kept in storage.local, which is empty then', async () => {
    const profile = await earlierProfile();
    const stores = profile.start();
    expect(await contentsOf(profile, stores)).to.deep.equal(WHOLE);
    await stores.closed;
    expect(oursIn(profile.area)).to.deep.equal([]);
    expect(await contentsOf(profile, profile.start()), 'later').to.deep.equal(WHOLE);
  });

  it('are begun in a new installation too, and write nothing to storage.local', async () => {
    const profile = new Profile(new TestBrowser().primary);
    const { notes: settings, vaultCopy, closed } = profile.start();
    await closed;
    await settings.set('guarded sites', GUARDED);
    await vaultCopy.write(new Map([['a', Uint8Array.of(1)]]));
    expect([...profile.area.values]).to.deep.equal([]);
    expect(await profile.start().notes.get('guarded sites')).to.deep.equal(GUARDED);
  });

  /** What Firefox does where the database of an origin's caches is damaged. */
  const withoutOrigin = ({ area }: Profile): Profile =>
    new Profile(new TestBrowser().primary, area);
  const stateOf = (profile: Profile) => {
    const { vaultCopy: copy } = profile.start();
    return new TestBrowser().vault({ primary: profile.primary, copy }).state();
  };
  const marked = async (profile: Profile): Promise<void> => {
    while (!profile.area.values.has('vault-made')) await new Promise((r) => setTimeout(r, 1));
  };

  it('leave a mark in storage.local, by which a vault that the browser has removed is no first run', async () => {
    const profile = await earlierProfile();
    await profile.start().closed;
    await marked(profile);
    expect(await profile.area.get(null)).to.deep.equal({ 'vault-made': true });
    expect(await stateOf(profile)).to.include({ state: 'locked' });
    const emptied = withoutOrigin(profile);
    expect(await stateOf(emptied)).to.deep.equal({ state: 'lost', created: null });
    expect(await stateOf(emptied), 'later').to.deep.equal({ state: 'lost', created: null });
  });

  it('leave no mark where there is no vault, and take a forged one for nothing where there is one', async () => {
    const fresh = new Profile(new TestBrowser().primary);
    await fresh.start().closed;
    expect(await stateOf(fresh)).to.include({ state: 'absent' });
    expect([...fresh.area.values]).to.deep.equal([]);
    const profile = await earlierProfile();
    await profile.area.set({ 'vault-made': 'forged' });
    expect(await contentsOf(profile, profile.start())).to.deep.equal(WHOLE);
  });

  for (const [turn, fault] of FAULTS.entries()) {
    it(`lose nothing in a move that is interrupted (${fault}) at any step`, async function () {
      this.timeout(60_000);
      const before = await earlierProfile();
      let happened = true;
      let steps = 0;
      for (let at = 1 + (turn % STEP); happened; at += STEP) {
        const profile = before.clone();
        ({ happened } = await interruptedMove(profile, fault, at));
        steps += happened ? 1 : 0;
        const upgraded = profile.clone();
        const stores = upgraded.start();
        expect(await contentsOf(upgraded, stores), `${fault} at ${at}`).to.deep.equal(WHOLE);
        await stores.closed;
        expect(oursIn(upgraded.area), `${fault} at ${at}`).to.deep.equal([]);
        // The earlier version once more, and then the new one.
        const downgraded = profile.clone();
        await expectUsable(downgraded, downgraded.startEarlier(), EXPECTED);
        const later = { ...EXPECTED, later: at };
        const earlier = downgraded.startEarlier();
        await withCommit(downgraded, earlier, 'later', at);
        await expectUsable(downgraded, downgraded.start(), later);
      }
      expect(steps).to.be.above(10 / STEP);
    });
  }

  it('forget, in a move that is begun again, what was removed meanwhile', async () => {
    const profile = await earlierProfile();
    for (let at = 1; oursIn(profile.area).length > 0; at++) {
      await interruptedMove(profile, 'die', at);
      await profile.startEarlier().notes.remove('guarded sites');
      if (at > 3) break;
    }
    expect(await profile.start().notes.get('guarded sites')).to.equal(undefined);
  });

  it('take nothing from storage.local once they have moved: content scripts can write there', async () => {
    const profile = await earlierProfile();
    await profile.start().closed;
    const forged = areaStores(profile.area.area);
    await forged.notes.set('guarded sites', []);
    await forged.vaultCopy.write(new Map([['vault/exists', Uint8Array.of(1)]]));
    await forged.pageValues.set('picture', null);
    expect(await contentsOf(profile, profile.start())).to.deep.equal(WHOLE);
  });

  it('keep a damaged value of the copy as one that a repair finds', async () => {
    const profile = await earlierProfile();
    const [name] = [...profile.area.values.keys()].filter((key) => key.includes('/record/'));
    await profile.area.set({ [name!]: 'no base64url!' });
    const { vaultCopy: copy } = profile.start();
    const vault = new TestBrowser().vault({ primary: profile.primary, copy });
    await vault.unlock(PASSPHRASE);
    expect(await notes(vault)).to.deep.equal(EXPECTED);
    expect(vault.repairs).to.have.length(1);
    expect(vault.repairs[0]).to.include({ damage: 'damaged', mended: true });
  });

  it('fail, and report it, where the move fails; the next background tries again', async () => {
    const profile = await earlierProfile();
    profile.caches.failPut = { end: 'picture', error: new Error('no space') };
    const stores = profile.start();
    for (const work of [
      stores.closed,
      stores.notes.get('guarded sites'),
      stores.vaultCopy.keys(),
    ]) {
      const outcome = await work.catch((error: unknown) => error);
      expect(outcome).to.have.property('message', 'no space');
    }
    profile.caches.failPut = undefined;
    expect(await contentsOf(profile, profile.start())).to.deep.equal(WHOLE);
  });

  it('stay in storage.local in permanent private browsing, where a cache ends with the browser', async () => {
    const profile = await earlierProfile();
    profile.isPrivate = true;
    const stores = profile.start();
    await stores.closed;
    expect(await contentsOf(profile, stores)).to.deep.equal(WHOLE);
    expect([...profile.caches.values]).to.deep.equal([]);
    await stores.notes.set('guarded sites', []);
    expect(await profile.startEarlier().notes.get('guarded sites')).to.deep.equal([]);
  });
});

describe('The durable stores in Chromium', () => {
  const TRUSTED = [{ accessLevel: 'TRUSTED_CONTEXTS' }];

  it('are storage.local, closed to content scripts as storage.session is', async () => {
    const profile = await earlierProfile();
    const stores = inChromium(profile.deps());
    await stores.closed;
    expect(profile.area.accessLevels).to.deep.equal(TRUSTED);
    expect(profile.session.accessLevels).to.deep.equal(TRUSTED);
    expect(await contentsOf(profile, stores)).to.deep.equal(WHOLE);
  });

  it('say so where they cannot be closed', async () => {
    const refuse = () => Promise.reject(new Error('refused'));
    for (const setAccessLevel of [undefined, refuse]) {
      for (const name of ['local', 'session'] as const) {
        const { storage, ...others } = new Profile(new TestBrowser().primary).deps();
        const area = Object.assign(new FakeStorageArea(), { setAccessLevel }) as never;
        const { closed } = inChromium({ ...others, storage: { ...storage, [name]: area } });
        expect(await closed.then(() => 'closed', String), name).to.match(/refused|cannot close/);
      }
    }
  });
});

/** Unlocks the vault of both stores, whatever damage is repaired. */
async function opened(profile: Profile, { vaultCopy: copy }: ReturnType<Profile['startEarlier']>) {
  const vault = new TestBrowser().vault({ primary: profile.primary, copy });
  await vault.unlock(PASSPHRASE);
  return vault;
}

async function expectUsable(
  profile: Profile,
  stores: ReturnType<Profile['startEarlier']>,
  expected: object,
): Promise<void> {
  expect(await notes(await opened(profile, stores))).to.deep.equal(expected);
}

async function withCommit(
  profile: Profile,
  stores: ReturnType<Profile['startEarlier']>,
  id: string,
  value: number,
): Promise<void> {
  const vault = await opened(profile, stores);
  await vault.commit((draft) => draft.put({ id, type: 'note', value }));
}
