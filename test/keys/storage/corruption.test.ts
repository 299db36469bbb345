import { expect } from 'chai';
import { fromBase64url } from '../../../src/crypto/bytes.ts';
import { ARGON2ID_COST } from '../../../src/format/passphrase.ts';
import { sealPassphraseSlot } from '../../../src/keys/unlock/passphrase-slot.ts';
import { sealRecord } from '../../../src/keys/values/record.ts';
import { encodeSlot, nameOfSlot } from '../../../src/keys/unlock/slots.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import { cheapKdf, systemRandom } from '../../support/stores/memory-store.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { MemoryStore } from '../../support/stores/memory-store.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE } from '../world.ts';
import type { TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

/** Something that happens to the stored bytes of one value. */
type Mutation = (bytes: Uint8Array, other: Uint8Array) => Uint8Array | undefined;

const flip =
  (at: number): Mutation =>
  (bytes) => {
    const damaged = bytes.slice();
    const index = at < 0 ? bytes.length + at : at;
    damaged[index] = damaged[index]! ^ (1 << (at & 7));
    return damaged;
  };

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'first bit flipped': flip(0),
  'bit in the header flipped': flip(5),
  'bit after the header flipped': flip(30),
  'bit in the middle flipped': (bytes, other) => flip(bytes.length >> 1)(bytes, other),
  'last bit flipped': flip(-1),
  'one byte short': (bytes) => bytes.subarray(0, -1),
  'cut in half': (bytes) => bytes.subarray(0, bytes.length >> 1),
  emptied: () => new Uint8Array(0),
  'a byte too long': (bytes) => Uint8Array.of(...bytes, 0),
  zeroed: (bytes) => new Uint8Array(bytes.length),
  'swapped with another': (_, other) => other,
  deleted: () => undefined,
};

function damage(store: MemoryStore, name: string, mutation: Mutation): void {
  const bytes = store.values.get(name)!;
  const kind = name.split('/').slice(0, 2).join('/');
  const names = [...store.values.keys()].filter((other) => other !== name);
  // Best another value of the same kind, which is harder to tell apart.
  const like = names.find((other) => other.startsWith(kind)) ?? names[0]!;
  const damaged = mutation(bytes, store.values.get(like)!);
  if (damaged === undefined) store.values.delete(name);
  else store.values.set(name, damaged);
}

/** Opens the vault as a worker of a new browser session would. */
async function reopen(world: TestBrowser): Promise<Vault> {
  const vault = world.vault();
  await vault.unlock(PASSPHRASE);
  return vault;
}

