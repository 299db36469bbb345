import { defaultRegistry, type DefaultRegistryOptions } from './default-engines.ts';
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

/** The engines on a graphics card, for messages that a measurement found to be faster there. */
type Cards = DefaultRegistryOptions['cards'];

/**
 * All engines of this build for work that pages ask for.
 *
 * @param modules that others use too; its own if absent
 */
export function pageRegistry(loadWasm: LoadWasm, modules?: SharedModules, cards?: Cards): Registry {
  return defaultRegistry({
    ...{ loadWasm, compiledOnly: MEMORY_HARD },
    ...(modules && { modules }),
    ...(cards && { cards, optIn: ['webgpu', 'webgl'] }),
  });
}

/**
 * All engines of this build, and those for messages, with shared WebAssembly modules. Everything is loaded at
 * its first use.
 *
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 * @param onAes is called once the AES of constant time has given its known answers; with keys of 16, 24 or 32
 *   bytes, which it copies
 * @param cards for messages of pages; none if absent
 */
export function serviceEngines(
  loadWasm: LoadWasm,
  onAes: (makeCipher: (key: Uint8Array) => BlockCipher) => void = () => undefined,
  cards?: Cards,
): ServiceEngines {
  const modules = sharedModules(loadWasm);
  const loadCrypto = async () => {
    const crypto = await wasmCrypto(modules);
    const aes = await modules.aes();
    onAes((key) => new WasmAesKey(aes, key));
    return crypto;
  };
  return {
    registry: pageRegistry(loadWasm, modules, cards),
    messageCrypto: new MessageCrypto(loadCrypto),
  };
}
