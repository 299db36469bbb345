import { FakeFrame, FakeRuntime, ORIGIN } from './fake-frame.ts';
import { FrameScript, LOCAL_PAGE } from '../../extension/content/frame-script.ts';
import { Sealwright } from '../../extension/page/api/api.ts';
import { Calls } from '../../extension/page/connection/calls.ts';
import { providerInfo } from '../../extension/page/connection/info.ts';
import { PageConnection } from '../../extension/page/connection/connection.ts';
import { CONTENT_SCRIPT } from '../../extension/page/connection/deferred-channel.ts';
import { listenForChannels } from '../../extension/platform/channels/runtime-channel.ts';
import type { windowChannel } from '../../extension/platform/channels/window-channel.ts';
import { WindowEvents } from '../../extension/platform/channels/window-channel-events.ts';
import type { Implementations } from '../../src/rpc/call.ts';
import type { Channel } from '../../src/rpc/channel.ts';
import { METHODS } from '../../src/rpc/methods/methods.ts';
import { MethodServer } from '../../src/rpc/server/method-server.ts';
import { implementations } from '../rpc/fake-implementations.ts';

/** Page, content script and background in one process, over the real code of all three. */
export class Frame {
  readonly window = new FakeFrame();
  readonly runtime = new FakeRuntime();
  readonly openChannel: typeof windowChannel;
  readonly heard: string[] = [];
  readonly connection: PageConnection;
  readonly page: Sealwright;
  /** What the browser's trusted events do; Node has none. */
  documentGone = (): void => undefined;
  readonly #restoredListeners: (() => void)[] = [];
  readonly #channels: Channel[] = [];

  constructor(openChannel: typeof windowChannel, given: Partial<Implementations>) {
    this.openChannel = (...line) => {
      const channel = openChannel(...line);
      this.#channels.push(channel);
      return channel;
    };
    const server = new MethodServer(METHODS, implementations(given));
    listenForChannels(this.runtime.asRuntime, (channel) => server.attach(channel));
    const events = this.#newEvents();
    events.onGone = (listener) => (this.documentGone = listener);
    this.connection = new PageConnection({
      events,
      openChannel: (port) => this.openChannel(port, CONTENT_SCRIPT, events, 'page'),
      newId: () => crypto.randomUUID(),
      onEvent: (name) => this.heard.push(name),
    });
    this.page = new Sealwright(providerInfo(crypto.randomUUID()), new Calls(this.connection));
  }

  /** Without trusted events in Node, `restored` calls what a `pageshow` would. */
  #newEvents(): WindowEvents {
    const events = new WindowEvents(this.window);
    events.onRestored = (listener) => {
      this.#restoredListeners.push(listener);
      return () => undefined;
    };
    return events;
  }

  restored(): void {
    for (const listener of this.#restoredListeners) listener();
  }

  startContent(): FrameScript {
    const events = this.#newEvents();
    return new FrameScript({
      runtime: this.runtime.asRuntime,
      events,
      origin: ORIGIN,
      openChannel: (port) => this.openChannel(port, LOCAL_PAGE, events, 'content'),
      newId: () => crypto.randomUUID(),
    });
  }

  /** Ends calls and lines, as the browser does with a frame that goes; then Node may end. */
  close(): void {
    this.runtime.id = undefined;
    this.connection.client.close();
    for (const channel of this.#channels) channel.close();
  }
}
