import type { GUARD_METHODS } from '../../src/rpc/methods/guard.ts';
import type { NameIn, ParamsIn, ResultIn } from '../../src/rpc/methods/method.ts';
import type { MOVEMENT_METHODS } from '../../src/rpc/methods/movements.ts';
import { onRewritten } from '../platform/channels/rewritten.ts';

/*
 * A frame can get the content script twice: registered for its site, and injected because its tab was
 * open already. The second finds the first under this symbol, in the extension's isolated world, which
 * pages cannot read.
 */
const KEY = Symbol.for('sealwright content script');

type OwnMethods = typeof MOVEMENT_METHODS & typeof GUARD_METHODS;
export type OwnMethod = NameIn<OwnMethods>;
export type OwnParams<M extends OwnMethod> = ParamsIn<OwnMethods, M>;
export type OwnResult<M extends OwnMethod> = ResultIn<OwnMethods, M>;

export interface Living {
  isAlive(): boolean;
  /** Calls the background for another script of the extension in this frame. Pages cannot call it. */
  ask<M extends OwnMethod>(method: M, params: OwnParams<M>): Promise<OwnResult<M>>;
}

/** Starts unless an earlier start is alive. An orphan, whose extension has gone, is not. */
export function onlyOnce(world: object, start: () => Living): void {
  const holder = world as { [KEY]?: Living };
  if (holder[KEY]?.isAlive()) return;
  holder[KEY] = start();
}

/** The content script of this frame; undefined where there is none, or it is an orphan. */
export function livingScript(world: object): Living | undefined {
  const living = (world as { [KEY]?: Living })[KEY];
  return living?.isAlive() ? living : undefined;
}

/** The part of Document that Chromium adds for prerendered pages. */
export interface Prerendered extends Node {
  readonly prerendering?: boolean;
}

/** Runs `start` now, or when a prerendered page is shown: only then does its frame belong to the tab. */
export function whenActivated(document: Prerendered, start: () => void): void {
  if (!document.prerendering) {
    start();
    return;
  }
  const onActivated = (): void => {
    endListening();
    start();
  };
  const listen = (): void =>
    document.addEventListener('prerenderingchange', onActivated, { once: true });
  listen();
  const endListening = onRewritten(document, listen);
}
