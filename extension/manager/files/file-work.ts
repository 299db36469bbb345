import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { MessageDigest } from '../../../src/format/chunks/message-digest.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { LARGE_CHUNK_BYTES } from '../../../src/format/wire/sealed-length.ts';
import type { Part } from '../../../src/format/wire/padding-filter.ts';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import type { MessageSender, MessageSigned } from '../../../src/rpc/methods/ui-contacts.ts';
import type { ReleasedOpening } from '../../../src/rpc/methods/ui-files.ts';
import { openedParts, sealedParts, type BlobWork } from '../../content/bulk/blobs.ts';
import { slicesOf } from '../../content/bulk/blob-slices.ts';
import { openFileSink } from '../../platform/storage/file-sink.ts';
import type { UiClient } from '../../ui/environment/ui-client.ts';
import { openedAgeParts, sealedAgeParts, type AgeFile } from './age-file.ts';
import type { FinishedFile } from './finished-files.ts';
import type { SealedSource } from './sealed-source.ts';

/*
 * Seals and opens files with the keys of one message each, part by part: memory holds a few parts of a
 * file of any length. What is written is given out when the last part has verified, and dropped if
 * anything fails.
 */

/** What a site bound a message to, as far as the user knows it. */
export type Binding = Pick<ParamsOf<'ui.releaseOpen'>, 'context' | 'origin'>;

/** What the user knows of a message beside the file. */
export type Known = Binding & Pick<ParamsOf<'ui.releaseOpen'>, 'passphrase'>;

/** An opened message, and what is known of it. */
export interface OpenedMessage extends Pick<ReleasedOpening, 'origin' | 'openedBy' | 'shared'> {
  readonly file: FinishedFile;
  /** What the sender called it; null for a text, and in files of version 0.1. */
  readonly named: ReleasedOpening['file'];
  /** Who sealed it for others; null if that is not proven. */
  readonly sender: MessageSender | null;
  /** Null if it is not signed for others to check. */
  readonly signed: MessageSigned | null;
}

/**
 * Opens a message with any key of the vault, or a passphrase.
 *
 * @throws SealwrightError as ui.releaseOpen; AuthenticationError for contents that were changed or cut
 *   off; NoFileError, DOMException if they cannot be read or stored
 */
