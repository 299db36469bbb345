/*
 * Files that `age -p` makes (age-encryption.org/v1): a file key under a passphrase by scrypt, and chunks of 64 KiB under
 * ChaCha20-Poly1305. A passphrase is the only recipient of its file, so that such a header has one form.
 *
 *   age-encryption.org/v1
 *   -> scrypt SALT LOG2(N)
 *   BODY
 *   --- MAC
 */
import { ChaCha20Poly1305 } from '../src/crypto/aead/chacha20-poly1305.ts';
import { equal, utf8, wipe } from '../src/crypto/bytes.ts';
import { AuthenticationError } from '../src/crypto/errors.ts';
import type { ScryptCost } from '../src/crypto/kdf/scrypt.ts';
import {
  AGE_NONCE_BYTES,
  AGE_WORK_FACTOR_MAX,
  ageHeaderMac,
  agePayloadKey,
  ageScryptSalt,
  damagedAge,
} from '../src/format/age.ts';
import { EnvelopeError } from '../src/format/errors.ts';
import {
  AGE_SLICE_BYTES,
  ageBase64,
  AgePayloadOpener,
} from '../extension/manager/files/age-file.ts';
import { release } from './release.ts';

/** The public part of a file under a passphrase. */
export interface AgeHeader {
  /** 16 bytes. */
  readonly salt: Uint8Array;
  /** log2 of N: scrypt takes 1 KiB · 2^workFactor of memory. */
  readonly workFactor: number;
  /** The file key, sealed: 32 bytes. */
  readonly body: Uint8Array;
  /** What the MAC covers. */
  readonly signed: Uint8Array;
  readonly mac: Uint8Array;
  /** Length of the header: the nonce of the payload follows. */
  readonly bytes: number;
}

/** The work of reading a file: its signal, and where it reports progress. */
export interface AgeWork {
  readonly signal: AbortSignal;
  readonly progress: (done: number, of: number) => void;
}

/** The header of any file with one line of scrypt and nothing else. */
const HEADER =
  /^(age-encryption\.org\/v1\n-> scrypt ([A-Za-z\d+/]{22}) ([1-9]\d?)\n([A-Za-z\d+/]{43})\n---) ([A-Za-z\d+/]{43})\n/;
/** Bytes of the longest header of this form, and of the nonce after it. */
export const AGE_HEAD_BYTES = 256;

/**
 * Reads the header.
 *
 * @param head the first AGE_HEAD_BYTES of a file for which `isAge` is true, or all of a shorter one
 * @returns undefined for a file for other recipients than one passphrase
 * @throws EnvelopeError TOO_LARGE for more work than is accepted, BAD_ENVELOPE for a damaged header
 */
export function ageHeader(head: Uint8Array): AgeHeader | undefined {
  const text = new TextDecoder('latin1').decode(head);
  const [whole, signed, salt, workFactor, body, mac] = HEADER.exec(text) ?? [];
  if (whole === undefined) {
    if (/^age-encryption\.org\/v1\n-> (?!scrypt )/.test(text)) return undefined;
    throw damagedAge();
  }
  const header = {
    salt: ageBase64(salt!),
    workFactor: Number(workFactor),
    body: ageBase64(body!),
    signed: utf8(signed!),
    mac: ageBase64(mac!),
    bytes: whole.length,
  };
  if (header.workFactor > AGE_WORK_FACTOR_MAX) {
    throw new EnvelopeError('TOO_LARGE', `Work factor ${workFactor}: more than is accepted`);
  }
  return header;
}

/** The arguments of scrypt for a file. */
export function ageScrypt({ salt, workFactor }: AgeHeader): {
  readonly salt: Uint8Array;
  readonly cost: ScryptCost;
} {
  return { salt: ageScryptSalt(salt), cost: { N: 2 ** workFactor, r: 8, p: 1 } };
}

/**
 * Opens the file key and checks the header with it.
 *
 * @param key of scrypt, 32 bytes
 * @returns 16 bytes, which the caller wipes
 * @throws AuthenticationError for a wrong passphrase; EnvelopeError BAD_ENVELOPE for a header that was changed
 */
export function ageFileKey({ body, signed, mac }: AgeHeader, key: Uint8Array): Uint8Array {
  const aead = new ChaCha20Poly1305(key);
  try {
    const fileKey = aead.open(new Uint8Array(12), body);
    if (!equal(ageHeaderMac(fileKey, signed), mac)) throw damagedAge();
    return fileKey;
  } finally {
    aead.wipe();
  }
}

/**
 * Opens the payload. Each part has verified, but only the end of the last one shows that the file is complete: the caller
 * gives out nothing before that.
 *
 * @throws AuthenticationError for a payload that was changed or cut off
 */
export async function* agePayload(
  file: Blob,
  { bytes: headerBytes }: AgeHeader,
  fileKey: Uint8Array,
  { signal, progress }: AgeWork,
): AsyncGenerator<Uint8Array, undefined> {
  const start = headerBytes + AGE_NONCE_BYTES;
  const nonce = new Uint8Array(await file.slice(headerBytes, start).arrayBuffer());
  if (nonce.length < AGE_NONCE_BYTES) throw new AuthenticationError();
  const key = agePayloadKey(fileKey, nonce);
  const payload = new AgePayloadOpener(key, file.size - start);
  wipe(key);
  try {
    for (let from = start; from < file.size; from += AGE_SLICE_BYTES) {
      signal.throwIfAborted();
      const slice = file.slice(from, from + AGE_SLICE_BYTES);
      const sealed = new Uint8Array(await slice.arrayBuffer());
      yield payload.open(sealed);
      release(sealed);
      progress(Math.min(from + sealed.length, file.size), file.size);
    }
  } finally {
    payload.wipe();
  }
}
