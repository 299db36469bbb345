/**
 * Lets the event loop turn `count` times: as many timers, messages and immediates that start one another
 * have run then, however busy the machine is. A pause of some ms may be over before them.
 */
export async function turns(count = 10): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Lets the event loop turn until the condition holds: however long what a test waits for takes, or until the test's timeout. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await turns(1);
}

/** What threads and other processes compute while the event loop turns: works begun so far, and those under way. */
const beside = { begun: 0, underWay: 0 };

/** Runs a work for whose end `settled` waits. */
export async function besideTurns<T>(work: () => Promise<T>): Promise<T> {
  beside.begun++;
  beside.underWay++;
  try {
    return await work();
  } finally {
    beside.underWay--;
  }
}

type Works = Record<string, (...args: unknown[]) => Promise<unknown>>;

function countWorks(works: Works, names: readonly string[]): void {
  for (const name of names) {
    const work = works[name]!;
    works[name] = function (...args) {
      return besideTurns(() => work.apply(this, args));
    };
  }
}

const OPERATIONS = Object.getOwnPropertyNames(SubtleCrypto.prototype);
countWorks(
  SubtleCrypto.prototype as unknown as Works,
  OPERATIONS.filter((name) => name !== 'constructor'),
);
countWorks(WebAssembly as unknown as Works, ['compile', 'instantiate']);

/**
 * Lets all that is on its way happen: until the loop has turned 20 times in a row with nothing computed beside it. It cannot
 * see an `import()`, which waits for the loader's thread: what comes after one is waited for with `until`.
 */
export async function settled(): Promise<void> {
  for (let quiet = 0, { begun } = beside; quiet < 20; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (beside.underWay === 0 && beside.begun === begun) continue;
    quiet = 0;
    begun = beside.begun;
  }
}
