/*
 * Runs the parts of `npm test` and `npm run nightly`, several at a time, and closes with a table of time per
 * part and one line that counts: N passed, N failed, N skipped.
 */
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { malformed, unlisted } from './retries.mjs';
import { run, runWithin } from './run.mjs';

/**
 * How many parts run at a time on two cores. A part with a browser needs half of a core, because it waits
 * for the browser: two of them run beside one part that computes.
 */
const AT_A_TIME = {
  computing: { beside: 1, alone: 2 },
  browser: { beside: 2, alone: 3 },
};
const SLOWEST = 12;
/** How many skipped tests are named. */
const NAMED = 12;
const KNOWN_FLAKY = 'test/browser/known-flaky.json';
const CLOCK_TICKS_PER_SECOND = 100;

/** What all cores have computed since the machine began, in seconds. */
const busySeconds = () =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) /
  1000;
const BEGUN = { at: Date.now(), busy: busySeconds() };

const SECOND_MS = 1_000;
/** What a busy machine does not reach. */
const STEP_MS = 30_000;
const moment = () => ({ wall: Date.now(), steady: performance.now() });

/**
 * What happened to the clock between two moments that follow by SECOND_MS: a vault locks where the clock is set, and
 * deadlines of tests pass where a machine stood still.
 *
 * @returns a sentence, or undefined
 */
export function clockStep(before, now) {
  const set = now.wall - before.wall - (now.steady - before.steady);
  const paused = now.steady - before.steady - SECOND_MS;
  const seconds = (ms) => `${Math.round(ms / SECOND_MS)} s`;
  if (Math.abs(set) >= STEP_MS) return `the clock of this machine was set by ${seconds(set)}`;
  if (paused >= STEP_MS) return `this machine stood still for ${seconds(paused)}`;
  return undefined;
}

/** What `clockStep` said in this run, with the time: the closing lines repeat it. */
const CLOCK_STEPS = [];

/** @returns the timer */
function watchClock() {
  let last = moment();
  return setInterval(() => {
    const now = moment();
    const step = clockStep(last, now);
    if (step !== undefined) CLOCK_STEPS.push(`${new Date(now.wall).toISOString()}: ${step}`);
    last = now;
  }, SECOND_MS);
}

/** A program that npm installed into this project. */
export const tool = (title, name, args, more = {}) => ({
  title,
  command: [process.execPath, `node_modules/.bin/${name}`, ...args],
  ...more,
});

/** A script of this folder. */
export const script = (title, path, args = [], more = {}) => ({
  title,
  command: [process.execPath, path, ...args],
  ...more,
});

/**
 * A part is `{ title, command, env?, needs?, minutes?, hasBrowser? }`; `needs` is the title of a part that
 * must have passed before, `minutes` its budget: a part that takes longer is ended. A part that fails does
 * not keep others from running, and its output is shown when it ends, in one piece.
 *
 * @param slots how many at a time, whatever they are; default: AT_A_TIME
 * @param isVerbose whether the output of parts that passed is shown, too
 * @returns by title `{ state, seconds, cpu, error?, lines? }`
 */
export async function runParts(parts, { slots, isVerbose = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-test-'));
  const ended = new Map();
  const waiting = [...parts];
  let lastChildTime = childTime();
  let number = 0;
  const clock = watchClock();

  const next = (running) => {
    if (running.length === slots) return undefined;
    const ready = waiting.filter(({ needs }) => needs === undefined || ended.has(needs));
    const hasRoom = ({ hasBrowser = false }) => {
      const isLike = (part) => (part.hasBrowser ?? false) === hasBrowser;
      const { beside, alone } = AT_A_TIME[hasBrowser ? 'browser' : 'computing'];
      const most = [...running, ...ready].every(isLike) ? alone : beside;
      return slots !== undefined || running.filter(isLike).length < most;
    };
    const part = ready.find(hasRoom);
    if (part !== undefined) waiting.splice(waiting.indexOf(part), 1);
    return part;
  };

  const runOne = async (part) => {
    const { title, command, env = {}, needs, minutes } = part;
    if (needs !== undefined && ended.get(needs).error !== undefined) {
      const error = `not run: ${needs} failed`;
      ended.set(title, { state: 'not run', seconds: 0, cpu: 0, error });
      return;
    }
    const base = join(folder, String(++number));
    writeFileSync(`${base}.counts`, '');
    const output = openSync(`${base}.log`, 'w');
    console.log(`-- ${title} begins`);
    const begun = Date.now();
    const [program, ...args] = command;
    const options = {
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env, SEALWRIGHT_COUNTS: `${base}.counts` },
    };
    const running =
      minutes === undefined
        ? run(program, args, options)
        : runWithin(minutes, program, args, options);
    const failure = await running.then(
      () => undefined,
      (error) => error,
    );
    const error = failure?.message;
    const state = failure?.isOverBudget ? 'over budget' : failure ? 'failed' : 'passed';
    // The kernel adds a child's time when it has ended: what was added since is that of this part.
    const cpu = childTime() - lastChildTime;
    lastChildTime += cpu;
    closeSync(output);
    const seconds = (Date.now() - begun) / 1000;
    const lines = countLines(`${base}.counts`);
    const counts = lines.length === 0 ? '' : `, ${inWords(totals(lines))}`;
    console.log(`== ${title}: ${state} in ${seconds.toFixed(0)} s${counts}`);
    if (isVerbose || state !== 'passed') console.log(readFileSync(`${base}.log`, 'utf8'));
    ended.set(title, { state, seconds, cpu, error, lines });
  };

  const running = new Map();
  for (;;) {
    const part = next([...running.keys()]);
    if (part !== undefined) {
      running.set(
        part,
        runOne(part).finally(() => running.delete(part)),
      );
    } else if (running.size > 0) await Promise.race(running.values());
    else break;
  }
  clearInterval(clock);
  rmSync(folder, { recursive: true });
  return ended;
}

