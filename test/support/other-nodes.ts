import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The newest of each line of Node that is supported, in November 2026. */
export const NODES = ['20.20.2', '22.23.3', '24.21.0'] as const;

/** The npm package that has the program of Node for this machine, without a script of its own. */
export const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** @returns the program of that package, in an app's folder */
export const nodeIn = (folder: string): string =>
  join(folder, 'node_modules', NODE_PACKAGE, 'bin/node');

/**
 * Installs a version of Node into a folder, by npm.
 *
 * @returns the program
 */
export function installNode(version: string, folder: string): string {
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  execFileSync('npm', [...args, '--prefix', folder, `${NODE_PACKAGE}@${version}`], {
    stdio: 'pipe',
  });
  return nodeIn(folder);
}
