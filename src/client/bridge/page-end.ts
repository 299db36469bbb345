import type { Sealwright } from '../page-api.ts';
import { ARGUMENTS } from './arguments.ts';
import { holdLifeline, onLifelineEnd } from './lifeline.ts';
import { packed, sealwrightError, withErrors } from './messages.ts';
import type { CallMessage, MethodName, News, ToPage, ToWorker } from './messages.ts';
import { EVENTS } from '../watch.ts';
import { pump } from './stream-ends.ts';

/** Options of both ends of a bridge. */
export interface BridgeOptions {
  /** Where either end learns that the other is gone: the browser's, unless a test says otherwise. */
  readonly locks?: LockManager;
}

/**
 * Lets a worker of the page use Sealwright over a port: with the page's own permissions, and with
 * the same answers and errors. Whoever has the other end can do what the page can: give it to no
 * one else. When the worker ends, its calls are aborted and nothing of it is left.
 *
 * @returns ends it; what the worker still waits for rejects with DISCONNECTED
 *
 * @example
 *   const { port1, port2 } = new MessageChannel();
 *   serveSealwright(sealwright, port1);
 *   worker.postMessage({ sealwright: port2 }, [port2]);
 */
export function serveSealwright(
  sealwright: Sealwright,
  port: MessagePort,
  { locks = navigator.locks }: BridgeOptions = {},
): () => void {
  const end = new PageEnd(sealwright, port, locks);
  return () => end.stop();
}

class PageEnd {
  readonly #sealwright: Sealwright;
  readonly #port: MessagePort;
  readonly #locks: LockManager;
  readonly #running = new Map<number, AbortController>();
  readonly #ending = new AbortController();

  constructor(sealwright: Sealwright, port: MessagePort, locks: LockManager) {
    this.#sealwright = sealwright;
    this.#port = port;
    this.#locks = locks;
    const { signal } = this.#ending;
    for (const name of [...EVENTS, 'disconnect'] as const) {
      sealwright.addEventListener(name, () => this.#send({ kind: 'event', name }), { signal });
    }
    port.addEventListener('message', ({ data }) => this.#take(data as ToPage), { signal });
    port.start();
  }

  stop(): void {
    this.#ending.abort();
    for (const call of this.#running.values()) call.abort();
    this.#port.close();
  }

  #take(message: ToPage): void {
    if (message.kind === 'hello') void this.#greet(message.lifeline);
    else if (message.kind === 'abort') this.#running.get(message.id)?.abort();
    else void this.#run(message);
  }

  async #greet(theirs: string): Promise<void> {
    const { signal } = this.#ending;
    onLifelineEnd(this.#locks, theirs, () => this.stop(), signal);
    const lifeline = await holdLifeline(this.#locks, signal);
    this.#send({ kind: 'hello', lifeline, info: this.#sealwright.info });
  }

  async #run(message: CallMessage): Promise<void> {
    const { id } = message;
    const call = new AbortController();
    this.#running.set(id, call);
    const tell = (kind: News['kind'], value: unknown): void =>
      this.#send({ kind, id, value: withErrors(value, packed) }, buffersOf(value));
    try {
      tell('answer', await this.#called(message, call.signal, tell));
    } catch (error) {
      tell('failure', error);
    } finally {
      this.#running.delete(id);
    }
  }

  #called(
    { method, args, options, wantsProgress, ends }: CallMessage,
    signal: AbortSignal,
    tell: (kind: 'progress', done: unknown) => void,
  ): unknown {
    const onProgress = (done: unknown): void => tell('progress', done);
    const control = { signal, ...options, ...(wantsProgress && { onProgress }) };
    const result = methodOf(this.#sealwright, method)(...args, control);
    return ends ? pump(ends, result as SealwrightStream, signal) : result;
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

type SealwrightStream = ReturnType<Sealwright['sealStream']>;

type Method = (...args: readonly unknown[]) => unknown;

/** @throws SealwrightError UNSUPPORTED for what a worker's newer client knows and this one does not */
function methodOf(sealwright: Sealwright, name: MethodName): Method {
  if (!Object.hasOwn(ARGUMENTS, name)) {
    throw sealwrightError('UNSUPPORTED', 'The page has an older client');
  }
  const [first, second] = name.split('.') as [string, string?];
  const face = second === undefined ? sealwright : sealwright.sync;
  const methods = face as unknown as Readonly<Record<string, Method>>;
  return (...args) => methods[second ?? first]!.call(face, ...args);
}

/** Bytes that the provider has made for this call go over without being copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const values: unknown[] = Array.isArray(value)
    ? value.map((one) => (one as { readonly value?: unknown } | null)?.value)
    : [value];
  const bytes = values.filter((one) => one instanceof Uint8Array);
  return [...new Set(bytes.map(({ buffer }) => buffer as ArrayBuffer))];
}
