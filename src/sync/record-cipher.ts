import { AuthenticationError } from '../crypto/errors.ts';
import type {
  AlgorithmTypes,
  Awaitable,
  CbcParams,
  CipherMessage,
  KeyedCipher,
  KeyedMac,
} from '../engine/contract.ts';
import type { KeyBundle } from './weave/key-bundle.ts';
import { settled } from './results.ts';
import type { Settled } from './results.ts';

/** What records need of an engine. Formats that need no AES-KW never ask for it. */
export type RecordAlgorithms = Pick<AlgorithmTypes, 'AES-CBC' | 'AES-KW' | 'HMAC'>;

/**
 * One bundle at work. Engines that work on this thread answer at once: for records of some hundred
 * bytes that is ten times as fast as a call into WebCrypto each.
 */
export interface RecordCipher {
  /** AES-256-CBC with PKCS#7; IVs of 16 bytes. */
  encryptMany(messages: readonly CipherMessage<CbcParams>[]): Awaitable<Uint8Array[]>;
  /** Failures are AuthenticationError. Only ever call it after the MACs have verified. */
  decryptMany(messages: readonly CipherMessage<CbcParams>[]): Promise<Settled<Uint8Array>[]>;
  /** HMAC-SHA-256, 32 bytes each. */
  macMany(texts: readonly Uint8Array[]): Awaitable<Uint8Array[]>;
  wipe(): void;
}

/** @param bundle may be wiped afterwards */
export async function recordCipher(
  algorithms: Pick<RecordAlgorithms, 'AES-CBC' | 'HMAC'>,
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
        ? plaintexts.map((plaintext) => settled(() => authentic(plaintext)))
        : Promise.allSettled(messages.map(async (one) => cipher.decrypt(one.params, one.data)));
    },
    macMany: (texts) =>
      mac.signMany?.(texts) ?? Promise.all(texts.map(async (text) => mac.sign(text))),
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
