import type { BlockCipher } from '../crypto/contracts.ts';
import { MessageCrypto } from './message-crypto.ts';
import { ForwardKey } from './wasm/aes/aes.ts';
import type { LoadWasm } from './wasm/loader.ts';
import { sharedModules } from './wasm/shared-modules.ts';
import { wasmCrypto } from './wasm/wasm-crypto.ts';

/**
 * The engine of a background: for messages, and for nothing else. Everything is loaded at its first use.
 *
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 * @param onAes is called once the AES of constant time has given its known answers; with keys of 16, 24 or 32
 *   bytes, which it copies
 */
export function messageEngine(
  loadWasm: LoadWasm,
  onAes: (
    makeCipher: (key: Uint8Array) => Pick<BlockCipher, 'encryptBlocks' | 'wipe'>,
  ) => void = () => undefined,
): MessageCrypto {
  const modules = sharedModules(loadWasm);
  return new MessageCrypto(async () => {
    const crypto = await wasmCrypto(modules);
    const aes = await modules.aes();
    onAes((key) => new ForwardKey(aes, key));
    return crypto;
  });
}
