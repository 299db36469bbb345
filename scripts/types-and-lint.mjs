/*
 * `node scripts/types-and-lint.mjs [--fresh]`: what `tsc -b` and `eslint .` report, in one process: where a file has to be
 * linted, the rules ask the programs that have just been checked.
 *
 * Both keep what they found in .cache. TypeScript checks again what a change reaches, untouched files among it; ESLint
 * lints the files that have changed. A rule that looks at types may thus miss a change in another file: with --fresh, as
 * in CI and `npm run test:all`, nothing of an earlier run is used.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';
import tseslint from 'typescript-eslint';

const PROJECT = 'tsconfig.json';
const LINTED = '.cache/eslint/';

/** The programs of the projects that were not up to date, by the path of their configuration. */
const programs = new Map();

/** As `tsc -b`: projects in the order in which they refer to each other. @returns how many errors there are */
function checkTypes() {
  const createProgram = (...args) => {
    const builder = ts.createEmitAndSemanticDiagnosticsBuilderProgram(...args);
    programs.set(resolve(builder.getCompilerOptions().configFilePath), builder.getProgram());
    return builder;
  };
  const problems = [];
  const report = (problem) => problems.push(problem);
  const host = ts.createSolutionBuilderHost(ts.sys, createProgram, report, () => undefined);
  ts.createSolutionBuilder(host, [PROJECT], {}).build();
  const formatHost = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => '\n',
  };
  if (problems.length > 0) console.log(ts.formatDiagnostics(problems, formatHost));
  return problems.length;
}

function programOf(path) {
  const fail = ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const {
    fileNames,
    options,
    projectReferences = [],
  } = ts.getParsedCommandLineOfConfigFile(path, {}, host);
  const program =
    programs.get(resolve(path)) ??
    // Rules look at the parents of nodes.
    ts.createProgram({
      ...{ rootNames: fileNames, options, projectReferences },
      host: ts.createCompilerHost(options, true),
    });
  // Those that it refers to come first: a file keeps the options of its own project.
  return [
    ...projectReferences.flatMap((one) => programOf(ts.resolveProjectReferencePath(one))),
    program,
  ];
}

/** ESLint's parser of TypeScript over our programs, which are made when the first file has to be linted. */
function parserOfPrograms() {
  let made;
  const parseForESLint = (code, options) => {
    made ??= programOf(PROJECT);
    return tseslint.parser.parseForESLint(code, {
      ...{ ...options, projectService: false, programs: made },
    });
  };
  return { meta: { ...tseslint.parser.meta, name: 'types-and-lint' }, parseForESLint };
}

async function lint() {
  const eslint = new ESLint({
    ...{ cache: true, cacheLocation: LINTED, cacheStrategy: 'content' },
    overrideConfig: {
      files: ['**/*.{ts,tsx}'],
      languageOptions: { parser: parserOfPrograms() },
    },
  });
  const results = await eslint.lintFiles(['.']);
  const text = await (await eslint.loadFormatter('stylish')).format(results);
  if (text !== '') console.log(text);
  return results.reduce((sum, { errorCount }) => sum + errorCount, 0);
}

if (process.argv.includes('--fresh')) {
  for (const folder of ['.cache/types', LINTED]) rmSync(folder, { recursive: true, force: true });
}
const errors = checkTypes() + (await lint());
process.exitCode = errors === 0 ? 0 : 1;
