/**
 * `npm run proof`: the proof of every module, the planted leaks, and the experiments with each instruction, with more
 * trials than in `npm test`. Writes bench/results/proof.json and the table of docs/constant-time.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { enableRelaxedSimd } from '../support/wasm.ts';
import { foundIn, PLANTS } from './plants.ts';
import { problemsOf, proveModule } from './prove.ts';
import type { ModuleReport } from './prove.ts';
import { EXCEPTIONS, PROVED, UNTAKEN } from './tables.ts';
import { EXPERIMENTS, experimentModule, observeTaint } from './taint.ts';

const RESULTS = 'bench/results/proof.json';
const DOCUMENT = 'docs/constant-time.md';
const START = '<!-- proof: written by npm run proof -->';
const END = '<!-- end of proof -->';
const TRIALS = 5000;

enableRelaxedSimd();

const problems: string[] = [];
const modules: ModuleReport[] = [];
for (const module of PROVED) {
  const report = await proveModule(module);
  modules.push(report);
  problems.push(...problemsOf(report));
  console.log(lineOf(report));
  for (const { name, calls, sides, sidesOf } of report.functions) {
    const how = calls === undefined ? 'called by others' : `${calls} calls`;
    console.log(
      `    ${name.padEnd(20)} ${how.padStart(18)}, ${sides} of ${sidesOf} sides of branches`,
    );
  }
}

let found = 0;
for (const plant of PLANTS) {
  const isFound = (await foundIn(plant, true)).includes(`${plant.kind} in ${plant.func}`);
  const isQuiet = (await foundIn(plant, false)).length === 0;
  if (isFound && isQuiet) found++;
  else {
    problems.push(
      `the planted leak “${plant.title}” was ${isFound ? 'seen without secrets' : 'missed'}`,
    );
  }
}
console.log(`planted leaks found: ${found} of ${PLANTS.length}`);

const experiments = await experimentModule();
EXPERIMENTS.forEach(({ name }, index) => {
  const { missed } = observeTaint(experiments, index, TRIALS);
  if (missed > 0) problems.push(`${name}: ${missed} bytes changed without taint`);
});
console.log(`instructions with right taint: ${EXPERIMENTS.length}, ${TRIALS} trials each`);

const result = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  summary: summaryOf(modules),
  planted: { found, of: PLANTS.length },
  experiments: { instructions: EXPERIMENTS.length, trials: TRIALS },
  exceptions: EXCEPTIONS,
  untaken: UNTAKEN,
  problems,
  modules,
};
writeFileSync(RESULTS, `${JSON.stringify(result, null, 2)}\n`);
const [before, rest] = readFileSync(DOCUMENT, 'utf8').split(START);
const after = rest?.split(END)[1];
if (before === undefined || after === undefined) throw new Error(`${DOCUMENT} has no markers`);
writeFileSync(DOCUMENT, `${before}${START}\n\n${documentText()}\n\n${END}${after}`);
for (const problem of problems) console.log(`PROBLEM ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function summaryOf(reports: readonly ModuleReport[]) {
  const functions = reports.flatMap((report) => report.functions);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  return {
    modules: reports.length,
    functions: functions.length,
    exported: functions.filter(({ calls }) => calls !== undefined).length,
    calls: sum(functions.map(({ calls }) => calls ?? 0)),
    places: sum(reports.map(({ places }) => places)),
    sides: sum(functions.map(({ sides }) => sides)),
    sidesOf: sum(functions.map(({ sidesOf }) => sidesOf)),
  };
}

function lineOf(report: ModuleReport): string {
  const { functions, exported, calls, places, sides, sidesOf } = summaryOf([report]);
  return (
    `${report.module}: ${functions} functions, ${exported} exported, ${calls} calls, ` +
    `${places} places, ${sides} of ${sidesOf} sides of branches`
  );
}

function documentText(): string {
  const { summary, date, node } = result;
  const number = (value: number): string => value.toLocaleString('en');
  const rows = modules.map((report) => {
    const { functions, exported, calls, places, sides, sidesOf } = summaryOf([report]);
    const leaks = report.leaks.map(({ func, kind }) => `${func}: ${kind}`).join(', ') || '–';
    const cells = [functions, exported, calls, places].map(number);
    return `| ${report.module} | ${cells.join(' | ')} | ${sides} of ${sidesOf} | ${leaks} |`;
  });
  return [
    `${date}, Node ${node}: ${summary.functions} functions of ${summary.modules} modules, ` +
      `${number(summary.calls)} calls; planted leaks found: ${found} of ${PLANTS.length}.`,
    '',
    '| module | functions | exported | calls | places checked | sides of branches taken | exceptions |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}
