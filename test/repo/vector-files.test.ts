import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { PACKAGES, testDataFolder, type TestData } from '../../scripts/test-data.mjs';

describe('the packages of published vectors', () => {
  it('hold no file that is neither run by a test nor listed with a reason', function () {
    const isAbsent = (name: TestData) => testDataFolder(name) === undefined;
    if ((Object.keys(PACKAGES) as TestData[]).some(isAbsent)) {
      if (process.env['CI']) throw new Error('not installed: npm test installs them');
      this.skip();
    }
    // A process of its own: the script loads every test file that has vectors, those of nightly too.
    this.timeout(300_000);
    const args = ['--import', 'tsx', 'scripts/vector-files.ts', '--check'];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, SEALWRIGHT_NIGHTLY: '1' },
    });
    expect(status, stderr).to.equal(0);
  });
});
