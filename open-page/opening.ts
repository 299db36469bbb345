/*
 * Opens what was sealed with a passphrase. Everything is verified to its end before anything of it is given out. Short
 * contents stay in memory; longer ones are verified, dropped, and read again when they are saved, so that memory holds a few
 * parts of them.
 */
import { utf8, wipe } from '../src/crypto/bytes.ts';
import { AuthenticationError } from '../src/crypto/errors.ts';
import { EnvelopeError } from '../src/format/errors.ts';
import { ChunkOpener } from '../src/format/chunks/chunks.ts';
import { StreamOpener } from '../src/format/chunks/stream.ts';
import { openDataKey } from '../src/format/keys/data-key.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../src/format/native-crypto.ts';
import { preparePassphrase } from '../src/format/passphrase.ts';
import { beginOpenStream } from '../src/format/plans/open-plan.ts';
import { openAttributes, type FileAttributes } from '../src/format/recipients/attributes.ts';
import { PASSPHRASE_RECIPIENT, passphraseRecipient } from '../src/format/recipients/passphrase.ts';
import { parsePrefix } from '../src/format/wire/envelope.ts';
import type { Purpose } from '../src/format/wire/header.ts';
import type { Part } from '../src/format/wire/padding-filter.ts';
import { HEADER_BYTES, LARGE_CHUNK_BYTES, TAG_BYTES } from '../src/format/wire/sealed-length.ts';
import { isBackup } from '../src/keys/backup/backup-file.ts';
import { isAge } from '../src/keys/ring/age.ts';
import { parseRecoveryCode } from '../src/keys/unlock/recovery-code.ts';
import { slicesOf } from '../extension/content/bulk/blob-slices.ts';
import { inFlight, type BlobWork, type OpeningKeys } from '../extension/content/bulk/blobs.ts';
import { ageUnarmored } from '../extension/manager/files/age-file.ts';
import { sealedSource, type SealedSource } from '../extension/manager/files/sealed-source.ts';
import { passphrasesMeant } from '../extension/ui/text/typed-words.ts';
import { AGE_HEAD_BYTES, ageFileKey, ageHeader, agePayload, ageScrypt } from './age-file.ts';
import type { Derive } from './derivation.ts';
import { Refusal } from './refusal.ts';
import { release } from './release.ts';

/** What was opened, and verified to its end. */
export interface Opened {
  /** What the sender called the file; undefined for a text, and for a file of age. */
  readonly named: FileAttributes | undefined;
  readonly bytes: number;
  /** All of it, if it is short. */
  readonly contents: Uint8Array | undefined;
  /** All of it, verified anew: it is complete only if the end is reached without an error. */
  parts(work: BlobWork): AsyncIterable<Uint8Array>;
}

/** Contents up to this length stay in memory: 8 MiB. */
export const KEPT_BYTES = 8 * 2 ** 20;
/** Slices that are read and opened at the same time. */
const WIDTH = 2;
/** As in the extension's own view of files: backups, vaults and records are left out. */
const PURPOSES: readonly Purpose[] = ['page', 'field', 'stream'];
/** The longest text that is searched for what this page never takes. */
const SEARCHED_BYTES = 4_096;
/** Key files of Sealwright, identities of age; private keys of SSH and PGP. */
const SECRET = /"sealwright-key\/1"|AGE-SECRET-KEY-|-----BEGIN [A-Z ]*PRIVATE KEY/i;

/**
 * Opens a file or a text.
 *
 * @param passphrase as it was typed; it stays in this page and its worker
 * @throws Refusal for all that does not open, with the message that says why; the signal's reason
 */
export async function open(
  source: Blob,
  passphrase: string,
  derive: Derive,
  work: BlobWork,
): Promise<Opened> {
  const head = new Uint8Array(await source.slice(0, SEARCHED_BYTES).arrayBuffer());
  const texts = [new TextDecoder().decode(head), passphrase];
  if (isBackup(head) || texts.some(isSecret)) throw new Refusal('pageRefused');
  try {
    return isAge(head)
      ? await openAge(source, head, passphrase, derive, work)
      : await openSealed(await found(source), passphrase, derive, work);
  } catch (error) {
    throw work.signal.aborted ? work.signal.reason : refusalOf(error);
  }
}

/** Whether a text is, or has in it, what this page never takes. */
function isSecret(text: string): boolean {
  const code = parseRecoveryCode(text);
  if (code) wipe(code);
  return code !== undefined || SECRET.test(text);
}

/** Anything but these is a fault of the page. */
function refusalOf(error: unknown): unknown {
  if (error instanceof AuthenticationError) return new Refusal('openFileDamaged', { cause: error });
  if (!(error instanceof EnvelopeError)) return error;
  const words = error.code === 'BAD_ENVELOPE' ? 'openFileDamaged' : 'openFileUnsupported';
  return new Refusal(words, { cause: error });
}

async function found(source: Blob): Promise<SealedSource> {
  const sealed = await sealedSource(source);
  if (sealed === undefined) throw new Refusal('pageUnknown');
  if (sealed.header.purpose === 'backup') throw new Refusal('pageRefused');
  return sealed;
}