/** What several runs of mocha counted. */
function totals(lines) {
  const total = (name) => lines.reduce((sum, line) => sum + line[name], 0);
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
}

const inWords = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

function countLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Processor seconds of all children that have ended, where the system tells (Linux). */
function childTime() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/**
 * Prints what the run came to, at its end, and leaves the process with its exit code.
 *
 * @param countsTo a file for the counts, which are then not the last line: another run adds them to its own
 * @param countsOf such a file of an earlier run; that run failed where it left none
 */
export function close(ended, { countsTo, countsOf } = {}) {
  const list = JSON.parse(readFileSync(KNOWN_FLAKY, 'utf8'));
  const all = [...ended.values()].flatMap(({ lines = [] }) => lines);
  const repeated = all.flatMap((line) => line.repeated);
  const failures = all.flatMap((line) => line.failures);
  const again = unlisted(
    repeated.map(({ test }) => test),
    failures.map(({ test }) => test),
    list,
  );
  const ofList = malformed(list);
  // A part that failed without a failing test: types, lint, a process that died.
  const parts = [...ended].filter(
    ([, { error, lines = [] }]) => error !== undefined && lines.every(({ failed }) => failed === 0),
  );

  const skipped = all.flatMap((line) => line.pending ?? []);

  console.log(`\n${timeTable(ended, all)}\n`);
  for (const test of skipped.slice(0, NAMED)) console.log(`SKIPPED ${test}`);
  if (skipped.length > NAMED) console.log(`SKIPPED ${skipped.length - NAMED} more`);
  for (const step of CLOCK_STEPS) console.log(`\nCLOCK ${step}`);
  for (const { test, why } of repeated) console.log(`\nAGAIN ${test}: ${why}`);
  for (const { test, why } of failures) console.log(`\nFAILED ${test}: ${why}`);
  for (const test of again) {
    console.log(`\nFAILED ${test}: passed in its second try only, and is not in ${KNOWN_FLAKY}`);
  }
  for (const problem of ofList) console.log(`\nFAILED ${problem}`);
  for (const [title, { error }] of parts) console.log(`\nFAILED ${title}: ${error}`);
  const counted = totals(all);
  const counts = {
    ...counted,
    passed: counted.passed - again.length,
    failed: counted.failed + again.length + ofList.length + parts.length,
  };
  if (countsTo === undefined) console.log(`\n${inWords(sumOf(counts, countsOf))}`);
  else {
    writeFileSync(countsTo, JSON.stringify(counts));
    const { passed, failed, skipped: left } = counts;
    console.log(`\nThis run: passed ${passed}, failed ${failed}, skipped ${left}`);
  }
  process.exit(counts.failed === 0 ? 0 : 1);
}

function sumOf(counts, countsOf) {
  if (countsOf === undefined) return counts;
  const ended = existsSync(countsOf);
  if (!ended) console.log('\nFAILED the run before this one: it ended without counts');
  return totals([
    counts,
    ended ? JSON.parse(readFileSync(countsOf, 'utf8')) : { passed: 0, failed: 1, skipped: 0 },
  ]);
}

function timeTable(ended, all) {
  const row = (seconds, cpu, title) =>
    `${seconds.toFixed(0).padStart(7)} s ${cpu.padStart(10)}  ${title}`;
  const parts = [...ended].map(([title, { seconds, cpu }]) =>
    row(seconds, `${cpu.toFixed(0)} s`, title),
  );
  const files = all
    .flatMap((line) => Object.entries(line.files))
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(([file, { seconds, cpu }]) => row(seconds, `${cpu.toFixed(0)} s`, file));
  const whole = row(
    (Date.now() - BEGUN.at) / 1000,
    `${(busySeconds() - BEGUN.busy).toFixed(0)} s`,
    '',
  );
  return [
    // Browsers leave processes to the system, which are in the time of the machine alone.
    'Time per part (elapsed, processor):',
    ...parts,
    `${whole}the whole run, and all that ${cpus().length} cores computed meanwhile`,
    '',
    'The slowest files, and what their own process computed:',
    ...files,
  ].join('\n');
}
