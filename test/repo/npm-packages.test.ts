import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { expect } from 'chai';
import { INSTALL_SCRIPTS, TESTED_WORKSPACES, WORKSPACES } from '../../scripts/setup.mjs';
import { OF_WORKSPACES, testParts } from '../../scripts/test-parts.mjs';
import { readSources } from './import-graph.ts';

interface Manifest {
  readonly private?: boolean;
  readonly type?: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      Partial<Manifest> & { readonly hasInstallScript?: boolean; readonly resolved?: string }
    >
  >;
}

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const manifestOf = (folder: string) => json(join(folder, 'package.json')) as Manifest;
const lock = json('package-lock.json') as Lock;

describe('the setup', () => {
  it('decides on the install script of every package that has one', () => {
    const withScript = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    expect([...new Set(withScript)].sort()).to.deep.equal(Object.keys(INSTALL_SCRIPTS).sort());
  });

  const folder = mkdtempSync(join(tmpdir(), 'sealwright setup-'));
  const write = (name: string, text: string, mode = 0o644) =>
    writeFileSync(join(folder, name), text, { mode });
  before(() => {
    write('package.json', JSON.stringify({ workspaces: ['one', 'two'] }));
    write('package-lock.json', '1');
    // `npm ci` empties node_modules and leaves npm's own list there.
    const npm = `#!${process.execPath}
      const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
      const words = process.argv.slice(2);
      appendFileSync('calls', words.join(' ') + '\\n');
      if (words[0] !== 'ci') return;
      rmSync('node_modules', { recursive: true, force: true });
      mkdirSync('node_modules');
      writeFileSync('node_modules/.package-lock.json', '{}');`;
    write('npm', npm, 0o755);
  });
  after(() => rmSync(folder, { recursive: true }));

  const inFolder = (program: string, ...args: string[]) => {
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` };
    return spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  };
  /** What npm is told to do. */
  const calls = (...workspaces: string[]) => {
    write('calls', '');
    const setup = JSON.stringify(resolve('scripts/setup.mjs'));
    const options = JSON.stringify({ browsers: [], workspaces });
    const program = `await (await import(${setup})).setUp(${options})`;
    const { status, stderr } = inFolder(process.execPath, '--input-type=module', '-e', program);
    const lines = readFileSync(join(folder, 'calls'), 'utf8').split('\n').filter(Boolean);
    const done = lines.map((line) => line.replace(/ --ignore-scripts .*/, ''));
    return { status, stderr, lines, done };
  };
  const ONE = 'install --no-save --workspaces --workspace=one';

  it('installs the packages of the root, and of workspaces those alone that a command needs', () => {
    expect(calls().done).to.deep.equal(['ci']);
    expect(calls().done).to.deep.equal([]);
    expect(calls('one').done).to.deep.equal([ONE]);
    expect(calls('one', 'two').done).to.deep.equal([ONE.replace('one', 'two')]);
    expect(calls('two').done).to.deep.equal([]);
  });

  it('installs packages without running their scripts', () => {
    write('package-lock.json', 'another');
    const { lines } = calls('one');
    expect(lines).to.have.length(2);
    for (const line of lines) expect(line).to.include(' --ignore-scripts ');
  });

  it('installs everything that a command needs anew where the lock file has changed', () => {
    write('package-lock.json', '2');
    expect(calls('one').done).to.deep.equal(['ci', ONE]);
    expect(calls('one').done).to.deep.equal([]);
  });

  it('adds to what `npm ci` has installed by hand', () => {
    inFolder(join(folder, 'npm'), 'ci');
    expect(calls('two').done).to.deep.equal([ONE.replace('one', 'two')]);
  });

  it('refuses a workspace that does not exist, and names those that do', () => {
    const { status, stderr } = calls('three');
    expect(status).to.equal(1);
    expect(stderr).to.include('three').and.to.include('one, two');
  });
});

describe('the workspaces', () => {
  const root = manifestOf('.');
  /** Packages that `npm ci` alone does not install. */
  const added = new Set(
    WORKSPACES.flatMap((folder) => Object.keys(manifestOf(folder).devDependencies)),
  );
  const files = readSources(
    ...['src', 'extension', 'lab', 'open-page', 'test', 'bench', 'scripts', 'site'],
  );
  const isListed = (path: string) => OF_WORKSPACES.some((one) => path.startsWith(one));
  const nameOf = (specifier: string) =>
    specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

  it('are private, stay out of `npm ci`, and are in the one lock file, each package with one version', () => {
    expect(readFileSync('.npmrc', 'utf8')).to.match(/^workspaces=false$/m);
    for (const folder of WORKSPACES) {
      const { private: isPrivate, type, devDependencies } = manifestOf(folder);
      expect({ isPrivate, type }, folder).to.deep.equal({ isPrivate: true, type: 'module' });
      expect(lock.packages[folder]?.devDependencies, folder).to.deep.equal(devDependencies);
      const twice = Object.keys(devDependencies).filter((name) => name in root.devDependencies);
      expect(twice, `${folder}: npm ci has installed them`).to.deep.equal([]);
    }
    const all = [root, ...WORKSPACES.map(manifestOf)];
    const versions = all.flatMap(({ devDependencies }) => Object.entries(devDependencies));
    const loose = versions.filter(([, version]) => !/^(npm:\w+@)?\d+\.\d+\.\d+$/.test(version));
    expect(loose).to.deep.equal([]);
    const one = Object.fromEntries(versions);
    expect(versions.filter(([name, version]) => one[name] !== version)).to.deep.equal([]);
    const links = Object.values(lock.packages).flatMap(({ resolved = [] }) => resolved);
    expect(links.sort()).to.deep.equal([...WORKSPACES].sort());
  });

  it('have their packages imported by listed files alone, which `npm test` does not run', () => {
    const importers = files.filter(({ packages }) =>
      packages.some((one) => added.has(nameOf(one))),
    );
    expect(importers.map(({ path }) => path).filter((path) => !isListed(path))).to.deep.equal([]);
    // A file that needs them in another way has to be on the list by hand.
    const needing = new Set(
      files
        .filter(({ runtimePackages }) => runtimePackages.some((one) => added.has(nameOf(one))))
        .map(({ path }) => path),
    );
    for (const path of needing) {
      for (const file of files) if (file.runtimeImports.includes(path)) needing.add(file.path);
    }
    expect([...needing].filter((path) => !isListed(path))).to.deep.equal([]);
    const ofCore = testParts({ what: 'core' }).flatMap(({ files: run = [] }) => run);
    expect(ofCore.filter(isListed)).to.deep.equal([]);
    const idle = OF_WORKSPACES.filter((one) => !files.some(({ path }) => path.startsWith(one)));
    expect(idle).to.deep.equal([]);
  });

  it('are told in docs/dependencies.md, and all but the linter of a store are tested', () => {
    const page = readFileSync('docs/dependencies.md', 'utf8');
    for (const folder of WORKSPACES) expect(page).to.include(`| \`${folder}\` |`);
    expect(WORKSPACES.filter((name) => !TESTED_WORKSPACES.includes(name))).to.deep.equal(['store']);
  });
});
