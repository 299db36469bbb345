/*
 * Content scripts that can be stopped. Each is found by its symbol in the extension's isolated world: by a
 * newer copy, which replaces it, and by the background, when the user switches it off.
 */
export const MOVEMENTS_KEY = 'sealwright movements';
export const MARKS_KEY = 'sealwright marks';
export const GUARD_KEY = 'sealwright guard';

interface Stoppable {
  stop(): void;
}

/** Starts a script and stops an earlier copy of it. */
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

/** Stops a script. The browser injects this function's source text, so it uses nothing but its argument. */
export function stopScript(name: string): void {
  const holder = globalThis as unknown as Record<symbol, Stoppable | undefined>;
  const key = Symbol.for(name);
  holder[key]?.stop();
  holder[key] = undefined;
}
