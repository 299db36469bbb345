import { expect } from 'chai';
import type { KeyRing } from '../../../src/keys/ring/key-ring.ts';
import {
  syncKeyMaterial,
  withCollectionKeys,
  type CollectionKeyBytes,
} from '../../../src/keys/ring/sync-key.ts';
import type { Vault } from '../../../src/keys/vault/vault.ts';
import { PASSPHRASE, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

const BY = { passphrase: PASSPHRASE };
const LOCK = { passphrase: 'a passphrase of its own' };
const bytes = (fill: number): Uint8Array => new Uint8Array(64).fill(fill);
const set = (fill: number, ...names: string[]): CollectionKeyBytes => ({
  default: bytes(fill),
  collections: new Map(names.map((name, i) => [name, bytes(fill + i + 1)])),
});

async function filled() {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  const ring = world.keyRing(vault);
  const ownKey = await vault.commit((draft) => ring.addKey(draft, { kind: 'sync', label: 'Mine' }));
  const imported = {
    kind: 'sync',
    algorithm: 'weave-5',
    keys: [{ key: bytes(1) }],
    foreignId: '518f',
  } as const;
  const weave = await vault.commit((draft) => ring.addImportedKey(draft, imported, 'Firefox'));
  await put(vault, ring, weave.ref, set(10, 'tabs'));
  return { world, vault, ring, ownKey: ownKey.ref, weave: weave.ref };
}

const put = (vault: Vault, ring: KeyRing, ref: string, keys: CollectionKeyBytes) =>
  vault.commit((draft) =>
    ring.changeKeyIn(draft, ref, 'sync', (value, at) => withCollectionKeys(value, keys, at)),
  );
const syncKey = async (ring: KeyRing, ref: string) =>
  syncKeyMaterial(await ring.userKeyValue(ref, 'sync'));
const defaults = async (ring: KeyRing, ref: string): Promise<number[]> =>
  (await syncKey(ring, ref)).collectionKeys.map((keys) => keys.default[0]!);

describe('Sync keys', () => {
  it('come back from a backup, with their formats, names and keys of collections', async () => {
    const { world, vault, ring, ownKey, weave } = await filled();
    const file = await world.backups(vault).make(BY, LOCK);
    const other = new TestBrowser();
    const otherVault = other.vault();
    await otherVault.create('of another machine');
    const report = await other.backups(otherVault).restore(file, LOCK.passphrase);
    expect(report.brings.keys).to.equal(2);
    for (const ref of [ownKey, weave]) {
      const mine = await syncKey(ring, ref);
      expect(await syncKey(other.keyRing(otherVault), ref)).to.deep.equal(mine);
    }
  });

  it('of two vaults that grew apart: all sets stay, and its own are first', async () => {
    const first = await filled();
    // The root of the app keys: a backup of another one is foreign (foreign-backups.test.ts).
    await first.ring.sealingMaterial('app', 'https://a.example');
    const twin = first.world.clone();
    const twinVault = twin.vault();
    await twinVault.unlock(PASSPHRASE);
    const twinRing = twin.keyRing(twinVault);
    await put(first.vault, first.ring, first.weave, set(20, 'tabs'));
    await put(twinVault, twinRing, first.weave, set(30, 'notes'));
    await twinVault.commit((draft) => twinRing.rotateIn(draft, first.ownKey, 'https://a.example'));
    await first.vault.commit((draft) =>
      first.ring.rotateIn(draft, first.ownKey, 'https://a.example'),
    );
    const file = await twin.backups(twinVault).make(BY, LOCK);
    const before = (await syncKey(first.ring, first.ownKey)).generations[0]!.key;
    await first.world.backups(first.vault).restore(file, LOCK.passphrase);
    expect(await defaults(first.ring, first.weave)).to.deep.equal([20, 10, 30]);
    const { generations } = await syncKey(first.ring, first.ownKey);
    expect(generations[0]!.key).to.deep.equal(before);
    // Its own two, and the other's newer one, which still opens.
    expect(generations).to.have.length(3);
    const again = await first.world.backups(first.vault).restore(file, LOCK.passphrase);
    expect(again.brings.keys).to.equal(0);
    expect(await defaults(first.ring, first.weave)).to.deep.equal([20, 10, 30]);
  });

  it('put a set that is known first, and keep each once', async () => {
    const { vault, ring, weave } = await filled();
    await put(vault, ring, weave, set(20));
    await put(vault, ring, weave, set(10, 'tabs'));
    expect(await defaults(ring, weave)).to.deep.equal([10, 20]);
    await put(vault, ring, weave, set(10));
    expect(await defaults(ring, weave)).to.deep.equal([10, 10, 20]);
  });

  it('take no more sets than they can keep: none is dropped', async () => {
    const { vault, ring, weave } = await filled();
    for (let i = 0; i < 31; i++) await put(vault, ring, weave, set(100 + i));
    expect(await codeOf(put(vault, ring, weave, set(99)))).to.match(/RangeError/);
    expect(await defaults(ring, weave)).to.have.length(32);
    await put(vault, ring, weave, set(10, 'tabs'));
    expect((await defaults(ring, weave))[0]).to.equal(10);
  });

  it('are rotated where they were made here, and seal nothing else', async () => {
    const { vault, ring, ownKey, weave } = await filled();
    const origin = 'https://a.example';
    expect(await vault.commit((draft) => ring.rotateIn(draft, ownKey, origin))).to.equal(2);
    const rotating = vault.commit((draft) => ring.rotateIn(draft, weave, origin));
    expect(await codeOf(rotating)).to.match(/RangeError/);
    expect(await codeOf(ring.sealingMaterial(ownKey, origin))).to.match(/RangeError/);
    expect((await ring.describe(weave, origin)).algorithm).to.equal('weave-5');
    const sealing = await ring.createSealingKey('Letters');
    expect(await codeOf(syncKey(ring, sealing.ref))).to.match(/RangeError/);
  });
});
