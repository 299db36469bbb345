/*
 * What code with the extension's API says to the background by itself: over ports, with messages made by
 * hand. Functions to be run in a content script or in one of the extension's own pages, and so complete in
 * themselves. In messages and results, `{ $bytes: [1, 2] }` stands for a Uint8Array.
 */

/** What is said on one port, and what is waited for. */
export interface Conversation {
  /** Keeps the port under this name, or goes on with the one that has it. Absent: a port for this alone. */
  readonly line?: string;
  /** The name that the port is opened with. Absent: the right one. */
  readonly portName?: string;
  /** The answer to the background's greeting. Absent: `clone`. */
  readonly codec?: 'clone' | 'base64';
  /** Sent before the greeting is answered. */
  readonly early?: readonly unknown[];
  readonly messages?: readonly unknown[];
  /** So many responses are waited for, at most 30 s. */
  readonly responses?: number;
}

/** One response: `answered` or the code of its error, and the result. */
export interface Heard {
  readonly id: string;
  readonly outcome: string;
  readonly result?: unknown;
}

/** What came back in a conversation. */
export interface Transcript {
  readonly isGreeted: boolean;
  /** By the background. */
  readonly isClosed: boolean;
  /** In the order of their arrival. */
  readonly responses: readonly Heard[];
  /** The kinds of the other messages. */
  readonly others: readonly string[];
}

/**
 * Opens a port and holds a conversation on it. Whether messages without a response were ignored shows a
 * last call of `status`, which is left out of the transcript: all messages before it have been read then.
 */
export async function converse(conversation: Conversation): Promise<Transcript> {
  interface Port {
    readonly name: string;
    postMessage(message: unknown): void;
    disconnect(): void;
    readonly onMessage: { addListener(listener: (message: unknown) => void): void };
    readonly onDisconnect: { addListener(listener: () => void): void };
  }
  interface Response {
    readonly kind: string;
    readonly id: string;
    readonly ok: boolean;
    readonly result?: unknown;
    readonly error?: { readonly code: string };
    readonly messages?: readonly Response[];
  }
  interface Line {
    readonly port: Port;
    isGreeted: boolean;
    isClosed: boolean;
    isFenced: boolean;
    isCoded: boolean;
    heard: Response[];
    /** Whether what is waited for has come. */
    look: () => void;
  }
  const world = globalThis as unknown as Record<
    'browser' | 'chrome',
    { runtime: { connect(how: { name: string }): Port; lastError: unknown } } | undefined
  > & { lines?: Record<string, Line> };
  const { runtime } = (world.browser ?? world.chrome)!;
  const revive = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$bytes' in value) return Uint8Array.from(value.$bytes as number[]);
    if (Array.isArray(value)) return value.map(revive);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, revive(one)]));
  };
  const plain = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (ArrayBuffer.isView(value)) return { $bytes: Array.from(value as Uint8Array) };
    if (Array.isArray(value)) return value.map(plain);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  };
  // By messages and not by a clock: timers of a tab in the background run once a second.
  const until = async (line: Line, condition: () => boolean): Promise<void> => {
    if (condition()) return;
    const patience = new Promise((resume) => setTimeout(resume, 30_000));
    const met = new Promise<void>((resume) => {
      line.look = () => condition() && resume();
    });
    await Promise.race([met, patience]);
  };

  const { codec = 'clone', early = [], messages = [] } = conversation;
  const lines = (world.lines ??= {});
  const fence = 'fence';
  const send = (line: Line, message: unknown): void => {
    const body = revive(message);
    line.port.postMessage(codec === 'base64' && line.isCoded ? { body, bytes: [] } : body);
  };
  const hear = (line: Line, wire: Response & { readonly body?: Response }): void => {
    const message = codec === 'base64' && wire.body ? wire.body : wire;
    if (message.kind === 'hello') line.isGreeted = true;
    else if (message.kind === 'many') for (const each of message.messages!) hear(line, each);
    else if (message.id === fence) line.isFenced = true;
    else line.heard.push(message);
  };
  const open = async (): Promise<Line> => {
    const port = runtime.connect({ name: conversation.portName ?? 'sealwright' });
    const nothing = { isGreeted: false, isClosed: false, isFenced: false, isCoded: false };
    const line: Line = { port, ...nothing, heard: [], look: () => undefined };
    port.onMessage.addListener((message) => {
      hear(line, message as Response);
      line.look();
    });
    port.onDisconnect.addListener(() => {
      Boolean(runtime.lastError); // read, or Chromium reports it
      line.isClosed = true;
      line.look();
    });
    for (const message of early) send(line, message);
    await until(line, () => line.isGreeted || line.isClosed);
    if (!line.isClosed) {
      send(line, { v: 1, kind: 'hello', codec });
      line.isCoded = true;
    }
    return line;
  };

  const { line: name } = conversation;
  const line = (name === undefined ? undefined : lines[name]) ?? (await open());
  if (name !== undefined) lines[name] = line;
  line.isFenced = false;
  try {
    for (const message of messages) send(line, message);
    await until(line, () => line.isClosed || line.heard.length >= (conversation.responses ?? 0));
    send(line, { v: 1, kind: 'request', id: fence, method: 'status', params: {} });
    await until(line, () => line.isClosed || line.isFenced);
  } catch {
    // The other end has closed the port, and its event is on the way.
    await until(line, () => line.isClosed);
  }
  const heard = line.heard.splice(0);
  if (name === undefined) line.port.disconnect();
  const responses = heard.filter(({ kind }) => kind === 'response');
  return {
    isGreeted: line.isGreeted,
    isClosed: line.isClosed,
    responses: responses.map(({ id, ok, error, result }) => ({
      id,
      outcome: ok ? 'answered' : error!.code,
      ...(ok && { result: plain(result) }),
    })),
    others: heard.filter(({ kind }) => kind !== 'response').map(({ kind }) => kind),
  };
}

