/*
 * A frame can be given the content script twice: registered for its site, and injected because its
 * tab was open already. The second finds the first through this symbol, which lives in the
 * extension's isolated world and so is seen by no page.
 */
const KEY = Symbol.for('sealwright content script');

interface Living {
  isAlive(): boolean;
}

/** Starts unless an earlier start is still alive; an orphan of an older extension is not. */
export function onlyOnce(world: object, start: () => Living): void {
  const holder = world as { [KEY]?: Living };
  if (holder[KEY]?.isAlive()) return;
  holder[KEY] = start();
}
