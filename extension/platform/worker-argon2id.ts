import type { PassphraseKdf } from '../../src/keys/passphrase.ts';
import type { Argon2idAnswer, Argon2idOrder } from './argon2id-protocol.ts';
import type { RunningWorker, StartWorker } from './running-worker.ts';

const SCRIPT = 'argon2id-worker.js';

/** A worker that has not said a word by then never will. */
const READY_MS = 5_000;

/** A derivation that the worker could not do, for example for want of memory. */
export class DerivationError extends Error {
  override readonly name = 'DerivationError';
}

/**
 * Argon2id in a worker for each derivation, which ends with it: an abort takes effect at once, and
 * the memory is free afterwards.
 *
 * @param here derives in this thread where no worker can be had: slow answers, but the vault opens
 */
export function workerArgon2id(start: StartWorker, here: PassphraseKdf): PassphraseKdf {
  return async (passphrase, salt, cost, signal) => {
    signal?.throwIfAborted();
    const worker = await readyWorker(start);
    if (worker === undefined) return here(passphrase, salt, cost, signal);
    try {
      signal?.throwIfAborted();
      return await answerOf(worker, { passphrase: passphrase.slice(), salt, cost }, signal);
    } finally {
      worker.end();
    }
  };
}

/** Undefined where none can be had. */
async function readyWorker(start: StartWorker): Promise<RunningWorker | undefined> {
  const worker = await start(SCRIPT).catch(() => undefined);
  if (worker === undefined || (await isReady(worker))) return worker;
  worker.end();
  return undefined;
}

function isReady({ port, onError }: RunningWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), READY_MS);
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      resolve(ready);
    };
    port.addEventListener('message', () => settle(true), { once: true });
    onError(() => settle(false));
    port.start();
  });
}

function answerOf(
  { port, onError }: RunningWorker,
  order: Argon2idOrder,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal!.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    onError(() => reject(new DerivationError('the worker failed')));
    port.addEventListener('message', ({ data }: MessageEvent<Argon2idAnswer>) => {
      signal?.removeEventListener('abort', abort);
      if (typeof data === 'object' && 'key' in data) resolve(data.key);
      else reject(new DerivationError(data === 'ready' ? data : `${data.name}: ${data.message}`));
    });
    port.postMessage(order, [order.passphrase.buffer as ArrayBuffer]);
  });
}
