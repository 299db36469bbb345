import { KEY_ROOT, KEY_USE } from '../../src/keys/ring/key-records.ts';
import type { KeyUse } from '../../src/keys/ring/key-records.ts';
import type { SlotSecret } from '../../src/keys/unlock/opened-slots.ts';
import type { SlotKeeper } from '../../src/keys/unlock/slot-keeper.ts';
import type { Vault } from '../../src/keys/vault/vault.ts';
import type { Faults } from '../support/stores/faults.ts';
import { NATIVE_X25519 } from '../../src/engine/kem/native-x25519.ts';
import { NATIVE_CRYPTO } from '../../src/format/native-crypto.ts';
import { allKems } from '../../src/format/recipients/kems.ts';
import { admitIn, joinIn } from '../../src/keys/circle/membership.ts';
import { mergeIn, shareIn } from '../../src/keys/devices/device.ts';
import { parseOffer } from '../../src/keys/pairing/offer.ts';
import { Pairing } from '../../src/keys/pairing/pairing.ts';
import { systemRandom } from '../support/stores/memory-store.ts';
import { MemoryLocks } from '../../extension/testing/memory.ts';
import { filledWorld, notes, PASSPHRASE, START, TestBrowser } from './world.ts';
import { codeOf } from '../support/outcomes.ts';

/*
 * What a vault can be asked to do, each with the world before it and everything that counts of the
 * world after it, so that tests and stress tests can let anything go wrong on the way.
 */

export interface Scenario {
  readonly name: string;
  /** The world before, and its vault's state as `look` sees it. */
  readonly prepare: () => Promise<TestBrowser>;
  readonly act: (vault: Vault, world: TestBrowser) => Promise<unknown>;
  /** Everything that counts, seen by a worker over the stores afterwards. */
  readonly look: (vault: Vault, world: TestBrowser) => Promise<unknown>;
}

const ORIGIN = 'https://example.org';
const X_WING = allKems(() => Promise.resolve(NATIVE_X25519))['X-Wing'];

const unlockedWorld = async () => (await filledWorld()).world;
const lockedWorld = async () => (await filledWorld()).world.clone();
const worldWithApp = async () => {
  const { world, vault } = await filledWorld();
  await world.keyRing(vault).sealingMaterial('app', ORIGIN);
  return world;
};

const NEW_PASSPHRASE = 'another battery horse staple';

/** The passphrase that opens these stores, whichever of the two it is by now. */
export async function passphraseOf(world: TestBrowser): Promise<string> {
  const unlocking = world.clone().vault().unlock(PASSPHRASE);
  return (await codeOf(unlocking)) === 'WRONG_PASSPHRASE' ? NEW_PASSPHRASE : PASSPHRASE;
}

async function waysIn(vault: Vault, world: TestBrowser): Promise<unknown> {
  const slots = await world.slotKeeper(vault).list();
  const kinds = slots.map(({ kind, confirmed }) => `${kind} ${confirmed}`).sort();
  return { kinds, passphrase: await passphraseOf(world), notes: await notes(vault) };
}

const slotScenario = (
  name: string,
  act: (keeper: SlotKeeper, by: SlotSecret, world: TestBrowser) => Promise<unknown>,
  prepare = unlockedWorld,
): Scenario => ({
  name,
  prepare,
  look: waysIn,
  act: async (vault, world) =>
    act(world.slotKeeper(vault), { passphrase: await passphraseOf(world) }, world),
});

/** A world with a recovery code that was shown and not yet confirmed, and one that was before. */
async function worldWithCode(): Promise<TestBrowser> {
  const { world, vault } = await filledWorld();
  const keeper = world.slotKeeper(vault);
  await keeper.confirmRecoveryCode(await keeper.addRecoveryCode({ passphrase: PASSPHRASE }));
  world.paper = await keeper.addRecoveryCode({ passphrase: PASSPHRASE });
  return world;
}

const BACKUP_PASSPHRASE = 'a passphrase of its own';

