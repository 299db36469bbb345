const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters } = require('mocha');

/** mocha's list of tests, and a line of JSON for scripts/: how many there were, and which to look at. */
module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const repeated = [];
    const files = new Map();
    const startOf = new Map();
    runner.on('fail', (test, error) => failures.push(report(test, error)));
    runner.on('retry', (test, error) => repeated.push(report(test, error)));
    // The outermost suites of a file; hooks are within.
    runner.on('suite', (suite) => {
      if (suite.parent?.root) startOf.set(suite, Date.now());
    });
    runner.on('suite end', (suite) => {
      if (!startOf.has(suite)) return;
      const file = relative(process.cwd(), suite.file ?? 'unknown');
      const seconds = (Date.now() - startOf.get(suite)) / 1000;
      files.set(file, (files.get(file) ?? 0) + seconds);
    });
    runner.once('end', () => {
      const { passes, failures: failed, pending } = this.stats;
      if (!process.env.SEALWRIGHT_COUNTS) return;
      const counts = { passed: passes, failed, skipped: pending };
      const line = { ...counts, failures, repeated, files: Object.fromEntries(files) };
      appendFileSync(process.env.SEALWRIGHT_COUNTS, `${JSON.stringify(line)}\n`);
    });
  }
};

function report(test, error) {
  const [message] = String(error?.message ?? error).split('\n');
  return { test: test.fullTitle(), why: message.slice(0, 200) };
}