/** Sends each as a message of its own, without a port. @returns what was answered, as text */
export async function sendWithoutPort(messages: readonly unknown[]): Promise<string[]> {
  const world = globalThis as unknown as Record<
    'browser' | 'chrome',
    { runtime: { sendMessage(message: unknown): Promise<unknown> } } | undefined
  >;
  const { runtime } = (world.browser ?? world.chrome)!;
  const answers: string[] = [];
  for (const message of messages) {
    answers.push(await runtime.sendMessage(message).then(String, String));
  }
  return answers;
}

/** Opens so many ports at once, and keeps them. @returns how many the background has not closed a second later */
export async function openPorts(count: number): Promise<number> {
  interface Port {
    readonly onDisconnect: { addListener(listener: () => void): void };
  }
  type World = Record<
    'browser' | 'chrome',
    { runtime: { connect(how: { name: string }): Port; lastError: unknown } } | undefined
  >;
  const world = globalThis as unknown as World & { ports?: Port[] };
  const { runtime } = (world.browser ?? world.chrome)!;
  let open = count;
  world.ports = Array.from({ length: count }, () => runtime.connect({ name: 'sealwright' }));
  for (const { onDisconnect } of world.ports) {
    onDisconnect.addListener(() => {
      Boolean(runtime.lastError); // read, or Chromium reports it
      open--;
    });
  }
  await new Promise((resume) => setTimeout(resume, 1_000));
  return open;
}

/** The functions of the extension's API, such as `runtime.connect`. */
export function functionsOfApi(): Promise<string[]> {
  type Api = Record<string, Record<string, unknown>>;
  const { browser, chrome } = globalThis as unknown as Record<
    'browser' | 'chrome',
    Api | undefined
  >;
  const parts = Object.entries((browser ?? chrome)!);
  const names = parts.flatMap(([part, members]) =>
    Object.keys(Object(members) as object)
      .filter((name) => typeof members[name] === 'function')
      .map((name) => `${part}.${name}`),
  );
  return Promise.resolve(names);
}
