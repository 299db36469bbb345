import { freeze, defineProperty, hasOwn } from '../../../src/rpc/primordials.ts';
import { RDNS, type Info } from './info.ts';
import { dispatch, listen, SafeCustomEvent, unlisten } from '../primordials.ts';

/*
 * Providers are found by two events, after EIP-6963, so that several can be in one page without a common
 * global name: the page dispatches `sealwright:request`, every provider answers with `sealwright:announce`.
 */
export const REQUEST = 'sealwright:request';
export const ANNOUNCE = 'sealwright:announce';

/**
 * Announces the provider now, and at each request of the page. The detail is frozen.
 *
 * @param onRewritten calls back after `document.open()`, which removes the listener for requests. Scripts that
 *   the page has written may have asked before, so that it is announced again.
 */
export function announce(
  target: EventTarget,
  info: Info,
  provider: object,
  onRewritten: (addAgain: () => void) => void,
): void {
  const detail = freeze({ info, provider });
  const say = (): void => {
    dispatch(target, new SafeCustomEvent(ANNOUNCE, { detail }));
  };
  const start = (): void => {
    listen(target, REQUEST, say);
    say();
  };
  start();
  onRewritten(start);
}

/** Whether an earlier copy of this script serves the page (injected twice, or before an update). */
export function isServedAlready(target: EventTarget): boolean {
  let isServed = false;
  const hear = (event: Event): void => {
    const { detail } = event as CustomEvent<{ info?: { rdns?: unknown } } | null>;
    if (detail?.info?.rdns === RDNS) isServed = true;
  };
  listen(target, ANNOUNCE, hear);
  dispatch(target, new SafeCustomEvent(REQUEST));
  unlisten(target, ANNOUNCE, hear);
  return isServed;
}

/** Defines `window.sealwright`, configurable and not writable. A page's own variable of that name stays. */
export function installProvider(target: object, provider: object): void {
  if (hasOwn(target, 'sealwright')) return;
  defineProperty(target, 'sealwright', {
    value: provider,
    configurable: true,
    enumerable: true,
    writable: false,
  });
}
