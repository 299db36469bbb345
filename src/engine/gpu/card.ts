import { room } from '../../crypto/aead/buffers.ts';
import { wipe } from '../../crypto/bytes.ts';
import { EngineError, type ConstantTime } from '../contract.ts';
import { Batch } from './batch.ts';
import type { BatchMessage, Work } from './batch.ts';

/** No address and no branch of the shaders depends on a secret (cipher.ts). */
export const CONSTANT_TIME: ConstantTime = 'by-construction';

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

/** One message of a call. */
export interface Input extends Omit<BatchMessage, 'target'> {
  /** Receives the result; may begin where `data` begins. A new array if absent. */
  readonly into?: Uint8Array | undefined;
}

/**
 * Runs messages of any lengths, those of equal length together. Results come into arrays of their own, and from
 * there to `into`: if the card fails, the data are still whole for the next engine.
 *
 * @throws EngineError; RangeError if `into` is too short
 */
export async function runMessages(
  card: CardUntilFault,
  work: Work,
  inputs: readonly Input[],
): Promise<Uint8Array[]> {
  const targets = inputs.map(({ data, into }) => room(into, data.length));
  const messages: BatchMessage[] = inputs.map(({ data, into, start }, i) => ({
    data,
    target: into === undefined ? targets[i]! : new Uint8Array(data.length),
    ...(start && { start }),
  }));
  for (const group of byLength(messages)) await card.run(new Batch(work, group));
  for (const [i, { into }] of inputs.entries()) {
    if (into === undefined) continue;
    targets[i]!.set(messages[i]!.target);
    wipe(messages[i]!.target);
  }
  return targets;
}

/** Groups of equal length, without the empty messages. */
function byLength(messages: readonly BatchMessage[]): BatchMessage[][] {
  const groups = new Map<number, BatchMessage[]>();
  for (const message of messages) {
    const { length } = message.data;
    if (length === 0) continue;
    const group = groups.get(length);
    if (group === undefined) groups.set(length, [message]);
    else group.push(message);
  }
  return [...groups.values()];
}
