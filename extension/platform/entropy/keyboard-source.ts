import type { SampleBatch } from './sample-batch.ts';

/**
 * Adds the times of key events on one of the extension's own pages to a batch: when keys go down and
 * up, never which. Repetitions of a held key are left out, because the computer times them.
 *
 * @returns stops it
 */
export function watchKeyboard(target: EventTarget, batch: Pick<SampleBatch, 'add'>): () => void {
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
