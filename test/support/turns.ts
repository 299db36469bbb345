/**
 * Lets the event loop turn `count` times: as many timers, messages and immediates that start one another
 * have run then, however busy the machine is. A pause of some ms may be over before them.
 */
export async function turns(count = 10): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Lets the event loop turn until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turns(1);
}
