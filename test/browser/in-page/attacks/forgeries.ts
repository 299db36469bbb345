/*
 * What a hostile page does to the lines between the extension's scripts. Functions to be run in the
 * page, and so complete in themselves.
 */

/** Uncaught errors of this page: a list that grows at `globalThis.uncaught`. */
export function watchForErrors(): void {
  const uncaught: string[] = [];
  Object.assign(globalThis, { uncaught });
  addEventListener('error', ({ message }) => uncaught.push(message));
  addEventListener('unhandledrejection', ({ reason }) => uncaught.push(String(reason)));
}

/**
 * Posts `count` messages of every kind to the window, from the page, from a frame in it and as events
 * made by hand, some of them from a worker; and replays whatever it hears. Proxies are no part of
 * it: a proxy cannot be cloned, and postMessage throws for it before anything is sent.
 */
export async function forgeMessages(count: number): Promise<{ posted: number; heard: number }> {
  const hex = (i: number) => i.toString(16).padStart(32, '0');
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  let deep: object = {};
  for (let depth = 0; depth < 2000; depth++) deep = { inner: deep };
  const request = (i: number, method: string) => ({
    v: 1,
    kind: 'request',
    id: `forged-${i}`,
    method,
    params: {},
  });
  const kinds: ((i: number) => unknown)[] = [
    (i) => ({ sealwright: 'content-hello', id: hex(i) }),
    () => ({ sealwright: 'page-hello' }),
    (i) => ({ sealwright: 'port', id: hex(i) }),
    (i) => ({ sealwright: 'port', id: i }),
    (i) => ({ sealwright: 'bulk', id: hex(i), buffers: [new ArrayBuffer(8)] }),
    (i) => ({ sealwright: 'bulk', id: hex(i), turn: i, body: null, paths: [], buffers: [] }),
    (i) => ({ sealwright: 'bulk', id: crypto.randomUUID(), buffers: 'none', i }),
    (i) => request(i, 'ui.unlock'),
    (i) => request(i, 'ui.keys'),
    (i) => ({ v: 1, kind: 'response', id: `${i}`, ok: true, result: { locked: false } }),
    () => ({ v: 1, kind: 'event', name: 'disconnect' }),
    () => ({ v: 1, kind: 'ping' }),
    (i) => ({ v: 1, kind: 'parcel', parcel: i, body: {}, paths: [['a']], lengths: [9] }),
    (i) => ({ turn: i, message: request(i, 'ui.lock') }),
    () => ({ wanted: true }),
    (i) => ({ ids: [hex(i)] }),
    () => cyclic,
    () => deep,
    () => null,
    (i) => i,
    () => 'sealwright',
    () => [{ sealwright: 'page-hello' }],
    () => new Map([['sealwright', 'page-hello']]),
    () => new Error('forged'),
    (i) => JSON.parse(`{"__proto__":{"sealwright":"port"},"id":"${hex(i)}"}`) as unknown,
  ];
  let heard = 0;
  const replay = (event: MessageEvent<unknown>): void => {
    if (heard++ < 200) postMessage(event.data, location.origin, [...event.ports]);
  };
  addEventListener('message', replay);
  const frame = document.createElement('iframe');
  document.body.append(frame);
  const inFrame = frame.contentWindow as unknown as typeof globalThis;
  // Its posts come from the frame's window, with our own origin: the wrong source.
  const fromFrame = inFrame.Function('data', 'ports', 'parent.postMessage(data, "*", ports)') as (
    data: unknown,
    ports: Transferable[],
  ) => void;
  const fromWorker = await new Promise<unknown[]>((resolve) => {
    const code = `postMessage([{ sealwright: 'page-hello' }, { v: 1, kind: 'ping' }])`;
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    worker.onmessage = ({ data }: MessageEvent<unknown[]>) => resolve(data);
  });

  for (let i = 0; i < count; i++) {
    const data = kinds[i % kinds.length]!(i);
    const ports = i % 3 === 0 ? [new MessageChannel().port1] : [];
    const way = Math.floor(i / kinds.length) % 4;
    if (way === 0) postMessage(data, location.origin, ports);
    else if (way === 1) postMessage(data, '*', ports);
    else if (way === 2) fromFrame(data, ports);
    else {
      const init = { data: i % 5 ? data : fromWorker[i % 2], source: window, ports };
      dispatchEvent(new MessageEvent('message', { ...init, origin: location.origin }));
    }
    // Let the page, and the extension's scripts in it, have their turns.
    if (i % 500 === 0) await new Promise((resume) => setTimeout(resume));
  }
  await new Promise((resume) => setTimeout(resume, 200));
  removeEventListener('message', replay);
  frame.remove();
  return { posted: count, heard };
}

/**
 * Posts forged messages to `globalThis.other`, a window of another site. What is heard and was not forged
 * there is gathered in `globalThis.ours`.
 */
