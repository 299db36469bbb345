import { SealwrightClientError } from './errors.ts';
import type { Bytes, OpenOptions, Sealwright, SealOptions } from './page-api.ts';
import type { OwnBytes } from './page-types.ts';

/** Data of any kind. Text is encoded as UTF-8. */
export type Source = ReadableStream<Uint8Array> | Blob | Response | Bytes | string;

/**
 * Seals a source of any size as a stream, in a few MiB of memory.
 *
 * @example
 *   await sealedBody(sealwright, file).pipeTo(await handle.createWritable());
 */
export function sealedBody(
  sealwright: Pick<Sealwright, 'sealStream'>,
  source: Source,
  options?: SealOptions,
): ReadableStream<OwnBytes> {
  return streamOf(source).pipeThrough(sealwright.sealStream(options));
}

/**
 * Opens a sealed source of any size as a stream. The output is authentic, but a missing end is only
 * detected at the end, as an error of the stream: do not use the output before the stream has closed.
 */
export function openedBody(
  sealwright: Pick<Sealwright, 'openStream'>,
  source: Source,
  options?: OpenOptions,
): ReadableStream<OwnBytes> {
  return streamOf(source).pipeThrough(sealwright.openStream(options));
}

/** The methods of a Response that read its body. Older browsers lack `bytes`. */
const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

/**
 * A server's response with its body opened. Its methods reject with the error of the opening, such as
 * AUTH_FAILED; browsers replace that of a stream by "Failed to fetch" without a code.
 *
 * @example
 *   const photo = await openedResponse(sealwright, await fetch('/photo.sealed')).blob();
 * @throws SealwrightClientError BAD_RESPONSE for a response that is not ok or has no body: it is not sealed
 */
export function openedResponse(
  sealwright: Pick<Sealwright, 'openStream'>,
  response: Response,
  options?: OpenOptions,
): Response {
  const { ok, status, body } = response;
  // Chromium has an empty body for 204.
  if (!ok || !body || status === 204) {
    const message = `The server answered ${status}${ok ? ' without a body' : ''}`;
    throw new SealwrightClientError('BAD_RESPONSE', message);
  }
  const headers = new Headers(response.headers);
  // These describe the sealed body.
  for (const name of ['content-length', 'content-encoding', 'etag', 'digest']) headers.delete(name);
  return withOwnReaders(new Response(openedBody(sealwright, body, options), { headers }));
}

function withOwnReaders(response: Response): Response {
  const own: Record<string, () => unknown> = {
    clone: () => withOwnReaders(Response.prototype.clone.call(response)),
  };
  for (const name of READERS) {
    own[name] = async () =>
      new Response(await blobOf(response.body!), { headers: response.headers })[name]();
  }
  return Object.assign(response, own);
}

async function blobOf(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const reader = stream.getReader();
  const parts: BlobPart[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    parts.push(value as BlobPart);
  }
}

function streamOf(source: Source): ReadableStream<Uint8Array> {
  if (source instanceof ReadableStream) return source;
  const response = source instanceof Response ? source : new Response(source);
  // Null only for a response without a body.
  return response.body ?? new Blob([]).stream();
}
