const { appendFileSync } = require('node:fs');
const { reporters } = require('mocha');

/** mocha's dot-per-suite list, and a line of totals for scripts/test.mjs. */
module.exports = class CountReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      if (!process.env.SEALWRIGHT_COUNTS) return;
      const line = { passed: passes, failed: failures, skipped: pending };
      appendFileSync(process.env.SEALWRIGHT_COUNTS, `${JSON.stringify(line)}\n`);
    });
  }
};
