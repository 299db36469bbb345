import { fork } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { makeWasm } from '../scripts/make-wasm.ts';
import { bestVariant } from '../src/engine/wasm/loader.ts';
import { bundleForNode, bundleThreadsWorker } from './bundle.ts';
import type { Message, Order } from './order.ts';

/** Where the bench builds what it runs. */
const FOLDER = '.cache/bench';
const WASM_FOLDER = `${FOLDER}/wasm/`;

/** Turns relaxed SIMD on where Node has it behind a flag, as Node 20 does. */
export const RELAXED_FLAG = '--experimental-wasm-relaxed-simd';
export const needsRelaxedFlag = (): boolean => bestVariant() === 'simd';

/** An order without what this file knows itself. */
export type Request = Omit<Order, 'wasmFolder'>;

/** Makes the modules of WebAssembly that all suites load, and the worker of one engine. */
export async function makeModulesForNode(): Promise<void> {
  await makeWasm(WASM_FOLDER);
  await bundleThreadsWorker(FOLDER);
}

/**
 * Bundles a suite for `runInNode`.
 *
 * @param name of the suite
 * @param rows the module of its rows
 */
export async function buildForNode(name: string, rows: string): Promise<void> {
  await bundleForNode(rows, `${FOLDER}/${name}.mjs`);
}

/**
 * Runs a suite that was built in a process of its own.
 *
 * @param flags for Node
 * @param tell receives each message as it comes
 */
export async function runInNode(
  name: string,
  request: Request,
  flags: readonly string[],
  tell: (message: Message) => void,
): Promise<void> {
  const child = fork(`${FOLDER}/${name}.mjs`, { execArgv: [...flags] });
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: Message) => {
        if ('error' in message) reject(new Error(message.error));
        else if ('done' in message) resolve();
        else tell(message);
      });
      child.on('exit', (code, signal) => {
        reject(new Error(`the process of suite ${name} ended with ${signal ?? code}`));
      });
      const order: Order = { ...request, wasmFolder: pathToFileURL(WASM_FOLDER).href };
      child.send(order);
    });
  } finally {
    child.kill();
  }
}
