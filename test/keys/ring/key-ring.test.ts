import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { userKeyOf, userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import { WatchedSession } from '../../support/stores/memory-store.ts';
import { PASSPHRASE, START, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = 'https://a.example';
const B = 'https://b.example';

async function unlockedWorld(world = new TestBrowser()) {
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  return { world, vault, keys: world.keyRing(vault) };
}

/** A second generation for a sealing key, as rotation will make it. */
async function rotate({ vault }: Awaited<ReturnType<typeof unlockedWorld>>, ref: string) {
  await vault.commit(async (draft) => {
    const value = userKeyOf((await draft.get(ref))!);
    const added = { generation: 2, key: Buffer.alloc(32, 7).toString('base64url'), created: START };
    draft.put(
      userKeyRecord('sealing', ref, { ...value, generations: [...value.generations, added] }),
    );
  });
}

describe('KeyRing', () => {
  it('makes a key within a commit, saved with the rest of it or not at all', async () => {
    const { vault, keys } = await unlockedWorld();
    const failing = vault.commit((draft) => {
      keys.addKey(draft, { kind: 'sealing', label: 'Letters' });
      throw new Error('changed my mind');
    });
    expect(await codeOf(failing)).to.contain('changed my mind');
    expect(await keys.list()).to.have.lengthOf(1);
    const made = await vault.commit((draft) =>
      keys.addKey(draft, { kind: 'sealing', label: 'Letters' }),
    );
    expect((await keys.list())[1]).to.deep.equal(made);
    const unnamed = vault.commit((draft) => keys.addKey(draft, { kind: 'sealing', label: ' ' }));
    expect(await codeOf(unnamed)).to.contain('RangeError');
  });

  it('lists the app key from the start, and sealing keys as they are made', async () => {
    const { world, keys } = await unlockedWorld();
    const kind = { kind: 'app', algorithm: null, origin: null, rotatable: true, guest: false };
    const app = { ref: 'app', ...kind, label: 'App key', created: START, generation: 1 };
    expect(await keys.list()).to.deep.equal([app]);
    world.time += 5;
    const letters = await keys.createSealingKey('Letters');
    world.time += 5;
    const photos = await keys.createSealingKey('Photos');
    expect(letters).to.include({ kind: 'sealing', label: 'Letters', generation: 1 });
    expect(await keys.list()).to.deep.equal([app, letters, photos]);
    await keys.relabel(letters.ref, 'Mail');
    await keys.relabel('app', 'Sites');
    const labels = (await world.keyRing(world.vault()).list()).map(({ label }) => label);
    expect(labels).to.deep.equal(['Sites', 'Mail', 'Photos']);
  });

  it('gives the same material every time, in every worker and after a restart', async () => {
    const { world, keys } = await unlockedWorld();
    const { ref } = await keys.createSealingKey('Letters');
    for (const key of ['app', ref]) {
      const first = await keys.sealingMaterial(key, A);
      expect(first.key).to.have.lengthOf(32);
      expect(first.keyId).to.have.lengthOf(16);
      expect(first.generation).to.equal(1);
      expect(await keys.sealingMaterial(key, A)).to.deep.equal(first);
      expect(await world.keyRing(world.vault()).sealingMaterial(key, A)).to.deep.equal(first);
      const later = world.clone().vault();
      await later.unlock(PASSPHRASE);
      expect(await world.keyRing(later).sealingMaterial(key, A)).to.deep.equal(first);
    }
  });

  it('returns copies: a caller may wipe them', async () => {
    const { keys } = await unlockedWorld();
    const first = await keys.sealingMaterial('app', A);
    const expected = first.key.slice();
    for (let i = 0; i < 3; i++) (await keys.sealingMaterial('app', A)).key.fill(0);
    expect((await keys.sealingMaterial('app', A)).key).to.deep.equal(expected);
  });

  it('gives the same material after other changes of the vault, and after lock and unlock', async () => {
    const { vault, keys } = await unlockedWorld();
    const first = await keys.sealingMaterial('app', A);
    for (let i = 0; i < 3; i++) {
      expect(await keys.sealingMaterial('app', A)).to.deep.equal(first);
      expect((await keys.openingMaterial(first.keyId, A))?.key).to.deep.equal(first.key);
      await vault.commit((draft) => draft.put({ id: 'note', type: 'note', value: i }));
    }
    await vault.lock();
    await vault.unlock(PASSPHRASE);
    expect(await keys.sealingMaterial('app', A)).to.deep.equal(first);
  });

  it('derives another app key, header key id and pairwise id for every origin', async () => {
    const { keys } = await unlockedWorld();
    const origins = Array.from({ length: 20 }, (_, i) => `https://site-${i}.example`);
    const seen = new Set<string>();
    for (const origin of origins) {
      const { key, keyId } = await keys.sealingMaterial('app', origin);
      seen
        .add(toHex(key))
        .add(toHex(keyId))
        .add(await keys.pairwiseId('app', origin));
    }
    expect(seen.size).to.equal(3 * origins.length);
  });

  it('seals with one named key everywhere, under header key ids that no two sites share', async () => {
    const { keys } = await unlockedWorld();
    const { ref } = await keys.createSealingKey('Letters');
    const [a, b] = [await keys.sealingMaterial(ref, A), await keys.sealingMaterial(ref, B)];
    expect(a.key).to.deep.equal(b.key);
    expect(a.keyId).not.to.deep.equal(b.keyId);
    expect(await keys.pairwiseId(ref, A)).not.to.equal(await keys.pairwiseId(ref, B));
  });

  it('finds a key again by its pairwise id, for its own origin only', async () => {
    const { world, vault, keys } = await unlockedWorld();
    expect(await keys.refOf('anything', A)).to.equal(undefined);
    const { ref } = await keys.createSealingKey('Letters');
    for (const key of ['app', ref]) {
      const id = await keys.pairwiseId(key, A);
      expect(id).to.match(/^[\w-]{22}$/);
      expect(await keys.refOf(id, A)).to.equal(key);
      expect(await keys.refOf(id, B)).to.equal(undefined);
      expect(await world.keyRing(vault).pairwiseId(key, A)).to.equal(id);
    }
  });

  it('opens what it sealed: the app key for its own origin, a sealing key for all', async () => {
    const { world, keys } = await unlockedWorld();
    const { ref } = await keys.createSealingKey('Letters');
    const fresh = world.keyRing(world.vault());
    for (const key of ['app', ref]) {
      const sealing = await keys.sealingMaterial(key, A);
      const opening = await fresh.openingMaterial(sealing.keyId, A);
      expect(opening).to.deep.equal({ ref: key, generation: 1, key: sealing.key });
      const abroad = await fresh.openingMaterial(sealing.keyId, B);
      expect(abroad?.ref).to.equal(key === 'app' ? undefined : ref);
    }
    expect(await fresh.openingMaterial(new Uint8Array(16), A)).to.equal(undefined);
  });

  it('seals with the newest generation and opens with all', async () => {
    const unlocked = await unlockedWorld();
    const { keys } = unlocked;
    const { ref } = await keys.createSealingKey('Letters');
    const id = await keys.pairwiseId(ref, A);
    const first = await keys.sealingMaterial(ref, A);
    await rotate(unlocked, ref);
    const second = await keys.sealingMaterial(ref, A);
    expect(second.generation).to.equal(2);
    expect(second.keyId).not.to.deep.equal(first.keyId);
    expect((await keys.openingMaterial(first.keyId, A))?.key).to.deep.equal(first.key);
    expect((await keys.openingMaterial(second.keyId, A))?.generation).to.equal(2);
    expect(await keys.pairwiseId(ref, A)).to.equal(id);
    expect(await keys.describe(ref, A)).to.include({ label: 'Letters', generation: 2 });
    expect(await keys.describe('app', A)).to.include({ kind: 'app', generation: 1 });
  });

  it('mints one of everything when many workers are first at once', async () => {
    const { world, keys } = await unlockedWorld();
    const { ref } = await keys.createSealingKey('Letters');
    const rings = Array.from({ length: 16 }, () => world.keyRing(world.vault()));
    for (const key of ['app', ref]) {
      const materials = await Promise.all(rings.map(async (ring) => ring.sealingMaterial(key, A)));
      expect(new Set(materials.map((material) => toHex(material.keyId))).size).to.equal(1);
      expect(new Set(materials.map((material) => toHex(material.key))).size).to.equal(1);
    }
    const ids = await Promise.all(rings.map(async (ring) => ring.pairwiseId('app', B)));
    expect(new Set(ids).size).to.equal(1);
    const vault = world.vault();
    expect(await vault.list('key-root')).to.have.lengthOf(1);
    expect(await vault.list('key-use')).to.have.lengthOf(2);
  });

  it('draws one secret when pairwise id and first seal come at once', async () => {
    const { world, keys } = await unlockedWorld();
    const other = world.keyRing(world.vault());
    const [id] = await Promise.all([keys.pairwiseId('app', A), other.sealingMaterial('app', A)]);
    expect(await other.pairwiseId('app', A)).to.equal(id);
  });

  it('sees at once what another worker did, also when it forgot its keys', async () => {
    const { world, keys } = await unlockedWorld();
    const other = world.keyRing(world.vault());
    const { keyId } = await keys.sealingMaterial('app', A);
    expect((await other.openingMaterial(keyId, A))?.ref).to.equal('app');
    const { ref } = await other.createSealingKey('Letters');
    const sealed = await other.sealingMaterial(ref, A);
    expect((await keys.openingMaterial(sealed.keyId, A))?.ref).to.equal(ref);
  });

  it('gives nothing once the vault is locked, not even what it knew', async () => {
    const { world, vault, keys } = await unlockedWorld();
    const { keyId } = await keys.sealingMaterial('app', A);
    await keys.openingMaterial(keyId, A);
    await world.vault().lock();
    expect(await codeOf(keys.sealingMaterial('app', A))).to.equal('LOCKED');
    expect(await codeOf(keys.openingMaterial(keyId, A))).to.equal('LOCKED');
    expect(await codeOf(keys.pairwiseId('app', A))).to.equal('LOCKED');
    expect(await codeOf(keys.list())).to.equal('LOCKED');
    expect(await codeOf(vault.read('key-root'))).to.equal('LOCKED');
  });

  it('refuses unknown refs and records that are not keys', async () => {
    const { keys } = await unlockedWorld();
    await keys.pairwiseId('app', A);
    for (const ref of ['nothing', 'key-root', '']) {
      expect(await codeOf(keys.sealingMaterial(ref, A)), ref).to.contain('RangeError');
      expect(await codeOf(keys.pairwiseId(ref, A)), ref).to.contain('RangeError');
      expect(await codeOf(keys.relabel(ref, 'x')), ref).to.contain('RangeError');
    }
    for (const label of ['', '  ', 'x'.repeat(201)]) {
      expect(await codeOf(keys.createSealingKey(label))).to.contain('RangeError');
    }
    expect(await codeOf(keys.createSealingKey('\ud800'))).to.contain('TypeError');
    expect(await codeOf((async () => keys.sealingMaterial('app', ''))())).to.contain('TypeError');
    expect(await keys.list()).to.have.lengthOf(1);
  });

  it('seals without reading storage, where the session store reports changes', async () => {
    const world = new TestBrowser();
    const session = new WatchedSession();
    world.session = session;
    const { keys } = await unlockedWorld(world);
    await keys.sealingMaterial('app', A);
    const { keyId } = await keys.sealingMaterial('app', A);
    await keys.openingMaterial(keyId, A);
    const reads = () => world.primary.reads + world.copy.reads + session.reads;
    const before = reads();
    for (let i = 0; i < 10; i++) {
      await keys.sealingMaterial('app', A);
      await keys.openingMaterial(keyId, A);
    }
    expect(reads()).to.equal(before);
    await world.vault().lock();
    expect(await codeOf(keys.sealingMaterial('app', A))).to.equal('LOCKED');
  });
});
