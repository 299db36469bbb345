/*
 * The process that measures one primitive and nothing else, so that no other code has shaped what
 * the compilers made of it. bench/leak/run-child.ts bundles and starts it, and reads one line.
 *
 *     node child.mjs '{"name": …, "variant": …, "limits": …}' WASM-FOLDER
 */
import { readFile } from 'node:fs/promises';
import { measuredRow } from './row.ts';
import type { Order } from './row.ts';

const [, , order, wasmFolder] = process.argv;
const row = await measuredRow(JSON.parse(order!) as Order, async (module) =>
  Uint8Array.from(await readFile(`${wasmFolder}/${module}.wasm`)),
);
console.log(JSON.stringify(row));
