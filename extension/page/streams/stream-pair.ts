import { create } from '../../../src/rpc/primordials.ts';
import {
  failWriting,
  readController,
  SafeReadableStream,
  SafeWritableStream,
  transformStreamPrototype,
} from '../primordials.ts';

/*
 * A TransformStream made of a ReadableStream and a WritableStream. The browser's own TransformStream calls
 * the page's Promise.prototype.then between its two sides, in Chromium and Firefox, and hangs or fails on a
 * page that has replaced it. The two separate streams do not.
 */
export type ByteStream = TransformStream<Uint8Array, Uint8Array>;

export interface Controllers {
  readonly read: ReadableStreamDefaultController<Uint8Array>;
  readonly write: WritableStreamDefaultController;
}

/** The work between the two sides. */
export interface Between {
  /** Called when both sides exist, before anything is written. */
  readonly start: (controllers: Controllers) => void;
  /** Called when there is room for results. */
  readonly pull: () => void;
  readonly write: (chunk: unknown) => Promise<void> | undefined;
  /** Ends when the last result is out and the readable side is closed. */
  readonly close: () => Promise<void> | undefined;
  /** The page has cancelled one side or aborted the other. */
  readonly giveUp: () => void;
}

/** Results that may wait to be read. With more, `pull` is not called. */
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
      write: (chunk) => asThenable(write(chunk)),
      close: () => asThenable(close()),
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

/** Without a prototype, so that the browser reads nothing of the page's Object.prototype. */
const bare = <T extends object>(value: T): T => ({ __proto__: null, ...value });

const field = (value: unknown): PropertyDescriptor => bare({ value, enumerable: true });

/** A thenable for the browser, which would call the page's `then` of a promise. */
function asThenable(work: Promise<void> | undefined): Promise<void> | undefined {
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
