import { eachBytes, payloadBytes } from '../../../src/rpc/transport/attachments.ts';
import { typedArrayBuffer, typedArrayByteLength } from '../../../src/rpc/primordials.ts';
import { Port } from './message-port.ts';
import type { OpenWindowChannel } from './window-channel-events.ts';

/** Below this, a copy costs less than giving a buffer away and taking it. */
const GIVEN_AWAY_FROM_BYTES = 4 * 1024;

/**
 * The line between page and content script over a MessagePort, as Chromium has it: bytes are
 * transferred with the message, which copies nothing at any size. What is sent is given away.
 */
export const windowChannel: OpenWindowChannel = (port, peer) => {
  const line = new Port(port);
  const closing: (() => void)[] = [];
  let isOpen = true;
  return {
    peer,
    send(message) {
      if (!isOpen) return;
      if (payloadBytes(message) < GIVEN_AWAY_FROM_BYTES) line.post(message);
      else line.post(message, buffersIn(message));
    },
    onMessage: (listener) => line.onMessage((message) => isOpen && listener(message)),
    onClose(listener) {
      if (isOpen) closing[closing.length] = listener;
      else listener();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      line.close();
      for (let i = 0; i < closing.length; i++) closing[i]!();
    },
  };
};

function buffersIn(message: unknown): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  eachBytes(message, (bytes) => {
    // Empty arrays may be shared; given away once, they could not be sent again.
    if (typedArrayByteLength(bytes) > 0) buffers[buffers.length] = typedArrayBuffer(bytes);
  });
  return buffers;
}
