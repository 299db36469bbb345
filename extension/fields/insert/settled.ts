import type { Field } from './field.ts';

/** Scripts answer an input at once or in the tasks that follow; some write their own text back. */
const STABLE_MS = 60;
const GIVE_UP_MS = 1500;

/**
 * Waits until the field holds what is wanted, and still does a moment later.
 * @returns what it holds then, or at last
 */
export async function stableText(field: Field, wanted: (text: string) => boolean): Promise<string> {
  const deadline = performance.now() + GIVE_UP_MS;
  while (performance.now() < deadline) {
    const text = field.read();
    if (!wanted(text)) {
      await field.changed();
      continue;
    }
    await pause(STABLE_MS);
    break;
  }
  return field.read();
}

/** Between two looks at a field. */
export const LOOK_EVERY_MS = 20;

export const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));
