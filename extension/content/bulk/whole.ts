import { parseEnvelope, prefixBytes } from '../../../src/format/wire/envelope.ts';
import { markPadding } from '../../../src/format/wire/padding.ts';
import {
  paddedLength,
  PREFIX_BYTES,
  sealedLength,
} from '../../../src/format/wire/sealed-length.ts';
import { openBody, sealBody, withoutPadding } from '../../../src/format/chunks/body.ts';
import type { Call } from '../../../src/rpc/call.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import type { CONTENT_METHODS } from '../../../src/rpc/methods/content.ts';
import type { ParamsIn } from '../../../src/rpc/methods/method.ts';
import type { OpenRelease, SealRelease } from '../../../src/rpc/methods/bulk.ts';
import { forward, type Background } from './forward.ts';
import { fitsPlace, openInPlace, sealInPlace, type SealedPlace } from './in-place.ts';
import type { Leased, Leases } from './leases.ts';

type SealParams = ParamsIn<typeof CONTENT_METHODS, 'sealInPlace'>;
type OpenParams = ParamsIn<typeof CONTENT_METHODS, 'openInPlace'>;

interface Deps {
  readonly leases: Leases;
  readonly background: Background;
}

/**
 * Seals one message in place, or in the background once the site has used its quota of message keys. The
 * result is given out after the last chunk.
 */
export async function sealWhole(
  { place, messageBytes, ...options }: SealParams,
  call: Call,
  { leases, background }: Deps,
): Promise<Uint8Array> {
  if (place.length !== sealedLength(messageBytes, { pad: options.pad })) {
    throw new SealwrightError('INVALID_ARGUMENT', 'place: not of the length of the sealed message');
  }
  const params = { purpose: 'page', totalBytes: messageBytes, ...options } as const;
  const release = await leases.forSealing(params, call).catch(unlessTooMany);
  if (!release) {
    const bodyBytes = options.pad ? paddedLength(messageBytes) : messageBytes;
    const start = place.length - bodyBytes;
    const plaintext = place.slice(start, start + messageBytes);
    return forward(background, 'seal', { plaintext, ...options }, call);
  }
  try {
    return await sealed(release, place, messageBytes, call);
  } finally {
    leases.giveBack(release.aead);
  }
}

/** The prefix of a shared message holds its recipients and is too long for the place: then it is copied. */
async function sealed(
  release: Leased<SealRelease>,
  place: Uint8Array,
  messageBytes: number,
  call: Call,
): Promise<Uint8Array> {
  const { padded, prefix } = release;
  const bodyBytes = padded ? paddedLength(messageBytes) : messageBytes;
  const body = place.subarray(place.length - bodyBytes);
  if (prefix.length !== PREFIX_BYTES) {
    const message = body.subarray(0, messageBytes);
    return sealBody(release, prefix, { message, bodyBytes }, workOf(call));
  }
  if (padded) markPadding(body, messageBytes);
  return sealInPlace(release, place, bodyBytes, call);
}

/** Opens one message in place, or in the background once the site has used its quota of message keys. */
export async function openWhole(
  { lead, place, ...options }: OpenParams,
  call: Call,
  { leases, background }: Deps,
): Promise<Uint8Array> {
  const totalBytes = lead.length + place.length;
  const start = concat(lead, place.subarray(0, prefixBytes(lead)));
  const head = start.slice(0, prefixBytes(start));
  const { bodyBytes } = parseEnvelope(head, totalBytes);
  const wanted = { head, totalBytes, ...options };
  const release = await leases.forOpening(wanted, call).catch(unlessTooMany);
  if (!release) {
    const sealed = concat(lead, place);
    return forward(background, 'open', { sealed, ...options }, call);
  }
  try {
    return await opened(release, { lead, place }, bodyBytes, call);
  } finally {
    leases.giveBack(release.aead);
  }
}

async function opened(
  release: Leased<OpenRelease>,
  parts: SealedPlace,
  bodyBytes: number,
  call: Call,
): Promise<Uint8Array> {
  const { chunkBytes, chunksOffset, padded } = release;
  if (!fitsPlace(parts, bodyBytes, chunkBytes)) {
    const sealed = concat(parts.lead, parts.place);
    return openBody(release, sealed, { ...release, bodyBytes }, workOf(call));
  }
  const body = await openInPlace(release, parts, chunksOffset, call);
  return padded ? withoutPadding(body) : body;
}

function unlessTooMany(error: unknown): undefined {
  if (error instanceof SealwrightError && error.code === 'QUOTA') return undefined;
  throw error;
}

function workOf(call: Call) {
  const { signal } = call;
  return { signal, onProgress: (done: number, total: number) => call.progress(done, total) };
}

/** A copy of both arrays in a row. */
export function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
