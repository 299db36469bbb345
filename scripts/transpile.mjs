import ts from 'typescript';

const PROJECT = 'tsconfig.json';
const { options } = ts.getParsedCommandLineOfConfigFile(
  PROJECT,
  // The project only checks types; what is loaded is one file at a time.
  { noEmit: false, allowImportingTsExtensions: false, incremental: false },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
);

/** By the path of a source. */
const transpiled = new Map();

/**
 * A webpack loader: makes JavaScript of TypeScript. It does not check types, which `Types and lint` does. Each file is
 * transpiled once for all builds of a run, which share most of their sources.
 */
export default function transpile(source) {
  const known = transpiled.get(this.resourcePath);
  if (known?.source === source) return known.text;
  const { outputText: text } = ts.transpileModule(source, {
    compilerOptions: options,
    fileName: this.resourcePath,
  });
  transpiled.set(this.resourcePath, { source, text });
  return text;
}
