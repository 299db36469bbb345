import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

describe('the build', () => {
  it('passes the lint of the Firefox store without errors and warnings', () => {
    const report = JSON.parse(
      execFileSync(
        process.execPath,
        ['node_modules/.bin/web-ext', 'lint', '--source-dir=dist/firefox', '--output=json'],
        { encoding: 'utf8' },
      ),
    ) as { errors: unknown[]; warnings: unknown[] };
    expect(report.errors).to.deep.equal([]);
    expect(report.warnings).to.deep.equal([]);
  });
});
