import { expect } from 'chai';
import { durableStorage as inFirefox } from '../../../../extension/platform/storage/durable-storage.firefox.ts';
import {
  durableStorage as inChromium,
  type DurableStorageDeps,
} from '../../../../extension/platform/storage/durable-storage.ts';
import {
  areaStores,
  type DurableStores,
} from '../../../../extension/platform/storage/storage-area-store.ts';
import { FakeCaches } from '../../../support/stores/fake-caches.ts';
import { FakeStorageArea } from '../../../support/stores/fake-storage-area.ts';
import type { MemoryStore } from '../../../support/stores/memory-store.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE, TestBrowser } from '../../../keys/world.ts';

const PICTURE = { symbols: ['cat'], tone: 'green', outline: 'circle' };
const GUARDED = ['https://a.example/*'];

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
    return { storage, isPrivate, caches: caches.storage };
  }

  /** The stores as a background finds them that begins now. */
  start() {
    return inFirefox(this.deps());
  }

  /** Starts a background, which ends when it has looked for the mark and set it. */
  async restarted(): Promise<void> {
    await this.start().closed;
    for (let turn = 0; turn < 20; turn++) await new Promise((r) => setImmediate(r));
  }

  /** The same in storage.local, where content scripts write. */
  inArea(): DurableStores {
    return areaStores(this.area.area);
  }
}

/** A vault, a setting and a picture. @param picture of the user, or of an attacker */
async function fill(profile: Profile, stores: DurableStores, picture = PICTURE): Promise<void> {
  const { world } = await filledWorld();
  for (const [name, value] of world.primary.values) profile.primary.values.set(name, value);
  await stores.vaultCopy.write(world.copy.values);
  await stores.notes.set('guarded sites', GUARDED);
  await stores.pageValues.set('picture', picture);
}

/** A profile in use, which has its mark. */
async function filledProfile(): Promise<Profile> {
  const profile = new Profile(new TestBrowser().primary);
  await fill(profile, profile.start());
  await profile.restarted();
  return profile;
}