/** A world that has a backup of another one at hand, and keys of its own. */
async function worldWithBackup(): Promise<TestBrowser> {
  const other = await worldWithApp();
  const { world, vault } = await filledWorld();
  const otherVault = other.vault();
  await other.keyRing(otherVault).createSealingKey('Recipes');
  const making = other
    .backups(otherVault)
    .make({ passphrase: PASSPHRASE }, { passphrase: BACKUP_PASSPHRASE });
  world.file = await making;
  await world.keyRing(vault).sealingMaterial('app', ORIGIN);
  return world;
}

async function contents(vault: Vault, world: TestBrowser) {
  const keys = world.keyRing(vault);
  const labels = (await keys.list()).map(({ label }) => label);
  const roots = await vault.list('key-root');
  const uses = await vault.list('key-use');
  return { notes: await notes(vault), labels, roots: roots.length, uses: uses.length };
}

function pairing(vault: Vault, world: TestBrowser): Pairing {
  return new Pairing({
    vault,
    random: systemRandom,
    kem: () => Promise.resolve(X_WING),
    crypto: () => Promise.resolve(NATIVE_CRYPTO),
    now: () => world.time,
  });
}

/** A world that has made an offer, and has the parcel of another one at hand, with its digits. */
async function worldWithParcel(): Promise<TestBrowser> {
  const other = await worldWithApp();
  const otherVault = other.vault();
  await other.keyRing(otherVault).createSealingKey('Recipes');
  const { world, vault } = await filledWorld();
  const offer = await pairing(vault, world).makeOffer('New laptop');
  const contents = await otherVault.commit(async (draft) => {
    const circle = await admitIn(draft, parseOffer(offer).member, 'Old laptop', CIRCLE_PARTS);
    return { circle, state: await shareIn(draft, SHARING) };
  });
  const sealed = await pairing(otherVault, other).seal(offer, 'Old laptop', contents);
  world.file = sealed.parcel;
  world.paper = sealed.digits;
  return world;
}

const CIRCLE_PARTS = { kem: X_WING, crypto: NATIVE_CRYPTO, random: systemRandom };
const SHARING = { random: systemRandom, origins: [], at: START };

