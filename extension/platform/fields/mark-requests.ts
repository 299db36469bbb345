import type { Runtime } from 'webextension-polyfill';
import type { FieldPlace } from './field-sessions.ts';

/*
 * The messages that scripts in pages send to the background about fields. They carry nothing that is
 * believed: from which frame of which origin they are, the browser says.
 */

/** The one message that a mark sends. */
const REQUEST = 'sealwright: open the text at the mark';

/** What the script of a frame sends when a session begins there; the session's id follows. */
export const FRAME_REPORT = 'sealwright: frame of the session ';

/** Called in a content script. A failure means that the extension has gone, and is ignored. */
export async function askToOpenMark(runtime: Pick<Runtime.Static, 'sendMessage'>): Promise<void> {
  await runtime.sendMessage(REQUEST).catch(() => undefined);
}

/** Called in the background, in its first task. */
export function onMarkRequest(
  runtime: Pick<Runtime.Static, 'id' | 'onMessage'>,
  listener: (place: FieldPlace) => void,
): void {
  runtime.onMessage.addListener((message: unknown, { id, tab, frameId }: Runtime.MessageSender) => {
    const isOurs = message === REQUEST && id === runtime.id;
    if (isOurs && tab?.id !== undefined && frameId !== undefined) {
      listener({ tabId: tab.id, frameId, isMarked: true });
    }
    return undefined;
  });
}

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
