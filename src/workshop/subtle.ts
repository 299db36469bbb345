import type { Registry } from '../engine/registry.ts';
import { pageRegistry } from '../engine/service-engines.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import type { RandomSource } from '../random/contract.ts';
import type { WireAlgorithm } from '../rpc/methods/subtle-values.ts';
import type { InputOf } from '../rpc/workshop.ts';
import type { SubtleKey, SubtleKeyPair } from '../subtle/key.ts';
import type { SubtleParams } from '../subtle/params.ts';
import { Runtime } from '../subtle/runtime.ts';
import { restoredKey, storedKeys, type StoredKey } from '../subtle/stored-key.ts';
import { Subtle } from '../subtle/subtle.ts';
import type { Group } from './contract.ts';
import { seeded } from './seeded.ts';
import { algorithmOf, own } from './subtle-arguments.ts';

/** With engines of its own, in a worker. */
export async function operations(loadWasm: LoadWasm): Promise<Group<'subtle'>> {
  const registry = pageRegistry(loadWasm);
  await registry.ready();
  return subtleOperations(registry);
}

/**
 * Operations of pages' `subtle`, to the standard's letter.
 *
 * @param registry probed
 */
export function subtleOperations(registry: Registry): Group<'subtle'> {
  const begun = ({ secrets }: Pick<InputOf<'subtle.sign'>, 'secrets'>): SubtleCall =>
    new SubtleCall(registry, secrets);
  return {
    async 'subtle.deriveBits'(input) {
      const { subtle, algorithm, key } = begun(input);
      const { algorithm: wire, baseKey, length } = input.params;
      return bytesOf(await subtle.deriveBits(await algorithm(wire), await key(baseKey), length));
    },
    async 'subtle.deriveKey'(input) {
      const { subtle, algorithm, key, stored } = begun(input);
      const { algorithm: wire, baseKey, derivedKeyType, extractable, usages } = input.params;
      const type = await algorithm(derivedKeyType);
      const from = [await algorithm(wire), await key(baseKey)] as const;
      return stored(await subtle.deriveKey(...from, type, extractable, usages));
    },
    async 'subtle.digest'(input) {
      const { subtle, algorithm } = begun(input);
      const { algorithm: wire, data } = input.params;
      return bytesOf(await subtle.digest(await algorithm(wire), own(data)));
    },
    async 'subtle.encrypt'(input) {
      const { subtle, algorithm, key } = begun(input);
      const { algorithm: wire, key: handle, data } = input.params;
      return bytesOf(await subtle.encrypt(await algorithm(wire), await key(handle), own(data)));
    },
    async 'subtle.decrypt'(input) {
      const { subtle, algorithm, key } = begun(input);
      const { algorithm: wire, key: handle, data } = input.params;
      return bytesOf(await subtle.decrypt(await algorithm(wire), await key(handle), own(data)));
    },
    async 'subtle.exportKey'(input) {
      const { subtle, key } = begun(input);
      const { format, key: handle } = input.params;
      const exported = await subtle.exportKey(format, await key(handle));
      return exported instanceof ArrayBuffer ? bytesOf(exported) : { jwk: exported };
    },
    async 'subtle.importKey'(input) {
      const { subtle, algorithm, stored } = begun(input);
      const { format, keyData, algorithm: wire, extractable, usages } = input.params;
      const data = keyData instanceof Uint8Array ? own(keyData) : { ...keyData.jwk };
      const type = await algorithm(wire);
      return stored(await subtle.importKey(format, data, type, extractable, usages));
    },
    async 'subtle.wrapKey'(input) {
      const { subtle, algorithm, key } = begun(input);
      const { format, key: handle, wrappingKey, wrapAlgorithm } = input.params;
      const args = [await key(handle), await key(wrappingKey)] as const;
      return bytesOf(await subtle.wrapKey(format, ...args, await algorithm(wrapAlgorithm)));
    },
    async 'subtle.unwrapKey'(input) {
      const { subtle, algorithm, key, stored } = begun(input);
      const { format, wrappedKey, unwrappingKey, extractable, usages } = input.params;
      const { unwrapAlgorithm, unwrappedKeyAlgorithm } = input.params;
      const args = [await key(unwrappingKey), await algorithm(unwrapAlgorithm)] as const;
      const type = await algorithm(unwrappedKeyAlgorithm);
      const data = own(wrappedKey);
      return stored(await subtle.unwrapKey(format, data, ...args, type, extractable, usages));
    },
    async 'subtle.generateKey'(input) {
      const { subtle, algorithm, stored } = begun(input);
      const { algorithm: wire, extractable, usages } = input.params;
      return stored(await subtle.generateKey(await algorithm(wire), extractable, usages));
    },
    async 'subtle.getPublicKey'(input) {
      const { subtle, key, stored } = begun(input);
      return stored(await subtle.getPublicKey(await key(input.params.key), input.params.usages));
    },
    async 'subtle.sign'(input) {
      const { subtle, algorithm, key } = begun(input);
      const { algorithm: wire, key: handle, data } = input.params;
      return bytesOf(await subtle.sign(await algorithm(wire), await key(handle), own(data)));
    },
    async 'subtle.verify'(input) {
      const { subtle, algorithm, key } = begun(input);
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

  constructor(registry: Registry, { keys, seed }: InputOf<'subtle.sign'>['secrets']) {
    const random = seed === undefined ? NO_RANDOM : seeded(seed);
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

/** For operations that draw nothing. */
const NO_RANDOM: RandomSource = {
  bytes() {
    throw new Error('The call has no seed');
  },
};

function bytesOf(result: ArrayBuffer): Uint8Array {
  return new Uint8Array(result);
}
