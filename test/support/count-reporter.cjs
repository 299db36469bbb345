const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters } = require('mocha');

/** What this process has computed, in seconds: on a busy machine, the clock says less about a test. */
const computed = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** mocha's list of tests, and a line of JSON for scripts/: how many there were, and which to look at. */
module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const repeated = [];
    const pending = [];
    const files = new Map();
    const startOf = new Map();
    runner.on('fail', (test, error) => failures.push(report(test, error)));
    runner.on('retry', (test, error) => repeated.push(report(test, error)));
    runner.on('pending', (test) => pending.push(test.fullTitle()));
    // The outermost suites of a file; hooks are within.
    runner.on('suite', (suite) => {
      if (suite.parent?.root) startOf.set(suite, { at: Date.now(), cpu: computed() });
    });
    runner.on('suite end', (suite) => {
      if (!startOf.has(suite)) return;
      const file = relative(process.cwd(), suite.file ?? 'unknown');
      const { at, cpu } = startOf.get(suite);
      const sum = files.get(file) ?? { seconds: 0, cpu: 0 };
      const seconds = sum.seconds + (Date.now() - at) / 1000;
      files.set(file, { seconds, cpu: sum.cpu + computed() - cpu });
    });
    runner.once('end', () => {
      const { passes, failures: failed, pending: skipped } = this.stats;
      if (!process.env.SEALWRIGHT_COUNTS) return;
      const counts = { passed: passes, failed, skipped };
      const line = { ...counts, failures, repeated, pending, files: Object.fromEntries(files) };
      appendFileSync(process.env.SEALWRIGHT_COUNTS, `${JSON.stringify(line)}\n`);
    });
  }
};

/**
 * One line. Of a property that failed, fast-check's first line says only after how many cases: what repeats the case
 * (seed and path) is in the second, and what was wrong is the cause.
 */
function report(test, error) {
  const [first, second = ''] = String(error?.message ?? error).split('\n');
  const isProperty = second.startsWith('{ seed: ');
  const [cause] = isProperty ? String(error.cause ?? '').split('\n') : [];
  const why = isProperty ? `${first} ${second}: ${cause}` : first;
  return { test: test.fullTitle(), why: why.slice(0, 600) };
}
