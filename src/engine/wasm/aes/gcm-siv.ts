/** GCM-SIV (RFC 8452) in the AES module. */
import { GCM_SIV_MAX_BYTES } from '../../../crypto/aead/buffers.ts';
import { CheckedAead } from '../../../crypto/aead/checked-aead.ts';
import { deriveKeys } from '../../../crypto/aead/gcm-siv-keys.ts';
import { copyOf, equal, wipe } from '../../../crypto/bytes.ts';
import { checkBytes } from '../../../crypto/errors.ts';
import { countBuffer, GCM_SIV } from './aes.ts';
import { WasmAesKey } from './block-cipher.ts';
import type { AesModule } from './aes.ts';
import { hashBlocks, needHash } from './ghash.ts';
import { clear, copyIn, copyOut } from '../memory.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  COUNTER,
  HASH,
  PAIR_BYTES,
  SUBKEY,
} from '../generator/aes/layout.ts';

/** AES-GCM-SIV (RFC 8452) in the AES module. */
export class WasmGcmSiv extends CheckedAead {
  readonly nonceBytes = { min: 12, max: 12 } as const;
  readonly tagBytes = 16;
  private readonly module: AesModule;
  private readonly keyGenerating: WasmAesKey;
  private readonly keyBytes: number;
  private readonly computed = new Uint8Array(16);

  /** @param key 16 or 32 bytes; copied */
  constructor(module: AesModule, key: Uint8Array) {
    super();
    checkBytes('key', key, [16, 32]);
    this.module = module;
    this.keyBytes = key.length;
    this.keyGenerating = new WasmAesKey(module, key);
  }

  wipe(): void {
    this.computed.fill(0);
    this.keyGenerating.wipe();
  }

  protected maxBytes(): number {
    return GCM_SIV_MAX_BYTES;
  }

  protected sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void {
    const { length } = plaintext;
    const key = this.begin(nonce);
    this.tag(nonce, plaintext, length, associatedData);
    this.crypt(plaintext, sealed, length, this.computed);
    sealed.set(this.computed, length);
    key.wipe();
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    const received = copyOf(sealed.subarray(length));
    const key = this.begin(nonce);
    this.crypt(sealed, plaintext, length, received);
    // The tag is over the plaintext, so decryption precedes verification (section 5).
    this.tag(nonce, plaintext, length, associatedData);
    key.wipe();
    const isRight = equal(this.computed, received);
    if (!isRight) plaintext.fill(0);
    return isRight;
  }

  /** Derives the nonce's keys (section 4) and puts them in use. */
  private begin(nonce: Uint8Array): WasmAesKey {
    const { module } = this;
    const { authentication, encryption } = deriveKeys(this.keyGenerating, this.keyBytes, nonce);
    const key = new WasmAesKey(module, encryption);
    module.bytes.set(authentication, SUBKEY);
    needHash(module, GCM_SIV);
    wipe(authentication, encryption);
    return key;
  }

  /** Section 4: S_s = POLYVAL(…), nonce added, highest bit cleared, encrypted. */
  private tag(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    length: number,
    associatedData: Uint8Array,
  ): void {
    const { bytes, functions } = this.module;
    clear(bytes, HASH, 16);
    if (associatedData.length > 0) this.absorb(associatedData, associatedData.length);
    this.absorb(plaintext, length);
    // length_block = little_endian_uint64(bytelen(additional_data) * 8) ++ … (plaintext)
    storeBits(bytes, BUFFER, associatedData.length);
    storeBits(bytes, BUFFER + 8, length);
    hashBlocks(this.module, BUFFER, 1, GCM_SIV);
    for (let i = 0; i < 12; i++) bytes[HASH + i]! ^= nonce[i]!;
    bytes[HASH + 15]! &= 0x7f;
    functions.encryptFew(HASH, 1);
    copyOut(bytes, HASH, this.computed, 0, 16);
    clear(bytes, BUFFER, 16);
  }

  private absorb(data: Uint8Array, length: number): void {
    const { bytes } = this.module;
    for (let done = 0; done < length;) {
      const part = Math.min(length - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, data, done, part);
      clear(bytes, BUFFER + part, -part & 15);
      hashBlocks(this.module, BUFFER, (part + 15) >> 4, GCM_SIV);
      clear(bytes, BUFFER, part);
      done += part;
    }
  }

  /** AES_CTR (section 4): the counter block is the tag with its highest bit set; 32 bits count. */
  private crypt(source: Uint8Array, target: Uint8Array, length: number, tag: Uint8Array): void {
    const { bytes } = this.module;
    copyIn(bytes, COUNTER, tag, 0, 16);
    bytes[COUNTER + 15]! |= 0x80;
    for (let done = 0; done < length;) {
      const at = BUFFER + 16 * (bytes[COUNTER]! & 15);
      const part = Math.min(length - done, BUFFER + BUFFER_BYTES - at);
      copyIn(bytes, at, source, done, part);
      countBuffer(this.module, at, (part + 15) >> 4, GCM_SIV);
      copyOut(bytes, at, target, done, part);
      done += part;
    }
    this.keyGenerating.clear(BUFFER, Math.min(length + PAIR_BYTES, BUFFER_BYTES));
  }
}

/** A length in bits, 64 bits little-endian. */
function storeBits(bytes: Uint8Array, at: number, lengthBytes: number): void {
  const high = Math.floor(lengthBytes / 0x2000_0000);
  const low = (lengthBytes << 3) >>> 0;
  for (let i = 0; i < 4; i++) {
    bytes[at + i] = low >>> (8 * i);
    bytes[at + 4 + i] = high >>> (8 * i);
  }
}
