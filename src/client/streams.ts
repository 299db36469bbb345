import type { Bytes, OpenOptions, Sealwright, SealOptions } from './page-api.ts';

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
): ReadableStream<Uint8Array> {
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
): ReadableStream<Uint8Array> {
  return streamOf(source).pipeThrough(sealwright.openStream(options));
}

/**
 * A server's response with its body opened.
 *
 * @example
 *   const photo = await openedResponse(sealwright, await fetch('/photo.sealed')).blob();
 * @throws TypeError for a response that is not ok: an error page is not a sealed body
 */
export function openedResponse(
  sealwright: Pick<Sealwright, 'openStream'>,
  response: Response,
  options?: OpenOptions,
): Response {
  if (!response.ok) throw new TypeError(`The server answered ${response.status}`);
  const headers = new Headers(response.headers);
  // These describe the sealed body.
  for (const name of ['content-length', 'content-encoding', 'etag', 'digest']) headers.delete(name);
  return new Response(openedBody(sealwright, response, options), { headers });
}

function streamOf(source: Source): ReadableStream<Uint8Array> {
  if (source instanceof ReadableStream) return source;
  const response = source instanceof Response ? source : new Response(source);
  // Null only for a response without a body.
  return response.body ?? new Blob([]).stream();
}
