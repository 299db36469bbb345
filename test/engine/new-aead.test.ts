import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const FIXTURE = 'test/engine/new-aead.fixture.ts';
const MOCHA = ['node_modules/mocha/bin/mocha.js', '--no-config', '--import=tsx', '--exit'];

interface Report {
  readonly failures: readonly { readonly fullTitle: string; readonly err: object }[];
  readonly passes: readonly { readonly fullTitle: string }[];
}

describe('A new AEAD mode', () => {
  it('is in the self-test, subtle, the page’s dictionaries and conformance by its row', async () => {
    const run = promisify(execFile)(process.execPath, [...MOCHA, '--reporter=json', FIXTURE]);
    const { stdout } = await run.catch((error: unknown) => error as { readonly stdout: string });
    // Suites print lines of their own before the report.
    const { failures, passes } = JSON.parse(stdout.slice(stdout.search(/^{$/m))) as Report;
    expect(failures.map(({ fullTitle, err }) => [fullTitle, err])).to.deep.equal([]);
    const suites = passes.map(({ fullTitle }) => fullTitle.replace(/ .*/, ''));
    expect(suites).to.include.members(['An', 'AES-FIXTURE']);
    expect(passes.length).to.be.greaterThan(5);
  }).timeout(60_000);
});
