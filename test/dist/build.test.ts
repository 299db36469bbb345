import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

describe('the build', () => {
  it('passes the lint of the Firefox store without errors, and without warnings in our code', () => {
    const report = JSON.parse(
      execFileSync(
        process.execPath,
        ['node_modules/.bin/web-ext', 'lint', '--source-dir=dist/firefox', '--output=json'],
        { encoding: 'utf8' },
      ),
    ) as { errors: unknown[]; warnings: { code: string; file?: string; line?: number }[] };
    expect(report.errors).to.deep.equal([]);
    // Preact assigns innerHTML for a feature that we do not use (dangerouslySetInnerHTML).
    const ours = report.warnings.filter((warning) => warning.code !== 'UNSAFE_VAR_ASSIGNMENT');
    expect(ours).to.deep.equal([]);
  });
});
