import WebSocket from 'ws';

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
