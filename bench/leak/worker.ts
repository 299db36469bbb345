/* The same as child.ts for a browser: one worker for each primitive (run-in-firefox.ts). */
import { measuredRow } from './row.ts';
import type { Order } from './row.ts';

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  const loadWasm = async (module: string): Promise<ArrayBuffer> => {
    const response = await fetch(`wasm/${module}.wasm`);
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return await response.arrayBuffer();
  };
  void measuredRow(data, loadWasm).then(
    (row) => postMessage({ row }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
