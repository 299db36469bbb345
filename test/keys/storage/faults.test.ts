import { expect } from 'chai';
import { Faults, FAULTS } from '../../support/stores/faults.ts';
import type { Fault } from '../../support/stores/faults.ts';
import { passphraseOf, reopened, SCENARIOS, seen, suffer } from '../scenarios.ts';
import type { Scenario } from '../scenarios.ts';
import { staged } from '../stress.ts';
import type { Stage } from '../stress.ts';
import { PASSPHRASE } from '../world.ts';
import type { TestBrowser } from '../world.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { codeOf } from '../../support/outcomes.ts';

/*
 * Every operation on a store may be the last one, or fail. For each of them, each kind of fault, and
 * each thing that a vault can be asked to do: a new worker over the same stores finds the old state
 * or the new one, whole, and everything that was reported as saved. `npm test` takes every hundredth
 * operation and `npm run test:all` every tenth, beginning at another one each time; `npm run nightly`
 * takes all.
 */
const STEP = IS_NIGHTLY ? 1 : inDepth(10, 100);
const WHERE = STEP === 1 ? 'every operation' : `every ${STEP}th operation`;
const TURN = Date.now() % STEP;

/** What `look` shows of a new vault to a worker that found it unlocked. */
function witnessed(now: string): string {
  return now === 'locked' ? JSON.stringify('unlocked') : now;
}

describe('keys under faults', function () {
  this.timeout(120_000);
  let cases = 0;
  after(() => console.log(`      ${cases} faults injected`));

  for (const [i, scenario] of SCENARIOS.entries()) {
    let stage: Promise<Stage> | undefined;
    for (const [j, fault] of FAULTS.entries()) {
      it(`${scenario.name}: ${fault} at ${WHERE} leaves the old or the new`, async () => {
        cases += await injectFaults(await (stage ??= staged(scenario)), fault, i + j + TURN);
      });
    }
  }

  /** Returns how many operations went wrong: at least one. */
  async function injectFaults(stage: Stage, fault: Fault, turn: number) {
    const { scenario, origin, old, fresh, operations } = stage;
    const first = 1 + (turn % Math.min(STEP, operations));
    for (let at = first; ; at += STEP) {
      const faults = new Faults(fault, at);
      const { world, outcome, witness } = await suffer(scenario, origin, faults);
      if (!faults.happened) return (at - first) / STEP;
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
    world: TestBrowser,
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
