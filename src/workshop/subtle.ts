import type { Registry } from '../engine/registry.ts';
import { defaultRegistry } from '../engine/default-engines.ts';
import { fromRows } from '../engine/thresholds.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import type { RandomSource } from '../random/contract.ts';
import type { WireAlgorithm } from '../rpc/methods/subtle-values.ts';
import type { InputOf } from '../rpc/workshop.ts';
import type { SubtleKey, SubtleKeyPair } from '../subtle/key.ts';
import type { SubtleParams } from '../subtle/params.ts';
import { Runtime } from '../subtle/runtime.ts';
import { restoredKey, storedKeys, type StoredKey } from '../subtle/stored-key.ts';
import { Subtle } from '../subtle/subtle.ts';
import { cardsIf } from './cards.ts';
import type { Group } from './contract.ts';
import { NO_RANDOM, seeded } from './seeded.ts';
import { algorithmOf, own } from './subtle-arguments.ts';

/** In JavaScript these take twenty times as long, in which other work waits or memory is held. */
const COMPILED_ONLY = ['Argon2d', 'Argon2i', 'Argon2id', 'scrypt'] as const;

/** With engines of its own, in a worker. */
export function operations(loadWasm: LoadWasm): Group<'subtle'> {
  const options = { loadWasm, compiledOnly: COMPILED_ONLY };
  let cards: Registry | undefined;
  const withCard = (): Registry =>
    (cards ??= defaultRegistry({
      ...options,
      ...{ cards: cardsIf(() => Promise.resolve(true)), optIn: ['webgpu', 'webgl'] },
    }));
  return subtleOperations(defaultRegistry(options), { withCard });
}

/** What operations may have beside their registry. */
export interface SubtleOptions {
  /** A registry with the engines on a graphics card. */
  readonly withCard?: () => Registry;
  /** The platform's generator; replaced in tests only. */
  readonly platform?: RandomSource;
}

type Secrets = InputOf<'subtle.sign'>['secrets'];

/**
 * Operations of pages' `subtle`, to the standard's letter.
 */
