/**
 * A function to be run in a page, as source text.
 *
 * The test loader keeps function names by a helper called `__name`; pages do not have it.
 */
export function pageFunction(work: (...args: never[]) => unknown): string {
  return `async (json) => {
    const __name = (value) => value;
    const result = await (${work.toString()})(...JSON.parse(json));
    return JSON.stringify({ result });
  }`;
}

/** What the function of `pageFunction` returned. */
export function pageResult(json: string): unknown {
  return (JSON.parse(json) as { result: unknown }).result;
}

/** How long a test waits for what is about to come. Machines of CI are slow, and run two browsers. */
export const PATIENCE_MS = 30_000;

/** Calls `attempt` until it gives a value other than undefined. */
export async function poll<Value>(
  what: string,
  timeoutMs: number,
  attempt: () => Promise<Value | undefined>,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs; // the machine's clock may be set meanwhile
  for (;;) {
    const value = await attempt();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

interface Asked {
  evaluate<Args extends unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
}

/**
 * What a person would read in the page, for the message of a failed test: in one line, because CI shows the first, and
 * without the menu, because it shows 600 characters.
 */
const shownIn = (tab: Asked): Promise<string> =>
  tab
    .evaluate(() => {
      const { innerText } = document.querySelector('main') ?? document.body;
      const text = innerText.trim().replace(/\s*\n\s*/g, ' / ');
      return `${location.href}: ${text.slice(0, 500)}`;
    })
    .catch((error: unknown) => `nothing (${String(error)})`);

/** Waits for a condition in a page, whose document may be in the middle of a navigation. */
export async function pollInPage<Args extends unknown[]>(
  tab: Asked,
  condition: (...args: Args) => boolean,
  { timeoutMs = PATIENCE_MS }: { timeoutMs?: number },
  ...args: Args
): Promise<void> {
  let last: unknown;
  const attempt = async (): Promise<true | undefined> => {
    try {
      return (await tab.evaluate(condition, ...args)) ? true : undefined;
    } catch (error) {
      last = error; // The next document is asked again.
      return undefined;
    }
  };
  await poll(condition.toString(), timeoutMs, attempt).catch(async (error: unknown) => {
    throw await withShown(tab, error, last);
  });
}

/** An error that says what the page showed instead of what was waited for. */
export async function withShown(tab: Asked, error: unknown, cause?: unknown): Promise<Error> {
  const words = `${String(error)}; the page shows ${await shownIn(tab)}`;
  return new Error(words, cause === undefined ? {} : { cause });
}

/**
 * Runs in a page: scrolls to an element until two frames show it in the same place: a press on what still moves as the page grows
 * meets what has come there instead. A window in the background has no frames; its page is taken as it is.
 */
export async function scrollToRest(selector: string): Promise<void> {
  const placeOf = (): string => {
    const element = document.querySelector(selector);
    element?.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
    return [x, y, width, height].join();
  };
  const nextFrame = () =>
    new Promise((resume) => {
      requestAnimationFrame(resume);
      setTimeout(resume, 100);
    });
  for (let last = placeOf(), frames = 0; frames < 30; frames++) {
    await nextFrame();
    const now = placeOf();
    if (now === last) return;
    last = now;
  }
}
