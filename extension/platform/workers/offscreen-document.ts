import type { RunningWorker } from './running-worker.ts';

/*
 * The messages between service worker and offscreen document. A request is a message of the service worker
 * to its client, with two ports: one to control the worker, one for the worker itself.
 */

/** To the document: to start a worker. */
export const START = 'start';
/** To the document. A control port that closes, because the service worker ended, means the same. */
export const END = 'end';
/** From the document: the worker was started, or its script failed. A control port that closes means the same. */
export type FromHost = 'started' | 'error';
/**
 * The lock that a start holds, shared with other starts, and that a document takes for itself before it closes: what is sent
 * to a closing document may still be answered, and ends with it.
 */
export const CLOSING = 'sealwright offscreen document';

/** chrome.offscreen (Chrome 109; the reason WORKERS: 113). */
export interface Offscreen {
  createDocument(parameters: {
    readonly url: string;
    readonly reasons: readonly 'WORKERS'[];
    readonly justification: string;
  }): Promise<void>;
}

/** The part of chrome.runtime that lists the extension's contexts (Chrome 116). */
export interface Contexts {
  getContexts(filter: {
    readonly contextTypes: readonly 'OFFSCREEN_DOCUMENT'[];
  }): Promise<readonly unknown[]>;
}

interface WindowClient {
  readonly url: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** The part of `clients` that lists the extension's pages. */
export interface WindowClients {
  matchAll(options: {
    readonly includeUncontrolled: true;
    readonly type: 'window';
  }): Promise<readonly WindowClient[]>;
}

export interface OffscreenDeps {
  readonly locks: Pick<LockManager, 'request'>;
  readonly offscreen: Offscreen;
  readonly contexts: Contexts;
  readonly clients: WindowClients;
  readonly url: string;
}

/** A document that works answers within milliseconds. */
const ANSWER_MS = 2_000;
/** A document that has crashed does not answer, and may be listed for a moment. The next one does. */
const ATTEMPTS = 3;
const BETWEEN_MS = 100;

/**
 * The extension's one offscreen document, as its service worker uses it. It is created when a worker is
 * needed. It closes itself (worker-host.ts), because the service worker may have ended by then.
 *
 * Another extension can open its address in a tab. Nothing tells that client from the document but that it does
 * not answer (`isOffscreen`).
 */
export class OffscreenDocument {
  readonly #deps: OffscreenDeps;
  #opening: Promise<void> | undefined;

  constructor(deps: OffscreenDeps) {
    this.#deps = deps;
  }

  /** @throws Error where no document can be made, or none answers */
  startWorker(): Promise<RunningWorker> {
    return this.#deps.locks.request(CLOSING, { mode: 'shared' }, () => this.#start());
  }

  async #start(): Promise<RunningWorker> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await new Promise((resume) => setTimeout(resume, BETWEEN_MS));
      await this.#ensure();
      const worker = await startInOne(await this.#pages());
      if (worker !== undefined) return worker;
    }
    throw new Error('The offscreen document does not answer');
  }

  /** The browser allows one document: calls at the same time share the creation. */
  async #ensure(): Promise<void> {
    this.#opening ??= this.#open();
    try {
      await this.#opening;
    } finally {
      this.#opening = undefined;
    }
  }

  async #open(): Promise<void> {
    const existing = { contextTypes: ['OFFSCREEN_DOCUMENT'] } as const;
    if ((await this.#deps.contexts.getContexts(existing)).length > 0) return;
    await this.#deps.offscreen.createDocument({
      url: this.#deps.url,
      reasons: ['WORKERS'],
      justification:
        'Does long work, such as turning your passphrase into a key, without holding up everything else.',
    });
  }

  async #pages(): Promise<readonly WindowClient[]> {
    const pages = await this.#deps.clients.matchAll({ includeUncontrolled: true, type: 'window' });
    return pages.filter(({ url }) => url === this.#deps.url);
  }
}

/** Called in a page: whether it is the offscreen document, which has chrome.runtime and no other part of the API. */
export function isOffscreen(api: object): boolean {
  return !('tabs' in api);
}

/** Starts a worker in the page that answers first; undefined where none does. */
async function startInOne(pages: readonly WindowClient[]): Promise<RunningWorker | undefined> {
  const starting = pages.map(startIn);
  const answer = async (one: Promise<RunningWorker | undefined>): Promise<RunningWorker> =>
    (await one) ?? Promise.reject(new Error('No answer'));
  return Promise.any(starting.map(answer)).catch(() => undefined);
}

/** Starts a worker in the document; undefined where it does not answer in time. */
async function startIn(client: WindowClient): Promise<RunningWorker | undefined> {
  const controlling = new MessageChannel();
  const orders = new MessageChannel();
  const control = controlling.port1;
  const started = nextMessage(control, 'started');
  const failed = Promise.race([nextMessage(control, 'error'), closed(control)]);
  control.start();
  client.postMessage(START, [controlling.port2, orders.port2]);
  const end = () => {
    control.postMessage(END);
    control.close();
    orders.port1.close();
  };
  if (await within(ANSWER_MS, started)) {
    return { port: orders.port1, onError: (listener) => void failed.then(listener), end };
  }
  end();
  return undefined;
}

function nextMessage(port: MessagePort, word: FromHost): Promise<void> {
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<FromHost>) => {
      if (data === word) resolve();
    });
  });
}

/** The document has ended, and its workers with it. */
function closed(port: MessagePort): Promise<void> {
  return new Promise((resolve) => {
    port.addEventListener('close', () => resolve()); // Chrome 122
  });
}

async function within(timeMs: number, event: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeMs);
  });
  const answer = await Promise.race([event.then(() => true), tooLate]);
  clearTimeout(timer);
  return answer;
}
