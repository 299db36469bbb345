import { expect } from 'chai';
import type { SlotSecret } from '../../src/keys/opened-slots.ts';
import type { SlotKeeper } from '../../src/keys/slot-keeper.ts';
import type { Vault } from '../../src/keys/vault.ts';
import { Faults, FAULTS } from '../support/faults.ts';
import type { Fault } from '../support/faults.ts';
import { MemoryLocks } from '../support/memory-store.ts';
import { codeOf, filledWorld, notes, PASSPHRASE, START, World } from './world.ts';

/*
 * Every operation on a store may be the last one, or fail. For each of them, each kind of fault, and
 * each thing that a vault can be asked to do: a new worker over the same stores finds the old state
 * or the new one, whole, and everything that was reported as saved.
 */

interface Scenario {
  readonly name: string;
  /** The world before, and its vault's state as `look` sees it. */
  readonly prepare: () => Promise<World>;
  readonly act: (vault: Vault, world: World) => Promise<unknown>;
  /** Everything that counts, seen by a worker over the stores afterwards. */
  readonly look: (vault: Vault, world: World) => Promise<unknown>;
}

const ORIGIN = 'https://example.org';

const unlockedWorld = async () => (await filledWorld()).world;
const lockedWorld = async () => (await filledWorld()).world.clone();
const worldWithApp = async () => {
  const { world, vault } = await filledWorld();
  await world.keyRing(vault).sealingMaterial('app', ORIGIN);
  return world;
};

const NEW_PASSPHRASE = 'another battery horse staple';

/** The passphrase that opens these stores, whichever of the two it is by now. */
async function passphraseOf(world: World): Promise<string> {
  const unlocking = world.clone().vault().unlock(PASSPHRASE);
  return (await codeOf(unlocking)) === 'WRONG_PASSPHRASE' ? NEW_PASSPHRASE : PASSPHRASE;
}

async function waysIn(vault: Vault, world: World): Promise<unknown> {
  const slots = await world.slotKeeper(vault).list();
  const kinds = slots.map(({ kind, confirmed }) => `${kind} ${confirmed}`).sort();
  return { kinds, passphrase: await passphraseOf(world), notes: await notes(vault) };
}

const slotScenario = (
  name: string,
  act: (keeper: SlotKeeper, by: SlotSecret) => Promise<unknown>,
  prepare = unlockedWorld,
): Scenario => ({
  name,
  prepare,
  look: waysIn,
  act: async (vault, world) =>
    act(world.slotKeeper(vault), { passphrase: await passphraseOf(world) }),
});

/** A world with a recovery code that was shown and not yet confirmed, and one that was before. */
async function worldWithCode(): Promise<World> {
  const { world, vault } = await filledWorld();
  const keeper = world.slotKeeper(vault);
  await keeper.confirmRecoveryCode(await keeper.addRecoveryCode({ passphrase: PASSPHRASE }));
  codes.set(world.time, await keeper.addRecoveryCode({ passphrase: PASSPHRASE }));
  return world;
}

const codes = new Map<number, string>();

async function contents(vault: Vault, world: World): Promise<unknown> {
  const keys = world.keyRing(vault);
  const labels = (await keys.list()).map(({ label }) => label);
  const roots = await vault.list('key-root');
  const uses = await vault.list('key-use');
  return { notes: await notes(vault), labels, roots: roots.length, uses: uses.length };
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'create',
    prepare: () => Promise.resolve(new World()),
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
    act: (vault, world) => world.keyRing(vault).sealingMaterial('app', ORIGIN),
    look: contents,
  },
  {
    name: 'app key of a second origin',
    prepare: worldWithApp,
    act: (vault, world) => world.keyRing(vault).sealingMaterial('app', 'https://other.example'),
    look: contents,
  },
  {
    name: 'relabel',
    prepare: worldWithApp,
    act: (vault, world) => world.keyRing(vault).relabel('app', 'Mine'),
    look: contents,
  },
  slotScenario('change of the passphrase', (keeper, by) => {
    return keeper.changePassphrase(by, NEW_PASSPHRASE);
  }),
  slotScenario('a recovery code', (keeper, by) => keeper.addRecoveryCode(by)),
  slotScenario(
    'confirmation of a recovery code',
    (keeper) => keeper.confirmRecoveryCode(codes.get(START)!),
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
async function reopened(before: World): Promise<{ vault: Vault; world: World; state: string }> {
  const world = before.clone();
  const vault = world.vault();
  const { state } = await vault.state();
  if (state === 'locked') await vault.unlock(await passphraseOf(world));
  return { vault, world, state };
}

async function seen({ look }: Scenario, before: World): Promise<string> {
  const { vault, world, state } = await reopened(before);
  if (state === 'absent' || state === 'lost') return state;
  return JSON.stringify(await look(vault, world));
}

/** What `look` shows of a new vault to a worker that found it unlocked. */
function witnessed(now: string): string {
  return now === 'locked' ? JSON.stringify('unlocked') : now;
}

/** What became of one action under one fault. */
async function suffer(scenario: Scenario, origin: World, faults: Faults) {
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

describe('keys under faults', function () {
  this.timeout(120_000);
  let cases = 0;
  after(() => console.log(`      ${cases} faults injected`));

  for (const scenario of SCENARIOS) {
    for (const fault of FAULTS) {
      it(`${scenario.name}: ${fault} at every operation leaves the old or the new`, async () => {
        cases += await storm(scenario, fault);
      });
    }
  }

  /** Returns how many operations there are to go wrong. */
  async function storm(scenario: Scenario, fault: Fault): Promise<number> {
    const origin = await scenario.prepare();
    const old = await seen(scenario, origin);
    const calm = await suffer(scenario, origin, new Faults());
    const fresh = await seen(scenario, calm.world);
    expect(calm.outcome).to.equal('saved');
    for (let at = 1; ; at++) {
      const faults = new Faults(fault, at);
      const { world, outcome, witness } = await suffer(scenario, origin, faults);
      if (!faults.happened) return at - 1;
      const title = `operation ${at}, ${String(outcome)}`;
      const now = await seen(scenario, world);
      if (outcome === 'saved') expect(now, title).to.equal(fresh);
      else expect([old, fresh], title).to.include(now);
      if (fault === 'quota' && outcome !== 'saved') {
        expect((outcome as { code?: string }).code, title).to.equal('QUOTA');
        expect(now, title).to.equal(old);
      }
      // A worker that was up all the time, its memory full of the old state, sees the same.
      if ((await witness.state()).state === 'unlocked') {
        expect(JSON.stringify(await scenario.look(witness, world)), title).to.equal(witnessed(now));
      }
      await worksOn(scenario, world, now === 'absent', title);
    }
  }

  /** The same action, tried again by another worker of the same browser, succeeds. */
  async function worksOn(
    { name, act, look }: Scenario,
    world: World,
    absent: boolean,
    title: string,
  ) {
    const before = world.clone({ keepSession: true });
    const vault = before.vault();
    const { state } = await vault.state();
    if (state === 'locked') await vault.unlock(await passphraseOf(before));
    if (name !== 'create' || absent) await act(vault, before);
    await look(vault, before);
    await vault.commit((draft) => draft.put({ id: 'last', type: 'other', value: title }));
    const { vault: later } = await reopened(before);
    expect((await later.read('last'))?.value, title).to.equal(title);
    expect(
      later.repairs.filter((repair) => !repair.mended),
      title,
    ).to.deep.equal([]);
    expect(await codeOf(later.create(PASSPHRASE)), title).to.equal('EXISTS');
  }
});
