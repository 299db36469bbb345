import { EngineError } from '../contract.ts';
import type { Batch } from './batch.ts';

/** What an engine knows of a graphics card: how to run a batch there. */
export interface Card {
  /**
   * Writes the results to the targets of the batch.
   *
   * @throws whatever went wrong; the card is not used again then
   */
  run(batch: Batch): Promise<void>;
  /** The reason why the browser took the card away, if it did. May wait a moment for it. */
  lossOf(): Promise<string | undefined>;
  /** Frees everything on the card. */
  close(): void;
}

/** A block of the card's results is not what it should be. */
export class WrongBlockError extends Error {
  override readonly name = 'WrongBlockError';

  constructor() {
    super('the card computed a wrong block');
  }
}

/**
 * A card, until something goes wrong with it: whatever it is, the engine ends there, and says why. Batches
 * run one after another, so that the memory in use on the card is that of one batch.
 */
export class CardUntilFault {
  readonly #card: Card;
  #fault: string | undefined;
  /** The last batch; never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(card: Card) {
    this.#card = card;
  }

  /** Why it cannot be used any more. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** For a loss between two batches. */
  end(reason: string): void {
    if (this.#fault !== undefined) return;
    this.#fault = reason;
    this.#card.close();
  }

  /** @throws EngineError */
  run(batch: Batch): Promise<void> {
    const done = this.#last.then(() => this.#runOne(batch));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #runOne(batch: Batch): Promise<void> {
    if (this.#fault === undefined) {
      try {
        await this.#card.run(batch);
        return;
      } catch (error) {
        const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        this.end((await this.#card.lossOf()) ?? said);
      }
    }
    throw new EngineError(this.#fault);
  }
}
