import type { SampleBatch } from './sample-batch.ts';

/**
 * Adds pointer movements to a batch: time and distance since the last one, of events that the user
 * caused.
 *
 * @returns stops it
 */
export function watchPointer(target: EventTarget, batch: Pick<SampleBatch, 'add'>): () => void {
  const listener = (event: Event) => {
    if (!event.isTrusted || !(event instanceof PointerEvent)) return;
    batch.add(event.timeStamp, event.screenX, event.screenY);
  };
  target.addEventListener('pointermove', listener, { passive: true });
  return () => target.removeEventListener('pointermove', listener);
}
