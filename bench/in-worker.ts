import type { MakeRows, Order } from './order.ts';
import { serve } from './serve.ts';

/** A suite's side in a dedicated worker; bench/run-in-browser.ts sends it the order. */
export function serveWorker(rows: MakeRows): void {
  addEventListener('message', ({ data }: MessageEvent<Order>) => {
    const loadWasm = async (name: string) => {
      const response = await fetch(
        new URL(`${name}.wasm`, new URL(data.wasmFolder, location.href)),
      );
      if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
      return response.arrayBuffer();
    };
    void serve(rows, data, loadWasm, (message) => postMessage(message));
  });
}
