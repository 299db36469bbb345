/*
 * Scripts that are at work in a frame, each found again through its symbol in the extension's isolated
 * world: by a successor, which ends it, and by the background, when the user switches it off.
 */
export const MOVEMENTS_KEY = 'sealwright movements';
export const MARKS_KEY = 'sealwright marks';
export const GUARD_KEY = 'sealwright guard';

interface Stoppable {
  stop(): void;
}

/** Starts, in the place of an earlier start. */
export function startScript<Script extends Stoppable>(
  world: object,
  name: string,
  start: () => Script,
): Script {
  const holder = world as Record<symbol, Stoppable | undefined>;
  const key = Symbol.for(name);
  holder[key]?.stop();
  const script = start();
  holder[key] = script;
  return script;
}

/** Runs in a page's isolated world by its text alone: it may name nothing but its argument. */
export function stopScript(name: string): void {
  const holder = globalThis as unknown as Record<symbol, Stoppable | undefined>;
  const key = Symbol.for(name);
  holder[key]?.stop();
  holder[key] = undefined;
}
