import { createHash } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, resolve } from 'node:path';
import { expect } from 'chai';
import { releaseFiles } from '../../scripts/make-release.mjs';

/*
 * dist/package and dist/create-sealwright, which are published to npm, and the notices of the packages whose code is in a bundle.
 */
const PACKAGE = 'dist/package';
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

interface Manifest {
  readonly private?: boolean;
  readonly sideEffects?: boolean;
  readonly scripts?: object;
  readonly devDependencies?: object;
  readonly exports: Record<string, unknown>;
}

/** Of CycloneDX. */
interface BundledPackages {
  readonly components: readonly { readonly name: string; readonly hashes?: readonly object[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const read = (path: string): string => readFileSync(path, 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Manifest;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The comments of webpack and esbuild that name a module. */
const MODULE = /^(?:\/\*{3}\/ "|\s*;?\/\/ )(?:\.\/)?((?:src|extension|lab|node_modules)\/[\w@./-]+\.\w+)/gm;

/** The npm packages whose modules are in the scripts of a folder. */
function packagesIn(folder: string): string[] {
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const found = scripts.flatMap((file) =>
    [...read(join(folder, file)).matchAll(MODULE)].flatMap(
      ([, path]) => /.*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//.exec(path!)?.[1] ?? [],
    ),
  );
  return [...new Set(found)];
}

describe('the package', () => {
  const files = filesBelow(PACKAGE);

  it('has the library, its documents and its licences, and neither pictures nor measurements', () => {
    expect(files).to.include.members([
      ...['README.md', 'SECURITY.md', 'LICENSE', NOTICES, 'package.json'],
      ...['docs/library.md', 'docs/client.md', 'docs/bundlers.md'],
    ]);
    const library = filesBelow('dist/lib').filter((file) => !/^types\/|^[A-Z]/.test(file));
    expect(library).to.not.be.empty;
    expect(files).to.include.members(library.map((file) => `dist/lib/${file}`));
    expect(files.filter((file) => /\.(png|svg|json)$|benchmarks/.test(file))).to.deep.equal(['package.json']);
    // 2,040,000 while each entry was a bundle of its own. A stranger downloads it once for every install of an app.
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', `./${PACKAGE}`, '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' }),
    ) as readonly [{ readonly size: number }];
    expect(packed.size).to.be.at.most(900_000);
  });

  it('has each module once, in all its scripts together', () => {
    const scripts = files.filter((file) => file.endsWith('.js'));
    // esbuild names a module again where its parts are not together.
    const modules = scripts.flatMap((file) => [
      ...new Set([...read(join(PACKAGE, file)).matchAll(MODULE)].map(([, path]) => path!)),
    ]);
    expect(modules).to.have.length.of.at.least(400);
    expect(modules.filter((path, index) => modules.indexOf(path) !== index)).to.deep.equal([]);
  });

  it('has no dead link', () => {
    const folders = new Set(files.map((file) => dirname(file)));
    const documents = files.filter((file) => file.endsWith('.md'));
    const links = documents.flatMap((file) =>
      [...read(join(PACKAGE, file)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, address]) => address!)
        .filter((address) => !/^([a-z]+:|#)/.test(address))
        .map((address) => ({ file, to: normalize(join(dirname(file), address.replace(/#.*$/, ''))) })),
    );
    expect(links).to.have.length.of.at.least(30);
    const dead = links.filter(({ to }) => !files.includes(to) && !folders.has(to.replace(/\/$/, '')));
    expect(dead).to.deep.equal([]);
  });

  it('has the types that its subpaths reach, whole, and no others', () => {
    const types = files.filter((file) => file.endsWith('.d.ts'));
    const imported = types.flatMap((file) =>
      [...read(join(PACKAGE, file)).matchAll(/(?:from |import\(|<reference path=)['"](\.[^'"]+)['"]/g)].map(([, path]) =>
        join(dirname(file), path!.replace(/(\.d)?\.[jt]s$/, '.d.ts')),
      ),
    );
    const entries = Object.values(manifestOf(PACKAGE).exports).flatMap((target) =>
      typeof target === 'string' ? [] : [normalize((target as { types: string }).types)],
    );
    expect(types).to.have.members([...new Set([...imported, ...entries])]);
    expect(types.some((file) => file.includes('types/service/'))).to.equal(false);
  });

  it('is what is published, not the project, and runs nothing where it is installed', () => {
    expect(manifestOf('.').private).to.equal(true);
    const manifest = manifestOf(PACKAGE);
    expect(manifest.sideEffects).to.equal(false);
    expect(manifest.exports['./package.json']).to.equal('./package.json');
    for (const name of ['private', 'scripts', 'devDependencies']) {
      expect(manifest).to.not.have.property(name);
    }
  });
});

describe('create-sealwright, as npm packs and runs it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-create-'));
  const npm = { cwd: folder, encoding: 'utf8', env: { ...process.env, npm_config_cache: join(folder, 'cache') } } as const;
  let tarball: string;

  before(() => {
    const args = ['pack', resolve('dist/create-sealwright'), '--json', '--ignore-scripts'];
    const [packed] = JSON.parse(execFileSync('npm', args, npm)) as readonly [{ readonly filename: string }];
    tarball = join(folder, packed.filename);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** What `npm create sealwright …` does, with the packed file in place of the registry. */
  const create = (...args: string[]) => {
    const exec = ['exec', '--yes', '--offline', `--package=${tarball}`, '--', 'create-sealwright', ...args];
    const { status, stdout, stderr } = spawnSync('npm', exec, npm);
    return { status, stdout, stderr };
  };

  it('makes the starter app in a new folder, with the library of its own version, and says what to do next', () => {
    const { status, stdout } = create('notes');
    expect(status).to.equal(0);
    expect(stdout).to.match(/cd notes\n +npm install\n +npm start\n/);
    const made = join(folder, 'notes');
    const files = filesBelow('examples/starter');
    expect(files).to.include('public/notes.js');
    expect(filesBelow(made)).to.have.members(files);
    for (const file of files.filter((name) => !/^(package\.json|README\.md)$/.test(name))) {
      expect(read(join(made, file)), file).to.equal(read(join('examples/starter', file)));
    }
    const { dependencies } = JSON.parse(read(join(made, 'package.json'))) as { readonly dependencies: object };
    const { version } = JSON.parse(read('package.json')) as { readonly version: string };
    expect(dependencies).to.have.all.keys('express', 'sealwright').and.include({ sealwright: `^${version}` });
    const readme = read(join(made, 'README.md'));
    const links = Array.from(readme.matchAll(/\]\(node_modules\/sealwright\/([^)#]+)/g), ([, path]) => path!);
    expect(links).to.not.be.empty;
    expect(filesBelow(PACKAGE)).to.include.members(links);
    expect(readme).to.not.include('../');
  });

  it('leaves a folder alone that is not empty, and a file', () => {
    mkdirSync(join(folder, 'full'));
    for (const path of ['full/mine.txt', 'file']) writeFileSync(join(folder, path), 'mine');
    expect(create('full')).to.include({ status: 4, stderr: 'full is not empty: name a new folder\n' });
    expect(create('file')).to.include({ status: 4, stderr: 'file is a file\n' });
    expect(filesBelow(join(folder, 'full'))).to.deep.equal(['mine.txt']);
  });

  it('takes a folder that has a repository only', () => {
    mkdirSync(join(folder, 'cloned/.git'), { recursive: true });
    expect(create('cloned').status).to.equal(0);
    expect(filesBelow(join(folder, 'cloned'))).to.include('server.mjs');
  });

  it('says how it is called where no folder is named, and for a wrong option', () => {
    expect(create()).to.include({ status: 2, stdout: '' });
    expect(create('--force', 'notes').stderr).to.match(/--force.*[^]*Usage: npm create sealwright FOLDER/);
    expect(create('--help')).to.include({ status: 0, stderr: '' });
  });
});

it('the list of bundled packages of a release has the page, and every zip and tarball but the sources, with its digest', async () => {
  const files = await releaseFiles({ commit: '0'.repeat(40), date: '2026-01-01T00:00:00.000Z' });
  const packed = [...files].filter(([name]) => /(?<!-source)\.(zip|tgz|html)$/.test(name));
  expect(packed).to.have.length(6);
  const list = [...files].find(([name]) => name.endsWith('.cdx.json'))![1].toString();
  const { components, dependencies } = JSON.parse(list) as BundledPackages;
  for (const [name, bytes] of packed) {
    const content = createHash('sha256').update(bytes).digest('hex');
    const component = components.find((one) => one.name === name);
    expect(component?.hashes, name).to.deep.equal([{ alg: 'SHA-256', content }]);
  }
  const published = dependencies.find(({ ref }) => ref === 'sealwright')!.dependsOn;
  expect(published).to.have.members(packed.map(([name]) => name));
});

for (const [folder, notices] of [
  ['dist/lib', join(PACKAGE, NOTICES)],
  ['dist/chromium', join('dist/chromium', NOTICES)],
  ['dist/firefox', join('dist/firefox', NOTICES)],
  ['dist/lab', join('dist/lab', NOTICES)],
] as const) {
  it(`the notices of ${folder} have the licence of every package whose code is in it, and no others`, () => {
    const packages = packagesIn(folder);
    expect(packages).to.include('@noble/hashes');
    const named = [...read(notices).matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\d+\S* \([\w.-]+(?: OR [\w.-]+)*\)$/gm)];
    // A package may be there in two versions, each with its own line.
    expect([...new Set(named.map(([, name]) => name))]).to.have.members(packages);
    for (const name of packages) {
      const file = readdirSync(join('node_modules', name)).find((one) => /licen[cs]e/i.test(one));
      expect(read(notices), name).to.include(read(join('node_modules', name, file!)).trim());
    }
  });
}
