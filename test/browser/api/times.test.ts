import { expect } from 'chai';
import { leakage } from '../../../bench/leak/statistics.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { connect, createVault, enableSite, openEnabledSite, succeed } from '../steps.ts';

/*
 * What a page learns from times, by the best clock that it gets (an isolated page's). What is compared
 * takes turns, so that what disturbs the machine disturbs all alike.
 */

/** Of dudect: a larger t is no chance in one comparison; a control is to exceed the second. */
const CHANCE_T = 4.5;
const CERTAIN_T = 10;
const ROUNDS = 5_000;
/** So much is compared that one measurement may exceed a threshold by chance: then all is measured again. */
const TRIES = 3;

const HEADER_BYTES = 24;
const SALT_BYTES = 24;
const COMMITMENT_BYTES = 32;
const TAG_BYTES = 16;

/** So that a refusal after the text takes longer than one before it. */
const LONG_BYTES = 12_000;

/** A message to be opened, and how. */
interface Kind {
  readonly sealed: readonly number[];
  readonly context: string;
}

/** In the page: the times of refusals in ms, for each kind. */
async function timeRefusals(kinds: readonly Kind[], rounds: number): Promise<number[][]> {
  const { sealwright } = globalThis as unknown as {
    sealwright: { open(sealed: Uint8Array, options: object): Promise<unknown> };
  };
  const messages = kinds.map(({ sealed }) => Uint8Array.from(sealed));
  const options = kinds.map(({ context }) => ({ context }));
  const times: number[][] = kinds.map(() => []);
  for (let round = -100; round < rounds; round++) {
    const order = kinds.map((_, i) => i).sort(() => Math.random() - 0.5);
    for (const kind of order) {
      const began = performance.now();
      const code = await sealwright.open(messages[kind]!, options[kind]!).then(
        () => 'opened',
        (error: unknown) => (error as { code: string }).code,
      );
      const ms = performance.now() - began;
      if (code !== 'AUTH_FAILED') throw new Error(`kind ${kind}: ${code}`);
      if (round >= 0) times[kind]!.push(ms);
    }
  }
  return times;
}

/** The largest |t| of two classes. */
function tOf(one: readonly number[], other: readonly number[]): number {
  const classes = Uint8Array.from([...one.map(() => 0), ...other.map(() => 1)]);
  return Math.abs(leakage(Float64Array.from([...one, ...other]), classes).t);
}

const changed = (sealed: readonly number[], at: number): number[] =>
  sealed.with(at, sealed.at(at)! ^ 1);

/** One load of a page: what it can time. */
type Load = readonly number[];

/** In the page: loads frames of its own origin, one after the other, and times what it can of each. */
async function timeLoads(count: number, file: string): Promise<Load[]> {
  const loads: Load[] = [];
  for (let i = 0; i < count; i++) {
    const frame = document.createElement('iframe');
    frame.src = `blank.html?isolated&${Math.random()}`;
    const began = performance.now();
    await new Promise((resolve) => {
      frame.onload = resolve;
      document.body.append(frame);
    });
    const loaded = performance.now() - began;
    const inner = frame.contentWindow as Window & typeof globalThis;
    const [entry] = inner.performance.getEntriesByType(
      'navigation',
    ) as PerformanceNavigationTiming[];
    const since = (work: () => void): number => {
      const from = performance.now();
      for (let times = 0; times < 20; times++) work();
      return performance.now() - from;
    };
    const events = since(() => inner.dispatchEvent(new inner.Event('sealwright:request')));
    const posted = performance.now();
    await new Promise((resolve) => {
      inner.addEventListener('message', resolve, { once: true });
      inner.postMessage({ sealwright: 'page-hello' }, '*');
    });
    const answered = performance.now() - posted;
    const asked = performance.now();
    await inner.fetch(file).catch(() => undefined);
    loads.push([
      loaded,
      entry!.domContentLoadedEventEnd - entry!.responseEnd,
      entry!.loadEventEnd - entry!.domInteractive,
      events,
      answered,
      performance.now() - asked,
    ]);
    frame.remove();
  }
  return loads;
}

