import { readdirSync, readFileSync, statSync } from 'node:fs';
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

/** The npm packages whose modules webpack's comments name, in all scripts of a folder. */
function packagesIn(folder: string): string[] {
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const found = scripts.flatMap((file) =>
    [...read(join(folder, file)).matchAll(/^(?:\/\*{3}\/ "|\s*;?\/\/ )\.\/.*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gm)].map(
      ([, name]) => name!,
    ),
  );
  return [...new Set(found)];
}

describe('the package', () => {
  const files = filesBelow(PACKAGE);

  it('has the library, its documents and its licences, and neither pictures nor measurements', () => {
    expect(files).to.include.members([
      ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', NOTICES, 'package.json'],
      ...['docs/library.md', 'docs/format.md', 'docs/client.md', 'docs/bundlers.md'],
    ]);
    const library = filesBelow('dist/lib').filter((file) => !/^types\/|^[A-Z]/.test(file));
    expect(library).to.not.be.empty;
    expect(files).to.include.members(library.map((file) => `dist/lib/${file}`));
    expect(files.filter((file) => /\.(png|svg|json)$|benchmarks/.test(file))).to.deep.equal(['package.json']);
    const bytes = files.reduce((sum, file) => sum + statSync(join(PACKAGE, file)).size, 0);
    // A third of it is sealwright/testing, which holds the whole background.
    // 7,205,952 with threads.js and threads-worker.js, which have 316,000 of them.
    // 7,318,455 with keys by reference, which sealwright/testing has too.
    // 7,435,954 with P-256 for keys for tokens, there too.
    // 7,509,269 with modules that it evaluates at their first use, and which webpack does not join for that.
    // 7,550,745 with backups that replace a vault, keys of guests, and the workshop.
    // 7,661,946 with batches that have contexts or are rewrapped, a comment for every member of the types, and recipes.
    expect(bytes).to.be.at.most(7_700_000);
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
