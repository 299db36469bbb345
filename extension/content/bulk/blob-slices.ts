import type { Call } from '../../../src/rpc/call.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { ownBytes } from '../../platform/channels/own-bytes.ts';

/**
 * The bytes of a Blob from `from` on, in slices, the next of which is being read while one is
 * worked on. Tells the call how far it is.
 *
 * @throws SealwrightError INVALID_ARGUMENT when a file has changed or gone meanwhile
 */
export async function* slicesOf(
  blob: Blob,
  from: number,
  sliceBytes: number,
  call: Pick<Call, 'signal' | 'progress'>,
): AsyncGenerator<Uint8Array> {
  const read = (at: number): Promise<Uint8Array> => {
    const slice = bytesOf(blob.slice(at, at + sliceBytes));
    slice.catch(() => undefined); // told in its turn
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

/** All bytes of a small Blob. */
export async function bytesOf(blob: Blob): Promise<Uint8Array> {
  const bytes = await read(blob);
  if (bytes.length !== blob.size) throw unreadable();
  return bytes;
}

async function read(blob: Blob): Promise<Uint8Array> {
  try {
    return ownBytes(await blob.arrayBuffer());
  } catch {
    // NotReadableError: the file behind it has changed, or is gone.
    throw unreadable();
  }
}

function unreadable(): SealwrightError {
  return new SealwrightError('INVALID_ARGUMENT', 'blob: the file behind it cannot be read');
}
