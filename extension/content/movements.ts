import { watchPointer } from '../platform/entropy/pointer-source.ts';
import { SampleBatch } from '../platform/entropy/sample-batch.ts';

/** Not oftener does a page's movement wake the background, which is to sleep most of the time. */
export const STIR_EVERY_MS = 20_000;

/** Brings a digest to the background. @returns whether more is wanted */
export type Stir = (digest: Uint8Array) => Promise<boolean>;

/**
 * A person's pointer movements on an enabled site, where the user has switched this on: 32 at a
 * time, as the SHA-256 of their times and distances. The first refusal ends it on this page.
 */
export class Movements {
  readonly #stir: Stir;
  readonly #batch = new SampleBatch();
  readonly #stopWatching: () => void;
  #stirredAt = -Infinity;

  constructor(target: EventTarget, stir: Stir) {
    this.#stir = stir;
    this.#stopWatching = watchPointer(target, this);
  }

  /** @param time of the event, ms; where the pointer was is forgotten with the next event */
  add(time: number, x: number, y: number): void {
    this.#batch.add(time, x, y);
    if (!this.#batch.isFull || time - this.#stirredAt < STIR_EVERY_MS) return;
    this.#stirredAt = time;
    void this.#stirBatch();
  }

  stop(): void {
    this.#stopWatching();
    this.#batch.take().fill(0);
  }

  async #stirBatch(): Promise<void> {
    const isWanted = await this.#stir(await this.#batch.takeHashed()).catch(() => false);
    if (!isWanted) this.stop();
  }
}
