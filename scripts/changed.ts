/*
 * `npm run changed [-- --list]`: the unit tests that a change reaches: those whose imports lead to a file that differs from
 * where this branch left main, or from the last commit on main itself, or that git does not know yet.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { dependents, readSources } from '../test/repo/import-graph.ts';
import { setUp, TESTED_WORKSPACES } from './setup.mjs';
import { OF_WORKSPACES, unitFiles } from './test-parts.mjs';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean);

function base(): string {
  try {
    const [commit] = git('merge-base', 'HEAD', 'main');
    return commit!.trim();
  } catch {
    return 'HEAD'; // a checkout without main
  }
}

const changed = [
  ...git('diff', '-z', '--name-only', base(), '--'),
  ...git('ls-files', '-z', '--others', '--exclude-standard'),
];
const reached = dependents(
  readSources('src', 'extension', 'test', 'bench', 'scripts', 'site'),
  changed,
);
const units = unitFiles().filter((file) => reached.has(file));
console.log(`${changed.length} files changed, which ${units.length} unit tests reach.`);
if (process.argv.includes('--list')) for (const file of units) console.log(file);
else if (units.length > 0) {
  const needsMore = units.some((file) => OF_WORKSPACES.some((path) => file.startsWith(path)));
  await setUp({ browsers: [], workspaces: needsMore ? TESTED_WORKSPACES : [] });
  const mocha = ['node_modules/.bin/mocha', ...units];
  process.exitCode = spawnSync(process.execPath, mocha, { stdio: 'inherit' }).status ?? 1;
}
