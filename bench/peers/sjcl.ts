import joined from 'sjcl-joined';

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
