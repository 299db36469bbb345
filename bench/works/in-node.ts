/* The Lab in a process of its own, which `run.ts` bundles and starts: a message names the folder of the modules. */
import { readFile } from 'node:fs/promises';
import { runLab } from '../../lab/lab.ts';
import type { LabEvent, LabOrder } from '../../lab/result.ts';

/** A run of one work. */
export interface NodeOrder extends LabOrder {
  /** URL of the folder of the .wasm modules. */
  readonly wasmFolder: string;
}

process.on('message', ({ wasmFolder, ...order }: NodeOrder) => {
  const loadWasm = async (name: string) =>
    Uint8Array.from(await readFile(new URL(`${name}.wasm`, wasmFolder)));
  const tell = (event: LabEvent) => process.send!(event);
  void (async () => {
    try {
      for await (const event of runLab({ ...order, loadWasm })) tell(event);
    } catch (error) {
      tell({ type: 'failed', message: String(error) });
    }
    process.disconnect();
  })();
});