/** Loads of one page, while the extension was switched on or off. */
interface Block {
  readonly isOn: boolean;
  readonly loads: readonly Load[];
}

interface Rule {
  readonly feature: number;
  readonly threshold: number;
  readonly isOnAbove: boolean;
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1]!;

function share(blocks: readonly Block[], { feature, threshold, isOnAbove }: Rule): number {
  const right = blocks.flatMap(({ isOn, loads }) =>
    loads.map((load) => load[feature]! > threshold === (isOnAbove === isOn)),
  );
  return right.filter(Boolean).length / right.length;
}

/** The best guess by one threshold that the blocks teach. */
function learned(blocks: readonly Block[]): Rule {
  const features = blocks[0]!.loads[0]!.map((_, feature) => feature);
  const rules = features.map((feature) => {
    const [on, off] = [true, false].map((wanted) =>
      middle(
        blocks
          .filter(({ isOn }) => isOn === wanted)
          .flatMap(({ loads }) => loads.map((load) => load[feature]!)),
      ),
    );
    return { feature, threshold: (on! + off!) / 2, isOnAbove: on! > off! };
  });
  return rules.reduce((best, rule) => (share(blocks, rule) > share(blocks, best) ? rule : best));
}

/** How often a guess is right that was learned from one half of the blocks and tried on the other. */
function accuracy(blocks: readonly Block[]): number {
  const [one, two] = [0, 1].map((half) => blocks.filter((_, i) => (i >> 1) % 2 === half));
  return (share(two!, learned(one!)) + share(one!, learned(two!))) / 2;
}

/** The share of drawn labels under which the guess is right at least as often: its p-value. */
function chanceOf(blocks: readonly Block[], found: number, draws = 500): number {
  let asOften = 0;
  for (let draw = 0; draw < draws; draw++) {
    const flips = blocks.map((_, i) => (i % 2 === 0 ? Math.random() < 0.5 : undefined));
    const others = blocks.map(({ isOn, loads }, i) => ({
      isOn: isOn !== (flips[i] ?? flips[i - 1]!),
      loads,
    }));
    if (accuracy(others) >= found) asOften++;
  }
  return asOften / draws;
}

/** A file of the extension, for a page that knows its address. In Firefox none does: it is drawn for each user. */
const fileOf = (session: BrowserSession): string =>
  session.name === 'chromium'
    ? session.extensionUrl('manifest.json')
    : `moz-extension://${crypto.randomUUID()}/manifest.json`;

const PAIRS = 12;
const LOADS = 40;
/** The share of loads in which a page may guess right; 0.5 is no knowledge. */
const MOST_ACCURACY = 0.55;
/** More than that counts if drawn labels are so seldom guessed as well. */
const LEAST_CHANCE = 0.01;
/** The share in which the same method is to be right where there is a difference: on an enabled site. */
const LEAST_CONTROL = 0.75;

