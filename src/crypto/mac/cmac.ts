/** CMAC (SP 800-38B; RFC 4493 for AES-128): a MAC for messages of any length from a block cipher. */
import { wipe, xorInto } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { double } from '../gf128.ts';
import { cbcMacBlocks } from './cbc-mac.ts';

/** CMAC under one key of a block cipher of 16-byte blocks. */
export interface CmacKey {
  /**
   * @param parts the message, of any length, in pieces of any lengths
   * @returns 16 bytes; compare tags with `equal` of bytes.ts only
   * @throws TypeError if a part is not a Uint8Array
   */
  tag(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer>;
  /** Wipes the key and the subkeys. */
  wipe(): void;
}

/** CMAC (SP 800-38B, RFC 4493) over any block cipher of 16-byte blocks. */
export class Cmac implements CmacKey {
  private readonly cipher: BlockCipher;
  private readonly k1: Uint8Array<ArrayBuffer>;
  private readonly k2: Uint8Array<ArrayBuffer>;

  /** @param cipher owned by this object: `wipe` wipes it */
  constructor(cipher: BlockCipher) {
    this.cipher = cipher;
    [this.k1, this.k2] = subkeys((l) => cipher.encryptBlocks(l, l));
  }

  tag(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    const chain = new Uint8Array(16);
    // The last 1 … 16 bytes so far. The last block of the message is processed differently.
    const pending = new Uint8Array(16);
    let pendingBytes = 0;
    for (const part of parts) {
      checkBytes('message', part);
      let taken = Math.min(part.length, 16 - pendingBytes);
      pending.set(part.subarray(0, taken), pendingBytes);
      pendingBytes += taken;
      if (taken === part.length) continue;
      // More data follows, so the full block is not the last one.
      cbcMacBlocks(this.cipher, chain, pending);
      const whole = (part.length - taken - 1) & ~15;
      cbcMacBlocks(this.cipher, chain, part.subarray(taken, taken + whole));
      taken += whole;
      pending.set(part.subarray(taken));
      pendingBytes = part.length - taken;
    }
    // Section 6.2, step 4: a complete last block gets K1, an incomplete one 10…0 and K2.
    pending.fill(0, pendingBytes);
    if (pendingBytes < 16) pending[pendingBytes] = 0x80;
    xorInto(pending, pendingBytes === 16 ? this.k1 : this.k2);
    cbcMacBlocks(this.cipher, chain, pending);
    wipe(pending);
    return chain;
  }

  wipe(): void {
    wipe(this.k1, this.k2);
    this.cipher.wipe();
  }
}

/**
 * Section 6.1: L = CIPH_K(0^128), K1 = L · x, K2 = K1 · x
 *
 * @param encrypt encrypts one block in place
 * @returns K1 and K2, 16 bytes each
 */
export function subkeys(
  encrypt: (block: Uint8Array) => void,
): [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] {
  const l = new Uint8Array(16);
  encrypt(l);
  const k1 = double(l);
  wipe(l);
  return [k1, double(k1)];
}
