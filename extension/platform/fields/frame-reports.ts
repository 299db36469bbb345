import type { Runtime } from 'webextension-polyfill';

/*
 * When a field session begins in a frame, the frame's script sends the background one message. Nothing of
 * it is believed but the session's id: which frame of which origin it comes from, the browser says.
 */

/** The message; the session's id follows. */
export const FRAME_REPORT = 'sealwright: frame of the session ';

/** A frame in which a session begins, as the browser knows it. */
export interface ReportedFrame {
  readonly tabId: number;
  readonly frameId: number;
  /** Null for an opaque origin, and for pages without one. */
  readonly origin: string | null;
}

/** A field that the polyfill's types do not know yet. */
type Sender = Runtime.MessageSender & { readonly origin?: string };

/** Called in the background, in its first task. The frame's script goes on when the listener returned. */
export function onFrameReport(
  runtime: Pick<Runtime.Static, 'id' | 'onMessage'>,
  listener: (sessionId: string, frame: ReportedFrame) => void,
): void {
  runtime.onMessage.addListener((message: unknown, { id, tab, frameId, origin }: Sender) => {
    const isOurs = typeof message === 'string' && message.startsWith(FRAME_REPORT);
    if (!isOurs || id !== runtime.id || tab?.id === undefined || frameId === undefined) {
      return undefined;
    }
    const frame = { tabId: tab.id, frameId, origin: siteOrigin(origin) };
    listener(message.slice(FRAME_REPORT.length), frame);
    return Promise.resolve(true);
  });
}

function siteOrigin(origin: string | undefined): string | null {
  const isSite = origin !== undefined && URL.canParse(origin) && new URL(origin).origin === origin;
  return isSite ? origin : null;
}
