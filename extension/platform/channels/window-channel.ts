import { eachBytes, payloadBytes } from '../../../src/rpc/transport/attachments.ts';
import { typedArrayBuffer, typedArrayByteLength } from '../../../src/rpc/primordials.ts';
import { Port } from './message-port.ts';
import type { OpenWindowChannel } from './window-channel-events.ts';

/** Below this length a copy costs less than a transfer. */
const TRANSFER_FROM_BYTES = 4 * 1024;

/**
 * The channel between page and content script over a MessagePort, for Chromium. Large payloads are
 * transferred with the message, which copies no bytes and detaches the sender's buffers.
 */
export const windowChannel: OpenWindowChannel = (port, peer) => {
  const own = new Port(port);
  const closing: (() => void)[] = [];
  let isOpen = true;
  return {
    peer,
    send(message) {
      if (!isOpen) return;
      if (payloadBytes(message) < TRANSFER_FROM_BYTES) own.post(message);
      else own.post(message, buffersIn(message));
    },
    onMessage: (listener) => own.onMessage((message) => isOpen && listener(message)),
    onClose(listener) {
      if (isOpen) closing[closing.length] = listener;
      else listener();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      own.close();
      for (let i = 0; i < closing.length; i++) closing[i]!();
    },
  };
};

function buffersIn(message: unknown): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  eachBytes(message, (bytes) => {
    // Empty arrays may be shared constants: a transferred one could not be sent again.
    if (typedArrayByteLength(bytes) > 0) buffers[buffers.length] = typedArrayBuffer(bytes);
  });
  return buffers;
}
