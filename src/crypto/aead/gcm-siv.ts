/**
 * GCM-SIV (RFC 8452): authenticated encryption that resists nonce misuse. Each nonce has its own keys, the
 * tag is an encrypted POLYVAL of everything, and the counter begins with the tag.
 */
import { copyOf, equal, wipe, xorInto } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';
import { Polyval } from '../mac/polyval.ts';
import { load32le, store32le } from '../words.ts';
import { GCM_SIV_MAX_BYTES } from './buffers.ts';
import { CheckedAead } from './checked-aead.ts';
import { deriveKeys } from './gcm-siv-keys.ts';
import type { MessageKeys } from './gcm-siv-keys.ts';

/** Blocks of key stream that are computed at once. */
const STREAM_BLOCKS = 256;

/**
 * AES-GCM-SIV (RFC 8452): 16 or 32-byte key, 12-byte nonce, 16-byte tag. A repeated nonce reveals only
 * whether two messages are equal.
 */
export class GcmSiv extends CheckedAead {
  readonly nonceBytes = { min: 12, max: 12 } as const;
  readonly tagBytes = 16;
  private readonly keyGenerating: BlockCipher;
  private readonly keyBytes: 16 | 32;
  private readonly create: (key: Uint8Array) => BlockCipher;

  /**
   * @param keyGenerating the cipher under the mode's key; owned by this object
   * @param keyBytes the length of that key and of each message's encryption key
   * @param create creates the cipher of one message
   */
  constructor(
    keyGenerating: BlockCipher,
    keyBytes: 16 | 32,
    create: (key: Uint8Array) => BlockCipher,
  ) {
    super();
    this.keyGenerating = keyGenerating;
    this.keyBytes = keyBytes;
    this.create = create;
  }

  wipe(): void {
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
    const keys = deriveKeys(this.keyGenerating, this.keyBytes, nonce);
    const cipher = this.create(keys.encryption);
    const tag = tagOf(cipher, keys, nonce, plaintext, associatedData);
    crypt(cipher, tag, plaintext, sealed.subarray(0, length));
    sealed.set(tag, length);
    forget(cipher, keys);
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    const received = copyOf(sealed.subarray(length));
    const keys = deriveKeys(this.keyGenerating, this.keyBytes, nonce);
    const cipher = this.create(keys.encryption);
    crypt(cipher, received, sealed.subarray(0, length), plaintext);
    // The tag is over the plaintext, so decryption precedes verification (section 5).
    const tag = tagOf(cipher, keys, nonce, plaintext, associatedData);
    forget(cipher, keys);
    const isRight = equal(tag, received);
    if (!isRight) wipe(plaintext);
    return isRight;
  }
}

/** Section 4: S_s = POLYVAL(…), nonce added, highest bit cleared, encrypted. */
function tagOf(
  cipher: BlockCipher,
  { authentication }: MessageKeys,
  nonce: Uint8Array,
  plaintext: Uint8Array,
  associatedData: Uint8Array,
): Uint8Array {
  const polyval = new Polyval(authentication);
  // length_block = little_endian_uint64(bytelen(additional_data) * 8) ++ … (plaintext)
  const lengths = new Uint8Array(16);
  store64le(lengths, 0, 8 * associatedData.length);
  store64le(lengths, 8, 8 * plaintext.length);
  const tag = polyval.absorb(associatedData).absorb(plaintext).absorb(lengths).digest();
  polyval.wipe();
  xorInto(tag, nonce);
  tag[15] &= 0x7f;
  cipher.encryptBlocks(tag, tag);
  return tag;
}

/** AES_CTR (section 4): the counter block is the tag with its highest bit set; 32 bits count. */
function crypt(cipher: BlockCipher, tag: Uint8Array, source: Uint8Array, target: Uint8Array): void {
  const blocks = Math.min(STREAM_BLOCKS, Math.ceil(source.length / 16));
  const counters = new Uint8Array(16 * blocks);
  for (let i = 0; i < counters.length; i++) counters[i] = tag[i & 15];
  for (let i = 15; i < counters.length; i += 16) counters[i] |= 0x80;
  // XOR by words, of copies: the caller's views need not be aligned.
  const [stream, part] = [new Int32Array(4 * blocks), new Int32Array(4 * blocks)];
  const [streamBytes, partBytes] = [new Uint8Array(stream.buffer), new Uint8Array(part.buffer)];
  let count = load32le(tag, 0);
  for (let done = 0; done < source.length; done += counters.length) {
    for (let i = 0; i < counters.length; i += 16) store32le(counters, i, count++);
    cipher.encryptBlocks(counters, streamBytes);
    const bytes = Math.min(counters.length, source.length - done);
    partBytes.set(source.subarray(done, done + bytes));
    for (let i = 0; i < stream.length; i++) stream[i] ^= part[i];
    target.set(streamBytes.subarray(0, bytes), done);
  }
  wipe(stream, part);
}

function forget(cipher: BlockCipher, { authentication, encryption }: MessageKeys): void {
  cipher.wipe();
  wipe(authentication, encryption);
}

function store64le(bytes: Uint8Array, offset: number, value: number): void {
  store32le(bytes, offset, value);
  store32le(bytes, offset + 4, Math.floor(value / 0x1_0000_0000));
}
