import type { serveSealwright, WorkerSealwright } from '../../../src/client/library.ts';
import type { Sealwright } from '../../../src/client/page-api.ts';

/*
 * What a real worker gets through the bridge, and what is left of it. The functions run in the page
 * of examples/worker, which has the client beside it.
 */

/** Served as probe.js: makes the calls of `probeBridge` in a worker, or calls that do not end. */
export const PROBE_WORKER = `
import { sealwrightOver } from './sealwright.js';
const __name = (value) => value; // of the test's loader

addEventListener('message', async ({ data: { port, task } }) => {
  const sealwright = await sealwrightOver(port);
  postMessage(await (${String(callAll)})(sealwright, task));
});
`;

interface Calls {
  readonly opened: number[];
  readonly batch: unknown[];
  readonly blob: string;
  readonly streamed: number;
  readonly refused: unknown[];
  readonly cutOff: unknown[];
  readonly aborted: string;
  readonly kept: number;
  readonly agreed: number[];
  readonly refusedKey: string;
}

/** In the worker. */
async function callAll(sealwright: WorkerSealwright, task: 'all' | 'hang'): Promise<Calls | null> {
  if (task === 'hang') {
    void sealwright.seal('without an end');
    void sealwright.sealStream().writable.getWriter().write(new Uint8Array(9));
    return null;
  }
  type Failure = Error & { code: string; retryable: boolean };
  const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
    try {
      await work;
    } catch (error) {
      return error as Failure;
    }
    throw new Error('it was done');
  };
  const wrong = (code: string) =>
    code === 'AUTH_FAILED' || code === 'BAD_ENVELOPE' ? 'AUTH_FAILED or BAD_ENVELOPE' : code;

  const context = new Uint8Array([0, 7, 7, 0]).subarray(1, 3);
  const plaintext = new Uint8Array([1, 2, 3]);
  const sealed = await sealwright.seal(plaintext, { context });
  const opened = await sealwright.open(sealed, { context });
  const many = await sealwright.openMany([sealed, new Uint8Array(99)], { context });
  const blob = await sealwright.openBlob(await sealwright.sealBlob(new Blob(['a Blob'])));
  const source = new Blob([new Uint8Array(300_000)]).stream() as ReadableStream<Uint8Array>;
  const through = source.pipeThrough(sealwright.sealStream()).pipeThrough(sealwright.openStream());
  const streamed = await new Response(through as ReadableStream).arrayBuffer();
  const rubbish = new Blob([new Uint8Array(200_000)]).stream() as ReadableStream<Uint8Array>;
  const { name, code, retryable } = await failureOf(sealwright.mac(plaintext));
  const cutOff = await failureOf(
    rubbish.pipeThrough(sealwright.openStream()).pipeTo(new WritableStream()),
  );
  const aborting = new AbortController();
  const aborted = failureOf(sealwright.seal(plaintext, { signal: aborting.signal }));
  aborting.abort();
  const { subtle } = sealwright;
  const x448 = { name: 'X448' };
  const pair = async () => (await subtle.generateKey(x448, false, ['deriveKey'])) as CryptoKeyPair;
  const [ours, theirs] = [await pair(), await pair()];
  const gcm = { name: 'AES-GCM', length: 256 };
  const agree = (from: CryptoKeyPair, to: CryptoKeyPair) =>
    subtle.deriveKey({ ...x448, public: to.publicKey }, from.privateKey, gcm, false, [
      'encrypt',
      'decrypt',
    ]);
  const params = { name: 'AES-GCM', iv: new Uint8Array(12) };
  const secret = await subtle.encrypt(params, await agree(ours, theirs), plaintext);
  const agreed = await subtle.decrypt(params, await agree(theirs, ours), secret);
  const refusedKey = await failureOf(subtle.exportKey('pkcs8', ours.privateKey));
  return {
    opened: [...opened],
    batch: many.map((one) => (one.ok ? one.value.length - 1 : wrong(one.error.code))),
    blob: await blob.text(),
    streamed: streamed.byteLength,
    refused: [name, code, retryable],
    cutOff: [cutOff.name, wrong(cutOff.code)],
    aborted: (await aborted).name,
    kept: plaintext.length,
    agreed: [...new Uint8Array(agreed)],
    refusedKey: refusedKey.name,
  };
}

type Client = { readonly serveSealwright: typeof serveSealwright };

/** In the page: all calls, over a bridge to a worker of its own. */
export async function probeBridge(): Promise<unknown> {
  const address = new URL('sealwright.js', location.href).href;
  const { serveSealwright: serve } = (await import(address)) as Client;
  const { sealwright } = globalThis as unknown as { readonly sealwright: Sealwright };
  const { port1, port2 } = new MessageChannel();
  const stop = serve(sealwright, port1);
  const worker = new Worker('probe.js', { type: 'module' });
  const answer = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
  worker.postMessage({ port: port2, task: 'all' }, [port2]);
  try {
    return await answer;
  } finally {
    stop();
    worker.terminate();
  }
}

/** In the page: a provider whose calls end only by being aborted, and a worker that is terminated. */
export async function probeEndings(): Promise<unknown> {
  const address = new URL('sealwright.js', location.href).href;
  const { serveSealwright: serve } = (await import(address)) as Client;
  const { sealwright } = globalThis as unknown as { readonly sealwright: Sealwright };
  const ours = async (): Promise<string[]> => {
    const { held = [], pending = [] } = await navigator.locks.query();
    const names = [...held, ...pending].map(({ name }) => name ?? '');
    return names.filter((name) => name.startsWith('sealwright '));
  };
  // The page's own worker has its bridge still.
  const others = await ours();
  let begun = 0;
  let bothBegun!: () => void;
  const beginning = new Promise<void>((resolve) => (bothBegun = resolve));
  const begin = (): void => {
    begun += 1;
    if (begun === 2) bothBegun();
  };
  let callEnded!: (how: string) => void;
  let streamEnded!: (how: string) => void;
  const call = new Promise<string>((resolve) => (callEnded = resolve));
  const stream = new Promise<string>((resolve) => (streamEnded = resolve));
  const endless = Object.assign(new EventTarget(), {
    info: sealwright.info,
    seal: (_text: string, { signal }: { signal: AbortSignal }) => {
      begin();
      return new Promise((_resolve, reject) => {
        signal.onabort = () => {
          callEnded('aborted');
          reject(new Error('aborted'));
        };
      });
    },
    sealStream: () => ({
      writable: new WritableStream({ write: begin, abort: () => streamEnded('aborted') }),
      readable: new ReadableStream(),
    }),
  });
  const { port1, port2 } = new MessageChannel();
  serve(endless as unknown as Sealwright, port1);
  const worker = new Worker('probe.js', { type: 'module' });
  worker.postMessage({ port: port2, task: 'hang' }, [port2]);
  await beginning;
  const before = (await ours()).length > others.length ? 'held' : 'none';
  worker.terminate();
  const ends = { call: await call, stream: await stream };
  // The browser frees a lock some time after it was let go.
  while ((await ours()).length > others.length) {
    await new Promise((resume) => setTimeout(resume, 5));
  }
  return { before, ...ends };
}
