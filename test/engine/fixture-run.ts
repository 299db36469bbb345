import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--no-config', '--import=tsx', '--exit'];

interface Report {
  readonly failures: readonly { readonly fullTitle: string; readonly err: object }[];
  readonly passes: readonly { readonly fullTitle: string }[];
}

/**
 * The report of tests that change tables of the code, and so have a process of their own.
 *
 * @param cwd the root of a copy of the tree
 */
export async function reportOf(fixture: string, cwd = '.'): Promise<Report> {
  const run = promisify(execFile)(process.execPath, [...MOCHA, '--reporter=json', fixture], {
    cwd,
  });
  const { stdout } = await run.catch((error: unknown) => error as { readonly stdout: string });
  // Suites print other lines before the report.
  return JSON.parse(stdout.slice(stdout.search(/^{$/m))) as Report;
}
