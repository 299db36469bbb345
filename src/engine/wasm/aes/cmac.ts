/** CMAC (SP 800-38B) in the AES module, one call for each 64 KiB, and SIV (RFC 5297), which is CMAC and CTR. */
import { Siv } from '../../../crypto/aead/siv.ts';
import { wipe } from '../../../crypto/bytes.ts';
import { checkBytes } from '../../../crypto/errors.ts';
import { subkeys, type CmacKey } from '../../../crypto/mac/cmac.ts';
import { WasmAesKey } from './block-cipher.ts';
import type { AesModule } from './aes.ts';
import { wasmCtr } from './ctr.ts';
import { addTo, checkData, clear, copyIn, copyOut } from '../memory.ts';
import { BUFFER, BUFFER_BYTES, CHAIN } from '../generator/aes/layout.ts';

/** CMAC (SP 800-38B, RFC 4493) in the AES module. */
export class WasmCmac implements CmacKey {
  private readonly key: WasmAesKey;
  private readonly k1: Uint8Array;
  private readonly k2: Uint8Array;

  /** @param key owned by this object: `wipe` wipes it */
  constructor(key: WasmAesKey) {
    this.key = key;
    [this.k1, this.k2] = subkeys((l) => key.encryptBlocks(l, l));
  }

  tag(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    const { key } = this;
    const { bytes, functions } = key.module;
    for (const part of parts) checkData('message', part);
    key.use();
    clear(bytes, CHAIN, 16);
    let filled = 0;
    let used = 0;
    for (const part of parts) {
      for (let done = 0; done < part.length;) {
        // More data follows, so the last block in the buffer is not the message's last one.
        if (filled === BUFFER_BYTES) {
          functions.cbcMac(BUFFER, BUFFER_BYTES >> 4);
          used = BUFFER_BYTES;
          filled = 0;
        }
        const length = Math.min(part.length - done, BUFFER_BYTES - filled);
        copyIn(bytes, BUFFER + filled, part, done, length);
        filled += length;
        done += length;
      }
    }
    // Section 6.2, step 4: a complete last block gets K1, an incomplete one 10…0 and K2.
    const isComplete = filled > 0 && (filled & 15) === 0;
    const end = isComplete ? filled : (filled & ~15) + 16;
    if (!isComplete) {
      clear(bytes, BUFFER + filled, end - filled);
      bytes[BUFFER + filled] = 0x80;
    }
    addTo(bytes, BUFFER + end - 16, isComplete ? this.k1 : this.k2);
    functions.cbcMac(BUFFER, end >> 4);
    const tag = new Uint8Array(16);
    copyOut(bytes, CHAIN, tag, 0, 16);
    clear(bytes, CHAIN, 16);
    key.clear(BUFFER, Math.max(used, end));
    return tag;
  }

  wipe(): void {
    wipe(this.k1, this.k2);
    this.key.wipe();
  }
}

/**
 * SIV (RFC 5297): src/crypto's mode over two keys of the module.
 *
 * @param key 32, 48 or 64 bytes: K1 for S2V, K2 for CTR (section 2.6)
 */
export function wasmSiv(module: AesModule, key: Uint8Array): Siv {
  checkBytes('key', key, [32, 48, 64]);
  const half = key.length / 2;
  const mac = new WasmCmac(new WasmAesKey(module, key.subarray(0, half)));
  const ctrKey = new WasmAesKey(module, key.subarray(half));
  return new Siv(mac, {
    crypt: (counter, data) => void wasmCtr(ctrKey, counter, 32, data, data),
    wipe: () => ctrKey.wipe(),
  });
}
