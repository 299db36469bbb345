/** SIV (RFC 5297) in the AES module: floor 0's mode over two keys of it. */
import { Siv } from '../../../crypto/aead/siv.ts';
import { checkBytes } from '../../../crypto/errors.ts';
import { WasmAesKey } from './aes.ts';
import type { AesModule } from './aes.ts';

/** @param key 32, 48 or 64 bytes: K1 for S2V, K2 for CTR (section 2.6) */
export function wasmSiv(module: AesModule, key: Uint8Array): Siv {
  checkBytes('key', key, [32, 48, 64]);
  const half = key.length / 2;
  return new Siv(
    new WasmAesKey(module, key.subarray(0, half)),
    new WasmAesKey(module, key.subarray(half)),
  );
}
