import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const PROJECT = 'tsconfig.emit.json';
const FOLDER = '.cache/transpiled';

/**
 * Makes JavaScript of all sources at once, in a tree like theirs: TypeScript 7 needs two seconds for it, and has no API
 * for one file. It does not check types, which `Types and lint` does.
 */
export function transpileAll() {
  const compiler = 'node_modules/typescript-native/bin/tsc';
  execFileSync(process.execPath, [compiler, '-p', PROJECT], { stdio: 'inherit' });
}

/** A webpack loader: the JavaScript of a source, which transpileAll has made. */
export default function transpile() {
  const path = relative('.', this.resourcePath).replace(/\.tsx?$/, '.js');
  return readFileSync(resolve(FOLDER, path), 'utf8');
}
