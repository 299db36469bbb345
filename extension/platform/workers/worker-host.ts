import { CLOSING, END, START, type FromHost } from './offscreen-document.ts';
import { workerHere } from './running-worker.ts';

/** The document closes itself after this time without workers. Creating one takes 50 ms. */
export const IDLE_MS = 10_000;
/** By then a browser has closed a document, and with it released the lock. Else the document goes on. */
const CLOSED_MS = 10_000;

export interface HostDeps {
  readonly locks: Pick<LockManager, 'request'>;
  /** Where the requests of the service worker arrive. */
  readonly requests: Pick<ServiceWorkerContainer, 'addEventListener' | 'startMessages'>;
  /** Closes this document. */
  readonly close: () => void;
}

/**
 * Runs workers for the service worker, each until the service worker ends it or has ended itself, and
 * closes the document when none has run for a while.
 */
export class WorkerHost {
  readonly #deps: HostDeps;
  #running = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: HostDeps) {
    this.#deps = deps;
    deps.requests.addEventListener('message', (event) =>
      this.#start(event as MessageEvent<unknown>),
    );
    deps.requests.startMessages();
    this.#rest();
  }

  #start({ data, ports }: MessageEvent<unknown>): void {
    const [control, port] = ports;
    if (data !== START || control === undefined || port === undefined) return;
    const say = (word: FromHost) => control.postMessage(word);
    const worker = workerHere(port);
    this.#running++;
    clearTimeout(this.#idle);
    worker.addEventListener('error', () => say('error'));
    const end = this.#once(() => worker.terminate());
    control.addEventListener('message', ({ data: word }) => word === END && end());
    control.addEventListener('close', end); // Chrome 122
    control.start();
    say('started');
  }

  #once(terminate: () => void): () => void {
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      terminate();
      this.#running--;
      this.#rest();
    };
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#running === 0) this.#idle = setTimeout(() => void this.#close(), IDLE_MS);
  }

  /** Unless a worker is being started. The next one then waits until the browser has released the lock of this document. */
  async #close(): Promise<void> {
    await this.#deps.locks.request(CLOSING, { ifAvailable: true }, async (lock) => {
      if (lock === null || this.#running > 0) return;
      this.#deps.close();
      await new Promise((resume) => setTimeout(resume, CLOSED_MS));
    });
    this.#rest();
  }
}
