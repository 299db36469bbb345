const { appendFileSync } = require('node:fs');
const { reporters } = require('mocha');

/** mocha's list of tests, and a line for scripts/test.mjs: how many there were, and which to look at. */
module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const repeated = [];
    runner.on('fail', (test, error) => failures.push(inWords(test, error)));
    runner.on('retry', (test, error) => repeated.push(inWords(test, error)));
    runner.once('end', () => {
      const { passes, failures: failed, pending } = this.stats;
      if (!process.env.SEALWRIGHT_COUNTS) return;
      const line = { passed: passes, failed, skipped: pending, failures, repeated };
      appendFileSync(process.env.SEALWRIGHT_COUNTS, `${JSON.stringify(line)}\n`);
    });
  }
};

function inWords(test, error) {
  const [message] = String(error?.message ?? error).split('\n');
  return `${test.fullTitle()}: ${message.slice(0, 200)}`;
}
