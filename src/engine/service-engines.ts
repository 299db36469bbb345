import { defaultRegistry } from './default-engines.ts';
import { MessageCrypto } from './message-crypto.ts';
import type { Registry } from './registry.ts';
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
 * All engines of this build, and those for messages, with shared WebAssembly modules. Everything is loaded at
 * its first use.
 *
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 */
export function serviceEngines(loadWasm: LoadWasm): ServiceEngines {
  const modules = sharedModules(loadWasm);
  return {
    registry: defaultRegistry({ loadWasm, modules }),
    messageCrypto: new MessageCrypto(() => wasmCrypto(modules)),
  };
}
