/** CCM (SP 800-38C) in the AES module: its CBC-MAC and its counter mode side by side. */
import { checkTagBytes } from '../../../crypto/aead/buffers.ts';
import { CheckedAead } from '../../../crypto/aead/checked-aead.ts';
import { equalAt } from '../../../crypto/bytes.ts';
import { STANDARD } from './aes.ts';
import type { AesKey } from './aes.ts';
import { addTo, clear, copyIn, copyOut } from '../memory.ts';
import { BUFFER, BUFFER_BYTES, CHAIN, COUNTER, STREAM } from '../generator/aes/layout.ts';

// Section A.1: t is one of 4, 6, 8, 10, 12, 14, 16 octets.
const TAG_BYTES = [4, 6, 8, 10, 12, 14, 16];

/** CCM (SP 800-38C) in the AES module. */
export class WasmCcm extends CheckedAead {
  /** Section A.1: n is 7 … 13 octets, and n + q = 15. */
  readonly nonceBytes = { min: 7, max: 13 } as const;
  readonly tagBytes: number;
  private readonly key: AesKey;
  /** S_0, which is XORed to the MAC. */
  private readonly mask = new Uint8Array(16);

  /** @param key owned by this object: `wipe` wipes it */
  constructor(key: AesKey, options: { readonly tagBytes?: number } = {}) {
    super();
    this.tagBytes = checkTagBytes(options.tagBytes ?? 16, TAG_BYTES);
    this.key = key;
  }

  wipe(): void {
    this.mask.fill(0);
    this.key.wipe();
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
    const { length } = plaintext;
    this.begin(nonce, length, associatedData);
    this.crypt(plaintext, sealed, length, 0);
    const { bytes } = this.key.module;
    addTo(bytes, CHAIN, this.mask);
    copyOut(bytes, CHAIN, sealed, length, this.tagBytes);
    this.end();
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    this.begin(nonce, length, associatedData);
    this.crypt(sealed, plaintext, length, -1);
    const { bytes } = this.key.module;
    addTo(bytes, CHAIN, this.mask);
    const isRight = equalAt(bytes, CHAIN, sealed, length, this.tagBytes);
    this.end();
    // Step 10: the MAC is over the plaintext, so decryption precedes verification.
    if (!isRight) plaintext.fill(0);
    return isRight;
  }

  /** MAC of B_0 and the associated data; key stream S_0 (kept) and S_1 (at STREAM). */
  private begin(nonce: Uint8Array, length: number, associatedData: Uint8Array): void {
    const { key } = this;
    const { bytes, functions } = key.module;
    const q = 15 - nonce.length;
    key.use();
    // Appendix A.3: Ctr_0 = [q - 1] || N || [0]_8q
    clear(bytes, COUNTER, 16);
    bytes[COUNTER] = q - 1;
    copyIn(bytes, COUNTER + 1, nonce, 0, nonce.length);
    clear(bytes, BUFFER, 32);
    functions.counterFew(BUFFER, 2, STANDARD);
    copyOut(bytes, BUFFER, this.mask, 0, 16);
    bytes.copyWithin(STREAM, BUFFER + 16, BUFFER + 32);
    // Appendix A.2.1: B_0 = Flags || N || Q; Adata in bit 6, (t - 2)/2 in bits 3 to 5, q - 1 below.
    clear(bytes, BUFFER, 32);
    const adata = associatedData.length > 0 ? 0x40 : 0;
    bytes[BUFFER] = adata | ((this.tagBytes - 2) << 2) | (q - 1);
    copyIn(bytes, BUFFER + 1, nonce, 0, nonce.length);
    for (let i = 0, rest = length; i < q && rest > 0; i++, rest = Math.floor(rest / 256)) {
      bytes[BUFFER + 15 - i] = rest;
    }
    clear(bytes, CHAIN, 16);
    if (associatedData.length === 0) functions.cbcMac(BUFFER, 1);
    else this.associate(associatedData);
  }

  /** Appendix A.2.2: after B_0, the length in 2, 6 or 10 bytes, then the data, padded with zeros. */
  private associate(data: Uint8Array): void {
    const { bytes, functions } = this.key.module;
    let at = 16 + encodeLength(bytes, BUFFER + 16, data.length);
    for (let done = 0; done < data.length; at = 0) {
      const part = Math.min(data.length - done, BUFFER_BYTES - at);
      copyIn(bytes, BUFFER + at, data, done, part);
      const padded = (at + part + 15) & ~15;
      clear(bytes, BUFFER + at + part, padded - at - part);
      functions.cbcMac(BUFFER, padded >> 4);
      this.key.clear(BUFFER, padded);
      done += part;
    }
  }

  /** @param opening 0 to seal, -1 to open */
  private crypt(source: Uint8Array, target: Uint8Array, length: number, opening: number): void {
    const { key } = this;
    const { bytes, functions } = key.module;
    const whole = length & ~15;
    for (let done = 0; done < whole;) {
      const part = Math.min(whole - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, source, done, part);
      functions.ccmBlocks(BUFFER, part >> 4, opening);
      copyOut(bytes, BUFFER, target, done, part);
      key.clear(BUFFER, part);
      done += part;
    }
    if (whole === length) return;
    clear(bytes, BUFFER, 16);
    for (let i = 0; i < length - whole; i++) {
      const from = source[whole + i]!;
      const to = from ^ bytes[STREAM + i]!;
      target[whole + i] = to;
      bytes[BUFFER + i] = opening === 0 ? from : to;
    }
    functions.cbcMac(BUFFER, 1);
  }

  private end(): void {
    const { bytes } = this.key.module;
    clear(bytes, CHAIN, 16);
    clear(bytes, STREAM, 16);
    clear(bytes, BUFFER, 32);
    this.mask.fill(0);
  }
}

/** @returns the length of the encoding */
function encodeLength(bytes: Uint8Array, at: number, length: number): number {
  const size = length < 0xff00 ? 2 : length < 2 ** 32 ? 4 : 8;
  const mark = size === 2 ? 0 : 2;
  if (mark > 0) {
    bytes[at] = 0xff;
    bytes[at + 1] = size === 4 ? 0xfe : 0xff;
  }
  for (let i = size - 1, rest = length; i >= 0; i--, rest = Math.floor(rest / 256)) {
    bytes[at + mark + i] = rest;
  }
  return mark + size;
}
