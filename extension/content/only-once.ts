/*
 * A frame can be given the content script twice: registered for its site, and injected because its
 * tab was open already. The second finds the first through this symbol, which lives in the
 * extension's isolated world and so is seen by no page.
 */
const KEY = Symbol.for('sealwright content script');

export interface Living {
  isAlive(): boolean;
  /** Brings a digest of movements to the background. @returns whether more are wanted */
  stirMovements(digest: Uint8Array): Promise<boolean>;
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
