import { SealwrightClientError } from './errors.ts';
import type { ProviderInfo, Sealwright } from './page-api.ts';

/*
 * Providers are found by two events on the window, after EIP-6963: a page dispatches
 * `sealwright:request`, and every provider answers with `sealwright:announce`, now or whenever the
 * user enables the site.
 */
const REQUEST = 'sealwright:request';
const ANNOUNCE = 'sealwright:announce';
const RDNS = 'org.sealwright';

/** A provider that is there answers at once; this leaves it time to be injected. */
export const WAIT_MS = 1000;

export interface FindOptions {
  /** How long to wait for an answer; Infinity: until the user enables the site. Default: 1 s. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  /** Where providers announce themselves: the window, unless a test says otherwise. */
  readonly target?: EventTarget;
}

/**
 * Calls `found` with Sealwright as soon as it is there: at once where the site is enabled, later
 * where the user enables it while the page is open. Once for each provider.
 *
 * @returns stops listening
 */
export function onSealwright(
  found: (sealwright: Sealwright) => void,
  target: EventTarget = globalThis,
): () => void {
  const known = new Set<Sealwright>();
  const hear = (event: Event): void => {
    const provider = providerIn(event);
    if (!provider || known.has(provider)) return;
    known.add(provider);
    found(provider);
  };
  target.addEventListener(ANNOUNCE, hear);
  target.dispatchEvent(new Event(REQUEST));
  return () => target.removeEventListener(ANNOUNCE, hear);
}

/**
 * Sealwright, when it answers.
 *
 * @throws SealwrightClientError ABSENT after `waitMs`: not installed, or not enabled on this site.
 * A page cannot tell these apart, so that sites do not learn who has the extension.
 * @throws the signal's reason when it aborts
 */
export function findSealwright(options: FindOptions = {}): Promise<Sealwright> {
  const { waitMs = WAIT_MS, signal, target } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const onAbort = (): void => end(() => reject(reasonOf(signal!)));
    const timer = later(waitMs, () => end(() => reject(absent())));
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // It may be found before there is a way to stop looking.
      queueMicrotask(() => stop());
      settle();
    };
    signal?.addEventListener('abort', onAbort);
    const stop = onSealwright((provider) => end(() => resolve(provider)), target);
  });
}

/** Timers hold 31 bits of milliseconds; whoever waits longer waits for ever. */
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

/** Other extensions may announce providers of their own under other names. */
function providerIn(event: Event): Sealwright | undefined {
  type Detail = { readonly info?: ProviderInfo; readonly provider?: Sealwright } | null | undefined;
  const detail = (event as CustomEvent<Detail>).detail;
  return detail?.info?.rdns === RDNS ? detail.provider : undefined;
}
