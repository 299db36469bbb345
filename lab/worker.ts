/*
 * Entry: one run of the Lab. It has nothing of the vault and no input but the name of a work; to cancel, its
 * page terminates it. Its bundle alone holds the old block ciphers.
 */
import { runLab } from './lab.ts';
import type { LabEvent, LabOrder } from './result.ts';
import { cardsIf } from '../src/workshop/cards.ts';
import { packagedWasm } from '../extension/platform/workers/engine-wasm.ts';

const say = (event: LabEvent) => globalThis.postMessage(event);
/** Relative to this script: in Chromium a worker has no WebExtension API. */
const getUrl = (path: string) => new URL(path, globalThis.location.href).href;
const cards = cardsIf(() => Promise.resolve(true));

async function run(order: LabOrder): Promise<void> {
  try {
    for await (const event of runLab({ ...order, cards, loadWasm: packagedWasm(getUrl) })) {
      say(event);
    }
  } catch (error) {
    say({ type: 'failed', message: String(error) });
  }
}

globalThis.addEventListener('message', ({ data }: MessageEvent<LabOrder>) => void run(data));
