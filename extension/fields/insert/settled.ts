import type { Field } from './field.ts';

/** An editor takes a pasted text within this time; TinyMCE in its next task. */
const LATER_MS = 300;

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

/** For `takesLater`: whether anything changes below an element soon. The element is not read. */
export function changesLater(element: Element): () => Promise<boolean> {
  let isChanged = false;
  const observer = new MutationObserver(() => (isChanged = true));
  observer.observe(element, { childList: true, characterData: true, subtree: true });
  return async () => {
    const deadline = performance.now() + LATER_MS;
    while (!isChanged && performance.now() < deadline) await pause(LOOK_EVERY_MS);
    observer.disconnect();
    return isChanged;
  };
}
