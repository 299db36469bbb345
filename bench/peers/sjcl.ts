import joined from 'sjcl-joined';
import type { Prepared } from '../contender.ts';

/** An array of 32-bit numbers; the last one of an odd length is marked. */
export type BitArray = number[];

interface Cipher {
  encrypt(block: BitArray): BitArray;
}
interface Mode {
  encrypt(
    cipher: Cipher,
    plaintext: BitArray,
    iv: BitArray,
    data?: BitArray,
    tagBits?: number,
  ): BitArray;
}
export interface SjclNumber {
  montpowermod(exponent: SjclNumber, modulus: SjclNumber): SjclNumber;
  toBits(length?: number): BitArray;
}
type SjclHash = new () => { update(data: BitArray): unknown; finalize(): BitArray };

/** What we use of the library, with its core files joined (sjcl-source.ts). */
interface Sjcl {
  readonly cipher: { readonly aes: new (key: BitArray) => Cipher };
  readonly mode: Readonly<Record<'ctr' | 'cbc' | 'gcm' | 'ccm', Mode>>;
  readonly hash: Readonly<Record<'sha1' | 'sha256' | 'sha512', SjclHash>>;
  readonly misc: {
    readonly hmac: new (key: BitArray, hash: SjclHash) => object;
    pbkdf2(
      password: BitArray,
      salt: BitArray,
      iterations: number,
      bits: number,
      prf: new (key: BitArray) => unknown,
    ): BitArray;
  };
  readonly bn: {
    new (value: number): SjclNumber;
    fromBits(bits: BitArray): SjclNumber;
  };
  readonly codec: { readonly bytes: Codec };
}
interface Codec {
  toBits(bytes: ArrayLike<number>): BitArray;
  fromBits(bits: BitArray): number[];
}

export const sjcl = joined as Sjcl;

export const toBits = (data: Uint8Array): BitArray => sjcl.codec.bytes.toBits(data);
export const fromBits = (bits: unknown): Uint8Array =>
  Uint8Array.from(sjcl.codec.bytes.fromBits(bits as BitArray));

/** It has no ECB: its block encryption, from words to words, as the work of 2013 used it. */
export function sjclBlocks(key: Uint8Array, plaintext: Uint8Array): Prepared {
  const words = wordsOf(plaintext);
  const aes = new sjcl.cipher.aes(wordsOf(key));
  const result: number[] = new Array<number>(words.length);
  return {
    run: () => {
      for (let i = 0; i < words.length; i += 4) {
        const block = aes.encrypt([words[i]!, words[i + 1]!, words[i + 2]!, words[i + 3]!]);
        for (let j = 0; j < 4; j++) result[i + j] = block[j]!;
      }
      return result;
    },
    bytes: () => {
      const bytes = new DataView(new ArrayBuffer(plaintext.length));
      result.forEach((word, i) => bytes.setInt32(4 * i, word));
      return new Uint8Array(bytes.buffer);
    },
  };
}

/** Big-endian. */
function wordsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getInt32(4 * i));
}
