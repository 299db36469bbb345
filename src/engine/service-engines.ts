import { defaultRegistry } from './default-engines.ts';
import { MessageCrypto } from './message-crypto.ts';
import type { Registry } from './registry.ts';
import type { LoadWasm } from './wasm/loader.ts';
import { sharedModules, type SharedModules } from './wasm/shared-modules.ts';
import { WasmAesKey } from './wasm/aes/aes.ts';
import { wasmCrypto } from './wasm/wasm-crypto.ts';
import type { BlockCipher } from '../crypto/contracts.ts';

/** The engines of a background. */
export interface ServiceEngines {
  readonly registry: Registry;
  /** For messages. Needs no probe. */
  readonly messageCrypto: MessageCrypto;
}

/** In JavaScript these take twenty times as long, in which other work waits or memory is held. */
const MEMORY_HARD = ['Argon2d', 'Argon2i', 'Argon2id', 'scrypt'] as const;

/**
 * All engines of this build for work that pages ask for.
 *
 * @param modules that others use too; its own if absent
 */
export function pageRegistry(loadWasm: LoadWasm, modules?: SharedModules): Registry {
  const compiledOnly = MEMORY_HARD;
  return defaultRegistry({ loadWasm, compiledOnly, ...(modules && { modules }) });
}

/**
 * All engines of this build, and those for messages, with shared WebAssembly modules. Everything is loaded at
 * its first use.
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
  return {
    registry: pageRegistry(loadWasm, modules),
    messageCrypto: new MessageCrypto(loadCrypto),
  };
}
