/**
 * SIV (RFC 5297): authenticated encryption that resists nonce misuse. The initialization vector is a MAC of
 * all inputs: equal inputs give equal outputs, and a repeated nonce reveals nothing else. A nonce, if any, is
 * the last string of the associated data (section 3).
 *
 * Two keys: the first half of the mode's key is for S2V, the second half for CTR (section 2.6).
 */
import { apartFrom, copyOf, equal, wipe, xorInto } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';
import { AuthenticationError, checkBytes } from '../errors.ts';
import { double } from '../gf128.ts';
import { Cmac, type CmacKey } from '../mac/cmac.ts';
import { ctr32 } from '../mode/ctr.ts';
import { room } from './buffers.ts';

/** Section 2.6: at most 126 components, because S2V takes 127 (section 2.4) including the plaintext. */
const MAX_COMPONENTS = 126;

/** CTR under K2. */
export interface SivStream {
  /**
   * @param counter the initial counter block: 16 bytes, the highest bit of its last 32 clear; may be changed
   * @param data any length; encrypted or decrypted in place
   */
  crypt(counter: Uint8Array, data: Uint8Array): void;
  wipe(): void;
}

/**
 * SIV (RFC 5297): deterministic, or nonce-based with the nonce as the last associated string. The
 * 16-byte tag comes first.
 */
export class Siv {
  readonly tagBytes = 16;
  private readonly mac: CmacKey;
  private readonly stream: SivStream;
  /** AES-CMAC(K1, <zero>), with which every S2V begins. */
  private readonly zeroTag: Uint8Array;

  /**
   * Both are owned by this object: `wipe` wipes them.
   *
   * @param mac under K1, the first half of the key
   * @param stream under K2, the second half
   */
  constructor(mac: CmacKey, stream: SivStream) {
    this.mac = mac;
    this.stream = stream;
    this.zeroTag = mac.tag(new Uint8Array(16));
  }

  /**
   * SIV over any block cipher; `wipe` wipes both.
   *
   * @param macCipher under K1
   * @param ctrCipher under K2
   */
  static over(macCipher: BlockCipher, ctrCipher: BlockCipher): Siv {
    return new Siv(new Cmac(macCipher), {
      crypt: (counter, data) => ctr32(ctrCipher, counter, data, data),
      wipe: () => ctrCipher.wipe(),
    });
  }

  /**
   * SIV-ENCRYPT, section 2.6.
   *
   * @param associatedData up to 126 strings. Their number and boundaries are authenticated: no string and one
   * empty string are different
   * @param into at least plaintext.length + 16 bytes; may overlap every argument
   * @returns V ‖ ciphertext: plaintext.length + 16 bytes, a view of `into` if given
   */
  seal(
    plaintext: Uint8Array,
    associatedData: readonly Uint8Array[] = [],
    into?: Uint8Array,
  ): Uint8Array {
    checkBytes('plaintext', plaintext);
    checkComponents(associatedData);
    const sealed = room(into, plaintext.length + 16);
    // Everything is read before `sealed`, which may overlap it, is written. V = S2V(K1, AD1, ..., ADn, P)
    const v = this.s2v(associatedData, plaintext);
    const ciphertext = sealed.subarray(16);
    ciphertext.set(plaintext);
    this.crypt(v, ciphertext);
    sealed.set(v);
    return sealed;
  }

  /**
   * SIV-DECRYPT, section 2.7.
   *
   * @param sealed V ‖ ciphertext
   * @param associatedData the strings that it was sealed with
   * @param into at least sealed.length - 16 bytes; may overlap every argument
   * @returns the plaintext: sealed.length - 16 bytes, a view of `into` if given
   * @throws AuthenticationError if anything does not verify; `into` is then zeroed
   */
  open(
    sealed: Uint8Array,
    associatedData: readonly Uint8Array[] = [],
    into?: Uint8Array,
  ): Uint8Array {
    checkBytes('sealed', sealed);
    checkComponents(associatedData);
    if (sealed.length < 16) throw new AuthenticationError();
    const plaintext = room(into, sealed.length - 16);
    const v = copyOf(sealed.subarray(0, 16));
    const strings = associatedData.map((string) => apartFrom(plaintext, string));
    plaintext.set(sealed.subarray(16));
    this.crypt(v, plaintext);
    // T = S2V(K1, AD1, ..., ADn, P); if T = V then return P else FAIL
    if (!equal(this.s2v(strings, plaintext), v)) {
      wipe(plaintext);
      throw new AuthenticationError();
    }
    return plaintext;
  }

  wipe(): void {
    wipe(this.zeroTag);
    this.mac.wipe();
    this.stream.wipe();
  }

  /** CTR from Q = V bitand (1^64 || 0^1 || 1^31 || 0^1 || 1^31), in place. */
  private crypt(v: Uint8Array, data: Uint8Array): void {
    const q = copyOf(v);
    q[8] &= 0x7f;
    q[12] &= 0x7f;
    // With the highest bit clear, 32 bits do not overflow before 2^31 blocks.
    this.stream.crypt(q, data);
  }

  /** S2V(K1, S1, ..., Sn), section 2.4, where Sn is `last`. */
  private s2v(strings: readonly Uint8Array[], last: Uint8Array): Uint8Array {
    const { mac } = this;
    // D = AES-CMAC(K, <zero>)
    let d: Uint8Array = copyOf(this.zeroTag);
    // for i = 1 to n-1 do D = dbl(D) xor AES-CMAC(K, Si)
    for (const string of strings) {
      d = double(d);
      xorInto(d, mac.tag(string));
    }
    // Bytes of T before D
    let beginning = 0;
    if (last.length >= 16) {
      // T = Sn xorend D
      beginning = last.length - 16;
      xorInto(d, last.subarray(beginning));
    } else {
      // T = dbl(D) xor pad(Sn)
      d = double(d);
      xorInto(d, last);
      d[last.length] ^= 0x80;
    }
    // return V = AES-CMAC(K, T)
    const v = beginning === 0 ? mac.tag(d) : mac.tag(last.subarray(0, beginning), d);
    wipe(d);
    return v;
  }
}

function checkComponents(associatedData: readonly Uint8Array[]): void {
  if (associatedData.length > MAX_COMPONENTS) {
    throw new RangeError(
      `associatedData must have at most ${MAX_COMPONENTS} strings, got ${associatedData.length}`,
    );
  }
  associatedData.forEach((string, i) => checkBytes(`associatedData[${i}]`, string));
}
