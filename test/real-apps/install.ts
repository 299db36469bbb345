import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * Where an application comes from. Packages of PyPI and npm are pinned, `name==version` and `name@version`; those of
 * Debian are of the machine's release, and apt verifies their signatures. The first one names the application.
 */
export interface Source {
  readonly debian?: readonly string[];
  readonly pypi?: readonly string[];
  readonly npm?: readonly string[];
  /** Of npm, without what they depend on. */
  readonly archives?: readonly string[];
}

/** Another list is another folder. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sealwright');

/** Below the folder of an application: modules of Python, of Node.js, and a folder for each archive. */
export const PYTHON_MODULES = 'python';
export const NODE_MODULES = 'node_modules';
export const ARCHIVES = 'archives';

const OWN_PYTHON = resolve('.cache/python/bin/python');
/** That of the servers has pip (scripts/setup.mjs). */
export const PYTHON = existsSync(OWN_PYTHON) ? OWN_PYTHON : 'python3';

/**
 * Installs an application into the user's cache, unless it is there.
 *
 * @returns its folder; packages of Debian are unpacked there as into a root
 * @throws Error if a registry does not have it, or cannot be reached
 */
export function install(source: Source): string {
  const name = createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 16);
  const folder = join(CACHE, `application-${name}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // Another checkout may install at the same time: each fills a folder of its own, and one becomes the cache.
  const made = mkdtempSync(join(CACHE, 'new-'));
  try {
    if (source.debian) installDebian(made, folder, source.debian);
    if (source.pypi) installPypi(made, source.pypi);
    if (source.npm) installNpm(made, source.npm);
    for (const archive of source.archives ?? []) unpack(made, archive);
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

/**
 * The version of a package, without that of its Debian package.
 *
 * @param name of the package; by default the one that names the application
 */
export function versionOf(source: Source, folder: string, name = ''): string {
  const { debian, pypi = [], npm = [], archives = [] } = source;
  const pinned = [...pypi, ...npm, ...archives]
    .map((one) => /^(@?[^=@]+)[=@]+(.+)$/.exec(one)!)
    .find(([, pinnedName]) => name === '' || pinnedName === name);
  if (pinned) return pinned[2]!;
  const log = join(folder, 'usr/share/doc', name || debian![0]!, 'changelog.Debian.gz');
  const text = gunzipSync(readFileSync(log)).toString();
  return /\((?:\d+:)?([^)]+?)(?:[-+][^)]*)?\)/.exec(text)![1]!;
}

function installPypi(folder: string, packages: readonly string[]): void {
  const target = ['--target', join(folder, PYTHON_MODULES)];
  run(PYTHON, ['-m', 'pip', 'install', '-q', '--no-compile', ...target, ...packages]);
}

function unpack(folder: string, archive: string): void {
  const target = join(folder, ARCHIVES, archive.replace(/@[^@]+$/, ''));
  mkdirSync(target, { recursive: true });
  const file = run('npm', ['pack', '--silent', '--ignore-scripts', archive], target).trim();
  run('tar', ['-xzf', file, '--strip-components=1'], target);
}

function run(program: string, args: readonly string[], cwd?: string): string {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  return execFileSync(program, args, { cwd, stdio, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** No script of a package runs. */
function installNpm(folder: string, packages: readonly string[]): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', '--save-exact', ...options, ...packages], folder);
}

/**
 * Unpacks packages, with those that they depend on and the machine lacks, without installing them: no script of
 * theirs runs, and no file outside of the folder changes.
 *
 * @param root where the folder will be: programs look for files at absolute paths, which are rewritten to it
 */
function installDebian(folder: string, root: string, packages: readonly string[]): void {
  const plan = run('apt-get', ['install', '-s', '--no-install-recommends', ...packages]);
  const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name!);
  const isThere = (name: string) => existsSync(`/usr/share/doc/${name}`);
  const absent = packages.filter((name) => !missing.includes(name) && !isThere(name));
  if (absent.length > 0) throw new Error(`apt does not have ${absent.join(', ')}`);
  const archives = mkdtempSync(join(folder, 'archives-'));
  run('apt-get', ['download', ...missing, ...packages], archives);
  for (const archive of readdirSync(archives)) {
    run('dpkg-deb', ['-x', join(archives, archive), folder]);
  }
  rmSync(archives, { recursive: true });
  relocate(folder, root);
}

const ABSOLUTE = /(['"])(?=\/(?:usr\/share|etc|var\/lib)\/)/g;

function relocate(folder: string, root: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const info = lstatSync(path);
    if (info.isSymbolicLink()) {
      const target = readlinkSync(path);
      const absolute = resolve('/', relative(folder, parentPath), target);
      // What the machine has is not unpacked.
      const isUnpacked = lstatSync(join(folder, absolute), { throwIfNoEntry: false }) !== undefined;
      if (isUnpacked && !target.startsWith('/')) continue;
      unlinkSync(path);
      symlinkSync(isUnpacked ? join(root, target) : absolute, path);
    } else if (info.isFile() && name.endsWith('.php')) {
      const text = readFileSync(path, 'latin1');
      const relocated = text.replace(ABSOLUTE, `$1${root}`);
      if (relocated !== text) writeFileSync(path, relocated, 'latin1');
    }
  }
}
