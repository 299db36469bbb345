/**
 * Work of which one round runs at a time. A request during a round may concern what the round has already
 * passed, so another round follows, one for all requests of the time between.
 */
export class Rounds {
  #work;
  #running = null;
  #next = null;

  constructor(work) {
    this.#work = work;
  }

  /** No round runs, and none is requested. */
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
