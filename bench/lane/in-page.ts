import type { LaneTask } from './task.ts';

/* What runs in the page. Each function is sent there as text, so it holds all that it needs. */

interface Contenders {
  /** Runs the task once. */
  readonly [name: string]: () => Promise<unknown>;
}
type WithContenders = typeof globalThis & { contenders: Contenders };

/** Makes the task's contenders; those who open get what they sealed. */
export async function prepare(task: LaneTask, names: Record<string, string>): Promise<void> {
  interface Api {
    seal: (bytes: Uint8Array, options: object) => Promise<Uint8Array>;
    open: (bytes: Uint8Array, options: object) => Promise<Uint8Array>;
    sealStream: () => TransformStream<Uint8Array, Uint8Array>;
    openStream: () => TransformStream<Uint8Array, Uint8Array>;
  }
  type Shared = typeof globalThis & { sealwright: Api; echo?: MessagePort };
  const shared = globalThis as Shared;
  const { subtle } = crypto;
  const { operation, bytes, contextBytes } = task;
  const bound = contextBytes > 0 ? { context: new Uint8Array(contextBytes).fill(3) } : {};
  const MIB = 2 ** 20;
  const isStream = operation.endsWith('Stream');
  const isSealing = operation.startsWith('seal');
  const message = new Uint8Array(isStream ? MIB : bytes).fill(7);
  const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const gcm = { name: 'AES-GCM', iv: new Uint8Array(12) };
  const encrypted = await subtle.encrypt(gcm, key, message);
  const native = () =>
    isSealing ? subtle.encrypt(gcm, key, message) : subtle.decrypt(gcm, key, encrypted);

  /** As many chunks at once as the lane has, and each chunk's result is let go. */
  const nativeChunks = async () => {
    let next = 0;
    const lane = async () => {
      while (next++ < bytes / MIB) await native();
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
  };

  /** The chunks of docs/format.md, sections 4 and 5; each result is let go. */
  const chunkBytes = bytes <= MIB ? 16_384 : MIB;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at <= bytes && !isStream; at += chunkBytes) {
    const chunk = message.subarray(at, Math.min(at + chunkBytes, bytes));
    chunks.push(isSealing ? chunk : new Uint8Array(await subtle.encrypt(gcm, key, chunk)));
  }
  const sameChunks = async () => {
    const running: Promise<unknown>[] = [];
    for (const chunk of chunks) {
      running.push(isSealing ? subtle.encrypt(gcm, key, chunk) : subtle.decrypt(gcm, key, chunk));
      if (running.length >= (chunkBytes === MIB ? 4 : 16)) await running.shift();
    }
    await Promise.all(running);
  };

  /** The same pieces in turn, as often as it takes. */
  const source = (pieces: readonly Uint8Array[], count: number) => {
    let given = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(pieces[given++ % pieces.length]!);
        if (given === count) controller.close();
      },
    });
  };
  const { sealwright } = shared;
  const encrypting = () =>
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array>({
      async transform(chunk, controller) {
        controller.enqueue(new Uint8Array(await subtle.encrypt(gcm, key, chunk)));
      },
    });
  const sink = () => new WritableStream<Uint8Array>({ write: () => undefined });
  const messages = () => source([message], bytes / MIB);
  const sealedStream = () => messages().pipeThrough(sealwright.sealStream());
  /** In memory, as what is sealed: how fast a browser reads a Blob is not asked here. */
  const sealedPieces: Uint8Array[] = [];
  if (operation === 'openStream') {
    const keep = (piece: Uint8Array) => void sealedPieces.push(piece);
    await sealedStream().pipeTo(new WritableStream({ write: keep }));
  }
  const sealedAgain = () => source(sealedPieces, sealedPieces.length);
  const sealedMessage = operation === 'open' ? await sealwright.seal(message, bound) : message;
  const ours: Record<LaneTask['operation'], () => Promise<unknown>> = {
    seal: () => sealwright.seal(message, bound),
    open: () => sealwright.open(sealedMessage, bound),
    sealStream: () => sealedStream().pipeTo(sink()),
    openStream: () => sealedAgain().pipeThrough(sealwright.openStream()).pipeTo(sink()),
  };

  // A new line for each task: a background without a call for half a minute is ended.
  const { port1: echo, port2 } = new MessageChannel();
  postMessage('bench-echo', location.origin, [port2]);
  shared.echo = echo;
  const through = (way: 'port' | 'json', what: Uint8Array) => () =>
    new Promise((resolve) => {
      echo.onmessage = ({ data }) => resolve(data);
      const copy = what.slice();
      echo.postMessage({ way, bytes: copy }, [copy.buffer]);
    });

  const all: Contenders = {
    [names.ours!]: ours[operation],
    [names.both!]: () => sealedStream().pipeThrough(sealwright.openStream()).pipeTo(sink()),
    [names.native!]: native,
    [names.chunks!]: nativeChunks,
    [names.same!]: sameChunks,
    [names.stream!]: () => messages().pipeThrough(encrypting()).pipeTo(sink()),
    [names.echo!]: through('port', message),
    [names.small!]: through('port', new Uint8Array(16)),
    [names.json!]: through('json', message),
  };
  (globalThis as WithContenders).contenders = all;
}

/** Milliseconds of each of so many calls, one after the other. */
export async function timeCalls(name: string, calls: number): Promise<number[]> {
  const run = (globalThis as WithContenders).contenders[name]!;
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times;
}
