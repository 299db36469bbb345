import type { ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { watchKeyboard } from './keyboard-source.ts';
import { watchPointer } from './pointer-source.ts';
import { SampleBatch } from './sample-batch.ts';

/** How long events wait for others to be sent with, in ms; shorter while the pools are shown. */
const SEND_AFTER_MS = { usual: 5_000, shown: 120 } as const;

/** The focus is on one of these, a view's heading among them, or on nothing: keys pressed there are no text. */
const CONTROLS = 'body, h1, a, button, summary, [role="tab"]';

type Source = ParamsOf<'ui.addEntropy'>['source'];

type State = ResultOf<'ui.addEntropy'>;

/** Sends the digest of some events. */
export type SendEntropy = (params: ParamsOf<'ui.addEntropy'>) => Promise<State>;

/**
 * Collects the times of pointer movements and key events on one of the extension's own pages for the
 * random generator, 32 at a time, and sends their SHA-256. While a field or a text has the focus nothing is
 * collected: it could be a secret, and the rhythm of typing tells of it. In a private window nothing is collected
 * at all: events may have the background replace the seed file, and the visit would leave a trace on the disk.
 */
export class PageEntropy {
  readonly #send: SendEntropy;
  readonly #isPrivate: boolean;
  readonly #batches: Readonly<Record<Source, SampleBatch>> = {
    pointer: new SampleBatch(),
    keyboard: new SampleBatch(),
  };
  readonly #listeners = new Set<(state: State) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isPrivate whether the page is in a private window */
  constructor(send: SendEntropy, isPrivate: boolean) {
    this.#send = send;
    this.#isPrivate = isPrivate;
  }

  /** Begins to collect. @returns ends it, and wipes what was not sent */
  start(document: Document): () => void {
    if (this.#isPrivate) return () => undefined;
    const into = (source: Source): Pick<SampleBatch, 'add'> => ({
      add: (...event) => {
        if (document.activeElement?.matches(CONTROLS) === false) return;
        this.#batches[source].add(...event);
        this.#plan();
      },
    });
    const stops = [
      watchPointer(document, into('pointer')),
      watchKeyboard(document, into('keyboard')),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#timer);
      for (const batch of Object.values(this.#batches)) batch.take().fill(0);
    };
  }

  /** Tells each new state, and sends more often, for a picture of the pools. @returns ends it */
  watch(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#plan();
    return () => this.#listeners.delete(listener);
  }

  #plan(): void {
    const ms = this.#listeners.size > 0 ? SEND_AFTER_MS.shown : SEND_AFTER_MS.usual;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const source of ['pointer', 'keyboard'] as const) void this.#sendBatch(source);
    }, ms);
  }

  /** Without a background the events are lost, which costs nothing. */
  async #sendBatch(source: Source): Promise<void> {
    const batch = this.#batches[source];
    const events = batch.count;
    if (events === 0) return;
    const digest = await batch.takeHashed();
    const state = await this.#send({ source, digest, events }).catch(() => undefined);
    if (state) for (const listener of this.#listeners) listener(state);
  }
}
