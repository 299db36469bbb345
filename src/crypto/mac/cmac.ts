/** CMAC (SP 800-38B; RFC 4493 for AES-128): a MAC for messages of any length from a block cipher. */
import { wipe, xorInto } from '../bytes.ts';
import type { BlockCipher, Mac } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { double } from '../gf128.ts';
import { cbcMacBlocks } from './cbc-mac.ts';

/** CMAC (SP 800-38B, RFC 4493) over a block cipher of 16-byte blocks. Tags have 16 bytes. */
export class Cmac implements Mac {
  readonly tagBytes = 16;
  private readonly cipher: BlockCipher;
  private readonly chain = new Uint8Array(16);
  /** The last 1 … 16 bytes so far. The last block of the message is processed differently. */
  private readonly pending = new Uint8Array(16);
  private pendingBytes = 0;
  private ended = false;

  /** @param cipher owned by the caller: `wipe` does not wipe it, so that one key serves many MACs */
  constructor(cipher: BlockCipher) {
    this.cipher = cipher;
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    if (this.ended) throw new Error('CMAC has ended');
    let taken = this.fill(data);
    // More data follows, so the full block is not the last one.
    if (taken < data.length) {
      cbcMacBlocks(this.cipher, this.chain, this.pending);
      const rest = data.length - taken - 1;
      const whole = rest - (rest % 16);
      cbcMacBlocks(this.cipher, this.chain, data.subarray(taken, taken + whole));
      taken += whole;
      this.pendingBytes = 0;
      this.fill(data.subarray(taken));
    }
    return this;
  }

  digest(): Uint8Array<ArrayBuffer> {
    if (this.ended) throw new Error('CMAC has ended');
    this.ended = true;
    const { cipher, chain, pending, pendingBytes } = this;
    // Section 6.1: L = CIPH_K(0^128), K1 = L · x, K2 = K1 · x
    const l = new Uint8Array(16);
    cipher.encryptBlocks(l, l);
    const k1 = double(l);
    const k2 = double(k1);
    // Section 6.2, step 4: a complete last block gets K1, an incomplete one 10…0 and K2.
    pending.fill(0, pendingBytes);
    if (pendingBytes < 16) pending[pendingBytes] = 0x80;
    xorInto(pending, pendingBytes === 16 ? k1 : k2);
    cbcMacBlocks(cipher, chain, pending);
    const tag = Uint8Array.from(chain);
    wipe(l, k1, k2);
    this.wipe();
    return tag;
  }

  wipe(): void {
    wipe(this.chain, this.pending);
    this.pendingBytes = 0;
    this.ended = true;
  }

  /** Fills the pending block. @returns the number of bytes taken */
  private fill(data: Uint8Array): number {
    const part = data.subarray(0, 16 - this.pendingBytes);
    this.pending.set(part, this.pendingBytes);
    this.pendingBytes += part.length;
    return part.length;
  }
}

/** @returns the tag of the parts joined, 16 bytes */
export function cmac(
  cipher: BlockCipher,
  ...parts: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const mac = new Cmac(cipher);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
