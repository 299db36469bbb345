import { onRewritten } from '../platform/channels/rewritten.ts';
import { watchPointer } from '../platform/entropy/pointer-source.ts';
import { SampleBatch } from '../platform/entropy/sample-batch.ts';

/** Movements wake the background at most this often. */
export const STIR_EVERY_MS = 20_000;

/** Sends a digest to the background. @returns whether more is wanted */
export type Stir = (digest: Uint8Array) => Promise<boolean>;

/**
 * Collects pointer movements on an enabled site, where the user has switched this on. They leave the
 * page 32 at a time, as the SHA-256 of their times and distances, until the background refuses them.
 */
export class Movements {
  readonly #stir: Stir;
  readonly #batch = new SampleBatch();
  readonly #endListening: () => void;
  #stopWatching: () => void;
  #stirredAt = -Infinity;

  constructor(frame: EventTarget & { readonly document: Node }, stir: Stir) {
    this.#stir = stir;
    this.#stopWatching = watchPointer(frame, this);
    this.#endListening = onRewritten(frame.document, () => {
      this.#stopWatching();
      this.#stopWatching = watchPointer(frame, this);
    });
  }

  /** @param time of the event, ms; the position is dropped with the next event */
  add(time: number, x: number, y: number): void {
    this.#batch.add(time, x, y);
    if (!this.#batch.isFull || time - this.#stirredAt < STIR_EVERY_MS) return;
    this.#stirredAt = time;
    void this.#stirBatch();
  }

  stop(): void {
    this.#endListening();
    this.#stopWatching();
    this.#batch.take().fill(0);
  }

  async #stirBatch(): Promise<void> {
    const isWanted = await this.#stir(await this.#batch.takeHashed()).catch(() => false);
    if (!isWanted) this.stop();
  }
}
