import type { Runtime } from 'webextension-polyfill';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import { codecOfGreeting, greetingAnswer } from '../../../src/rpc/transport/codec.ts';
import { disconnected } from '../../../src/rpc/errors.ts';
import { isAlive } from './is-alive.ts';
import { PORT_NAME, PortChannel } from './port-channel.ts';

/** The peer of a channel to the background, which is not used to decide anything. */
const BACKGROUND: Caller = { kind: 'surface', page: 'manager' };

export type ConnectingRuntime = Pick<Runtime.Static, 'id' | 'connect' | 'lastError'>;
/** What a content script uses of `browser.runtime`. */
export type ContentRuntime = ConnectingRuntime & Pick<Runtime.Static, 'onMessage'>;

/**
 * Opens a channel to the background, which wakes it. For content scripts and extension pages.
 *
 * @throws SealwrightError DISCONNECTED when this script has outlived its extension
 */
export function connectToBackground(runtime: ConnectingRuntime): Channel {
  const inner = new PortChannel(open(runtime), runtime, BACKGROUND, (message) => {
    const codec = codecOfGreeting(message);
    return codec && { codec, answer: greetingAnswer(codec) };
  });
  return new ChunkingChannel(inner);
}

function open(runtime: ConnectingRuntime): Runtime.Port {
  if (!isAlive(runtime)) throw disconnected();
  try {
    return runtime.connect({ name: PORT_NAME });
  } catch {
    // "Extension context invalidated": it was reloaded, updated or removed since the check.
    throw disconnected();
  }
}
