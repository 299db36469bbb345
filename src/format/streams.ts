/*
 * Seals and opens messages of purpose 'stream' as they flow: up to 32 GiB in a few MiB of memory. What
 * `openStream` lets through is authentic and in order; only its end shows that the message is complete.
 */
import { concat, wipe } from '../crypto/bytes.ts';
import { checkFixedBytes, checkOptions, type NamesOf } from '../crypto/errors.ts';
import { ChunkOpener, ChunkSealer } from './chunks/chunks.ts';
import { StreamOpener, StreamSealer } from './chunks/stream.ts';
import type { ChunkSuite } from './wire/suites.ts';
import type { ChunkAead, FormatCrypto } from './format-crypto.ts';
import type { ChunkKeys } from './keys/chunk-keys.ts';
import { beginOpenStream, checkOpenOptions } from './plans/open-plan.ts';
import type { BeginOpenOptions } from './plans/open-plan.ts';
import { beginSealStream, headerFor } from './plans/seal-plan.ts';
import type { BeginSealOptions } from './plans/seal-plan.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from './native-crypto.ts';
import { prefixBytes } from './wire/envelope.ts';
import { STREAM_SUITE } from './wire/header.ts';
import { LARGE_CHUNK_BYTES, SALT_BYTES } from './wire/sealed-length.ts';
import type { Part } from './wire/padding-filter.ts';

/** Options of `sealStream`. The purpose is 'stream'. */
export type SealStreamOptions = Omit<BeginSealOptions, 'purpose'>;

/** Options of `openStream`. The purpose is 'stream'. */
export type OpenStreamOptions = Omit<BeginOpenOptions, 'purpose'>;

/** One set of options may serve both directions; each function reads its own. */
const OPTIONS: NamesOf<SealStreamOptions & OpenStreamOptions> = {
  key: true,
  keyId: true,
  origin: true,
  associatedData: true,
  recipientTypes: true,
  crypto: true,
  pad: true,
  recipients: true,
  attributes: true,
  random: true,
  accept: true,
  identities: true,
  dataKey: true,
};

/** More than the beginning of any message, before its flags are known. */
const FLAGS_BYTES = 8;

/**
 * A stream that seals what flows through it.
 *
 * @returns bytes in pieces of any lengths in, the sealed message out. Errors of keys and recipients are errors
 *   of the stream, and so is TOO_LARGE beyond 32 GiB
 * @throws TypeError, RangeError for options of a wrong type or length, and for unknown ones
 *
 * @example
 * await file.stream().pipeThrough(sealStream({ key, keyId })).pipeTo(upload);
 */
export function sealStream(
  options: SealStreamOptions,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  checkOptions('options', options, OPTIONS);
  const whole = { ...options, purpose: 'stream' } as const;
  headerFor(whole, STREAM_SUITE);
  let sealer: StreamSealer;
  return new TransformStream<Uint8Array, Uint8Array>({
    async start(controller) {
      const begun = await streamSealer(whole);
      sealer = begun.sealer;
      controller.enqueue(begun.prefix);
    },
    async transform(piece, controller) {
      checkFixedBytes('piece', piece);
      const sealed = await sealer.add(piece);
      if (sealed.length > 0) controller.enqueue(sealed);
    },
    async flush(controller) {
      for await (const sealed of sealer.end()) {
        if (sealed.length > 0) controller.enqueue(sealed);
      }
    },
  }) as TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
}

/** What seals one stream, and the bytes before its chunks. Its key is wiped. */
export async function streamSealer(
  options: BeginSealOptions,
): Promise<{ readonly prefix: Uint8Array; readonly sealer: StreamSealer }> {
  const { crypto = NATIVE_CRYPTO, random = NATIVE_RANDOM } = options;
  const plan = await beginSealStream(options, () => random.bytes(SALT_BYTES));
  const { suite, keys, padded, prefix } = plan;
  const chunks = await withAead(crypto, keys, suite, ChunkSealer);
  return { prefix, sealer: new StreamSealer(chunks, { chunkBytes: suite.chunkBytes, padded }) };
}

/**
 * A stream that opens the sealed message that flows through it. Each piece that comes out has been verified, but
 * an attacker may have cut the message off: what came out counts only once the stream has ended without an
 * error.
 *
 * @returns the sealed message in pieces of any lengths in, the message out. It fails with EnvelopeError
 *   BAD_ENVELOPE for what is not a sealed message, and with AuthenticationError for everything else, a missing
 *   end included
 * @throws TypeError, RangeError for options of a wrong type or length, and for unknown ones
 *
 * @example
 * await response.body.pipeThrough(openStream({ key })).pipeTo(file);
 */
export function openStream(
  options: OpenStreamOptions,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  checkOptions('options', options, OPTIONS);
  const whole = { ...options, purpose: 'stream' } as const;
  checkOpenOptions(whole);
  let head: Uint8Array = new Uint8Array(0);
  let opener: StreamOpener | undefined;
  const begin = async (): Promise<Part[]> => {
    const { crypto = NATIVE_CRYPTO } = options;
    const { suite, keys, padded, chunksOffset } = await beginOpenStream(whole, head);
    const { chunkBytes } = suite;
    opener = new StreamOpener(await withAead(crypto, keys, suite, ChunkOpener), {
      chunkBytes,
      padded,
    });
    return opener.add(head.subarray(chunksOffset));
  };
  return new TransformStream<Uint8Array, Uint8Array>({
    async transform(piece, controller) {
      checkFixedBytes('piece', piece);
      if (opener) {
        pass(await opener.add(piece), controller);
        return;
      }
      head = concat(head, piece);
      const isEnough = head.length >= FLAGS_BYTES && head.length >= prefixBytes(head);
      if (isEnough) pass(await begin(), controller);
    },
    async flush(controller) {
      if (!opener) pass(await begin(), controller);
      pass(await opener!.end(), controller);
    },
  }) as TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>;
}

/** The chunks of a message under its key, which is wiped. */
async function withAead<T>(
  crypto: FormatCrypto,
  { key, baseNonce }: ChunkKeys,
  { chunkBytes }: ChunkSuite,
  Chunks: new (aead: ChunkAead, baseNonce: Uint8Array, chunkBytes: number) => T,
): Promise<T> {
  try {
    return new Chunks(await crypto.aesGcm(key), baseNonce, chunkBytes);
  } finally {
    wipe(key, baseNonce);
  }
}

function pass(
  parts: readonly Part[],
  controller: TransformStreamDefaultController<Uint8Array>,
): void {
  for (const part of parts) {
    if (typeof part === 'number') passZeros(part, controller);
    else if (part.length > 0) controller.enqueue(part);
  }
}

/** A long run of zeros, in pieces. */
function passZeros(length: number, controller: TransformStreamDefaultController<Uint8Array>): void {
  for (let left = length; left > 0; left -= LARGE_CHUNK_BYTES) {
    controller.enqueue(new Uint8Array(Math.min(left, LARGE_CHUNK_BYTES)));
  }
}
