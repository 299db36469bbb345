/*
 * What `tsc -b` and `eslint .` report, over programs that both share: most types are resolved for the one
 * and for the other.
 */
import { ESLint } from 'eslint';
import ts from 'typescript';

/** The second imports from the first, whose files keep the options of their own project. */
const PROJECTS = ['src/crypto/tsconfig.json', 'tsconfig.json'];

function programOf(path) {
  const fail = ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(path, {}, host);
  return ts.createProgram({
    rootNames: fileNames,
    options,
    // Rules look at the parents of nodes.
    host: ts.createCompilerHost(options, true),
    configFileParsingDiagnostics: errors,
  });
}

/** Of the files of its own project: those of the other were checked in there. */
function problemsOf(program) {
  const { declaration } = program.getCompilerOptions();
  return [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program
      .getRootFileNames()
      .map((name) => program.getSourceFile(name))
      .flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
        ...(declaration ? program.getDeclarationDiagnostics(file) : []),
      ]),
  ];
}

const programs = PROJECTS.map(programOf);
const problems = ts.sortAndDeduplicateDiagnostics(programs.flatMap(problemsOf));
const formatHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  getNewLine: () => '\n',
};
console.log(ts.formatDiagnostics(problems, formatHost));

const eslint = new ESLint({
  overrideConfig: {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: false, programs } },
  },
});
const results = await eslint.lintFiles(['.']);
console.log(await (await eslint.loadFormatter('stylish')).format(results));
const errors = results.reduce((sum, { errorCount }) => sum + errorCount, 0);
process.exitCode = problems.length + errors === 0 ? 0 : 1;
