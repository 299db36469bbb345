import type { Call } from '../../../src/rpc/call.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { ownBytes } from '../../platform/channels/own-bytes.ts';

/** The file behind a Blob has changed or was removed. For pages it is an INVALID_ARGUMENT. */
export class UnreadableBlobError extends SealwrightError {
  constructor() {
    super('INVALID_ARGUMENT', 'blob: the file behind it cannot be read');
  }
}

/**
 * Reads a Blob from byte `from` on in slices, each while its caller works on the one before it, and
 * reports progress to the call.
 *
 * @throws UnreadableBlobError when a file has changed or gone meanwhile
 */
export async function* slicesOf(
  blob: Blob,
  from: number,
  sliceBytes: number,
  call: Pick<Call, 'signal' | 'progress'>,
): AsyncGenerator<Uint8Array> {
  const read = (at: number): Promise<Uint8Array> => {
    const slice = bytesOf(blob.slice(at, at + sliceBytes));
    slice.catch(() => undefined); // awaited below
    return slice;
  };
  let next = read(from);
  for (let at = from; at < blob.size; at += sliceBytes) {
    call.signal.throwIfAborted();
    const slice = await next;
    next = read(at + sliceBytes);
    yield slice;
    call.progress(at + slice.length, blob.size);
  }
}

/** Reads all bytes of a small Blob. @throws UnreadableBlobError as `slicesOf` does */
export async function bytesOf(blob: Blob): Promise<Uint8Array> {
  const bytes = await read(blob);
  if (bytes.length !== blob.size) throw new UnreadableBlobError();
  return bytes;
}

async function read(blob: Blob): Promise<Uint8Array> {
  try {
    return ownBytes(await blob.arrayBuffer());
  } catch {
    // NotReadableError: the file has changed or was removed.
    throw new UnreadableBlobError();
  }
}
