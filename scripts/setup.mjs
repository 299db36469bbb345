/*
 * Brings a fresh machine to where the project builds, runs and tests: npm packages, the two test
 * browsers and what the tests need of Python. It installs what is missing when it
 * may (by apt, as root or by a sudo that asks for no password), and otherwise says exactly what to
 * install. Running it again costs nothing.
 *
 * Every command calls it for what it needs. `npm run setup` installs all of it, so that any file of tests can be run;
 * `npm run setup -- bench site` installs the packages of these workspaces alone.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { giveUp, run, succeeds } from './run.mjs';
import { installAgeVectors, installEditors, installTestData } from './test-data.mjs';

const NODE_MINIMUM = [20, 19];
/** Which packages were installed here: JSON, the digest of the lock file and the workspaces. */
const STAMP = 'node_modules/.sealwright-installed';
const NPM_LIST = 'node_modules/.package-lock.json';
/** The second implementation of the format, and servers of sync services. */
const PYTHON_PACKAGES = [
  'cryptography==50.0.2',
  'kinto==26.5.0',
  'weave-minimal==1.5.1',
  // weave-minimal is of 2014: newer versions of werkzeug have lost what it imports.
  'werkzeug==0.16.1',
];
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const VENV = '.cache/python';

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1])) return;
  giveUp(
    `Sealwright needs Node.js ${NODE_MINIMUM.join('.')} or newer; this is ${process.version}.`,
  );
}

/**
 * Packages of the lock file that would run a script when they are installed, and whether it runs: code of
 * others that nothing needs. `esbuild` checks the program that came with it; `core-js` prints a request
 * for money; `cbor-extract`, of automerge-repo's CBOR, is a faster reader in C++.
 * test/repo/npm-packages.test.ts compares the list with the lock file.
 */
export const INSTALL_SCRIPTS = Object.freeze({
  'cbor-extract': false,
  'core-js': false,
  esbuild: false,
});

/**
 * npm workspaces, by folder. `workspaces=false` in .npmrc leaves their packages out of a plain `npm ci`, which installs
 * what builds, checks and unit-tests the product.
 */
export const WORKSPACES = Object.freeze(
  JSON.parse(readFileSync('package.json', 'utf8')).workspaces,
);
/** Those that tests need which do not wait for the night. */
export const TESTED_WORKSPACES = Object.freeze(WORKSPACES.filter((name) => name !== 'store'));
const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

const lockDigest = () =>
  createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');

/** Whether `npm ci` was run by hand after the last change of the lock file: it removes our stamp, and leaves a list of npm's. */
function hasNpmInstalled() {
  const [list, lock] = [NPM_LIST, 'package-lock.json'].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  return !existsSync(STAMP) && list !== undefined && list.mtimeMs > lock.mtimeMs;
}

/**
 * @returns the workspaces whose packages are here as the lock file has them, or undefined where not even those of the root
 *   are
 */
export function installedWorkspaces() {
  if (hasNpmInstalled()) return [];
  try {
    const { lock, workspaces } = JSON.parse(readFileSync(STAMP, 'utf8'));
    return lock === lockDigest() ? workspaces : undefined;
  } catch {
    return undefined;
  }
}

/** `npm ci` empties node_modules first, and `npm install` adds to it; both install the versions of the lock file. */
async function installPackages(wanted) {
  const stamp = (workspaces) =>
    writeFileSync(STAMP, JSON.stringify({ lock: lockDigest(), workspaces }));
  if (installedWorkspaces() === undefined) {
    console.log('Installing npm packages …');
    await run('npm', ['ci', ...NPM_FLAGS]);
    const allowed = Object.keys(INSTALL_SCRIPTS).filter((name) => INSTALL_SCRIPTS[name]);
    if (allowed.length > 0) await run('npm', ['rebuild', '--loglevel=error', ...allowed]);
    stamp([]);
  }
  const here = installedWorkspaces();
  const missing = wanted.filter((name) => !here.includes(name));
  if (missing.length === 0) return;
  console.log(`Installing npm packages of ${missing.join(', ')} …`);
  const names = missing.map((name) => `--workspace=${name}`);
  await run('npm', ['install', '--no-save', '--workspaces', ...names, ...NPM_FLAGS]);
  stamp([...here, ...missing]);
}

