import type { Registry } from '../engine/registry.ts';
import { defaultRegistry } from '../engine/default-engines.ts';
import { fromRows } from '../engine/thresholds.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import type { RandomSource } from '../random/contract.ts';
import type { WireAlgorithm } from '../rpc/methods/subtle-values.ts';
import type { InputOf, OutputOf, SubtleOperation } from '../rpc/workshop.ts';
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
      cards: cardsIf(() => Promise.resolve(true)),
      optIn: ['webgpu', 'webgl'],
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
  const begun = async (secrets: Secrets): Promise<SubtleCall> => {
    if (secrets.card === undefined || withCard === undefined) {
      await registry.ready();
      return new SubtleCall(registry, secrets, platform);
    }
    const engines = withCard();
    await engines.ready();
    engines.useThresholds(fromRows(secrets.card));
    return new SubtleCall(engines, secrets, platform);
  };
  const during = (work: Work<never>) => async (input: InputOf<SubtleOperation>) => {
    const call = await begun(input.secrets);
    try {
      return await work(call, input.params as never);
    } finally {
      await call.wipe();
    }
  };
  const entries = Object.entries(WORKS) as [SubtleOperation, Work<never>][];
  const group = Object.fromEntries(entries.map(([name, work]) => [name, during(work)]));
  return group as unknown as Group<'subtle'>;
}

/** One call: its keys, its generator, and the interface over both. */
class SubtleCall {
  readonly subtle: Subtle;
  readonly #runtime: Runtime;
  readonly #keys: ReadonlyMap<string, StoredKey>;
  /** All keys that were restored or made for this call. */
  readonly #used: SubtleKey[] = [];

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
    const key = await restoredKey(stored, this.#runtime);
    this.#used.push(key);
    return key;
  };

