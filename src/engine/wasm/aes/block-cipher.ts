import type { BlockCipher } from '../../../crypto/contracts.ts';
import { BUFFER, BUFFER_BYTES, CHAIN, COUNTER, PAIR_BYTES } from '../generator/aes/layout.ts';
import { countBuffer, ForwardKey, STANDARD } from './aes.ts';

/** AES (FIPS 197) under one key, for the modes of src/crypto too. */
export class WasmAesKey extends ForwardKey implements BlockCipher {
  readonly blockBytes = 16;

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    this.use();
    const { module } = this;
    module.needSliced();
    this.each(source, target, (bytes) => module.functions.decryptMany(BUFFER, pairsOf(bytes)));
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    this.use();
    const { bytes } = this.module;
    const first = counter.subarray(12);
    for (let done = 0; done < source.length;) {
      const skip = 16 * (counter[15]! & 15);
      const length = Math.min(source.length - done, BUFFER_BYTES - skip);
      bytes.set(counter, COUNTER);
      bytes.set(source.subarray(done, done + length), BUFFER + skip);
      countBuffer(this.module, BUFFER + skip, length >> 4, STANDARD);
      target.set(bytes.subarray(BUFFER + skip, BUFFER + skip + length), done);
      addBlocks(first, length >> 4);
      this.clear(BUFFER + skip, length);
      done += length;
    }
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    this.use();
    const { bytes, functions } = this.module;
    bytes.set(chain, CHAIN);
    this.each(source, target, (length) => {
      if (target) functions.cbcEncrypt(BUFFER, length >> 4);
      else functions.cbcMac(BUFFER, length >> 4);
    });
    chain.set(bytes.subarray(CHAIN, CHAIN + 16));
    bytes.fill(0, CHAIN, CHAIN + 16);
  }

  cbcDecryptBlocks(chain: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    this.use();
    const { module } = this;
    module.needSliced();
    this.each(source, target, (length) => {
      module.bytes.set(chain, CHAIN);
      chain.set(module.bytes.subarray(BUFFER + length - 16, BUFFER + length));
      module.functions.cbcDecryptMany(BUFFER, pairsOf(length));
    });
  }
}

const pairsOf = (bytes: number): number => ((bytes + PAIR_BYTES - 1) / PAIR_BYTES) | 0;

/** Increments a big-endian 32-bit counter. */
function addBlocks(counter: Uint8Array, blocks: number): void {
  let carry = blocks;
  for (let i = 3; i >= 0; i--) {
    carry += counter[i]!;
    counter[i] = carry;
    carry >>>= 8;
  }
}
