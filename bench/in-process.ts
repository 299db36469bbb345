import { readFile } from 'node:fs/promises';
import type { MakeRows, Order } from './order.ts';
import { serve } from './serve.ts';

/** A suite's side in a process of its own; bench/run-in-node.ts sends it the order. */
export function serveProcess(rows: MakeRows): void {
  process.on('message', (order: Order) => {
    const loadWasm = async (name: string) =>
      Uint8Array.from(await readFile(new URL(`${name}.wasm`, order.wasmFolder)));
    void serve(rows, order, loadWasm, (message) => process.send!(message));
  });
}
