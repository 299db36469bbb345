/*
 * `npm run sequences -- [kind…] [--count N] [--within minutes] [--jobs n]`: random sequences by the ten thousand, which
 * the units have by the hundred: `lives` of a vault, `outages` of its stores, `foreign-files`, odd `archives` before `verify`,
 * `histories` of devices, `merges` of their states, `exchanges` over hostile media, `planted` messages of pairing and epochs,
 * and `group-epochs` that are planted among those of a group. Without a kind, all of
 * them, `--jobs` at a time.
 *
 * Each kind runs in steps of about a minute, each with a seed of its own, and each step that has passed is added to
 * bench/results/sequences.json. What ends early keeps what it has done, and the next run adds to it. A step that has
 * failed stays in the file, with its seed, until it is removed by hand.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.mjs';
import { giveUp } from './run.mjs';

const RESULT = 'bench/results/sequences.json';

/** By kind: the test, its variable for how many and, where it has one, for the seed; those of a night, those of a step. */
export const KINDS = {
  lives: {
    file: 'test/keys/vault/life.test.ts',
    count: 'SEALWRIGHT_LIVES',
    seed: 'SEALWRIGHT_LIVES_SEED',
    night: 100_000,
    step: 2_000,
  },
  outages: {
    file: 'test/keys/storage/two-lines.test.ts',
    count: 'SEALWRIGHT_OUTAGES',
    seed: 'SEALWRIGHT_OUTAGES_SEED',
    night: 100_000,
    step: 1_000,
  },
  'foreign-files': {
    file: 'test/keys/backup/foreign-files.test.ts',
    count: 'SEALWRIGHT_FOREIGN_FILES',
    night: 100_000,
    step: 2_500,
  },
  archives: {
    file: 'test/cli/verify/archive.test.ts',
    count: 'SEALWRIGHT_ARCHIVES',
    seed: 'SEALWRIGHT_FUZZ_SEED',
    night: 100_000,
    step: 10_000,
  },
  histories: {
    file: 'test/keys/devices/histories.test.ts',
    count: 'SEALWRIGHT_HISTORIES',
    night: 20_000,
    step: 2_000,
  },
  merges: {
    file: 'test/keys/devices/merge.test.ts',
    count: 'SEALWRIGHT_MERGES',
    night: 1_000_000,
    step: 50_000,
  },
  epochs: {
    file: 'test/keys/circle/chain.test.ts',
    count: 'SEALWRIGHT_EPOCHS',
    night: 2_000,
    step: 400,
  },
  'group-epochs': {
    file: 'test/format/groups/planted.test.ts',
    count: 'SEALWRIGHT_PLANTED',
    seed: 'SEALWRIGHT_PLANTED_SEED',
    night: 100_000,
    step: 1_000,
  },
  media: {
    file: 'test/keys/media/histories.test.ts',
    count: 'SEALWRIGHT_MEDIA',
    night: 2_000,
    step: 200,
  },
  exchanges: {
    file: 'test/service/vault/hostile-exchanges.test.ts',
    count: 'SEALWRIGHT_EXCHANGES',
    night: 200,
    step: 20,
  },
  planted: {
    file: 'test/keys/pairing/planted.test.ts',
    count: 'SEALWRIGHT_PLANTED',
    night: 100_000,
    step: 10_000,
  },
};

/**
 * @param tally what the file holds
 * @param step `{ kind, count, seconds, seed, passed }`
 * @returns the tally with one step more: its sequences where it has passed, else its seed among the failures
 */
export function withStep(tally, { kind, count, seconds, seed, passed }, about) {
  const before = tally.kinds?.[kind] ?? { sequences: 0, seconds: 0, failures: [] };
  const kinds = {
    ...tally.kinds,
    [kind]: {
      sequences: before.sequences + (passed ? count : 0),
      seconds: before.seconds + seconds,
      failures: passed ? before.failures : [...before.failures, { date: about.date, seed, count }],
      last: about.date,
    },
  };
  const sorted = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...about, kinds: Object.fromEntries(sorted) };
}

function ranStep(name, count) {
  const { file, count: countName, seed: seedName } = KINDS[name];
  // fast-check draws and prints its own where the test has no variable for it.
  const seed = seedName === undefined ? undefined : randomInt(2 ** 31);
  const env = { ...process.env, [countName]: String(count) };
  if (seed !== undefined) env[seedName] = String(seed);
  const began = performance.now();
  const child = spawn(process.execPath, ['node_modules/.bin/mocha', file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== 0) console.log(Buffer.concat(output).toString());
      const seconds = Math.round((performance.now() - began) / 1000);
      resolve({ kind: name, count, seconds, seed, passed: code === 0 });
    });
  });
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string' },
      within: { type: 'string', default: 'Infinity' },
      jobs: { type: 'string', default: '1' },
    },
  });
  const unknown = positionals.find((name) => KINDS[name] === undefined);
  if (unknown !== undefined) {
    giveUp(`There is no kind "${unknown}". Kinds: ${Object.keys(KINDS).join(', ')}`);
  }
  const names = positionals.length > 0 ? positionals : Object.keys(KINDS);
  const end = Date.now() + 60_000 * Number(values.within);
  let failed = 0;
  const oneAfterTheOther = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const wanted = Number(values.count ?? KINDS[name].night);
      for (let done = 0; done < wanted && Date.now() < end;) {
        const step = await ranStep(name, Math.min(KINDS[name].step, wanted - done));
        done += step.count;
        if (!step.passed) failed++;
        note(step);
        const all = `${done.toLocaleString('en')} of ${wanted.toLocaleString('en')}`;
        console.log(`${name}: ${all}, ${step.seconds} s${step.passed ? '' : ', FAILED'}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, oneAfterTheOther));
  process.exitCode = failed > 0 ? 1 : 0;
}

function note(step) {
  const tally = existsSync(RESULT) ? JSON.parse(readFileSync(RESULT, 'utf8')) : {};
  const date = new Date().toISOString().slice(0, 10);
  const about = { date, machine: describeMachine(), node: process.version };
  writeFileSync(RESULT, `${JSON.stringify(withStep(tally, step, about), null, 2)}\n`);
}

if (import.meta.filename === process.argv[1]) await main();
