import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/*
 * Makes the emitted types usable from TypeScript 5.4 on, where typed arrays are not generic, and without
 * the library "dom", as projects for Node have it.
 */
const GLOBALS = 'globals.d.ts';

/** Interfaces of "dom" in the types. Declared again, they add nothing where "dom" is there. */
const DECLARATIONS = `interface CryptoKey {}
interface CryptoKeyPair {}
interface CustomEvent<T = any> {}
interface Blob {}
interface IDBFactory {}
interface JsonWebKey {}
interface LockManager {}
interface MessagePort {}
interface ReadableWritablePair<R = any, W = any> {}
interface RequestInit {}
interface Response {}
interface SubtleCrypto {}
`;

/** `ReturnType<Uint8Array["slice"]>` is Uint8Array<ArrayBuffer> where that exists. */
export function portable(types) {
  return types
    .replace(/\b(\w+Array)<ArrayBuffer>/g, 'ReturnType<$1["slice"]>')
    .replace(/\b(\w+Array|DataView|ArrayBufferView)<ArrayBufferLike>/g, '$1')
    .replace(/\bBufferSource\b/g, '(ArrayBuffer | ArrayBufferView)');
}

/** Rewrites all types below a folder. @param entries the files that package.json names */
export function makeTypesPortable(folder, entries) {
  writeFileSync(join(folder, GLOBALS), DECLARATIONS);
  for (const file of readdirSync(folder, { recursive: true })) {
    const path = join(folder, file);
    if (!path.endsWith('.d.ts') || file === GLOBALS) continue;
    const types = portable(readFileSync(path, 'utf8'));
    const globals = relative(join(path, '..'), join(folder, GLOBALS));
    const reference = `/// <reference path="${globals.startsWith('.') ? globals : `./${globals}`}" />\n`;
    const isEntry = entries.some((entry) => path.endsWith(entry.replace(/^\.\//, '')));
    writeFileSync(path, isEntry ? reference + types : types);
  }
}
