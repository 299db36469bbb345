import type { Runtime } from 'webextension-polyfill';
import type { Caller } from '../../../src/rpc/channel.ts';

/*
 * Identifies the caller behind a port by what the browser says of its sender and nothing else
 *. `sender.origin` is the frame's origin in both browsers, also where
 * `location` in a content script is wrong; `sender.tab.url` is the URL of the top page.
 */

export type CallerRuntime = Pick<Runtime.Static, 'id' | 'getURL'>;

/** Fields that the polyfill's types do not know yet. */
type Sender = Runtime.MessageSender & { readonly origin?: string };

const SURFACES = {
  'popup.html': 'popup',
  'prompt.html': 'prompt',
  'manager.html': 'manager',
  'fields-window.html': 'fields',
} as const;
/** Firefox's names for "no container". `incognito` says whether a window is private. */
const DEFAULT_STORES: readonly string[] = ['firefox-default', 'firefox-private'];

/** The caller behind a port; undefined for senders that are not served. */
export function callerOf(sender: Sender | undefined, runtime: CallerRuntime): Caller | undefined {
  if (!sender || sender.id !== runtime.id) return undefined;
  const home = runtime.getURL('');
  return sender.url?.startsWith(home) ? uiOf(sender, home) : pageOf(sender);
}

/** One of the extension's own pages, by its path. Only the top frame of a tab or window counts. */
function uiOf(sender: Sender, home: string): Caller | undefined {
  const isHome = sender.origin === undefined || `${sender.origin}/` === home;
  const isTop = sender.frameId === undefined || sender.frameId === 0;
  const path = sender.url!.slice(home.length).split(/[?#]/, 1)[0]!;
  if (!isHome || !isTop || !Object.hasOwn(SURFACES, path)) return undefined;
  return { kind: 'surface', page: SURFACES[path as keyof typeof SURFACES] };
}

function pageOf({ origin, tab, frameId, documentId }: Sender): Caller | undefined {
  if (!isWebOrigin(origin) || tab?.id === undefined || frameId === undefined) return undefined;
  return {
    kind: 'page',
    origin,
    topOrigin: frameId === 0 ? origin : originOfUrl(tab.url),
    tabId: tab.id,
    frameId,
    documentId: documentId ?? `${tab.id}/${frameId}`,
    incognito: tab.incognito,
    container: containerOf(tab.cookieStoreId),
  };
}

/** Refuses a missing origin, "null" (opaque) and "file://". */
function isWebOrigin(origin: string | undefined): origin is string {
  return origin !== undefined && /^https?:\/\/[^/]+$/.test(origin);
}

/** "null" where the extension may not see the top page, or it has no origin. Such frames are not served. */
function originOfUrl(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : 'null';
}

function containerOf(storeId: string | undefined): string | null {
  return storeId === undefined || DEFAULT_STORES.includes(storeId) ? null : storeId;
}
