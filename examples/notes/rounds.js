/**
 * Work of which one round runs at a time. Whoever asks during a round may have something that it has
 * already passed by: so there is another after it, one for all who have asked meanwhile.
 */
export class Rounds {
  #work;
  #running = null;
  #next = null;

  constructor(work) {
    this.#work = work;
  }

  /** Nothing runs, and nobody waits for the next. */
  get isIdle() {
    return !this.#running && !this.#next;
  }

  /** @returns what the round says that began after this was asked */
  run() {
    if (!this.#running) return this.#begin();
    this.#next ??= this.idle().then(() => {
      this.#next = null;
      return this.run();
    });
    return this.#next;
  }

  /** Once the round that runs is through, in whatever way. */
  async idle() {
    await this.#running?.catch(() => {});
  }

  #begin() {
    this.#running = this.#work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }
}