/** What runs apt-get here, or undefined. */
async function aptGet() {
  // sudo keeps no environment of ours.
  const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  const asRoot = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  const [program, ...args] = asRoot;
  return (await succeeds(program, [...args, '--version'])) ? asRoot : undefined;
}

async function aptInstall(packages, why) {
  const command = await aptGet();
  if (command === undefined) {
    giveUp(
      `${why}\nPlease install it, on Debian with:\n  sudo apt-get install ${packages.join(' ')}`,
    );
  }
  console.log(`Installing ${packages.join(', ')} …`);
  const [program, ...args] = command;
  await run(program, [...args, 'update', '-qq']);
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  await run(program, [...args, ...install], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Where each is, and the package that has it. */
const BROWSERS = Object.freeze({
  chromium: [process.env.CHROMIUM ?? '/usr/bin/chromium', 'chromium'],
  firefox: [process.env.FIREFOX ?? '/usr/bin/firefox-esr', 'firefox-esr'],
});

async function installBrowsers(names) {
  const missing = names.map((name) => BROWSERS[name]).filter(([path]) => !existsSync(path));
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  await aptInstall(packages, `The demo and the tests drive ${packages.join(' and ')}.`);
}

/**
 * In an environment of the project's own: the machine's Python may have any version of a package, and Debian's
 * `cryptography` knows no ML-KEM.
 */
async function installPython() {
  const stamp = `${VENV}/installed`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === PYTHON_PACKAGES.join(' ')) return;
  console.log(`Installing ${PYTHON_PACKAGES.join(', ')} …`);
  mkdirSync('.cache', { recursive: true });
  const made =
    (await succeeds('python3', ['-m', 'venv', '--clear', VENV])) &&
    (await succeeds(`${VENV}/bin/python`, ['-m', 'pip', 'install', '-q', ...PYTHON_PACKAGES]));
  if (!made) {
    giveUp(
      `The tests read sealed messages with a second implementation in Python, and run servers of sync services:
${PYTHON_PACKAGES.join(', ')} could not be installed.
They need Python 3 with venv (on Debian: sudo apt-get install python3-venv) and PyPI.`,
    );
  }
  writeFileSync(stamp, PYTHON_PACKAGES.join(' '));
}

/** Gives a browser another clock than the machine's. */
async function installFaketime() {
  if (process.platform !== 'linux' || existsSync(FAKETIME)) return;
  await aptInstall(['libfaketime'], 'Nightly tests set the clock of a browser.');
}

/**
 * Everything that `npm start` needs, or without `browsers` a build; with `tests`, also what `npm test` needs,
 * and with `nightly` what `npm run nightly` needs beside that.
 *
 * @param workspaces those of WORKSPACES whose packages the command needs as well
 */
export async function setUp({
  tests = false,
  browsers = Object.keys(BROWSERS),
  nightly = false,
  workspaces = [],
} = {}) {
  checkNode();
  const unknown = workspaces.filter((name) => !WORKSPACES.includes(name));
  if (unknown.length > 0)
    giveUp(`No workspace is named ${unknown.join(', ')}: there are ${WORKSPACES.join(', ')}`);
  await installPackages(workspaces);
  await installBrowsers(browsers);
  if (!tests) return;
  await installPython();
  await installTestData(`${VENV}/bin/python`);
  installAgeVectors();
  if (!nightly) return;
  await installFaketime();
  installEditors();
}

if (import.meta.filename === process.argv[1]) {
  const names = process.argv.slice(2);
  await (names.length > 0
    ? setUp({ browsers: [], workspaces: names })
    : setUp({ tests: true, workspaces: WORKSPACES }));
}