export async function forgeForOther(count: number): Promise<void> {
  const ours: string[] = [];
  Object.assign(globalThis, { ours });
  addEventListener('message', ({ data, origin }: MessageEvent<{ forged?: true } | null>) => {
    // Forged for this window by the other one: this page's own scripts leave them to the page.
    if (data?.forged && origin !== location.origin) return;
    ours.push(`${origin} ${JSON.stringify(data)}`);
  });
  const { other } = globalThis as unknown as { other: Window };
  for (let i = 0; i < count; i++) {
    const id = i.toString(16).padStart(32, '0');
    const kinds = [
      { sealwright: 'content-hello', id },
      { sealwright: 'page-hello' },
      { sealwright: 'port', id },
      { sealwright: 'bulk', id, turn: i, body: null, paths: [], buffers: [] },
      { v: 1, kind: 'event', name: 'disconnect' },
      { v: 1, kind: 'request', id, method: 'seal', params: { plaintext: new Uint8Array(1) } },
    ];
    const message = { ...kinds[i % kinds.length], forged: true };
    other.postMessage(message, '*', [new MessageChannel().port1]);
    if (i % 200 === 0) await new Promise((resume) => setTimeout(resume));
  }
}

/** Calls `status` until it is answered; how often, and with which codes it failed before. */
export async function callUntilAnswered(): Promise<{ answered: boolean; failures: string[] }> {
  const { sealwright } = globalThis as unknown as {
    sealwright: { status(): Promise<unknown> };
  };
  const failures: string[] = [];
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const outcome = await sealwright.status().then(
      () => 'answered',
      (error: unknown) => (error as { code: string }).code,
    );
    if (outcome === 'answered') return { answered: true, failures };
    failures.push(outcome);
    await new Promise((resume) => setTimeout(resume, 250));
  }
  return { answered: false, failures };
}

/**
 * Takes the line to the content script for itself. document.open() takes every listener off the
 * window; for the rest of that turn the page's own listener is the first, and hears the content
 * script's hello. Then asks for each method by a raw request, with `noise` other messages between.
 *
 * @param isNumbered whether the line numbers its messages (window-channel.firefox.ts)
 * @returns what became of each method: "answered", a code, or "silence"
 */
export async function askOnStolenPort(
  methods: readonly string[],
  noise: number,
  isNumbered: boolean,
): Promise<[method: string, outcome: string][]> {
  document.open();
  const offer = new Promise<string>((resolve) => {
    const hear = (event: MessageEvent<{ sealwright?: string; id: string } | null>): void => {
      if (event.data?.sealwright !== 'content-hello') return;
      event.stopImmediatePropagation();
      resolve(event.data.id);
    };
    addEventListener('message', hear, true);
  });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- pages do it, so it is tested
  document.write('<!doctype html><title>Opened anew</title><p>Mine.');
  document.close();
  postMessage({ sealwright: 'page-hello' }, location.origin);
  const { port1, port2 } = new MessageChannel();
  postMessage({ sealwright: 'port', id: await offer }, location.origin, [port2]);

  interface Response {
    readonly kind?: string;
    readonly id: string;
    readonly ok: boolean;
    readonly error?: { readonly code: string };
  }
  const outcomes: [string, string][] = [];
  const waiting = new Map<string, (outcome: string) => void>();
  type Batch = Response & { readonly messages?: readonly Response[] };
  type Numbered = Batch & { readonly message: Batch };
  port1.onmessage = ({ data }: MessageEvent<Numbered>) => {
    const message = isNumbered && 'message' in data ? data.message : data;
    // Responses of one task come as one message: on a busy machine, that to the noise and the last.
    for (const { kind, id, ok, error } of message.messages ?? [message]) {
      if (kind === 'response') waiting.get(id)?.(ok ? 'answered' : error!.code);
    }
  };
  let turn = 0;
  const say = (message: unknown): void =>
    port1.postMessage(isNumbered ? { turn: turn++, message } : message);
  const ask = (method: string, id: string): Promise<string> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      setTimeout(() => resolve('silence'), 30_000);
      say({ v: 1, kind: 'request', id, method, params: {} });
    });
  const malformed: ((i: number) => unknown)[] = [
    (i) => ({ v: 1, kind: 'request', id: `n${i}`, method: 'ui.unlock' }),
    (i) => ({ v: 2, kind: 'request', id: `n${i}`, method: 'status', params: {} }),
    (i) => ({ v: 1, kind: 'request', id: i, method: 'status', params: {} }),
    (i) => ({ v: 1, kind: 'request', id: `n${i}`, method: 'status', params: { extra: i } }),
    (i) => ({ v: 1, kind: 'request', id: `n${i}`, method: 'random', params: { length: -i } }),
    (i) => ({ v: 1, kind: 'request', id: `n${i}`, method: '__proto__', params: {}, origin: 'x' }),
    (i) => ({ v: 1, kind: 'abort', id: `m${i}` }),
    () => ({ v: 1, kind: 'ping' }),
    (i) => ({ v: 1, kind: 'ack', parcel: i, received: 2 ** 53 }),
    (i) => ({ v: 1, kind: 'piece', parcel: i, bytes: new Uint8Array(9) }),
    () => undefined,
    () => 'request',
    () => [[]],
    (i) => ({ turn: -1 - i, message: null }),
    (i) => ({ turn: `${i}`, message: { v: 1, kind: 'ping' } }),
    () => ({ wanted: true }),
    () => ({ ids: 'none' }),
    () => ({ ids: [7, null, {}] }),
  ];

  for (const [i, method] of methods.entries()) outcomes.push([method, await ask(method, `m${i}`)]);
  for (let i = 0; i < noise; i++) {
    const message = malformed[i % malformed.length]!(i);
    if (i < noise / 2) say(message);
    else port1.postMessage(message);
  }
  outcomes.push(['status, after the noise', await ask('status', 'last')]);
  return outcomes;
}
