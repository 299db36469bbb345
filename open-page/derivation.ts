/*
 * Keys from passphrases: the only work of the page that takes a whole processor for about a second. A worker does it, made
 * from the text of the page's one script by a blob: URL, which works from file:, too, in both browsers, where a script in a
 * file of its own does not. Where a browser starts no such worker, the page's own thread does it.
 */
import { scrypt, type ScryptCost } from '../src/crypto/kdf/scrypt.ts';
import type { Argon2idCost, PassphraseKdf } from '../src/format/passphrase.ts';

/** One derivation of 32 bytes. */
export type DerivationRequest = {
  readonly passphrase: Uint8Array;
  readonly salt: Uint8Array;
} & (
  | { readonly kdf: 'Argon2id'; readonly cost: Argon2idCost }
  | { readonly kdf: 'scrypt'; readonly cost: ScryptCost }
);

/** Derives 32 bytes, which the caller wipes. Rejects with the signal's reason, or if there is not enough memory. */
export type Derive = (request: DerivationRequest, signal: AbortSignal) => Promise<Uint8Array>;

type Answer = { readonly key: Uint8Array } | { readonly failed: true };

/** The part of a worker that is used, from the outside. */
export type DerivationWorker = Pick<Worker, 'onmessage' | 'onerror' | 'postMessage' | 'terminate'>;

/** The same from the inside. */
export type WorkerScope = Pick<Worker, 'onmessage' | 'postMessage'>;

const KEY_BYTES = 32;
/** How long a worker may take to read its script. */
const LOADING_MS = 60_000;

/** Derives on this thread. */
export async function deriveHere(
  request: DerivationRequest,
  argon2id: PassphraseKdf,
): Promise<Uint8Array> {
  const { passphrase, salt } = request;
  return request.kdf === 'scrypt'
    ? scrypt(passphrase, salt, request.cost, KEY_BYTES)
    : argon2id(passphrase, salt, request.cost);
}

/** In the worker: answers the one request that it is made for. */
export function serveDerivation(scope: WorkerScope, argon2id: PassphraseKdf): void {
  const answer = (message: Answer) => scope.postMessage(message);
  scope.onmessage = ({ data }: MessageEvent<DerivationRequest>) => {
    void deriveHere(data, argon2id).then(
      (key) => answer({ key }),
      () => answer({ failed: true }),
    );
  };
}

/**
 * In the page: derives in a worker of its own each, so that an abort ends the work at once.
 *
 * @param startWorker may throw; a worker may also fail before its first answer
 */
export function derivingInWorkers(
  startWorker: () => DerivationWorker,
  argon2id: PassphraseKdf,
): Derive {
  return async (request, signal) => {
    signal.throwIfAborted();
    const answer = await answerOf(startWorker, request, signal);
    // No worker started: a frame is drawn first, so that the page says what it is doing before it stands still.
    if (answer === 'no worker') {
      await new Promise((resume) => setTimeout(resume, 100));
      return deriveHere(request, argon2id);
    }
    if ('failed' in answer) throw new RangeError('There is not enough memory for the passphrase');
    return answer.key;
  };
}

async function answerOf(
  startWorker: () => DerivationWorker,
  request: DerivationRequest,
  signal: AbortSignal,
): Promise<Answer | 'no worker'> {
  let worker: DerivationWorker;
  try {
    worker = startWorker();
  } catch {
    return 'no worker';
  }
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
      worker.onerror = () => resolve('no worker');
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}

/** Makes a worker of a script's text. @returns what `derivingInWorkers` calls */
export function workersOf(script: string): () => DerivationWorker {
  return () => {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    try {
      return new Worker(url);
    } finally {
      // A worker takes its script after its constructor has returned.
      setTimeout(() => URL.revokeObjectURL(url), LOADING_MS);
    }
  };
}
