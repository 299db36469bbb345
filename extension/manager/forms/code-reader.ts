import {
  workersHere,
  type RunningWorker,
  type StartWorker,
} from '../../platform/workers/running-worker.ts';
import type { Reading } from './read-picture.ts';

const CODE_SCRIPT = 'code-worker.js';

/** A picture that is not read by then counts as a bad one. Even a large one takes a second or two. */
export const READING_MS = 15_000;

/**
 * Reads codes in pictures, one after the other, in a worker of its own: pictures come from outside, and people type
 * passphrases in this page. The worker has no part of the vault and no way to the background.
 */
export class CodeReader {
  readonly #start: StartWorker;
  #worker: RunningWorker | undefined;
  /** Ends the wait for the worker's answer. */
  #giveUp = (): void => undefined;

  constructor(start: StartWorker = workersHere((path) => path, CODE_SCRIPT)) {
    this.#start = start;
  }

  /** The text of the code in a file or in a frame of a camera, which is handed over. */
  async read(picture: Blob | ImageBitmap): Promise<Reading> {
    const worker = (this.#worker ??= await this.#start());
    const reading = await this.#answerOf(worker, picture);
    if (reading) return reading;
    this.end();
    return { fault: 'bad' };
  }

  /** Ends the worker, and what it is reading as a bad picture. A later call starts another one. */
  end(): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#giveUp();
  }

  /** Undefined where the worker has ended, or takes too long. */
  #answerOf(
    { port, onError }: RunningWorker,
    picture: Blob | ImageBitmap,
  ): Promise<Reading | undefined> {
    return new Promise((resolve) => {
      const settle = (reading?: Reading) => {
        clearTimeout(timer);
        resolve(reading);
      };
      const timer = setTimeout(settle, READING_MS);
      this.#giveUp = settle;
      onError(settle);
      port.onmessage = ({ data }: MessageEvent<Reading>) => settle(data);
      port.postMessage(picture, picture instanceof Blob ? [] : [picture]);
    });
  }
}
