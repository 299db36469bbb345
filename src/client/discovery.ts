import { checkOptions, SealwrightClientError } from './errors.ts';
import type { ProviderInfo, Sealwright } from './page-api.ts';

/*
 * Discovery with two events on the window, similar to EIP-6963: a page dispatches `sealwright:request`,
 * and every provider answers with `sealwright:announce`, at once or when the user enables the site.
 */
const REQUEST = 'sealwright:request';
const ANNOUNCE = 'sealwright:announce';
const RDNS = 'org.sealwright';

/** "sealwright:announce" on the window: the answer to "sealwright:request", and once on load. */
export type SealwrightAnnounceEvent = CustomEvent<{
  readonly info: ProviderInfo;
  readonly provider: Sealwright;
}>;

declare global {
  interface WindowEventMap {
    'sealwright:announce': SealwrightAnnounceEvent;
    'sealwright:request': Event;
  }
}

/** A provider answers at once; this allows time for its injection. */
export const WAIT_MS = 1000;

/** How long and where to look for Sealwright. */
export interface FindOptions {
  /** How long to wait for an answer. Infinity waits until the user enables the site. Default: 1 s. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Target of the events. Default: the window. A server has no window: Sealwright is absent there. */
  readonly target?: EventTarget | undefined;
}

/**
 * Calls `found` with Sealwright as soon as it is available: at once if the site is enabled, later if
 * the user enables it while the page is open. Calls it once for each provider.
 *
 * @returns a function that stops listening
 */
export function onSealwright(
  found: (sealwright: Sealwright) => void,
  target = windowHere(),
): () => void {
  const known = new Set<Sealwright>();
  const hear = (event: Event): void => {
    const provider = providerIn(event);
    if (!provider || known.has(provider)) return;
    known.add(provider);
    found(provider);
  };
  target?.addEventListener(ANNOUNCE, hear);
  target?.dispatchEvent(new Event(REQUEST));
  return () => target?.removeEventListener(ANNOUNCE, hear);
}

/**
 * Waits for Sealwright.
 *
 * @throws SealwrightClientError ABSENT after `waitMs`: not installed, or not enabled on this site.
 * Pages cannot distinguish the two, so that sites do not learn who has the extension. On a server, at once
 * @throws the signal's reason when it aborts
 */
export function findSealwright(options: FindOptions = {}): Promise<Sealwright> {
  const { waitMs = WAIT_MS, signal, target = windowHere() } = options;
  return new Promise((resolve, reject) => {
    checkOptions(options, 'waitMs', 'signal', 'target');
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const onAbort = (): void => end(() => reject(reasonOf(signal!)));
    const timer = later(target ? waitMs : 0, () => end(() => reject(absent())));
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // onSealwright may call back before it has returned `stop`.
      queueMicrotask(() => stop());
      settle();
    };
    signal?.addEventListener('abort', onAbort);
    const stop = onSealwright((provider) => end(() => resolve(provider)), target);
  });
}

/** Undefined on a server: Node.js has no events on its global object, and no page calls there. */
function windowHere(): EventTarget | undefined {
  const here: Partial<EventTarget> = globalThis;
  return here.addEventListener && globalThis;
}

/** Like setTimeout. Timers are limited to 31 bits of milliseconds; for longer times none is set. */
export function later(ms: number, work: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms < 2 ** 31 ? setTimeout(work, ms) : undefined;
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason as Error;
}

function absent(): SealwrightClientError {
  return new SealwrightClientError(
    'ABSENT',
    'Sealwright does not answer here. Install the extension, or enable it on this site from its toolbar button.',
  );
}

/** Undefined for providers of other extensions, which have another name. */
function providerIn(event: Event): Sealwright | undefined {
  type Detail = { readonly info?: ProviderInfo; readonly provider?: Sealwright } | null | undefined;
  const detail = (event as CustomEvent<Detail>).detail;
  return detail?.info?.rdns === RDNS ? detail.provider : undefined;
}
