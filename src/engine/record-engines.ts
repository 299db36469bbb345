import { SHA256 } from '../crypto/hash/sha256.ts';
import { Hmac } from '../crypto/mac/hmac.ts';
import { keyedHmac } from './adapters.ts';
import type { Algorithms, Engine, Probe } from './contract.ts';
import { JS_BLOCK_MODES } from './js/block-modes.ts';
import { MessageCrypto } from './message-crypto.ts';
import { probeCiphers } from './native/ciphers.ts';
import { Registry } from './registry.ts';
import { aesAlgorithms } from './wasm/aes/aes-engine.ts';
import { wasmHmac } from './wasm/hash/hmac.ts';
import { bestVariant } from './wasm/loader.ts';
import type { LoadWasm } from './wasm/loader.ts';
import { sharedModules, type SharedModules } from './wasm/shared-modules.ts';
import { wasmCrypto } from './wasm/wasm-crypto.ts';

/** The engines for records of sync services. */
export interface RecordEngines {
  /** AES and HMAC, for the formats of other products. */
  readonly registry: Registry;
  /** For the format of our own, which is a sealed message. */
  readonly messageCrypto: MessageCrypto;
}

/** Everything is loaded at its first use. */
export function recordEngines(loadWasm: LoadWasm): RecordEngines {
  const modules = sharedModules(loadWasm);
  return {
    registry: new Registry([nativeCiphers(), wasmRecords(modules), JS_RECORDS]),
    messageCrypto: new MessageCrypto(() => wasmCrypto(modules)),
  };
}

function nativeCiphers(): Engine {
  return {
    name: 'native',
    probe: async (): Promise<Probe> => {
      const { subtle } = globalThis.crypto;
      return { available: true, algorithms: await probeCiphers(subtle) };
    },
    close: () => undefined,
  };
}

function wasmRecords(modules: SharedModules): Engine {
  const probed = async (): Promise<Algorithms> => {
    const [aes, sha] = await Promise.all([modules.aes(), modules.sha()]);
    return { ...aesAlgorithms(aes), HMAC: wasmHmac(sha) };
  };
  return {
    name: 'wasm-simd',
    probe: async (): Promise<Probe> => {
      if (bestVariant() === undefined) {
        return { available: false, reason: 'WebAssembly SIMD is missing' };
      }
      try {
        return { available: true, algorithms: await probed() };
      } catch (error) {
        return { available: false, reason: (error as Error).message };
      }
    },
    close: () => undefined,
  };
}

const JS_RECORDS: Engine = {
  name: 'js',
  probe: () => ({
    available: true,
    algorithms: {
      ...JS_BLOCK_MODES,
      HMAC: {
        constantTime: 'by-construction',
        gap: (hash = 'SHA-256') => (hash === 'SHA-256' ? undefined : `no HMAC over ${hash} here`),
        withKey: (key) => keyedHmac(new Hmac(SHA256, key)),
      },
    },
  }),
  close: () => undefined,
};
