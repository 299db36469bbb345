import WebSocket from 'ws';
import { pageResult } from './page-function.ts';

type Reply =
  | { id: number; type: 'success'; result: unknown }
  | { id: number; type: 'error'; error: string; message: string }
  | BidiEvent;

export interface BidiEvent {
  readonly type: 'event';
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A WebDriver BiDi connection (w3.org/TR/webdriver-bidi): commands out, results back. */
export class BidiConnection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { name: string; settle: (reply: Reply) => void }>();
  #lastId = 0;
  #hear: (event: BidiEvent) => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const reply = JSON.parse(data.toString()) as Reply;
      if (!('id' in reply)) {
        this.#hear(reply);
        return;
      }
      this.#waiting.get(reply.id)?.settle(reply);
      this.#waiting.delete(reply.id);
    });
    socket.on('close', () => {
      for (const [id, { settle }] of this.#waiting) {
        settle({ id, type: 'error', error: 'closed', message: 'the browser has gone' });
      }
    });
  }

  /** Events come once `session.subscribe` has asked for them. */
  onEvent(hear: (event: BidiEvent) => void): void {
    this.#hear = hear;
  }

  static async open(url: string): Promise<BidiConnection> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 2 ** 30 });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new BidiConnection(socket);
  }

  send<Result>(method: string, params: object): Promise<Result> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      // A closed socket takes messages without a word.
      if (this.#socket.readyState !== WebSocket.OPEN) {
        reject(new Error(`${method}: the browser has gone`));
        return;
      }
      const settle = (reply: Reply) => {
        if (reply.type === 'success') resolve(reply.result as Result);
        else if (reply.type === 'error') {
          reject(new Error(`${method}: ${reply.error}: ${reply.message}`));
        }
      };
      this.#waiting.set(id, { name: method, settle });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  close(): void {
    this.#socket.close();
  }
}

/** browsingContext.Info, as far as it is used here. */
export interface ContextInfo {
  context: string;
  url: string;
  children: ContextInfo[] | null;
}

type ScriptResult =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } };

/** Calls a function of one context. @param source returns JSON (page-function.ts) */
export async function callIn<Result>(
  connection: BidiConnection,
  context: string,
  source: string,
  args: unknown[],
): Promise<Result> {
  const reply = await connection.send<ScriptResult>('script.callFunction', {
    functionDeclaration: source,
    target: { context },
    awaitPromise: true,
    arguments: [{ type: 'string', value: JSON.stringify(args) }],
  });
  if (reply.type === 'exception') throw new Error(reply.exceptionDetails.text);
  return pageResult(reply.result.value) as Result;
}

/** Runs privileged code in Firefox's own window. @param source the body of an async function */
export async function callPrivileged<Result>(
  connection: BidiConnection,
  source: string,
): Promise<Result> {
  const tree = await connection.send<{ contexts: ContextInfo[] }>('browsingContext.getTree', {
    'moz:scope': 'chrome',
    maxDepth: 0,
  });
  return await callIn<Result>(
    connection,
    tree.contexts[0]!.context,
    `async (json) => {
      const result = await (async () => { ${source} })();
      return JSON.stringify({ result });
    }`,
    [],
  );
}