export async function openSealed(
  { head, candidates }: SealedSource,
  { passphrase, ...binding }: Known,
  ui: UiClient,
  work: BlobWork,
): Promise<OpenedMessage> {
  const [first, ...others] = candidates;
  const length = others.length === 0 ? { totalBytes: first!.size } : {};
  const given = passphrase === undefined ? {} : { passphrase };
  const params = { head, ...length, ...binding, ...given };
  const keys = await withAead(ui.call('ui.releaseOpen', params, work.signal));
  const { origin, openedBy, shared, file: named } = keys;
  let failure: unknown;
  for (const candidate of candidates) {
    try {
      const digest = new MessageDigest(keys.chunkBytes);
      const parts = hashed(openedParts(keys, candidate, work), digest);
      const file = await collected(parts, candidate.size);
      const known = { ...binding, ...(origin !== null && { origin }) };
      const isSentToKey = shared && openedBy !== null;
      const author = isSentToKey
        ? await authorOf({ head, ...known }, digest, file, ui, work)
        : UNKNOWN_AUTHOR;
      return { file, origin, openedBy, shared, named, ...author };
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

const UNKNOWN_AUTHOR: Pick<OpenedMessage, 'sender' | 'signed'> = { sender: null, signed: null };

async function authorOf(
  known: Omit<ParamsOf<'ui.senderOf'>, 'digest'>,
  digest: MessageDigest,
  file: FinishedFile,
  ui: UiClient,
  { signal }: BlobWork,
): Promise<typeof UNKNOWN_AUTHOR> {
  try {
    const params = { ...known, digest: await digest.digest() };
    return await ui.call('ui.senderOf', params, signal);
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * Seals a file or a text. Contents are read twice, because what is said of the sender stands before them and covers them.
 *
 * @param named what the file is called; absent for a text
 * @param to a key of the user, contacts, groups, or several of these, and the key that signs for others to check; or a passphrase
 * @throws SealwrightError as ui.releaseSeal; NoFileError, DOMException if it cannot be read or stored
 */
export async function sealFile(
  file: Blob,
  named: ParamsOf<'ui.releaseSeal'>['file'],
  to: Pick<ParamsOf<'ui.releaseSeal'>, 'ref' | 'contacts' | 'groups' | 'signer' | 'passphrase'>,
  ui: UiClient,
  work: BlobWork,
): Promise<FinishedFile> {
  const digest = new MessageDigest(LARGE_CHUNK_BYTES);
  const [reading, sealing] = halves(work);
  for await (const slice of slicesOf(file, 0, LARGE_CHUNK_BYTES, reading)) await digest.add(slice);
  const about = { digest: await digest.digest(), ...(named && { file: named }) };
  const params = { ...to, ...about, totalBytes: file.size };
  const keys = await withAead(ui.call('ui.releaseSeal', params, work.signal));
  return collected(inLists(sealedParts(keys, file, sealing)), file.size);
}

/**
 * Opens an age file with any key of the vault, or a passphrase.
 *
 * @throws SealwrightError as ui.releaseAgeOpen; AuthenticationError for contents that were changed or cut off;
 *   NoFileError, DOMException if they cannot be read or stored
 */
export async function openAge(
  age: AgeFile,
  passphrase: string | undefined,
  ui: UiClient,
  work: BlobWork,
): Promise<Pick<OpenedMessage, 'file' | 'openedBy'>> {
  const { head, blob } = age;
  const given = passphrase === undefined ? {} : { passphrase };
  const params = { head, totalBytes: blob.size, ...given };
  const { key, openedBy } = await ui.call('ui.releaseAgeOpen', params, work.signal);
  try {
    const file = await collected(inLists(openedAgeParts(age, key, work)), blob.size);
    return { file, openedBy };
  } finally {
    key.fill(0);
  }
}

/**
 * Seals a file or a text as an age file, which says nothing of its name or its sender.
 *
 * @param recipients "age1…", "age1pq1…"
 * @throws SealwrightError as ui.releaseAgeSeal; NoFileError, DOMException if it cannot be read or stored
 */
export async function sealAge(
  file: Blob,
  recipients: readonly string[],
  ui: UiClient,
  work: BlobWork,
): Promise<FinishedFile> {
  const params = { recipients: [...recipients], totalBytes: file.size };
  const { head, key } = await ui.call('ui.releaseAgeSeal', params, work.signal);
  try {
    return await collected(inLists(sealedAgeParts(file, head, key, work)), file.size);
  } finally {
    key.fill(0);
  }
}

/** The same work in two runs over the same bytes. */
function halves({ signal, progress }: BlobWork): readonly [BlobWork, BlobWork] {
  return [
    { signal, progress: (done, total = done) => progress(done, 2 * total) },
    { signal, progress: (done, total = done) => progress(total + done, 2 * total) },
  ];
}

/** Replaces the key's bytes by a key that cannot be read. */
async function withAead<T extends { readonly key: Uint8Array }>(release: Promise<T>) {
  const { key, ...released } = await release;
  const aead = await NATIVE_CRYPTO.aesGcm(key);
  key.fill(0);
  return { ...released, aead };
}

/** Passes the parts on, and hashes them. */
async function* hashed(
  parts: AsyncIterable<Part[]>,
  digest: MessageDigest,
): AsyncGenerator<Part[], undefined> {
  for await (const list of parts) {
    for (const part of list) for (const bytes of inBytes(part)) await digest.add(bytes);
    yield list;
  }
}

async function* inLists(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Part[], undefined> {
  for await (const part of parts) yield [part];
}

async function collected(parts: AsyncIterable<Part[]>, bytes: number): Promise<FinishedFile> {
  const sink = await openFileSink(bytes);
  try {
    for await (const list of parts) {
      for (const part of list) for (const bytes of inBytes(part)) await sink.write(bytes);
    }
    return { blob: await sink.finish(), discard: () => sink.discard() };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** A number stands for so many zeros. */
function* inBytes(part: Part): Generator<Uint8Array, undefined> {
  if (typeof part !== 'number') yield part;
  else {
    for (let left = part; left > 0; left -= LARGE_CHUNK_BYTES) {
      yield new Uint8Array(Math.min(left, LARGE_CHUNK_BYTES));
    }
  }
}
