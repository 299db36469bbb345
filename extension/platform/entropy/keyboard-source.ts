import type { SampleBatch } from './sample-batch.ts';

/**
 * Feeds the timing of keys on one of the extension's own pages into a batch: when keys go down and
 * up, never which. Repetition of a held key is the computer's rhythm and is left out.
 *
 * @returns stops it
 */
export function watchKeyboard(target: EventTarget, batch: SampleBatch): () => void {
  const listener = (event: Event) => {
    if (!event.isTrusted || !(event instanceof KeyboardEvent) || event.repeat) return;
    batch.add(event.timeStamp);
  };
  target.addEventListener('keydown', listener, { passive: true });
  target.addEventListener('keyup', listener, { passive: true });
  return () => {
    target.removeEventListener('keydown', listener);
    target.removeEventListener('keyup', listener);
  };
}