  readonly stored = (made: SubtleKey | SubtleKeyPair): Promise<StoredKey[]> => {
    this.#used.push(...('privateKey' in made ? [made.publicKey, made.privateKey] : [made]));
    return storedKeys(made, this.#runtime);
  };

  /**
   * To be called when the call has ended. Keys of the platform, and the text as which keys cross, are left to the
   * garbage collector: JavaScript can overwrite neither.
   */
  async wipe(): Promise<void> {
    await Promise.all(this.#used.map((key) => this.#runtime.wipe(key)));
  }
}

/** Does an operation with what a call has. */
type Work<M extends SubtleOperation> = (
  call: SubtleCall,
  params: InputOf<M>['params'],
) => Promise<OutputOf<M>>;

const WORKS: { readonly [M in SubtleOperation]: Work<M> } = {
  async 'subtle.decapsulateBits'({ subtle, algorithm, key }, params) {
    const { algorithm: wire, key: handle, ciphertext } = params;
    const args = [await algorithm(wire), await key(handle)] as const;
    return bytesOf(await subtle.decapsulateBits(...args, own(ciphertext)));
  },
  async 'subtle.decapsulateKey'({ subtle, algorithm, key, stored }, params) {
    const { algorithm: wire, key: handle, sharedKeyAlgorithm } = params;
    const { ciphertext, extractable, usages } = params;
    const from = [await algorithm(wire), await key(handle), own(ciphertext)] as const;
    const type = await algorithm(sharedKeyAlgorithm);
    return stored(await subtle.decapsulateKey(...from, type, extractable, usages));
  },
  async 'subtle.encapsulateBits'({ subtle, algorithm, key }, params) {
    const { algorithm: wire, key: handle } = params;
    const made = await subtle.encapsulateBits(await algorithm(wire), await key(handle));
    return { sharedKey: bytesOf(made.sharedKey), ciphertext: bytesOf(made.ciphertext) };
  },
  async 'subtle.encapsulateKey'({ subtle, algorithm, key, stored }, params) {
    const { algorithm: wire, key: handle, sharedKeyAlgorithm, extractable, usages } = params;
    const type = await algorithm(sharedKeyAlgorithm);
    const to = [await algorithm(wire), await key(handle)] as const;
    const made = await subtle.encapsulateKey(...to, type, extractable, usages);
    const [sharedKey] = await stored(made.sharedKey);
    return { sharedKey: sharedKey!, ciphertext: bytesOf(made.ciphertext) };
  },
  async 'subtle.deriveBits'({ subtle, algorithm, key }, params) {
    const { algorithm: wire, baseKey, length } = params;
    return bytesOf(await subtle.deriveBits(await algorithm(wire), await key(baseKey), length));
  },
  async 'subtle.deriveKey'({ subtle, algorithm, key, stored }, params) {
    const { algorithm: wire, baseKey, derivedKeyType, extractable, usages } = params;
    const type = await algorithm(derivedKeyType);
    const from = [await algorithm(wire), await key(baseKey)] as const;
    return stored(await subtle.deriveKey(...from, type, extractable, usages));
  },
  async 'subtle.digest'({ subtle, algorithm }, params) {
    const { algorithm: wire, data } = params;
    return bytesOf(await subtle.digest(await algorithm(wire), own(data)));
  },
  async 'subtle.encrypt'({ subtle, algorithm, key }, params) {
    const { algorithm: wire, key: handle, data } = params;
    return bytesOf(await subtle.encrypt(await algorithm(wire), await key(handle), own(data)));
  },
  async 'subtle.decrypt'({ subtle, algorithm, key }, params) {
    const { algorithm: wire, key: handle, data } = params;
    return bytesOf(await subtle.decrypt(await algorithm(wire), await key(handle), own(data)));
  },
  async 'subtle.exportKey'({ subtle, key }, params) {
    const { format, key: handle } = params;
    const exported = await subtle.exportKey(format, await key(handle));
    return exported instanceof ArrayBuffer ? bytesOf(exported) : { jwk: exported };
  },
  async 'subtle.importKey'({ subtle, algorithm, stored }, params) {
    const { format, keyData, algorithm: wire, extractable, usages } = params;
    const data = keyData instanceof Uint8Array ? own(keyData) : { ...keyData.jwk };
    const type = await algorithm(wire);
    return stored(await subtle.importKey(format, data, type, extractable, usages));
  },
  async 'subtle.wrapKey'({ subtle, algorithm, key }, params) {
    const { format, key: handle, wrappingKey, wrapAlgorithm } = params;
    const args = [await key(handle), await key(wrappingKey)] as const;
    return bytesOf(await subtle.wrapKey(format, ...args, await algorithm(wrapAlgorithm)));
  },
  async 'subtle.unwrapKey'({ subtle, algorithm, key, stored }, params) {
    const { format, wrappedKey, unwrappingKey, extractable, usages } = params;
    const { unwrapAlgorithm, unwrappedKeyAlgorithm } = params;
    const args = [await key(unwrappingKey), await algorithm(unwrapAlgorithm)] as const;
    const type = await algorithm(unwrappedKeyAlgorithm);
    const data = own(wrappedKey);
    return stored(await subtle.unwrapKey(format, data, ...args, type, extractable, usages));
  },
  async 'subtle.generateKey'({ subtle, algorithm, stored }, params) {
    const { algorithm: wire, extractable, usages } = params;
    return stored(await subtle.generateKey(await algorithm(wire), extractable, usages));
  },
  async 'subtle.getPublicKey'({ subtle, key, stored }, params) {
    return stored(await subtle.getPublicKey(await key(params.key), params.usages));
  },
  async 'subtle.sign'({ subtle, algorithm, key }, params) {
    const { algorithm: wire, key: handle, data } = params;
    return bytesOf(await subtle.sign(await algorithm(wire), await key(handle), own(data)));
  },
  async 'subtle.verify'({ subtle, algorithm, key }, params) {
    const { algorithm: wire, key: handle, signature, data } = params;
    const signed = [own(signature), own(data)] as const;
    return subtle.verify(await algorithm(wire), await key(handle), ...signed);
  },
};

function bytesOf(result: ArrayBuffer): Uint8Array {
  return new Uint8Array(result);
}
