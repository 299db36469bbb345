import { create } from '../../../src/rpc/primordials.ts';
import {
  failWriting,
  readController,
  SafeReadableStream,
  SafeWritableStream,
  transformStreamPrototype,
} from '../primordials.ts';

/*
 * A TransformStream made of a stream to read and a stream to write. The browser's own asks the
 * page's Promise.prototype.then between its two sides, in Chromium and in Firefox, and so hangs or
 * fails on a page that has replaced it; these two, each for itself, do not.
 */
export type ByteStream = TransformStream<Uint8Array, Uint8Array>;

export interface Controllers {
  readonly read: ReadableStreamDefaultController<Uint8Array>;
  readonly write: WritableStreamDefaultController;
}

/** What stands between the two sides. */
export interface Between {
  /** Both sides are there, and nothing has been written yet. */
  readonly start: (controllers: Controllers) => void;
  /** There is room for results. */
  readonly pull: () => void;
  readonly write: (chunk: unknown) => Promise<void> | undefined;
  /** Ends when the last result is out and the readable side is closed. */
  readonly close: () => Promise<void> | undefined;
  /** The page has cancelled one side or aborted the other. */
  readonly giveUp: () => void;
}

/** Results that wait to be read before `pull` is no longer called. */
const RESULTS = 4;

export function pairOf({ start, pull, write, close, giveUp }: Between): ByteStream {
  let read!: Controllers['read'];
  let writing!: Controllers['write'];
  const readable = new SafeReadableStream<Uint8Array>(
    bare<UnderlyingDefaultSource<Uint8Array>>({
      start: (controller) => void (read = controller),
      pull,
      cancel: (reason) => {
        failWriting(writing, reason);
        giveUp();
      },
    }),
    bare({ highWaterMark: RESULTS }),
  );
  const writable = new SafeWritableStream<Uint8Array>(
    bare<UnderlyingSink<Uint8Array>>({
      start: (controller) => void (writing = controller),
      write: (chunk) => told(write(chunk)),
      close: () => told(close()),
      abort: (reason) => {
        readController.error(read, reason);
        giveUp();
      },
    }),
    bare({ highWaterMark: 1 }),
  );
  start({ read, write: writing });
  const sides = bare({ readable: field(readable), writable: field(writable) });
  return create(transformStreamPrototype, sides) as ByteStream;
}

export function failBoth({ read, write }: Controllers, error: unknown): void {
  readController.error(read, error);
  failWriting(write, error);
}

/** Without a prototype: the browser asks nothing of the page's Object.prototype. */
const bare = <T extends object>(value: T): T => ({ __proto__: null, ...value });

const field = (value: unknown): PropertyDescriptor => bare({ value, enumerable: true });

/** For the browser, which would ask the page for the `then` of a promise. */
function told(work: Promise<void> | undefined): Promise<void> | undefined {
  if (!work) return undefined;
  const then = async (resolve: () => void, reject: (reason: unknown) => void): Promise<void> => {
    try {
      await work;
      resolve();
    } catch (error) {
      reject(error);
    }
  };
  return { __proto__: null, then } as unknown as Promise<void>;
}
