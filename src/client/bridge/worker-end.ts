import { checkOptions } from '../errors.ts';
import type { ProviderInfo, Sealwright } from '../page-api.ts';
import { ARGUMENTS, SUBTLE } from './arguments.ts';
import { WorkerKeys } from './keys.ts';
import { holdLifeline, onLifelineEnd } from './lifeline.ts';
import { isStream, sealwrightError, unpackError, withErrors } from './messages.ts';
import type {
  CallMessage,
  MethodName,
  News,
  NotInWorkers,
  StreamEnds,
  ToPage,
  ToWorker,
  WorkerSubtle,
} from './messages.ts';
import type { BridgeOptions } from './page-end.ts';
import { streamPair } from './stream-ends.ts';

/**
 * The page API in a worker. The keys of its `subtle` are the page's, and valid in this worker alone. For
 * `sealedLength` use the subpath `sealwright/format`, which runs in workers without the extension.
 */
export type WorkerSealwright = Omit<Sealwright, NotInWorkers | 'subtle'> & {
  readonly subtle: WorkerSubtle;
};

/**
 * Sealwright in a worker, over a port whose other end the page serves with `serveSealwright`. Waits
 * until the page serves it.
 *
 * @throws DOMException SecurityError in a worker whose origin is not its page's, such as one with a
 * `data:` address
 *
 * @example
 *   addEventListener('message', async ({ data }) => {
 *     const sealwright = await sealwrightOver(data.sealwright);
 *     const sealed = await sealwright.seal('Meet me at nine');
 *   });
 */
export async function sealwrightOver(
  port: MessagePort,
  options: BridgeOptions = {},
): Promise<WorkerSealwright> {
  checkOptions(options, 'locks');
  const { locks = navigator.locks } = options;
  const ending = new AbortController();
  const lifeline = await holdLifeline(locks, ending.signal);
  return new Promise((ready) => {
    new WorkerEnd({ port, locks, ending, ready });
    port.postMessage({ kind: 'hello', lifeline } satisfies ToPage);
  });
}

interface WorkerEndDeps {
  readonly port: MessagePort;
  readonly locks: LockManager;
  /** Aborts when the page is gone. */
  readonly ending: AbortController;
  readonly ready: (sealwright: WorkerSealwright) => void;
}

/** The listeners of a call. */
type Waiting = Readonly<Record<News['kind'], ((value: unknown) => void) | undefined>>;

type Request = Pick<CallMessage, 'method' | 'args'> & { readonly ends?: StreamEnds };

class WorkerEnd {
  readonly #deps: WorkerEndDeps;
  readonly #events = new EventTarget();
  readonly #waiting = new Map<number, Waiting>();
  readonly #keys = new WorkerKeys((key) => this.#send({ kind: 'drop', key }));
  #newest = 0;

  constructor(deps: WorkerEndDeps) {
    this.#deps = deps;
    const { port } = deps;
    port.addEventListener('message', ({ data }) => this.#receive(data as ToWorker));
    port.start();
  }

  #receive(message: ToWorker): void {
    if (message.kind === 'hello') this.#begin(message.lifeline, message.info);
    else if (message.kind === 'event') this.#events.dispatchEvent(new Event(message.name));
    else this.#waiting.get(message.id)?.[message.kind]?.(withErrors(message.value, unpackError));
  }

  #begin(lifeline: string, info: ProviderInfo): void {
    const { locks, ending, ready } = this.#deps;
    onLifelineEnd(locks, lifeline, () => this.#end(), ending.signal);
    ready(this.#api(info));
  }

  #end(): void {
    const { port, ending } = this.#deps;
    const reason = sealwrightError('DISCONNECTED', 'The page serves this worker no more');
    ending.abort(reason);
    port.close();
    for (const { failure } of this.#waiting.values()) failure?.(reason);
    this.#events.dispatchEvent(new Event('disconnect'));
  }

  /** All methods of the contract, as calls over the port. */
  #api(info: ProviderInfo): WorkerSealwright {
    const sync: Record<string, unknown> = {};
    const subtle = Object.fromEntries(
      SUBTLE.map((name) => [name, (...given: unknown[]) => this.#invokeSubtle(name, given)]),
    );
    const api: Record<string, unknown> = { info, sync, subtle };
    for (const [name, count] of Object.entries(ARGUMENTS) as [MethodName, number][]) {
      const [method, ofSync] = name.split('.') as [string, string?];
      const group = ofSync === undefined ? api : sync;
      group[ofSync ?? method] = (...given: unknown[]) => this.#invoke(name, count, given);
    }
    return Object.assign(this.#events, api) as unknown as WorkerSealwright;
  }

  #invoke(method: MethodName, count: number, given: readonly unknown[]): unknown {
    const options = given[count];
    if (isStream(method)) return this.#stream(method, options);
    const args = Array.from({ length: count }, (_, i) => ownBytes(given[i]));
    return this.#call({ method, args }, options);
  }

  async #invokeSubtle(name: string, given: readonly unknown[]): Promise<unknown> {
    const args = given.map((one) => this.#keys.given(one, ownBytes));
    const method = `subtle.${name}` as MethodName;
    return this.#keys.taken(await this.#call({ method, args }, undefined));
  }

  async #call(request: Request, options: unknown): Promise<unknown> {
    const { signal, onProgress, travelling } = controlOf(options);
    this.#deps.ending.signal.throwIfAborted();
    if (signal?.aborted) throw new DOMException('The call was aborted', 'AbortError');
    const id = (this.#newest += 1);
    const wantsProgress = onProgress !== undefined;
    this.#post({ kind: 'call', id, ...request, options: travelling, wantsProgress });
    const onAbort = (): void => this.#send({ kind: 'abort', id });
    signal?.addEventListener('abort', onAbort);
    try {
      return await new Promise((answer, failure) => {
        this.#waiting.set(id, { progress: onProgress, answer, failure });
      });
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** A failure of the call fails both ends of the stream. */
  #stream(method: MethodName, options: unknown): TransformStream<Uint8Array, Uint8Array> {
    const { local, remote, fail } = streamPair();
    this.#call({ method, args: [], ends: remote }, options).catch(fail);
    return local;
  }

  /** @throws SealwrightError INVALID_ARGUMENT for what cannot be copied into a page */
  #post(call: CallMessage): void {
    try {
      this.#send(call, call.ends && [call.ends.readable, call.ends.writable]);
    } catch {
      throw sealwrightError('INVALID_ARGUMENT', 'Expected what can be copied to the page');
    }
  }

  #send(message: ToPage, transfer: Transferable[] = []): void {
    this.#deps.port.postMessage(message, transfer);
  }
}

interface Control {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: unknown) => void;
  readonly travelling: object;
}

/** Splits options into what cannot be copied and the rest, which the provider validates. */
function controlOf(options: unknown): Control {
  const travelling = { ...(options as Record<string, unknown> | undefined) };
  const { signal, onProgress } = travelling;
  const isSignal = signal instanceof AbortSignal;
  const isFunction = typeof onProgress === 'function';
  if (isSignal) delete travelling['signal'];
  if (isFunction) delete travelling['onProgress'];
  if ('context' in travelling) travelling['context'] = ownBytes(travelling['context']);
  return { travelling, ...(isSignal && { signal }), ...(isFunction && { onProgress }) } as Control;
}

/** Copies of views: structured clone would copy their whole buffers. */
function ownBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ownBytes);
  if (!ArrayBuffer.isView(value) || value.byteLength === value.buffer.byteLength) return value;
  return value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
}