for (const browser of BROWSERS) {
  describe(`the times of refusals, in ${browser}`, function () {
    this.timeout(600_000);
    let scene: Scene;
    let site: Tab;
    let groups: readonly Kind[][];

    const sealedBy = async (data: readonly number[], options: object): Promise<number[]> => {
      const message = await succeed(site, 'seal', { $bytes: data }, options);
      return (message as { $bytes: number[] }).$bytes;
    };

    before(async () => {
      scene = await openVaultScene(browser);
      site = await openEnabledSite(scene.session, `${scene.server.origin}/blank.html?isolated`);
      await connect(scene.session, site);
      const context = 'right';
      const sealed = await sealedBy([1, 2, 3], { context });
      const [{ id }] = (await succeed(site, 'keys')) as [{ id: string }];
      await succeed(site, 'rotateKey', id);
      const other = await sealedBy([1, 2, 3], { context });
      const commitment = HEADER_BYTES + SALT_BYTES;
      const kinds = (...list: number[][]): Kind[] => list.map((one) => ({ sealed: one, context }));
      const long = await sealedBy(new Array<number>(LONG_BYTES).fill(7), { context });
      groups = [
        [
          ...kinds(
            [...other.slice(0, HEADER_BYTES), ...sealed.slice(HEADER_BYTES)], // under another key
            changed(sealed, HEADER_BYTES),
            changed(sealed, commitment),
            changed(sealed, commitment + COMMITMENT_BYTES - 1),
          ),
          { sealed, context: 'wrong' },
        ],
        kinds(changed(sealed, -1 - TAG_BYTES), changed(sealed, -TAG_BYTES), changed(sealed, -1)),
        // What the text adds where it is long: the method sees a difference.
        kinds(changed(long, commitment)),
        kinds(changed(long, -1)),
      ];
    });
    after(() => closeScene(scene));

    /** The largest |t| between two refusals of one group; and that of the control. */
    async function measured(): Promise<{ readonly worst: number; readonly control: number }> {
      const kinds = groups.flat();
      const times = await site.evaluate(timeRefusals, kinds, ROUNDS);
      const of = (kind: Kind) => times[kinds.indexOf(kind)]!;
      const pairs = groups.flatMap((group) =>
        group.flatMap((one, i) => group.slice(i + 1).map((other) => tOf(of(one), of(other)))),
      );
      const [without, withText] = groups.slice(-2).map(([kind]) => of(kind!));
      return { worst: Math.max(...pairs), control: tOf(without!, withText!) };
    }

    it('do not tell a wrong key, a wrong context and a changed byte apart', async () => {
      for (let left = TRIES; ; left--) {
        const { worst, control } = await measured();
        console.log(`      |t| up to ${worst.toFixed(1)}; of the control ${control.toFixed(1)}`);
        expect(control, 'of a difference that is there').to.be.above(CERTAIN_T);
        if (worst <= CHANCE_T) break;
        expect(left, `measurements whose |t| is above ${CHANCE_T}`).to.be.above(1);
      }
    });
  });

  describe(`the times of a site that is not enabled, in ${browser}`, function () {
    this.timeout(600_000);
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      [session, server] = await Promise.all([
        launch(browser, { allowedHosts: ['http://127.0.0.1/*'] }),
        serve('test/browser/fixtures'),
      ]);
      await createVault(session);
    });
    after(() => closeScene({ session, server }));

    async function blocksOf(origin: string, pairs: number): Promise<Block[]> {
      const blocks: Block[] = [];
      for (let pair = 0; pair < pairs; pair++) {
        const isFirstOn = Math.random() < 0.5;
        for (const isOn of [isFirstOn, !isFirstOn]) {
          await session.switchExtension(isOn);
          const page = await session.newTab(`${origin}/blank.html?isolated`);
          await page.evaluate(timeLoads, 10, `${origin}/absent`); // until caches are warm
          const file = fileOf(session);
          blocks.push({ isOn, loads: await page.evaluate(timeLoads, LOADS, file) });
          await page.close();
        }
      }
      return blocks;
    }

    it('do not tell whether the extension is there, where its user has enabled another site', async () => {
      const site = await session.newTab(`${server.otherOrigin}/blank.html`);
      await enableSite(session, site);
      await site.close();
      const control = accuracy(await blocksOf(server.otherOrigin, 4));
      expect(control, 'of a difference that is there').to.be.above(LEAST_CONTROL);
      for (let left = TRIES; ; left--) {
        const blocks = await blocksOf(server.origin, PAIRS);
        const found = accuracy(blocks);
        const chance = chanceOf(blocks, found);
        const told = [found, control].map((share) => `${(100 * share).toFixed(1)} %`);
        console.log(`      right in ${told[0]}, p ${chance}; where its scripts run, in ${told[1]}`);
        if (found <= MOST_ACCURACY || chance >= LEAST_CHANCE) break;
        expect(left, `measurements that are right in more than ${MOST_ACCURACY}`).to.be.above(1);
      }
    });
  });
}
