/* What `npm run nightly` came to, as JSON and as a page. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describeMachine } from './machine.mjs';

/** The parts whose titles hold one of the texts, or all; with them the parts that they need. */
export function chosen(parts, texts) {
  if (texts.length === 0) return parts;
  const holds = ({ title }) =>
    texts.some((text) => title.toLowerCase().includes(text.toLowerCase()));
  const wanted = parts.filter(holds);
  return parts.filter(
    (part) => wanted.includes(part) || wanted.some(({ needs }) => needs === part.title),
  );
}

/**
 * @param ended as runParts gives it
 * @param began when the run began, in ms: a result file that is older is not of this run
 */
export function nightlyResult(parts, ended, { began, only = [] }) {
  const rows = parts.map((part) => partResult(part, ended.get(part.title), began));
  const count = (state) => rows.filter((row) => row.state === state).length;
  return {
    date: new Date(began).toISOString(),
    ...commit(),
    machine: describeMachine(),
    node: process.version,
    ...(only.length > 0 && { only }),
    seconds: Math.round((Date.now() - began) / 1000),
    passed: count('passed'),
    failed: count('failed'),
    overBudget: count('over budget'),
    notRun: count('not run'),
    parts: rows,
  };
}

function partResult({ title, minutes, result, figures }, end, began) {
  const sum = (name) => (end.lines ?? []).reduce((all, line) => all + line[name], 0);
  return {
    title,
    state: end.state,
    seconds: Math.round(end.seconds),
    cpuSeconds: Math.round(end.cpu),
    budgetMinutes: minutes,
    ...(end.error !== undefined && { error: end.error }),
    ...(end.lines?.length > 0 && {
      tests: { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
      failures: end.lines.flatMap((line) => line.failures).slice(0, 100),
    }),
    ...(result !== undefined && isOfThisRun(result, began) && { figures: figures(read(result)) }),
  };
}

const isOfThisRun = (path, began) => existsSync(path) && statSync(path).mtimeMs >= began;
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Undefined outside a clone. */
function commit() {
  const git = (...args) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return { commit: git('rev-parse', 'HEAD'), clean: git('status', '--porcelain') === '' };
  } catch {
    return {};
  }
}

/** The same as a page in Markdown. */
export function nightlyPage(result) {
  const { date, commit: id, clean, machine: on, node, seconds, parts } = result;
  const changed = clean === false ? ', with changes' : '';
  return [
    '# Nightly',
    '',
    `${result.passed} of ${parts.length} parts passed, ${result.failed} failed, ` +
      `${result.overBudget} over budget, ${result.notRun} not run.`,
    '',
    `- Date: ${date}, ${Math.round(seconds / 60)} minutes`,
    `- Commit: ${id ?? 'unknown'}${changed}`,
    `- Machine: ${on}, Node ${node}`,
    '',
    '| part | state | seconds | budget, s | tests passed, failed, skipped | figures |',
    '| --- | --- | ---: | ---: | --- | --- |',
    ...parts.map(pageRow),
    '',
    ...parts.flatMap(pageFailures),
  ].join('\n');
}

function pageRow({ title, state, seconds, budgetMinutes, tests, figures = {} }) {
  const counts = tests ? `${tests.passed}, ${tests.failed}, ${tests.skipped}` : '';
  const budget = budgetMinutes === undefined ? '' : String(60 * budgetMinutes);
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  return `| ${[title, state, seconds, budget, counts, shown.join(', ')].join(' | ')} |`;
}

function pageFailures({ title, error, failures = [] }) {
  if (error === undefined && failures.length === 0) return [];
  const lines = failures.map(({ test, why }) => `- ${test}: ${why}`);
  return [`## ${title}`, '', ...(error === undefined ? [] : [error, '']), ...lines, ''];
}
