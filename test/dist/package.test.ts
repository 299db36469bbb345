import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';

/*
 * dist/package, which is published to npm, and the notices of the packages whose code is in a bundle.
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

for (const [folder, notices] of [
  ['dist/lib', join(PACKAGE, NOTICES)],
  ['dist/chromium', join('dist/chromium', NOTICES)],
  ['dist/firefox', join('dist/firefox', NOTICES)],
  ['dist/lab', join('dist/lab', NOTICES)],
] as const) {
  it(`the notices of ${folder} have the licence of every package whose code is in it, and no others`, () => {
    const packages = packagesIn(folder);
    expect(packages).to.include('@noble/hashes');
    const named = [...read(notices).matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\d+\S* \([\w.-]+\)$/gm)];
    // A package may be there in two versions, each with its own line.
    expect([...new Set(named.map(([, name]) => name))]).to.have.members(packages);
    for (const name of packages) {
      const file = readdirSync(join('node_modules', name)).find((one) => /licen[cs]e/i.test(one));
      expect(read(notices), name).to.include(read(join('node_modules', name, file!)).trim());
    }
  });
}
