import type { StreamEnds } from './messages.ts';

/*
 * A stream of the provider, used from a worker: two streams whose other ends are transferred to the
 * page. Errors are sent as messages and not through the streams, because a copied error loses its
 * code.
 */

/**
 * In the page: pipes the worker's bytes through the provider's stream and back.
 *
 * @param signal stops it when the worker is gone
 * @throws the stream's error, or the worker's reason for aborting it
 */
export async function pump(
  { readable, writable }: StreamEnds,
  through: TransformStream<Uint8Array, Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    readable.pipeTo(through.writable, { signal, preventCancel: true }),
    through.readable.pipeTo(writable, { signal, preventAbort: true }),
  ]);
}

/** A stream for an app in a worker, and what the page needs to serve it. */
export interface StreamPair {
  /** For the app in the worker. */
  readonly local: TransformStream<Uint8Array, Uint8Array>;
  /** For the page. */
  readonly remote: StreamEnds;
  /** Ends both streams at both ends. */
  readonly fail: (error: unknown) => void;
}

/** In the worker. */
export function streamPair(): StreamPair {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  const writing = writingTo(there.writable);
  const reading = readingFrom(back.readable);
  return {
    local: { writable: writing.stream, readable: reading.stream },
    remote: { readable: there.readable, writable: back.writable },
    fail(error) {
      writing.fail(error);
      reading.fail(error);
    },
  };
}

function writingTo(target: WritableStream<Uint8Array>) {
  const writer = target.getWriter();
  let controller!: WritableStreamDefaultController;
  const stream = new WritableStream<Uint8Array>({
    start: (given) => void (controller = given),
    write: (piece) => writer.write(piece),
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  const fail = (error: unknown): void => {
    controller.error(error);
    // Ends a pending write with the same error.
    void writer.abort(error);
  };
  return { stream, fail };
}

function readingFrom(source: ReadableStream<Uint8Array>) {
  const reader = source.getReader();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const pull = async (): Promise<void> => {
    const { done, value } = await reader.read();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const start = (given: typeof controller) => void (controller = given);
  const cancel = (reason: unknown) => reader.cancel(reason);
  const stream = new ReadableStream<Uint8Array>({ start, pull, cancel }, { highWaterMark: 0 });
  const fail = (error: unknown): void => {
    // First, because a cancelled source looks like its end to a reader.
    controller.error(error);
    void reader.cancel(error);
  };
  return { stream, fail };
}
