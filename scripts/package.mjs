/*
 * Makes the folders that are published to npm: dist/package, which has the library, its types, and its documents, and
 * dist/create-sealwright, which `npm create sealwright` runs. The library's package has no repository that npm could
 * resolve links against, so that a link to a file outside it becomes plain text.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const TARGET = 'dist/package';
const CREATE = { target: 'dist/create-sealwright', program: 'create-sealwright.mjs' };
const STARTER = 'examples/starter';
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
const ROOT_FILES = ['README.md', 'SECURITY.md', 'LICENSE'];

/**
 * Documents for the extension's users, its auditors, other implementations of its formats, and this project's developers;
 * cli.md, in whose place the package has the man page; and tutorial-notes.md and e2e.md, whose app and whose zip it lacks.
 */
const NOT_PACKED =
  /^(architecture|audit|benchmarks|cli|constant-time|dependencies|e2e|fields|format|glossary|guide|install|keys|open-page|release|sync|threats|tutorial-notes|users-answers)\.md$/;

/** What package.json says to those who install it; the rest is for those who build it. */
const FIELDS = [
  ...[
    'name',
    'version',
    'description',
    'keywords',
    'license',
    'repository',
    'type',
    'sideEffects',
    'engines',
  ],
  ...['bin', 'man', 'exports', 'dependencies', 'peerDependencies', 'peerDependenciesMeta'],
];

export function makePackage() {
  const manifest = readJson('package.json');
  const documents = readdirSync('docs', { recursive: true }).filter(
    (name) => /^(recipes\/)?[^/]+\.md$/.test(name) && !NOT_PACKED.test(name),
  );
  const library = filesBelow('dist/lib').filter(
    (file) => !/^dist\/lib\/(types\/|[A-Z])/.test(file),
  );
  const files = [
    ...ROOT_FILES,
    ...documents.map((name) => `docs/${name}`),
    ...library,
    ...declarations(manifest),
  ];
  rmSync(TARGET, { recursive: true, force: true });
  for (const file of files) {
    const target = join(TARGET, file);
    mkdirSync(dirname(target), { recursive: true });
    if (!file.endsWith('.md')) cpSync(file, target);
    else writeFileSync(target, withoutDeadLinks(readFileSync(file, 'utf8'), dirname(file), files));
  }
  cpSync(join('dist/lib', NOTICES), join(TARGET, NOTICES));
  const published = Object.fromEntries(
    Object.entries(manifest).filter(([name]) => FIELDS.includes(name)),
  );
  writeJson(join(TARGET, 'package.json'), published);
}

/** The program, and examples/starter as its template, whose dependency is the package of the same version. */
export function makeCreatePackage() {
  const { target, program } = CREATE;
  const template = join(target, 'template');
  const { version, license, repository, type, engines } = readJson('package.json');
  rmSync(target, { recursive: true, force: true });
  cpSync(STARTER, template, { recursive: true });
  cpSync(join('scripts', program), join(target, program));
  cpSync('LICENSE', join(target, 'LICENSE'));
  const app = readJson(join(STARTER, 'package.json'));
  const dependencies = { ...app.dependencies, sealwright: `^${version}` };
  writeJson(join(template, 'package.json'), { ...app, dependencies });
  // How to copy the folder out of a checkout comes last. The app has the documents in the package that it installs.
  const [readme] = readFileSync(join(STARTER, 'README.md'), 'utf8').split('\n## Copy it');
  writeFileSync(
    join(template, 'README.md'),
    readme.replaceAll('../../docs/', 'node_modules/sealwright/docs/'),
  );
  const description = 'Makes a notes app whose server cannot read the notes, with Sealwright';
  writeFileSync(
    join(target, 'README.md'),
    `# create-sealwright\n\n${description}: \`npm create sealwright FOLDER\`.\n`,
  );
  writeJson(join(target, 'package.json'), {
    ...{ name: 'create-sealwright', version, license, repository, type, engines },
    description,
    bin: { 'create-sealwright': program },
  });
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The types that the subpaths reach: those of the inner layers are not an interface. */
function declarations({ exports }) {
  const found = new Set();
  const add = (file) => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, path] of text.matchAll(
      /(?:from |import\(|<reference path=)['"](\.[^'"]+)['"]/g,
    )) {
      add(join(dirname(file), path.replace(/(\.d)?\.[jt]s$/, '.d.ts')));
    }
  };
  for (const { types } of Object.values(exports)) if (types) add(normalize(types));
  return [...found].sort();
}

/** A picture or link to a file outside the package becomes its text. */
function withoutDeadLinks(text, folder, files) {
  const isPacked = (path) =>
    files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
  return text.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, picture, words, address) => {
    if (/^([a-z]+:|#)/.test(address)) return link;
    const path = normalize(join(folder, address.replace(/#.*$/, '')));
    if (isPacked(path)) return link;
    if (!existsSync(path)) throw new Error(`a link to ${path}, which does not exist`);
    if (picture) return `(A picture: ${words}.)`;
    const name = words.replaceAll('`', '');
    return name === path || address.endsWith(name) ? `\`${path}\`` : `${words} (\`${path}\`)`;
  });
}

if (import.meta.filename === process.argv[1]) {
  makePackage();
  makeCreatePackage();
}
