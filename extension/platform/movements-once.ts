/*
 * The gathering of one frame, found again through this symbol in the extension's isolated world: by
 * a successor, which ends it, and by the background, when the user switches it off.
 */
export const MOVEMENTS_KEY = 'sealwright movements';

interface Stoppable {
  stop(): void;
}

/** Starts, in the place of an earlier start. */
export function startMovements(world: object, start: () => Stoppable): void {
  const holder = world as Record<symbol, Stoppable | undefined>;
  const key = Symbol.for(MOVEMENTS_KEY);
  holder[key]?.stop();
  holder[key] = start();
}

/** Runs in a page's isolated world by its text alone: it may name nothing but its argument. */
export function stopMovements(name: string): void {
  const holder = globalThis as unknown as Record<symbol, Stoppable | undefined>;
  const key = Symbol.for(name);
  holder[key]?.stop();
  holder[key] = undefined;
}
