import { CHACHA_POLY_MAX_BYTES } from '../../../crypto/aead/buffers.ts';
import { CheckedAead } from '../../../crypto/aead/checked-aead.ts';
import { equal, wipe } from '../../../crypto/bytes.ts';
import { checkBytes } from '../../../crypto/errors.ts';
import { chachaState } from '../../../crypto/stream/chacha20.ts';
import { store32le } from '../../../crypto/words.ts';
import { clear, copyIn, copyOut } from '../memory.ts';
import type { ArxModule } from './arx.ts';
import {
  BLOCK_BYTES,
  BUFFER,
  BUFFER_BYTES,
  GROUP_BYTES,
  LENGTHS,
  STATE,
  STATE_COUNTER,
  TAG,
} from '../generator/arx/layout.ts';
import { arxCiphers, type ArxCiphers } from '../../adapters.ts';

/**
 * ChaCha20-Poly1305 (RFC 8439, section 2.8) and XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) in
 * one pass over the data, 64 KiB at a time.
 */

const TAG_BYTES = 16;

/** The first part has the rest of block 0's group and then, like all others, whole groups. */
const FIRST_BYTES = BUFFER_BYTES - BLOCK_BYTES;

/** Either of the two, by the length of the nonce. */
export class ArxAead extends CheckedAead {
  readonly nonceBytes: { readonly min: number; readonly max: number };
  readonly tagBytes = TAG_BYTES;
  protected readonly module: ArxModule;
  /** STATE without the nonce: constants, key, zeros. */
  private readonly state = new Uint8Array(BLOCK_BYTES);
  private readonly computed = new Uint8Array(TAG_BYTES);

  /** @param key 32 bytes, copied */
  constructor(module: ArxModule, key: Uint8Array, nonceBytes: 12 | 24) {
    super();
    checkBytes('key', key, 32);
    this.module = module;
    this.nonceBytes = { min: nonceBytes, max: nonceBytes };
    const words = chachaState(key, 0, new Uint8Array(12));
    words.forEach((word, i) => store32le(this.state, 4 * i, word));
    wipe(words);
  }

  wipe(): void {
    wipe(this.state);
  }

  protected maxBytes(): number {
    return CHACHA_POLY_MAX_BYTES;
  }

  protected sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void {
    const { length } = plaintext;
    const { bytes, functions } = this.module;
    this.begin(nonce, associatedData);
    let done = 0;
    let part: number;
    do {
      part = Math.min(length - done, done === 0 ? FIRST_BYTES : BUFFER_BYTES);
      copyIn(bytes, BUFFER, plaintext, done, part);
      if (done === 0) functions.sealFirst(part);
      else functions.seal(BUFFER, part);
      copyOut(bytes, BUFFER, sealed, done, part);
      done += part;
    } while (done < length);
    // Clears the key stream behind the ciphertext.
    clear(bytes, BUFFER + part, GROUP_BYTES);
    this.end(associatedData.length, length);
    copyOut(bytes, TAG, sealed, length, TAG_BYTES);
  }

  /**
   * The last part is written only after the tag has been verified. If it is wrong, earlier parts are zeroed.
   */
  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    const { bytes, functions } = this.module;
    this.begin(nonce, associatedData);
    let done = 0;
    for (;;) {
      const part = Math.min(length - done, done === 0 ? FIRST_BYTES : BUFFER_BYTES);
      copyIn(bytes, BUFFER, sealed, done, part);
      if (done === 0) functions.openFirst(part);
      else functions.open(BUFFER, part);
      if (done + part === length) break;
      copyOut(bytes, BUFFER, plaintext, done, part);
      done += part;
    }
    this.end(associatedData.length, length);
    copyOut(bytes, TAG, this.computed, 0, TAG_BYTES);
    const isRight = equal(this.computed, sealed.subarray(length));
    if (isRight) copyOut(bytes, BUFFER, plaintext, done, length - done);
    else plaintext.fill(0, 0, done);
    clear(bytes, BUFFER, Math.min(length, BUFFER_BYTES) + GROUP_BYTES);
    return isRight;
  }

  /** Processes block 0's group and the associated data. */
  protected begin(nonce: Uint8Array, associatedData: Uint8Array): void {
    const { bytes, functions } = this.module;
    bytes.set(this.state, STATE);
    if (nonce.length === 24) this.module.extendNonce(nonce);
    else copyIn(bytes, STATE_COUNTER + 4, nonce, 0, 12);
    functions.aeadStart();
    const { length } = associatedData;
    for (let done = 0; done < length; done += BUFFER_BYTES) {
      const part = Math.min(length - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, associatedData, done, part);
      functions.absorb(part);
    }
  }

  /** Processes the block of lengths. The tag is at TAG, and nothing else is left. */
  protected end(associatedBytes: number, bytes: number): void {
    const { view, functions } = this.module;
    view.setUint32(LENGTHS, associatedBytes, true);
    view.setUint32(LENGTHS + 4, associatedBytes / 0x1_0000_0000, true);
    view.setUint32(LENGTHS + 8, bytes, true);
    view.setUint32(LENGTHS + 12, bytes / 0x1_0000_0000, true);
    functions.aeadEnd();
  }
}

/** ChaCha20-Poly1305 (RFC 8439) in the ARX module: 12-byte nonce. */
export class WasmChaCha20Poly1305 extends ArxAead {
  /** @param key 32 bytes, copied */
  constructor(module: ArxModule, key: Uint8Array) {
    super(module, key, 12);
  }
}

/** XChaCha20-Poly1305 in the ARX module: 24-byte nonce. */
export class WasmXChaCha20Poly1305 extends ArxAead {
  /** @param key 32 bytes, copied */
  constructor(module: ArxModule, key: Uint8Array) {
    super(module, key, 24);
  }
}

/** Adapts the ciphers of the ARX module to the engine contract. */

/** Every cipher of the module. */
export function arxAlgorithms(module: ArxModule): ArxCiphers {
  return arxCiphers({
    chacha20Poly1305: (key) => new WasmChaCha20Poly1305(module, key),
    xchacha20Poly1305: (key) => new WasmXChaCha20Poly1305(module, key),
    salsa20: (...args) => module.salsa20(...args),
  });
}