/** The keys, how often wrong digits were typed for the offer, whether the vault is a device, and in a circle. */
async function pairingContents(vault: Vault, world: TestBrowser) {
  const [offer] = await vault.list('pairing-offer');
  const { wrong } = (offer?.value ?? { wrong: null }) as { readonly wrong: number | null };
  const isDevice = (await vault.read('device')) !== undefined;
  const isMember = (await vault.read('circle')) !== undefined;
  return { ...(await contents(vault, world)), wrong, isDevice, isMember };
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'offer to another device',
    prepare: unlockedWorld,
    act: (vault, world) => pairing(vault, world).makeOffer('New laptop'),
    look: pairingContents,
  },
  {
    name: 'wrong digits of a parcel',
    prepare: worldWithParcel,
    act: (vault, world) => pairing(vault, world).open(world.file, 'wrong'),
    look: pairingContents,
  },
  {
    name: 'parcel of another device',
    prepare: worldWithParcel,
    act: async (vault, world) => {
      const opened = await pairing(vault, world).open(world.file, world.paper);
      if (opened.outcome !== 'opened') return; // it was taken before the worker's end
      await vault.commit(async (draft) => {
        await pairing(vault, world).endAnsweredIn(draft, opened.offerDigest);
        await joinIn(draft, opened.circle);
        await mergeIn(draft, opened.state, SHARING);
      });
    },
    look: pairingContents,
  },
  {
    name: 'create',
    prepare: () => Promise.resolve(new TestBrowser()),
    act: (vault) => vault.create(PASSPHRASE),
    look: async (vault) => (await vault.state()).state,
  },
  {
    name: 'unlock',
    prepare: lockedWorld,
    act: (vault) => vault.unlock(PASSPHRASE),
    look: contents,
  },
  {
    name: 'commit',
    prepare: unlockedWorld,
    act: (vault) =>
      vault.commit((draft) => {
        draft.put({ id: 'first', type: 'note', value: 'new' });
        draft.put({ id: 'fourth', type: 'note', value: 'added' });
        draft.remove('second');
      }),
    look: contents,
  },
  {
    name: 'createSealingKey',
    prepare: unlockedWorld,
    act: (vault, world) => world.keyRing(vault).createSealingKey('Letters'),
    look: contents,
  },
  {
    name: 'first app key',
    prepare: unlockedWorld,
    act: async (vault, world) => world.keyRing(vault).sealingMaterial('app', ORIGIN),
    look: contents,
  },
  {
    name: 'app key of a second origin',
    prepare: worldWithApp,
    act: async (vault, world) =>
      world.keyRing(vault).sealingMaterial('app', 'https://other.example'),
    look: contents,
  },
  {
    name: 'relabel',
    prepare: worldWithApp,
    act: (vault, world) => world.keyRing(vault).relabel('app', 'Mine'),
    look: contents,
  },
  {
    name: 'backup',
    prepare: worldWithApp,
    act: (vault, world) => {
      return world
        .backups(vault)
        .make({ passphrase: PASSPHRASE }, { passphrase: BACKUP_PASSPHRASE });
    },
    look: async (vault, world) => ({
      ...(await contents(vault, world)),
      times: await world.backups(vault).times(),
    }),
  },
  {
    name: 'restore',
    prepare: worldWithBackup,
    act: (vault, world) => world.backups(vault).restore(world.file, BACKUP_PASSPHRASE),
    look: async (vault, world) => ({
      ...(await contents(vault, world)),
      kept: (await vault.list('key-use')).flatMap(
        ({ value }) => (value as unknown as KeyUse).kept ?? [],
      ).length,
    }),
  },
  {
    name: 'replace',
    prepare: worldWithBackup,
    act: async (vault, world) => {
      const backups = world.backups(vault);
      const backup = await backups.openWithOwn(world.file, BACKUP_PASSPHRASE);
      await vault.commit((draft) => backups.replaceIn(draft, backup));
    },
    look: async (vault, world) => ({
      ...(await contents(vault, world)),
      records: (await Promise.all([KEY_ROOT, KEY_USE].map((type) => vault.list(type)))).flat(),
    }),
  },
  slotScenario('change of the passphrase', (keeper, by) => {
    return keeper.changePassphrase(by, NEW_PASSPHRASE);
  }),
  slotScenario('a recovery code', (keeper, by) => keeper.addRecoveryCode(by)),
  slotScenario(
    'confirmation of a recovery code',
    (keeper, _by, { paper }) => keeper.confirmRecoveryCode(paper),
    worldWithCode,
  ),
  slotScenario(
    'removal of a slot',
    async (keeper, by) => {
      const codeSlots = (await keeper.list()).filter(({ kind }) => kind === 'recovery-code');
      for (const { id } of codeSlots.slice(0, 1)) await keeper.remove(by, id);
    },
    worldWithCode,
  ),
];

/** A worker of a later time, after the browser was restarted: opens if there is anything. */
export async function reopened(
  before: TestBrowser,
): Promise<{ vault: Vault; world: TestBrowser; state: string }> {
  const world = before.clone();
  const vault = world.vault();
  const { state } = await vault.state();
  if (state === 'locked') await vault.unlock(await passphraseOf(world));
  return { vault, world, state };
}

export async function seen({ look }: Scenario, before: TestBrowser): Promise<string> {
  const { vault, world, state } = await reopened(before);
  if (state === 'absent' || state === 'lost') return state;
  return JSON.stringify(await look(vault, world));
}

/** What became of one action under one fault. */
export async function suffer(scenario: Scenario, origin: TestBrowser, faults: Faults) {
  const world = origin.clone({ keepSession: true });
  const witness = world.vault({ locks: new MemoryLocks() });
  if ((await witness.state()).state === 'unlocked') await scenario.look(witness, world);
  const vault = world.vault({
    primary: faults.store(world.primary, true),
    copy: faults.store(world.copy, false),
    session: faults.session(world.session),
  });
  const outcome = await Promise.race([
    scenario.act(vault, world).then(
      () => 'saved',
      (error: unknown) => error,
    ),
    faults.died.then(() => 'died'),
  ]);
  return { world, outcome, witness };
}
