import { expect } from 'chai';
import { build } from 'esbuild';
import { shares } from '../../scripts/fuzz-shares.mjs';
import { instrumentation } from '../../scripts/instrument.mjs';
import { Mutator } from './mutator.ts';
import { Search } from './search.ts';
import type { SearchDeps } from './search.ts';
import { accepted } from './target.ts';
import type { FuzzTarget } from './target.ts';
import { tryInput } from './trial.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

const FILE = 'test/fuzz/planted.ts';
const STEPS = 60_000;

type Planted = (data: Uint8Array) => number;

/** The planted parser with counters, in this process. */
async function instrumentedParser() {
  const { plugin, branches, words } = instrumentation([FILE]);
  const { outputFiles } = await build({
    entryPoints: [FILE],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [plugin],
  });
  const counts = new Uint32Array(branches.length);
  Object.assign(globalThis, { __branches: counts });
  const { text } = outputFiles[0]!;
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    planted: Planted;
  };
  return { planted: module.planted, branches, words, counts };
}

describe('the search of the fuzzer', function () {
  this.timeout(5 * 60_000);

  let parser: Awaited<ReturnType<typeof instrumentedParser>>;
  before(async () => (parser = await instrumentedParser()));

  const targetOf = (planted: Planted): FuzzTarget => ({
    name: 'planted',
    files: [FILE],
    seeds: () => [new Uint8Array(4)],
    fuzz: (data) => void accepted(() => planted(data), RangeError),
  });

  async function searched(numbers: readonly number[]): Promise<string[]> {
    const found: string[] = [];
    const deps: SearchDeps = {
      branches: { counts: parser.counts, numbers },
      seed: '1',
      words: [],
      onInput: () => undefined,
      onFinding: (_, error) => found.push((error as Error).name),
    };
    const search = new Search(targetOf(parser.planted), deps);
    await search.try(new Uint8Array(4));
    for (let i = 0; i < STEPS && found.length === 0; i++) await search.step();
    return found;
  }

  it('finds a defect behind a magic word, byte by byte', async () => {
    expect(await searched(parser.branches.map((_, i) => i))).to.deep.equal(['TypeError']);
  });

  it('does not find it by the counter of the function alone: the others guide it', async () => {
    const entry = parser.branches.findIndex(({ line }) => line === 4);
    expect(await searched([entry])).to.deep.equal([]);
  });

  it('seldom changes inputs that take long, and yet changes them', async () => {
    const counts = new Uint32Array(1);
    const LENGTH = 256;
    let ran: number[] = [];
    const uneven: FuzzTarget = {
      ...targetOf(() => 0),
      maxBytes: LENGTH,
      // The first byte says how often the branch is taken: once to 2^15 times. From 2^12 on, one is kept.
      fuzz: ([first = 0]) => void ran.push((counts[0] = 2 ** (first >> 4))),
    };
    const search = new Search(uneven, {
      branches: { counts, numbers: [0] },
      seed: '1',
      words: [],
      onInput: () => undefined,
      onFinding: () => undefined,
    });
    for (let first = 0xf0; first >= 0; first -= 0x10) {
      await search.try(new Uint8Array(LENGTH).fill(first));
    }
    expect(search.size).to.equal(13);
    const ofKept = (2 ** 15 + 2 ** 12 - 1) / search.size;
    ran = [];
    for (let i = 0; i < STEPS; i++) await search.step();
    expect(ran.reduce((sum, times) => sum + times, 0) / STEPS).to.be.below(ofKept / 3);
    expect(ran).to.include(2 ** 15);
  });

  it('has a counter at every function and on both sides of every condition', () => {
    const lines = parser.branches.filter(({ file }) => file === FILE).map(({ line }) => line);
    // 2 functions, 4 `if` with 2 sides each, 1 loop, 2 sides of ?:, 1 of &&, 2 of ??.
    expect(lines).to.have.length(16);
  });

  it('reports an input that needs more memory than its bound', async () => {
    // Of other tests, whose collection in between would be taken off what the input needs. The second time ends what the
    // first has left to other threads; the input needs more than what may be left after both.
    collectGarbage();
    collectGarbage();
    const kept: Uint8Array[] = [];
    const greedy = {
      ...targetOf(() => 0),
      maxMiB: 1,
      fuzz: () => void kept.push(new Uint8Array(2 ** 28)),
    };
    const error = await tryInput(greedy, new Uint8Array(1), false).catch(
      (reason: unknown) => reason,
    );
    expect((error as Error).message).to.equal('needs more memory than 1 MiB');
  });

  it('makes the same changes from the same seed', () => {
    const changes = (seed: string) => {
      const mutator = new Mutator(seed, 64, [new Uint8Array(3)]);
      const input = Uint8Array.of(1, 2, 3, 0x31, 0x32);
      return Array.from({ length: 50 }, () =>
        Buffer.from(mutator.mutated(input, input)).toString('hex'),
      );
    };
    expect(changes('a')).to.deep.equal(changes('a'));
    expect(changes('a')).not.to.deep.equal(changes('b'));
  });
});

describe('the time of each target', () => {
  const HOUR = 3600;
  const RATES = { slow: 200, medium: 500, fast: 20_000 };
  const tallied = (rate: number) => ({
    // Earlier runs were slower; the last one counts.
    executions: 10,
    seconds: 1000,
    last: { executions: 100 * rate, seconds: 100 },
  });
  const tally = Object.fromEntries(
    Object.entries(RATES).map(([name, rate]) => [name, tallied(rate)]),
  );
  const names = ['fast', 'slow', 'medium'];
  const how = { executions: 1_000_000, seconds: 60, withinSeconds: 2 * HOUR, jobs: 2 };
  const seconds = (list: readonly { mostSeconds: number }[]) =>
    list.reduce((sum, { mostSeconds }) => sum + mostSeconds, 0);

  it('lets each have its inputs by its last rate, the slowest first', () => {
    const list = shares(names, tally, how);
    expect(list.map(({ name }) => name)).to.deep.equal(['slow', 'medium', 'fast']);
    for (const { name, mostSeconds } of list) {
      const rate = RATES[name as keyof typeof RATES];
      expect(rate * mostSeconds, name).to.be.at.least(how.executions);
      expect(mostSeconds, name).to.be.at.least(how.seconds);
    }
    expect(seconds(list)).to.be.at.most(how.jobs * how.withinSeconds);
  });

  it('cuts all in proportion where there is not enough', () => {
    const list = shares(names, tally, { ...how, jobs: 1, withinSeconds: HOUR });
    expect(seconds(list)).to.be.within(0.9 * HOUR, HOUR);
    expect(list[0]!.mostSeconds / list[1]!.mostSeconds).to.be.closeTo(500 / 200, 1e-9);
  });

  it('goes by all runs where the time of the last is not known, and takes a new target for slow', () => {
    const before = { executions: 100_000, seconds: 100, last: { executions: 900_000 } };
    const list = shares(['new', 'before'], { before }, { ...how, jobs: 1 });
    expect(list.map(({ name }) => name)).to.deep.equal(['new', 'before']);
    expect(list[0]!.mostSeconds / list[1]!.mostSeconds).to.be.closeTo(2, 1e-9);
  });

  it('has no bound without a time for all', () => {
    const [one] = shares(['slow'], tally, { ...how, withinSeconds: Infinity });
    expect(one!.mostSeconds).to.equal(Infinity);
  });
});