export function subtleOperations(
  registry: Registry,
  { withCard, platform }: SubtleOptions = {},
): Group<'subtle'> {
  const begun = async ({ secrets }: { readonly secrets: Secrets }): Promise<SubtleCall> => {
    if (secrets.card === undefined || withCard === undefined) {
      await registry.ready();
      return new SubtleCall(registry, secrets, platform);
    }
    const engines = withCard();
    await engines.ready();
    engines.useThresholds(fromRows(secrets.card));
    return new SubtleCall(engines, secrets, platform);
  };
  return {
    async 'subtle.decapsulateBits'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { algorithm: wire, key: handle, ciphertext } = input.params;
      const args = [await algorithm(wire), await key(handle)] as const;
      return bytesOf(await subtle.decapsulateBits(...args, own(ciphertext)));
    },
    async 'subtle.decapsulateKey'(input) {
      const { subtle, algorithm, key, stored } = await begun(input);
      const { algorithm: wire, key: handle, sharedKeyAlgorithm } = input.params;
      const { ciphertext, extractable, usages } = input.params;
      const from = [await algorithm(wire), await key(handle), own(ciphertext)] as const;
      const type = await algorithm(sharedKeyAlgorithm);
      return stored(await subtle.decapsulateKey(...from, type, extractable, usages));
    },
    async 'subtle.encapsulateBits'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { algorithm: wire, key: handle } = input.params;
      const made = await subtle.encapsulateBits(await algorithm(wire), await key(handle));
      return { sharedKey: bytesOf(made.sharedKey), ciphertext: bytesOf(made.ciphertext) };
    },
    async 'subtle.encapsulateKey'(input) {
      const { subtle, algorithm, key, stored } = await begun(input);
      const {
        algorithm: wire,
        key: handle,
        sharedKeyAlgorithm,
        extractable,
        usages,
      } = input.params;
      const type = await algorithm(sharedKeyAlgorithm);
      const to = [await algorithm(wire), await key(handle)] as const;
      const made = await subtle.encapsulateKey(...to, type, extractable, usages);
      const [sharedKey] = await stored(made.sharedKey);
      return { sharedKey: sharedKey!, ciphertext: bytesOf(made.ciphertext) };
    },
    async 'subtle.deriveBits'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { algorithm: wire, baseKey, length } = input.params;
      return bytesOf(await subtle.deriveBits(await algorithm(wire), await key(baseKey), length));
    },
    async 'subtle.deriveKey'(input) {
      const { subtle, algorithm, key, stored } = await begun(input);
      const { algorithm: wire, baseKey, derivedKeyType, extractable, usages } = input.params;
      const type = await algorithm(derivedKeyType);
      const from = [await algorithm(wire), await key(baseKey)] as const;
      return stored(await subtle.deriveKey(...from, type, extractable, usages));
    },
    async 'subtle.digest'(input) {
      const { subtle, algorithm } = await begun(input);
      const { algorithm: wire, data } = input.params;
      return bytesOf(await subtle.digest(await algorithm(wire), own(data)));
    },
    async 'subtle.encrypt'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { algorithm: wire, key: handle, data } = input.params;
      return bytesOf(await subtle.encrypt(await algorithm(wire), await key(handle), own(data)));
    },
    async 'subtle.decrypt'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { algorithm: wire, key: handle, data } = input.params;
      return bytesOf(await subtle.decrypt(await algorithm(wire), await key(handle), own(data)));
    },
    async 'subtle.exportKey'(input) {
      const { subtle, key } = await begun(input);
      const { format, key: handle } = input.params;
      const exported = await subtle.exportKey(format, await key(handle));
      return exported instanceof ArrayBuffer ? bytesOf(exported) : { jwk: exported };
    },
    async 'subtle.importKey'(input) {
      const { subtle, algorithm, stored } = await begun(input);
      const { format, keyData, algorithm: wire, extractable, usages } = input.params;
      const data = keyData instanceof Uint8Array ? own(keyData) : { ...keyData.jwk };
      const type = await algorithm(wire);
      return stored(await subtle.importKey(format, data, type, extractable, usages));
    },
    async 'subtle.wrapKey'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { format, key: handle, wrappingKey, wrapAlgorithm } = input.params;
      const args = [await key(handle), await key(wrappingKey)] as const;
      return bytesOf(await subtle.wrapKey(format, ...args, await algorithm(wrapAlgorithm)));
    },
    async 'subtle.unwrapKey'(input) {
      const { subtle, algorithm, key, stored } = await begun(input);
      const { format, wrappedKey, unwrappingKey, extractable, usages } = input.params;
      const { unwrapAlgorithm, unwrappedKeyAlgorithm } = input.params;
      const args = [await key(unwrappingKey), await algorithm(unwrapAlgorithm)] as const;
      const type = await algorithm(unwrappedKeyAlgorithm);
      const data = own(wrappedKey);
      return stored(await subtle.unwrapKey(format, data, ...args, type, extractable, usages));
    },
    async 'subtle.generateKey'(input) {
      const { subtle, algorithm, stored } = await begun(input);
      const { algorithm: wire, extractable, usages } = input.params;
      return stored(await subtle.generateKey(await algorithm(wire), extractable, usages));
    },
    async 'subtle.getPublicKey'(input) {
      const { subtle, key, stored } = await begun(input);
      return stored(await subtle.getPublicKey(await key(input.params.key), input.params.usages));
    },
    async 'subtle.sign'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { algorithm: wire, key: handle, data } = input.params;
      return bytesOf(await subtle.sign(await algorithm(wire), await key(handle), own(data)));
    },
    async 'subtle.verify'(input) {
      const { subtle, algorithm, key } = await begun(input);
      const { algorithm: wire, key: handle, signature, data } = input.params;
      const signed = [own(signature), own(data)] as const;
      return subtle.verify(await algorithm(wire), await key(handle), ...signed);
    },
  };
}

/** One call: its keys, its generator, and the interface over both. */
class SubtleCall {
  readonly subtle: Subtle;
  readonly #runtime: Runtime;
  readonly #keys: ReadonlyMap<string, StoredKey>;

  constructor(registry: Registry, { keys, seed }: Secrets, platform?: RandomSource) {
    const random = seed === undefined ? NO_RANDOM : seeded(seed, platform);
    this.#runtime = new Runtime(registry, 'auto', random, { keepsKeys: true });
    this.#keys = new Map(keys.map(({ handle, key }) => [handle, key]));
    this.subtle = new Subtle(this.#runtime);
  }

  readonly algorithm = (wire: WireAlgorithm): Promise<SubtleParams> => algorithmOf(wire, this.key);

  readonly key = async (handle: string): Promise<SubtleKey> => {
    const stored = this.#keys.get(handle);
    if (stored === undefined) throw new Error('A key of the call is missing');
    return restoredKey(stored, this.#runtime);
  };

  readonly stored = (made: SubtleKey | SubtleKeyPair): Promise<StoredKey[]> =>
    storedKeys(made, this.#runtime);
}

function bytesOf(result: ArrayBuffer): Uint8Array {
  return new Uint8Array(result);
}
