import { checkOptions } from '../errors.ts';
import type { Sealwright } from '../page-api.ts';
import { ARGUMENTS, SUBTLE } from './arguments.ts';
import { PageKeys } from './keys.ts';
import { holdLifeline, onLifelineEnd } from './lifeline.ts';
import { packError, sealwrightError, withErrors } from './messages.ts';
import type { CallMessage, MethodName, News, ToPage, ToWorker } from './messages.ts';
import { EVENTS } from '../watch.ts';
import { pump } from './stream-ends.ts';

/** Options of both ends of a bridge. */
export interface BridgeOptions {
  /** How either end learns that the other is gone. Default: the browser's locks. */
  readonly locks?: LockManager | undefined;
}

/**
 * Lets a worker of the page use Sealwright over a port, with the page's permissions and the same
 * results and errors. The holder of the other end can do what the page can, so do not pass it on.
 * When the worker ends, its calls are aborted and everything is released.
 *
 * @returns stops serving; the worker's pending calls reject with DISCONNECTED
 *
 * @example
 *   const { port1, port2 } = new MessageChannel();
 *   serveSealwright(sealwright, port1);
 *   worker.postMessage({ sealwright: port2 }, [port2]);
 */
export function serveSealwright(
  sealwright: Sealwright,
  port: MessagePort,
  options: BridgeOptions = {},
): () => void {
  checkOptions(options, 'locks');
  const { locks = navigator.locks } = options;
  const end = new PageEnd(sealwright, port, locks);
  return () => end.stop();
}

class PageEnd {
  readonly #sealwright: Sealwright;
  readonly #port: MessagePort;
  readonly #locks: LockManager;
  readonly #running = new Map<number, AbortController>();
  readonly #ending = new AbortController();
  readonly #keys = new PageKeys();

  constructor(sealwright: Sealwright, port: MessagePort, locks: LockManager) {
    this.#sealwright = sealwright;
    this.#port = port;
    this.#locks = locks;
    const { signal } = this.#ending;
    for (const name of [...EVENTS, 'disconnect'] as const) {
      sealwright.addEventListener(name, () => this.#send({ kind: 'event', name }), { signal });
    }
    port.addEventListener('message', ({ data }) => this.#receive(data as ToPage), { signal });
    port.start();
  }

  stop(): void {
    this.#ending.abort();
    for (const call of this.#running.values()) call.abort();
    this.#port.close();
  }

  #receive(message: ToPage): void {
    if (message.kind === 'hello') void this.#greet(message.lifeline);
    else if (message.kind === 'abort') this.#running.get(message.id)?.abort();
    else if (message.kind === 'drop') this.#keys.drop(message.key);
    else void this.#run(message);
  }

  async #greet(remote: string): Promise<void> {
    const { signal } = this.#ending;
    onLifelineEnd(this.#locks, remote, () => this.stop(), signal);
    const lifeline = await holdLifeline(this.#locks, signal);
    this.#send({ kind: 'hello', lifeline, info: this.#sealwright.info });
  }

  async #run(message: CallMessage): Promise<void> {
    const { id } = message;
    const call = new AbortController();
    this.#running.set(id, call);
    const send = (kind: News['kind'], value: unknown): void =>
      this.#send({ kind, id, value: withErrors(value, packError) }, buffersOf(value));
    try {
      send('answer', await this.#invoke(message, call.signal, send));
    } catch (error) {
      send('failure', error);
    } finally {
      this.#running.delete(id);
    }
  }

  #invoke(
    { method, args, options, wantsProgress, ends }: CallMessage,
    signal: AbortSignal,
    send: (kind: 'progress', done: unknown) => void,
  ): unknown {
    if (method.startsWith('subtle.')) return this.#invokeSubtle(method, args);
    const onProgress = (done: unknown): void => send('progress', done);
    const control = { signal, ...options, ...(wantsProgress && { onProgress }) };
    const result = methodOf(this.#sealwright, method)(...args, control);
    return ends ? pump(ends, result as SealwrightStream, signal) : result;
  }

  async #invokeSubtle(method: MethodName, args: readonly unknown[]): Promise<unknown> {
    const own = args.map((one) => this.#keys.taken(one));
    return this.#keys.given(await methodOf(this.#sealwright, method)(...own));
  }

  #send(message: ToWorker, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

type SealwrightStream = ReturnType<Sealwright['sealStream']>;

type Method = (...args: readonly unknown[]) => unknown;

/** @throws SealwrightError UNSUPPORTED for methods that only the worker's newer client has */
function methodOf(sealwright: Sealwright, name: MethodName): Method {
  const [first, second] = name.split('.') as [string, string?];
  const isKnown = first === 'subtle' ? SUBTLE.includes(second!) : Object.hasOwn(ARGUMENTS, name);
  if (!isKnown) throw sealwrightError('UNSUPPORTED', 'The page has an older client');
  const target = second === undefined ? sealwright : sealwright[first as 'subtle' | 'sync'];
  const methods = target as unknown as Readonly<Record<string, Method>>;
  return (...args) => methods[second ?? first]!.call(target, ...args);
}

/** The buffers of results, which are transferred instead of copied. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const values: unknown[] = Array.isArray(value)
    ? value.map((one) => (one as { readonly value?: unknown } | null)?.value)
    : [value];
  const buffers = values.flatMap((one) => {
    if (one instanceof ArrayBuffer) return one;
    return one instanceof Uint8Array ? (one.buffer as ArrayBuffer) : [];
  });
  return [...new Set(buffers)];
}
