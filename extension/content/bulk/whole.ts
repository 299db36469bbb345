import { parseEnvelope, prefixBytes } from '../../../src/format/envelope.ts';
import { paddedLength } from '../../../src/format/sealed-length.ts';
import { openBody, sealBody } from '../../../src/format/whole-body.ts';
import type { Call } from '../../../src/rpc/call.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import type { ParamsIn } from '../../../src/rpc/method.ts';
import type { PAGE_METHODS } from '../../../src/rpc/page-methods.ts';
import type { Background } from './background.ts';
import { asked } from './asked.ts';
import type { Leases } from './leases.ts';

type SealParams = ParamsIn<typeof PAGE_METHODS, 'seal'>;
type OpenParams = ParamsIn<typeof PAGE_METHODS, 'open'>;

/**
 * From this length on a message is sealed here, where it lies; shorter ones go to the background,
 * whose one message each way costs less than a key and the calls of WebCrypto. Platform
 * measurements gave 64 KiB; bench suite "lane" has the lengths on either side.
 */
export const BULK_BYTES = 64 * 1024;

/** One-shot messages in place: nothing is given out before the last chunk is done. */
export async function sealWhole(
  { plaintext, ...options }: SealParams,
  call: Call,
  leases: Leases,
): Promise<Uint8Array> {
  const params = { purpose: 'page', totalBytes: plaintext.length, ...options } as const;
  const release = await leases.forSealing(params, call.signal);
  const length = plaintext.length;
  const bodyBytes = release.padded ? paddedLength(length) : length;
  try {
    return await sealBody(release, release.prefix, { message: plaintext, bodyBytes }, workOf(call));
  } finally {
    leases.giveBack(release.aead);
  }
}

/** A document that has had its minute's worth of keys has its message opened in the background. */
export async function openWhole(
  params: OpenParams,
  call: Call,
  { leases, background }: { readonly leases: Leases; readonly background: Background },
): Promise<Uint8Array> {
  const { sealed, ...options } = params;
  const totalBytes = sealed.length;
  const head = sealed.slice(0, prefixBytes(sealed));
  const { bodyBytes } = parseEnvelope(head, totalBytes);
  const wanted = { head, totalBytes, ...options };
  const release = await leases.forOpening(wanted, call.signal).catch(unlessTooMany);
  if (!release) return asked(background, 'open', params, call);
  try {
    return await openBody(release, sealed, { ...release, bodyBytes }, workOf(call));
  } finally {
    leases.giveBack(release.aead);
  }
}

function unlessTooMany(error: unknown): undefined {
  if (error instanceof SealwrightError && error.code === 'QUOTA') return undefined;
  throw error;
}

function workOf(call: Call) {
  const { signal } = call;
  return { signal, onProgress: (done: number, total: number) => call.progress(done, total) };
}