async function openSealed(
  { head, header, candidates, isForGroup }: SealedSource,
  passphrase: string,
  derive: Derive,
  work: BlobWork,
): Promise<Opened> {
  const { purpose, flags } = header;
  const { entries } = parsePrefix(head).recipients;
  if (!entries.some(({ type }) => type === PASSPHRASE_RECIPIENT)) {
    throw new Refusal(isForGroup ? 'pageForGroup' : 'pageForKey');
  }
  if (!PURPOSES.includes(purpose) || flags.originBound) throw new Refusal('openFileUnsupported');
  const dataKey = await dataKeyOf(head, passphrasesMeant(passphrase), derive, work.signal);
  let keys: OpeningKeys;
  let attributes;
  try {
    const headerBytes = head.subarray(0, HEADER_BYTES);
    attributes = await openAttributes(entries, dataKey, headerBytes, NATIVE_CRYPTO);
    keys = await openingKeys(purpose, head, dataKey);
  } finally {
    wipe(dataKey);
  }
  const named = attributes?.file;
  let failure: unknown;
  for (const candidate of candidates) {
    try {
      const parts = (again: BlobWork) => openedBytes(keys, candidate, again);
      return await verified(named, parts, work);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * @param passphrases what was typed may mean, tried in this order
 * @throws Refusal for passphrases that open no entry
 */
async function dataKeyOf(
  head: Uint8Array,
  [passphrase, ...others]: readonly string[],
  derive: Derive,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const type = passphraseRecipient({
    derive: (prepared, salt, cost) =>
      derive({ kdf: 'Argon2id', passphrase: prepared, salt, cost }, signal),
    crypto: NATIVE_CRYPTO,
    random: NATIVE_RANDOM,
  });
  const key = prepared(passphrase!);
  try {
    const identity = { type: PASSPHRASE_RECIPIENT, key };
    const { entries } = parsePrefix(head).recipients;
    const types = new Map([[PASSPHRASE_RECIPIENT, type]]);
    const opened = await openDataKey(entries, [identity], head.subarray(0, HEADER_BYTES), types);
    return opened.dataKey;
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    if (others.length > 0) return await dataKeyOf(head, others, derive, signal);
    throw new Refusal('openFileWrong', { cause: error });
  } finally {
    wipe(key);
  }
}

/** @throws Refusal for what cannot be a passphrase of Sealwright */
function prepared(passphrase: string): Uint8Array {
  if (passphrase === '') throw new Refusal('passphraseMissing');
  try {
    return preparePassphrase(passphrase);
  } catch (error) {
    throw new Refusal('openFileWrong', { cause: error });
  }
}

async function openingKeys(
  purpose: Purpose,
  head: Uint8Array,
  dataKey: Uint8Array,
): Promise<OpeningKeys> {
  const options = { purpose, dataKey, accept: 'shared' } as const;
  const { suite, keys, padded, chunksOffset } = await beginOpenStream(options, head);
  const { key, baseNonce } = keys;
  const aead = await NATIVE_CRYPTO.aesGcm(key);
  wipe(key);
  return { aead, baseNonce, chunkBytes: suite.chunkBytes, chunksOffset, padded };
}

async function openAge(
  source: Blob,
  head: Uint8Array,
  passphrase: string,
  derive: Derive,
  work: BlobWork,
): Promise<Opened> {
  const isBinary = head[0] === 'a'.charCodeAt(0);
  const file = isBinary ? source : new Blob([ageUnarmored(await source.text())]);
  const header = ageHeader(new Uint8Array(await file.slice(0, AGE_HEAD_BYTES).arrayBuffer()));
  if (!header) throw new Refusal('pageForKey');
  if (passphrase === '') throw new Refusal('passphraseMissing');
  const typed = utf8(passphrase);
  const request = { kdf: 'scrypt', passphrase: typed, ...ageScrypt(header) } as const;
  const key = await derive(request, work.signal);
  wipe(typed);
  const fileKey = ageKey(header, key);
  return verified(undefined, (again) => agePayload(file, header, fileKey, again), work);
}

/** @throws Refusal for a wrong passphrase, whose key opens nothing */
function ageKey(header: NonNullable<ReturnType<typeof ageHeader>>, key: Uint8Array): Uint8Array {
  try {
    return ageFileKey(header, key);
  } catch (error) {
    if (error instanceof AuthenticationError) throw new Refusal('openFileWrong', { cause: error });
    throw error;
  } finally {
    wipe(key);
  }
}

/** Reads all to the end once. @throws AuthenticationError; nothing that was read stays then */
async function verified(
  named: FileAttributes | undefined,
  parts: Opened['parts'],
  work: BlobWork,
): Promise<Opened> {
  let kept: Uint8Array[] | undefined = [];
  let bytes = 0;
  for await (const part of parts(work)) {
    bytes += part.length;
    if (bytes <= KEPT_BYTES) kept?.push(part);
    else {
      kept = undefined;
      release(part);
    }
  }
  const contents = kept && new Uint8Array(await new Blob(kept as BlobPart[]).arrayBuffer());
  return { named, bytes, contents, parts };
}

/**
 * Opens a message slice by slice, as the extension opens Blobs. What was read is released at once: browsers collect buffers
 * late, and a long file would else fill the memory with them.
 */
async function* openedBytes(
  keys: OpeningKeys,
  message: Blob,
  work: BlobWork,
): AsyncGenerator<Uint8Array, undefined> {
  const { aead, baseNonce, chunkBytes, chunksOffset } = keys;
  const opener = new StreamOpener(new ChunkOpener(aead, baseNonce, chunkBytes), keys);
  const slices = slicesOf(message, chunksOffset, LARGE_CHUNK_BYTES + TAG_BYTES, work);
  const open = async (slice: Uint8Array) => {
    const parts = await opener.add(slice);
    release(slice);
    return parts;
  };
  for await (const parts of inFlight(slices, open, WIDTH)) yield* inBytes(parts);
  yield* inBytes(await opener.end());
}

/** A number stands for so many zeros. */
function* inBytes(parts: readonly Part[]): Generator<Uint8Array, undefined> {
  for (const part of parts) {
    if (typeof part !== 'number') yield part;
    else {
      for (let left = part; left > 0; left -= LARGE_CHUNK_BYTES) {
        yield new Uint8Array(Math.min(left, LARGE_CHUNK_BYTES));
      }
    }
  }
}
