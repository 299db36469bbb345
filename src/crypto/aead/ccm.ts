/**
 * CCM (SP 800-38C; RFC 3610) over a block cipher: CBC-MAC over lengths, associated data and plaintext, then
 * CTR over plaintext and tag.
 *
 * Nonces have n = 7 … 13 bytes. Longer nonces allow only shorter messages: the message's length is encoded in
 * 15 - n bytes.
 */
import { concat, equalAt, u16be, u32be, u64be, wipe, xorInto } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';
import { cbcMacBlocks } from '../mac/cbc-mac.ts';
import { ctr32 } from '../mode/ctr.ts';
import { checkTagBytes, head } from './buffers.ts';
import { CheckedAead } from './checked-aead.ts';

// Appendix A.1: t is 4, 6, … 16
const TAG_BYTES = [4, 6, 8, 10, 12, 14, 16];

/** CCM (SP 800-38C): counter mode with CBC-MAC under one key. `Aead` documents the methods. */
export class Ccm extends CheckedAead {
  /** Appendix A.1: n = 15 - q is 7 … 13. */
  readonly nonceBytes = { min: 7, max: 13 } as const;
  readonly tagBytes: number;
  private readonly cipher: BlockCipher;
  // Zeros but during a call: three new arrays cost as much as the blocks of a short message.
  private readonly chain = new Uint8Array(16);
  private readonly mask = new Uint8Array(16);
  private readonly block = new Uint8Array(16);

  /** @param cipher owned by this object: `wipe` wipes it */
  constructor(cipher: BlockCipher, options: { readonly tagBytes?: number } = {}) {
    super();
    this.tagBytes = checkTagBytes(options.tagBytes ?? 16, TAG_BYTES);
    this.cipher = cipher;
  }

  wipe(): void {
    this.cipher.wipe();
  }

  /** Appendix A.1: fewer than 2^{8q} bytes, q being 15 - n. */
  protected maxBytes(nonce: Uint8Array): number {
    return 2 ** (8 * (15 - nonce.length)) - 1;
  }

  protected sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void {
    try {
      // Section 6.1: the MAC reads all of P before C may overwrite it.
      this.mac(nonce, plaintext, associatedData);
      this.maskAndCounter(nonce);
      // Step 8: C = (P ⊕ S) ‖ (T ⊕ MSB(S_0))
      ctr32(this.cipher, this.block, plaintext, sealed);
      // A view of each costs as much as a block.
      for (let i = 0; i < this.tagBytes; i++) {
        sealed[plaintext.length + i] = this.chain[i] ^ this.mask[i];
      }
    } finally {
      this.clear();
    }
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    try {
      this.maskAndCounter(nonce);
      ctr32(this.cipher, this.block, sealed.subarray(0, length), plaintext);
      // Step 10: the MAC is over the plaintext, so decryption precedes verification.
      this.mac(nonce, plaintext, associatedData);
      xorInto(this.chain, this.mask);
      const isRight = equalAt(this.chain, 0, sealed, length, this.tagBytes);
      if (!isRight) wipe(plaintext);
      return isRight;
    } finally {
      this.clear();
    }
  }

  /** Section 6.1, steps 1 to 4: Y_r over B_0 ‖ associated data ‖ P, each padded with zeros, to `chain`. */
  private mac(nonce: Uint8Array, plaintext: Uint8Array, associatedData: Uint8Array): void {
    const { chain } = this;
    this.firstBlock(nonce, plaintext.length, associatedData);
    cbcMacBlocks(this.cipher, chain, this.block);
    if (associatedData.length > 0) {
      cbcMacBlocks(this.cipher, chain, encodeAssociatedData(associatedData));
    }
    const whole = plaintext.length - (plaintext.length % 16);
    if (whole > 0) cbcMacBlocks(this.cipher, chain, head(plaintext, whole));
    if (whole < plaintext.length) {
      const last = new Uint8Array(16);
      last.set(plaintext.subarray(whole));
      cbcMacBlocks(this.cipher, chain, last);
      wipe(last);
    }
  }

  /** S_0 = CIPH_K(Ctr_0) to `mask`, and Ctr_1 to `block`. */
  private maskAndCounter(nonce: Uint8Array): void {
    const { block } = this;
    // Appendix A.3: flags are q - 1, then the nonce, then the counter in q bytes.
    begin(block, 14 - nonce.length, nonce);
    this.cipher.encryptBlocks(block, this.mask);
    block[15] = 1;
  }

  /** B_0 (appendix A.2.1) to `block`: flags ‖ N ‖ Q, where Q is the plaintext's length in q = 15 - n bytes. */
  private firstBlock(nonce: Uint8Array, length: number, associatedData: Uint8Array): void {
    const q = 15 - nonce.length;
    // Flags: Adata in bit 6, (t - 2)/2 in bits 3 to 5, q - 1 in bits 0 to 2.
    const adata = associatedData.length > 0 ? 0x40 : 0;
    begin(this.block, adata | ((this.tagBytes - 2) << 2) | (q - 1), nonce);
    for (let i = 0, rest = length; i < q && rest > 0; i++, rest = Math.floor(rest / 256)) {
      this.block[15 - i] = rest;
    }
  }

  private clear(): void {
    for (let i = 0; i < 16; i++) this.chain[i] = this.mask[i] = this.block[i] = 0;
  }
}

/** Flags ‖ N ‖ zeros. */
function begin(block: Uint8Array, flags: number, nonce: Uint8Array): void {
  const { length } = nonce;
  block[0] = flags;
  for (let i = 0; i < 15; i++) block[i + 1] = i < length ? nonce[i] : 0;
}

/** Appendix A.2.2: the length in 2, 6 or 10 bytes, then the data, padded with zeros. */
function encodeAssociatedData(data: Uint8Array): Uint8Array {
  const { length } = data;
  if (length < 0xff00) return padded(u16be(length), data);
  if (length < 2 ** 32) return padded(Uint8Array.of(0xff, 0xfe), u32be(length), data);
  return padded(Uint8Array.of(0xff, 0xff), u64be(length), data);
}

/** Concatenates the parts and pads them with zeros to whole blocks. */
function padded(...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concat(...parts, new Uint8Array(-length & 15));
}
