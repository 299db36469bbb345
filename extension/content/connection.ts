import type { Channel } from '../../src/rpc/channel.ts';
import { contentHello, parseHello } from '../../src/rpc/hello.ts';
import type {
  WindowMessageHandler,
  WindowEvents,
  WindowMessage,
} from '../platform/channels/window-channel-events.ts';

export interface ContentConnectionDeps {
  readonly events: Pick<WindowEvents, 'add' | 'post' | 'close'>;
  openChannel(port: MessagePort): Channel;
  /** An orphan handles no message: its successor does. */
  isAlive(): boolean;
  /** 128 random bits. */
  newId(): string;
  /** The page's script has sent a port. The channel before it, if any, was closed. */
  onChannel(channel: Channel): void;
}

/** The content script's side of the handshake with the page's script (src/rpc/hello.ts). */
export class ContentConnection {
  readonly #deps: ContentConnectionDeps;
  #offer: string | undefined;
  #channel: Channel | undefined;

  constructor(deps: ContentConnectionDeps) {
    this.#deps = deps;
    deps.events.add(this.#onWindowMessage);
    this.#sayHello();
  }

  /** Each id is used for one port. */
  #sayHello(): void {
    this.#offer ??= this.#deps.newId();
    this.#deps.events.post(contentHello(this.#offer));
  }

  readonly #onWindowMessage: WindowMessageHandler = ({ data, port }: WindowMessage) => {
    if (!this.#deps.isAlive()) return false;
    const hello = parseHello(data);
    if (hello?.sealwright === 'page-hello') {
      this.#sayHello();
      return true;
    }
    if (hello?.sealwright !== 'port' || hello.id !== this.#offer || !port) return false;
    this.#offer = undefined;
    this.#channel?.close();
    this.#channel = this.#deps.openChannel(port);
    this.#deps.onChannel(this.#channel);
    return true;
  };

  send(message: unknown): void {
    this.#channel?.send(message);
  }

  close(): void {
    this.#deps.events.close();
    this.#channel?.close();
  }
}