/** What the stores give: the vault by IndexedDB and the copy, the vault by the copy alone, the rest. */
async function contentsOf(profile: Profile, stores: DurableStores) {
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

const empties = {
  area: ({ area }: Profile) => area.values.clear(),
  cache: ({ caches }: Profile) => caches.values.clear(),
  database: ({ primary }: Profile) => primary.values.clear(),
  /** What an eviction does, and Firefox where the database of an origin's caches is damaged. */
  origin: (profile: Profile): void => {
    empties.cache(profile);
    empties.database(profile);
  },
  all: (profile: Profile): void => {
    empties.origin(profile);
    empties.area(profile);
  },
};

/** What is emptied, and whether the vault, the setting and the picture are still there then. */
const LOSSES = [
  { title: 'nothing is emptied', empty: () => undefined, vault: true, settings: true },
  { title: 'storage.local is emptied', empty: empties.area, vault: true, settings: true },
  { title: 'IndexedDB is emptied', empty: empties.database, vault: true, settings: true },
  { title: 'the cache is emptied', empty: empties.cache, vault: true, settings: false },
  { title: 'the origin is emptied', empty: empties.origin, vault: false, settings: false },
  { title: 'everything is emptied', empty: empties.all, vault: false, settings: false },
] as const;

/** Every value by which a content script could make up a vault, settings and a picture of its own. */
async function attackersValues(): Promise<Map<string, unknown>> {
  const attacker = new Profile(new TestBrowser().primary);
  const picture = { symbols: ['anchor'], tone: 'red', outline: 'circle' };
  await fill(attacker, attacker.inArea(), picture);
  await attacker.inArea().notes.set('guarded sites', ['https://attacker.example/*']);
  const marks = { 'vault-made': 'forged', 'moved-from-storage-local': 1 };
  return new Map(Object.entries({ ...(await attacker.area.get(null)), ...marks }));
}

const stateOf = (profile: Profile) => {
  const { vaultCopy: copy } = profile.start();
  return new TestBrowser().vault({ primary: profile.primary, copy }).state();
};

describe('The durable stores in Firefox', () => {
  it('keep everything in the cache, and only a mark in storage.local', async () => {
    const profile = await filledProfile();
    expect(await contentsOf(profile, profile.start())).to.deep.equal(WHOLE);
    expect(await profile.area.get(null)).to.deep.equal({ 'vault-made': true });
  });

  it('write no mark where there is no vault', async () => {
    const fresh = new Profile(new TestBrowser().primary);
    await fresh.start().notes.set('guarded sites', GUARDED);
    await fresh.restarted();
    expect(await stateOf(fresh)).to.include({ state: 'absent' });
    expect([...fresh.area.values]).to.deep.equal([]);
  });

  it('take no forged mark for a lost vault where it is known that none was made', async () => {
    const fresh = new Profile(new TestBrowser().primary);
    const { vaultCopy: copy } = fresh.start();
    await new TestBrowser().vault({ primary: fresh.primary, copy }).markFirstRun();
    await fresh.area.set({ 'vault-made': 'forged' });
    expect(await stateOf(fresh)).to.include({ state: 'absent' });
  });

  for (const { title, empty, ...remains } of LOSSES) {
    it(`read nothing but the mark from storage.local, where ${title}`, async () => {
      const profile = await filledProfile();
      const values = [...(await attackersValues())];
      const choices = [[], ...values.map((value) => [value]), values];
      for (const choice of choices) {
        const emptied = profile.clone();
        empty(emptied);
        await emptied.area.set(Object.fromEntries(choice));
        const name = `${choice.length} values, the first ${choice[0]?.[0]}`;
        const ended = emptied.area.values.has('vault-made') ? 'lost' : 'absent';
        const state = remains.vault ? 'locked' : ended;
        for (const start of ['first', 'second']) {
          expect(await stateOf(emptied), `${name}, ${start} start`).to.include({ state });
        }
        const stores = emptied.start();
        const [guarded, picture] = remains.settings ? [GUARDED, PICTURE] : [];
        expect(await stores.notes.get('guarded sites'), name).to.deep.equal(guarded);
        expect(await stores.pageValues.get('picture'), name).to.deep.equal(picture);
        if (!remains.vault) continue;
        const vault = new TestBrowser().vault({
          primary: emptied.primary,
          copy: stores.vaultCopy,
        });
        await vault.unlock(PASSPHRASE);
        expect(await notes(vault), name).to.deep.equal(EXPECTED);
      }
    });
  }

  it('set a removed mark again', async () => {
    const profile = await filledProfile();
    profile.area.values.clear(); // by a content script
    await profile.restarted();
    empties.origin(profile);
    expect(await stateOf(profile)).to.deep.equal({ state: 'lost', created: null });
  });

  it('fail, and report it, where the mark cannot be read; the next background tries again', async () => {
    const profile = await filledProfile();
    empties.origin(profile);
    const { storage, ...others } = profile.deps();
    const get = () => Promise.reject(new Error('no answer'));
    const stores = inFirefox({ ...others, storage: { ...storage, local: { get } as never } });
    for (const work of [stores.closed, stores.notes.get('x'), stores.vaultCopy.keys()]) {
      const outcome = await work.catch((error: unknown) => error);
      expect(outcome).to.have.property('message', 'no answer');
    }
    expect(await stateOf(profile)).to.include({ state: 'lost' });
  });

  it('stay in storage.local in permanent private browsing, where a cache ends with the browser', async () => {
    const profile = new Profile(new TestBrowser().primary);
    profile.isPrivate = true;
    await fill(profile, profile.start());
    expect(await contentsOf(profile, profile.start())).to.deep.equal(WHOLE);
    expect(await contentsOf(profile, profile.inArea())).to.deep.equal(WHOLE);
    expect([...profile.caches.values]).to.deep.equal([]);
  });
});

describe('The durable stores in Chromium', () => {
  const TRUSTED = [{ accessLevel: 'TRUSTED_CONTEXTS' }];

  it('are storage.local, closed to content scripts as storage.session is', async () => {
    const profile = new Profile(new TestBrowser().primary);
    await fill(profile, profile.inArea());
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
