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
  /** Asked before anything is taken: an orphan leaves all to its successor. */
  isAlive(): boolean;
  /** 128 random bits. */
  newId(): string;
  /** A page's script has handed over a port. The channel before it, if any, is closed. */
  onChannel(channel: Channel): void;
}

/** The content script's end of the hello (src/rpc/hello.ts). */
export class ContentConnection {
  readonly #deps: ContentConnectionDeps;
  #offer: string | undefined;
  #channel: Channel | undefined;

  constructor(deps: ContentConnectionDeps) {
    this.#deps = deps;
    deps.events.add(this.#take);
    this.#sayHello();
  }

  /** An id that has served is never offered again. */
  #sayHello(): void {
    this.#offer ??= this.#deps.newId();
    this.#deps.events.post(contentHello(this.#offer));
  }

  readonly #take: WindowMessageHandler = ({ data, port }: WindowMessage) => {
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
