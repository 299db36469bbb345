import type { BlockCipher } from '../crypto/contracts.ts';
import { MessageCrypto } from './message-crypto.ts';
import { recordRegistry } from './record-engines.ts';
import type { Registry } from './registry.ts';
import { WasmAesKey } from './wasm/aes/aes.ts';
import type { LoadWasm } from './wasm/loader.ts';
import { sharedModules } from './wasm/shared-modules.ts';
import { wasmCrypto } from './wasm/wasm-crypto.ts';

/** The engines of a background. */
export interface ServiceEngines {
  readonly registry: Registry;
  /** For messages. Needs no probe. */
  readonly messageCrypto: MessageCrypto;
}

/**
 * The engines for records and those for messages, with shared WebAssembly modules. Everything is loaded at its
 * first use.
 *
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 * @param onAes is called once the AES of constant time has given its known answers; with keys of 16, 24 or 32
 *   bytes, which it copies
 */
export function serviceEngines(
  loadWasm: LoadWasm,
  onAes: (makeCipher: (key: Uint8Array) => BlockCipher) => void = () => undefined,
): ServiceEngines {
  const modules = sharedModules(loadWasm);
  const loadCrypto = async () => {
    const crypto = await wasmCrypto(modules);
    const aes = await modules.aes();
    onAes((key) => new WasmAesKey(aes, key));
    return crypto;
  };
  return { registry: recordRegistry(modules), messageCrypto: new MessageCrypto(loadCrypto) };
}
