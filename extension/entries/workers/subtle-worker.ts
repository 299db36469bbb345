/*
 * Entry: a worker for one operation of a page's `subtle` that takes long: a derivation, or a key pair
 * whose group is checked. It blocks no other call and can be terminated at any time.
 */
import { wipe } from '../../../src/crypto/bytes.ts';
import { pageRegistry } from '../../../src/engine/service-engines.ts';
import { answerTo } from '../../../src/service/subtle/worker-order.ts';
import type { SubtleOrder } from '../../../src/service/subtle/worker-order.ts';
import { packagedWasm } from '../../platform/workers/engine-wasm.ts';
import { serveOrders, type SubtleWorkerAnswer } from '../../platform/workers/worker-channel.ts';

/** Relative to this script: in Chromium a worker has no WebExtension API. */
const getUrl = (path: string) => new URL(path, globalThis.location.href).href;
const registry = pageRegistry(packagedWasm(getUrl));

async function answer(order: SubtleOrder): Promise<SubtleWorkerAnswer> {
  try {
    await registry.ready();
    return await answerTo(order, registry);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error('unknown');
    return { failed: `${name}: ${message}` };
  } finally {
    if (order.operation === 'generateKey') wipe(order.random);
  }
}

serveOrders<{ order: SubtleOrder; answer: SubtleWorkerAnswer }>(answer);
