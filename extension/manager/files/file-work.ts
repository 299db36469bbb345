import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { LARGE_CHUNK_BYTES } from '../../../src/format/wire/sealed-length.ts';
import type { Part } from '../../../src/format/wire/padding.ts';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import type { ReleasedOpening } from '../../../src/rpc/methods/ui-files.ts';
import { openedParts, sealedParts, type BlobWork } from '../../content/bulk/blobs.ts';
import { openFileSink, type FileSink } from '../../platform/storage/temporary-files.ts';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import type { FinishedFile } from './finished-files.ts';
import type { SealedSource } from './sealed-source.ts';

/*
 * Seals and opens files with the keys of one message each, part by part: memory holds a few parts of a
 * file of any length. What is written is given out when the last part has verified, and dropped if
 * anything fails.
 */

/** What the user knows of a message beside the file. */
export type Binding = Pick<ParamsOf<'ui.releaseOpen'>, 'context' | 'origin'>;

/** An opened message, and what is known of it. */
export interface OpenedMessage {
  readonly file: FinishedFile;
  readonly origin: ReleasedOpening['origin'];
  readonly openedBy: ReleasedOpening['openedBy'];
  readonly shared: boolean;
}

/**
 * Opens a message with any key of the vault.
 *
 * @throws SealwrightError as ui.releaseOpen; AuthenticationError for contents that were changed or cut
 *   off; NoFileError, DOMException if they cannot be read or stored
 */
export async function openSealed(
  { head, candidates }: SealedSource,
  binding: Binding,
  ui: UiClient,
  work: BlobWork,
): Promise<OpenedMessage> {
  const [first, ...others] = candidates;
  const length = others.length === 0 ? { totalBytes: first!.size } : {};
  const params = { head, ...length, ...binding };
  const keys = await withAead(ui.call('ui.releaseOpen', params, work.signal));
  const { origin, openedBy, shared } = keys;
  let failure: unknown;
  for (const candidate of candidates) {
    try {
      const parts = openedParts(keys, candidate, work);
      return { file: await collected(parts, candidate.size), origin, openedBy, shared };
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * Seals a file.
 *
 * @param to a key of the user, contacts, or both
 * @throws SealwrightError as ui.releaseSeal; NoFileError, DOMException if it cannot be read or stored
 */
export async function sealFile(
  file: Blob,
  to: Pick<ParamsOf<'ui.releaseSeal'>, 'ref' | 'contacts'>,
  ui: UiClient,
  work: BlobWork,
): Promise<FinishedFile> {
  const params = { ...to, totalBytes: file.size };
  const keys = await withAead(ui.call('ui.releaseSeal', params, work.signal));
  return collected(inLists(sealedParts(keys, file, work)), file.size);
}

/** Replaces the key's bytes by a key that cannot be read. */
async function withAead<T extends { readonly key: Uint8Array }>(release: Promise<T>) {
  const { key, ...released } = await release;
  const aead = await NATIVE_CRYPTO.aesGcm(key);
  key.fill(0);
  return { ...released, aead };
}

async function* inLists(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Part[], undefined> {
  for await (const part of parts) yield [part];
}

async function collected(parts: AsyncIterable<Part[]>, bytes: number): Promise<FinishedFile> {
  const sink = await openFileSink(bytes);
  try {
    for await (const list of parts) {
      for (const part of list) await write(part, sink);
    }
    return { blob: await sink.finish(), discard: () => sink.discard() };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** A number stands for so many zeros. */
async function write(part: Part, sink: FileSink): Promise<void> {
  if (typeof part !== 'number') return sink.write(part);
  for (let left = part; left > 0; left -= LARGE_CHUNK_BYTES) {
    await sink.write(new Uint8Array(Math.min(left, LARGE_CHUNK_BYTES)));
  }
}
