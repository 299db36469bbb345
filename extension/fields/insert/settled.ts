import type { Field } from './field.ts';

/** Scripts handle an input at once or in later tasks, and some write their own text back. */
const STABLE_MS = 60;
const GIVE_UP_MS = 1500;

/**
 * Waits until the field has the wanted text, and still has it a moment later.
 *
 * @returns its text then, or at the time limit
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

/** Time between two reads of a field. */
export const LOOK_EVERY_MS = 20;

/** Resolves after so many milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));
