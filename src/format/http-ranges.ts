/*
 * Parts of a sealed message over HTTP (RFC 9110 section 14): reading them from a server, and answering requests for
 * parts of the opened message, as a service worker does for a media element.
 */
import { EnvelopeError } from './errors.ts';
import type { RangeReader, SeekableMessage } from './seekable.ts';
import { PREFIX_BYTES_MAX } from './wire/envelope.ts';

/**
 * A sealed message at an address. The first request reads the head of the message, which `openSeekable` needs; each
 * later one a part. What the server sends is verified when it is opened.
 *
 * Another origin has to allow `Content-Range` by Access-Control-Expose-Headers.
 *
 * @param url of http: or https:
 * @param init options of `fetch`, such as `headers`, `credentials` and `signal`
 * @returns a source for `openSeekable` and `openRange`
 * @throws EnvelopeError UNSUPPORTED if the server does not answer with parts (206), here and when a part is read;
 *   the errors of `fetch`
 *
 * @example
 * const video = await openSeekable({ key }, await httpSource('/media/trip.sealed'));
 */
export async function httpSource(url: string | URL, init: RequestInit = {}): Promise<RangeReader> {
  const head = await part(url, init, 0, PREFIX_BYTES_MAX);
  return {
    size: head.size,
    async read(start, end) {
      if (end <= head.bytes.length) return head.bytes.slice(start, end);
      const { bytes, size } = await part(url, init, start, end);
      if (size === head.size) return bytes;
      throw new EnvelopeError('BAD_ENVELOPE', 'The file on the server changed while it was read');
    },
  };
}

/** One request. @returns the bytes from `start`, up to `end` or the end of the file, and the file's length */
async function part(
  url: string | URL,
  init: RequestInit,
  start: number,
  end: number,
): Promise<{ readonly bytes: Uint8Array; readonly size: number }> {
  const headers = new Headers(init.headers);
  headers.set('range', `bytes=${start}-${end - 1}`);
  const response = await fetch(url, { ...init, headers });
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '');
  const [first, last, size] = (range ?? []).slice(1).map(Number);
  if (response.status === 206 && first === start && last === Math.min(end, size!) - 1) {
    return { bytes: await bodyOf(response, last - first + 1), size: size! };
  }
  // It may be the whole file.
  await response.body?.cancel();
  throw new EnvelopeError(
    'UNSUPPORTED',
    response.status === 206
      ? 'The server answered 206 with another range of bytes than the requested one'
      : `The server answered ${response.status} to a request for a range of bytes`,
  );
}

/** The body of a response. No more than its length is kept, however much the server sends. */
async function bodyOf({ body }: Response, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const reader = (body ?? new Blob().stream()).getReader();
  let filled = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done && filled === length) return bytes;
    if (done || value.length > length - filled) break;
    bytes.set(value, filled);
    filled += value.length;
  }
  await reader.cancel();
  const words = 'The server sent another number of bytes than its Content-Range says';
  throw new EnvelopeError('UNSUPPORTED', words);
}

/** What is read of a Request. */
export interface RangeRequest {
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/**
 * Answers a request for an opened message. Each piece of the body has verified; an alteration ends the body with an
 * error.
 *
 * @param request of GET or HEAD. Its header `Range` is answered if it asks for one range of bytes, and ignored otherwise,
 *   as RFC 9110 section 14.2 allows
 * @param headers of the answer, by lower-case names, such as `content-type`. Default: `application/octet-stream`,
 *   not to be stored (`cache-control`) and not to be guessed (`x-content-type-options`)
 * @returns 200 with the whole message, 206 with a part, 416 for a range after its end, 405 for other methods
 *
 * @example
 * event.respondWith(rangeResponse(video, event.request, { 'content-type': 'video/mp4' }));
 */
export function rangeResponse(
  message: SeekableMessage,
  { method, headers: asked }: RangeRequest,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (method !== 'GET' && method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
  }
  const { size } = message;
  // A range on condition is for a version by its ETag or date, and no version of an opened message has one.
  const wanted =
    method === 'GET' && asked.get('if-range') === null ? rangeOf(asked.get('range'), size) : 'all';
  if (wanted === 'outside') {
    const about = { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` };
    return new Response(null, { status: 416, headers: about });
  }
  const { start, end } = wanted === 'all' ? { start: 0, end: size } : wanted;
  return new Response(method === 'HEAD' ? null : message.stream(start, end), {
    status: wanted === 'all' ? 200 : 206,
    headers: {
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
      'accept-ranges': 'bytes',
      'content-length': String(end - start),
      ...(wanted === 'all' ? {} : { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
    },
  });
}

/**
 * The part that a header `Range` asks for (RFC 9110 section 14.1.2): `bytes=FIRST-LAST`, `bytes=FIRST-` or
 * `bytes=-SUFFIX_LENGTH`, the last byte included.
 */
function rangeOf(
  header: string | null,
  size: number,
): 'all' | 'outside' | { readonly start: number; readonly end: number } {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'all';
  if (first === '') {
    const start = Math.max(0, size - Number(last));
    return start < size ? { start, end: size } : 'outside';
  }
  const start = Number(first);
  // The range is not valid, so that the header is ignored.
  if (last !== '' && Number(last) < start) return 'all';
  if (start >= size) return 'outside';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
