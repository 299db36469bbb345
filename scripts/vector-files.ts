/*
 * Lists each file of the packages of published vectors: how many of its cases the tests run, or why they do not.
 *
 *     npx tsx scripts/vector-files.ts           # a line for each file, and the number of distinct cases
 *     npx tsx scripts/vector-files.ts --check   # exit status 1 where a file is neither run nor has a reason
 *
 * A test file declares what it runs by its calls of `describeVectors`: the files are loaded, and no test is run. A case
 * counts once, however many engines, test files and packages have it.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { matchesGlob, resolve } from 'node:path';
import Mocha from 'mocha';
import { readSources } from '../test/repo/import-graph.ts';
import { readVectors, vectorSets } from '../test/support/vectors.ts';
import { PACKAGES, testDataFolder, type TestData } from './test-data.mjs';
import { UNSUPPORTED } from './unsupported-vectors.ts';

const VECTORS = 'test/support/vectors.ts';
/** They run the suites of test/conformance in further engines: nothing that another file does not declare. */
const FURTHER_ENGINES =
  /^test\/(browser|cross|dist)\/|^test\/engine\/(gpu|threads|wasm\/(arx|aes))\//;

/** Test files that import the vectors, themselves or through a suite. */
function testFiles(): string[] {
  const importers = new Map<string, string[]>();
  for (const { path, runtimeImports } of readSources('test')) {
    for (const target of runtimeImports) {
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  const found = new Set<string>();
  const walk = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const importer of importers.get(path) ?? []) walk(importer);
  };
  walk(VECTORS);
  return [...found]
    .filter((path) => path.endsWith('.test.ts') && !FURTHER_ENGINES.test(path))
    .sort();
}

/** By `import`: mocha would take `require` for some, whose module of vectors is another one. */
async function loadTests(): Promise<void> {
  const mocha = new Mocha();
  for (const file of testFiles()) {
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    await import(resolve(file));
  }
}

/** Every file of the packages that are installed, as `describeVectors` names it. */
function packageFiles(): string[] {
  return (Object.keys(PACKAGES) as TestData[]).flatMap((name) => {
    const folder = testDataFolder(name);
    if (folder === undefined) throw new Error(`${name} is not installed: npm test installs it`);
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${name}${entry.parentPath.slice(folder.length)}/${entry.name}`)
      .sort();
  });
}

/** What names a case where it stands, and says nothing of it. */
const NUMBERS: ReadonlySet<string> = new Set(['count', 'tcid', 'comment', 'flags']);

/** The same for a case in another file or another order of fields. */
function identity(vector: object): string {
  const fields = Object.entries(vector)
    .filter(([name]) => !NUMBERS.has(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()}=${asText(value)}`);
  return createHash('sha256').update(fields.sort().join('\n')).digest('base64');
}

function asText(value: unknown): string {
  const isBytes = ArrayBuffer.isView(value);
  return (
    isBytes ? Buffer.from(value as Uint8Array).toString('hex') : JSON.stringify(value)
  ).toLowerCase();
}

/** The cases of a file: those of the parser that gives the most, since parsers name fields differently. */
function casesOf(file: string): ReadonlySet<string> {
  const text = readVectors(file)!;
  return vectorSets
    .filter((set) => set.file === file)
    .map(({ parse }) => new Set(parse(text).map(identity)))
    .reduce((most, cases) => (cases.size > most.size ? cases : most));
}

const reasonOf = (file: string): string | undefined =>
  UNSUPPORTED.find(([glob]) => matchesGlob(file, glob))?.[1];

await loadTests();
const run = new Set(vectorSets.map(({ file }) => file));
const files = packageFiles();
const forgotten = files.filter((file) => !run.has(file) && reasonOf(file) === undefined);
const absent = [...run].filter((file) => file.split('/')[0]! in PACKAGES && !files.includes(file));
if (process.argv.includes('--check')) {
  for (const file of forgotten) console.error(`${file}: no test runs it, and no reason says why`);
  for (const file of absent) {
    console.error(`${file}: a test runs it, and the package has no such file`);
  }
  process.exitCode = forgotten.length + absent.length > 0 ? 1 : 0;
} else {
  const distinct = new Set<string>();
  for (const file of files) {
    if (!run.has(file)) console.log(`${file}: ${reasonOf(file) ?? 'NO REASON'}`);
    else {
      const cases = casesOf(file);
      for (const one of cases) distinct.add(one);
      console.log(`${file}: ${cases.size} cases`);
    }
  }
  const counts = `${files.filter((file) => run.has(file)).length} of ${files.length} files`;
  console.log(
    `${counts}, ${distinct.size} distinct cases, ${forgotten.length} files without a reason`,
  );
}
// Suites hold engines whose workers would keep the process.
process.exit();
