import type { GUARD_METHODS } from '../../src/rpc/methods/guard.ts';
import type { NameIn, ParamsIn, ResultIn } from '../../src/rpc/methods/method.ts';
import type { MOVEMENT_METHODS } from '../../src/rpc/methods/movements.ts';

/*
 * A frame can be given the content script twice: registered for its site, and injected because its
 * tab was open already. The second finds the first through this symbol, which lives in the
 * extension's isolated world and so is seen by no page.
 */
const KEY = Symbol.for('sealwright content script');

type OwnMethods = typeof MOVEMENT_METHODS & typeof GUARD_METHODS;
export type OwnMethod = NameIn<OwnMethods>;
export type OwnParams<M extends OwnMethod> = ParamsIn<OwnMethods, M>;
export type OwnResult<M extends OwnMethod> = ResultIn<OwnMethods, M>;

export interface Living {
  isAlive(): boolean;
  /** Asks the background for another script of ours in this frame. Pages have no way to it. */
  ask<M extends OwnMethod>(method: M, params: OwnParams<M>): Promise<OwnResult<M>>;
}

/** Starts unless an earlier start is still alive; an orphan of an older extension is not. */
export function onlyOnce(world: object, start: () => Living): void {
  const holder = world as { [KEY]?: Living };
  if (holder[KEY]?.isAlive()) return;
  holder[KEY] = start();
}

/** The content script of this frame; undefined where none has started, or it is an orphan. */
export function livingScript(world: object): Living | undefined {
  const living = (world as { [KEY]?: Living })[KEY];
  return living?.isAlive() ? living : undefined;
}

/** The part of Document that Chromium adds for pages loaded before anyone has asked for them. */
export interface Prerendered extends EventTarget {
  readonly prerendering?: boolean;
}

/** Runs `start` now, or when a prerendered page is shown: until then its frame is not the tab's. */
export function whenActivated(document: Prerendered, start: () => void): void {
  if (!document.prerendering) start();
  else document.addEventListener('prerenderingchange', start, { once: true });
}