describe('keys: damage to stored values', function () {
  this.timeout(60_000);
  let names: string[] = [];
  let whole: TestBrowser;
  let cases = 0;

  before(async () => {
    const { world, vault } = await filledWorld();
    await world.keyRing(vault).sealingMaterial('app', 'https://example.org');
    // So that the generation before the newest is not the one to be found.
    for (const value of ['not to be seen', EXPECTED.first]) {
      await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value }));
    }
    whole = world.clone();
    names = [...whole.primary.values.keys()];
  });
  after(() => console.log(`      ${cases} damaged vaults`));

  for (const [turn, [title, mutation]] of Object.entries(MUTATIONS).entries()) {
    // In `npm test`, each mutation is of every fourth value, and each value has every fourth mutation.
    const step = IS_NIGHTLY ? 1 : inDepth(2, 4);
    const damaged = () => names.filter((_, i) => i % step === turn % step);

    for (const place of ['primary', 'copy'] as const) {
      it(`${title}, in the ${place}: noticed, and mended from the other store`, async () => {
        for (const name of damaged()) {
          cases++;
          const world = whole.clone();
          damage(world[place], name, mutation);
          expect((await world.vault().state()).state, name).to.equal('locked');
          const vault = await reopen(world);
          expect(await notes(vault), name).to.deep.equal(EXPECTED);
          const noticed = vault.repairs.filter((repair) => repair.name === name);
          expect(noticed, name).to.have.lengthOf(1);
          expect(noticed[0], name).to.include({ store: place, mended: true });
          expect(world.primary.values, name).to.deep.equal(whole.primary.values);
          expect(world.copy.values, name).to.deep.equal(whole.copy.values);
        }
      });
    }

    it(`${title}, in both stores: an error, never a new vault, and nothing lost in silence`, async () => {
      for (const name of damaged()) {
        cases++;
        const world = whole.clone();
        damage(world.primary, name, mutation);
        damage(world.copy, name, mutation);
        expect((await world.vault().state()).state, name).to.be.oneOf(['locked', 'lost']);
        expect(await codeOf(world.vault().create(PASSPHRASE)), name).to.be.oneOf([
          'EXISTS',
          'LOST',
        ]);
        const vault = world.vault();
        let found: unknown;
        const code = await codeOf(
          vault.unlock(PASSPHRASE).then(async () => (found = await notes(vault))),
        );
        // Either all is there, because the value was no part of the newest state (an older
        // generation) or can be made again (vault marker, heads); or it is an error.
        if (code === 'ok') expect(found, name).to.deep.equal(EXPECTED);
        else expect(code, name).to.be.oneOf(['CORRUPT', 'LOST']);
      }
    });
  }

  it('while a worker is up: a damaged record is read from the other store, and mended', async () => {
    const records = names.filter((name) => name.startsWith('vault/record/'));
    for (const place of ['primary', 'copy'] as const) {
      for (const name of records) {
        cases++;
        const world = whole.clone();
        await reopen(world);
        damage(world[place], name, flip(40));
        const fresh = world.vault();
        expect(await notes(fresh), name).to.deep.equal(EXPECTED);
        await fresh.commit((draft) => draft.put({ id: 'more', type: 'other', value: 1 }));
        const later = await reopen(world.clone());
        expect(await notes(later), name).to.deep.equal(EXPECTED);
        expect((await later.read('more'))?.value, name).to.equal(1);
      }
    }
  });

  it('of the newest manifest in both stores makes the vault a lost one, until one of them heals', async () => {
    const { world, vault } = await filledWorld();
    const name = lastManifest(world);
    await vault.lock();
    const [good, stores] = [world.clone(), [world.primary, world.copy]];
    for (const store of stores) damage(store, name, flip(40));
    expect(await world.vault().state()).to.include({ state: 'locked' });
    expect(await codeOf(world.vault().unlock('wrong'))).to.equal('WRONG_PASSPHRASE');
    expect(await world.vault().state()).to.include({ state: 'locked' });
    expect(await codeOf(world.vault().unlock(PASSPHRASE))).to.equal('CORRUPT');
    expect(await world.vault().state()).to.include({ state: 'lost' });
    expect(await codeOf(world.vault().create(PASSPHRASE))).to.equal('LOST');
    expect(await codeOf(world.vault().unlock(PASSPHRASE))).to.equal('LOST');

    const healed = world.clone({ keepSession: true });
    healed.copy.values.set(name, good.copy.values.get(name)!);
    expect(await healed.vault().state()).to.include({ state: 'locked' });
    expect(await notes(await reopen(healed))).to.deep.equal(EXPECTED);

    const answering = world.clone({ keepSession: true });
    answering.primary.get = () => Promise.reject(new Error('no answer'));
    expect(await answering.vault().state()).to.include({ state: 'locked' });
  });

  it('of the newest manifest in both stores gives its place to a backup, and every byte is kept', async () => {
    const { world, vault } = await filledWorld();
    const name = lastManifest(world);
    await vault.lock();
    for (const store of [world.primary, world.copy]) damage(store, name, flip(40));
    const before = world.clone();
    expect(await codeOf(world.vault().create(PASSPHRASE, 'of-a-lost-one'))).to.equal('EXISTS');
    expect(await codeOf(world.vault().unlock(PASSPHRASE))).to.equal('CORRUPT');
    await world.vault().create('another passphrase', 'of-a-lost-one');
    for (const place of ['primary', 'copy'] as const) {
      for (const [old, bytes] of before[place].values) {
        const kept = world[place].values.get(`set-aside/${world.time}/${old}`);
        expect(kept, `${place} ${old}`).to.deep.equal(bytes);
      }
    }
    await world.vault().lock();
    expect(await world.vault().state()).to.include({ state: 'locked' });
    await world.vault().unlock('another passphrase');
  });

  it('of one record in both stores leaves every other record usable', async () => {
    const { world, vault } = await filledWorld();
    const { manifest } = await newestManifest(world);
    const entries = manifest.filter((name) => name.startsWith('vault/record/'));
    await vault.lock();
    for (const store of [world.primary, world.copy]) damage(store, entries[0]!, flip(40));
    await vault.unlock(PASSPHRASE);
    const codes = await Promise.all(Object.keys(EXPECTED).map((id) => codeOf(vault.read(id))));
    expect(codes.filter((code) => code === 'CORRUPT')).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'ok')).to.have.lengthOf(2);
    expect(await codeOf(vault.list('note'))).to.equal('CORRUPT');
    expect(vault.repairs.some((repair) => !repair.mended)).to.equal(true);
    await vault.commit((draft) => draft.put({ id: 'new', type: 'other', value: 1 }));
    expect((await world.vault().read('new'))?.value).to.equal(1);
  });

  it('of a store that went back to an older state: the newer store wins', async () => {
    const { world, vault } = await filledWorld();
    for (const place of ['primary', 'copy'] as const) {
      const older = world[place].clone();
      const value = `newer than the ${place}`;
      await vault.commit((draft) => draft.put({ id: 'third', type: 'note', value }));
      const rolledBack = world.clone();
      rolledBack[place] = older;
      expect(await notes(await reopen(rolledBack))).to.deep.equal({ ...EXPECTED, third: value });
      expect(rolledBack.primary.values).to.deep.equal(world.primary.values);
      expect(rolledBack.copy.values).to.deep.equal(world.copy.values);
    }
  });

  it('of an old record in place of the new one, in both stores, is noticed', async () => {
    const { world, vault } = await filledWorld();
    const before = new Set(world.primary.values.keys());
    await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'newest' }));
    const fresh = [...world.primary.values.keys()].find(
      (name) => !before.has(name) && name.includes('/record/'),
    )!;
    const family = fresh.slice(0, fresh.lastIndexOf('/') + 1);
    const old = [...before].find((name) => name.startsWith(family))!;
    for (const store of [world.primary, world.copy]) {
      store.values.set(fresh, store.values.get(old)!);
    }
    expect(await codeOf(world.vault().read('first'))).to.equal('CORRUPT');
  });

  it('of a store wiped under an unlocked worker: the next commit fills it again', async () => {
    for (const place of ['primary', 'copy'] as const) {
      const { world, vault } = await filledWorld();
      world[place].values.clear();
      await vault.commit((draft) => draft.put({ id: 'new', type: 'note', value: 1 }));
      for (const gone of ['primary', 'copy'] as const) {
        const half = world.clone();
        half[gone].values.clear();
        expect(await notes(await reopen(half))).to.deep.equal({ ...EXPECTED, new: 1 });
      }
    }
  });

  it('of a value by that of a commit which never happened, well sealed, is noticed', async () => {
    const { world, vault } = await filledWorld();
    const before = new Set(world.primary.values.keys());
    await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'saved' }));
    const stored = [...world.primary.values.keys()].find(
      (name) => !before.has(name) && name.includes('/record/'),
    )!;
    const [, , name, generation] = stored.split('/') as [string, string, string, string];
    const session = JSON.parse(world.session.values.get('vault/key')!) as Record<string, string>;
    const key = { key: fromBase64url(session.key!), keyId: fromBase64url(session.vaultId!) };
    const place = { name, generation: Number(generation) };
    const record = { id: 'first', type: 'note', value: 'not saved' };
    world.primary.values.set(stored, await sealRecord(key, place, record, systemRandom));
    const fresh = world.vault();
    expect((await fresh.read('first'))?.value).to.equal('saved');
    expect(fresh.repairs).to.have.lengthOf(1);
    world.copy.values.set(stored, await sealRecord(key, place, record, systemRandom));
    world.primary.values.set(stored, world.copy.values.get(stored)!);
    expect(await codeOf(world.vault().read('first'))).to.equal('CORRUPT');
  });

  it('of values that nothing refers to: they are removed at the next unlock', async () => {
    const world = whole.clone();
    for (const store of [world.primary, world.copy]) {
      store.values.set('vault/record/00112233445566778899aabbccddeeff/77', Uint8Array.of(1));
      store.values.set('vault/manifest/77', Uint8Array.of(2));
      store.values.set('somebody else', Uint8Array.of(3));
    }
    await reopen(world);
    const expected = [...whole.primary.values.keys(), 'somebody else'];
    expect([...world.primary.values.keys()]).to.have.members(expected);
    expect([...world.copy.values.keys()]).to.have.members(expected);
  });

  it('of a slot that the manifest does not name: it opens nothing', async () => {
    const { world, vault } = await filledWorld();
    const unlocked = JSON.parse(world.session.values.get('vault/key')!) as Record<string, string>;
    const slot = await sealPassphraseSlot(
      { vaultId: fromBase64url(unlocked.vaultId!), created: 1, cost: ARGON2ID_COST },
      new TextEncoder().encode('former passphrase'),
      fromBase64url(unlocked.key!),
      { derive: cheapKdf, random: systemRandom },
    );
    for (const store of [world.primary, world.copy]) {
      store.values.set(nameOfSlot(slot), encodeSlot(slot));
    }
    await vault.lock();
    expect(await codeOf(vault.unlock('former passphrase'))).to.equal('WRONG_PASSPHRASE');
    await vault.unlock(PASSPHRASE);
    expect(world.primary.values.has(nameOfSlot(slot))).to.equal(false);
  });
});

/** Stored names that the newest state rests on, found by taking each away. */
/** The name of the manifest that the heads point to. */
function lastManifest(world: TestBrowser): string {
  const generations = [...world.primary.values.keys()].flatMap((name) => {
    const [, number] = /^vault\/manifest\/(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
  return `vault/manifest/${Math.max(...generations)}`;
}

async function newestManifest(world: TestBrowser): Promise<{ manifest: string[] }> {
  const manifest: string[] = [];
  for (const name of world.primary.values.keys()) {
    const without = world.clone();
    without.primary.values.delete(name);
    without.copy.values.delete(name);
    const vault = without.vault();
    const code = await codeOf(vault.unlock(PASSPHRASE).then(() => notes(vault)));
    if (code !== 'ok') manifest.push(name);
  }
  return { manifest };
}
