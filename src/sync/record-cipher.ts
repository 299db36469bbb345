import { AuthenticationError } from '../crypto/errors.ts';
import type {
  AlgorithmTypes,
  Awaitable,
  Base64Message,
  CbcParams,
  CipherMessage,
  KeyedCipher,
  KeyedMac,
} from '../engine/contract.ts';
import type { RecordPrimitives } from '../engine/native/native-records.ts';
import { writeBase64 } from './base64.ts';
import type { KeyBundle } from './key-bundle.ts';
import { resultOf } from './results.ts';
import type { Result } from './results.ts';

/** The algorithms of an engine that record formats use. Only Notes uses AES-KW. */
export type RecordAlgorithms = Pick<AlgorithmTypes, 'AES-CBC' | 'AES-KW' | 'HMAC'>;

/**
 * Encryption and MACs under one key bundle. Engines on this thread answer synchronously. For records
 * of some hundred bytes this is ten times as fast as one WebCrypto call for each record.
 */
export interface RecordCipher {
  /** AES-256-CBC with PKCS#7; IVs of 16 bytes. */
  encryptMany(messages: readonly CipherMessage<CbcParams>[]): Awaitable<Uint8Array[]>;
  /** Failures are AuthenticationError. Call it only after the MACs have verified. */
  decryptMany(messages: readonly CipherMessage<CbcParams>[]): Promise<Result<Uint8Array>[]>;
  /** HMAC-SHA-256, 32 bytes each. */
  macMany(texts: readonly Uint8Array[]): Awaitable<Uint8Array[]>;
  /** Writes the Base64 of each `data` to `text`, and returns its HMAC-SHA-256. */
  macBase64Many(messages: readonly Base64Message[]): Awaitable<Uint8Array[]>;
  wipe(): void;
}

/** Sets up the keys of a bundle in an engine. @param bundle copied: the caller may wipe it */
export async function recordCipher(
  algorithms: RecordPrimitives,
  { encryptionKey, hmacKey }: KeyBundle,
): Promise<RecordCipher> {
  const cipher: KeyedCipher<CbcParams> = await algorithms['AES-CBC'].withKey(encryptionKey);
  const mac: KeyedMac = await algorithms.HMAC.withKey(hmacKey, 'SHA-256');
  return {
    encryptMany: (messages) =>
      cipher.encryptMany?.(messages) ??
      Promise.all(messages.map(async (one) => cipher.encrypt(one.params, one.data))),
    decryptMany: async (messages) => {
      const plaintexts = await cipher.decryptMany?.(messages);
      return plaintexts
        ? plaintexts.map((plaintext) => resultOf(() => authentic(plaintext)))
        : Promise.allSettled(messages.map(async (one) => cipher.decrypt(one.params, one.data)));
    },
    macMany: (texts) =>
      mac.signMany?.(texts) ?? Promise.all(texts.map(async (text) => mac.sign(text))),
    macBase64Many: (messages) =>
      mac.signBase64Many?.(messages) ??
      Promise.all(
        messages.map(async ({ data, text }) => {
          writeBase64(data, text, 0);
          return mac.sign(text);
        }),
      ),
    wipe: () => {
      cipher.wipe();
      mac.wipe();
    },
  };
}

function authentic(plaintext: Uint8Array | undefined): Uint8Array {
  if (!plaintext) throw new AuthenticationError();
  return plaintext;
}
