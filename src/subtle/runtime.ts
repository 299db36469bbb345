import type { KemName, SignatureName } from '../crypto/post-quantum.ts';
import type { OddPower } from '../crypto/bigint/odd-power.ts';
import type {
  AgreementAlgorithm,
  Awaitable,
  CipherName,
  CipherParams,
  DigestName,
  EngineName,
  KemAlgorithm,
  KdfName,
  KdfParams,
  KeyedCipher,
  KeyedKmac,
  KeyedMac,
  KmacName,
  MacHashName,
  MacName,
  PlatformName,
  PowerName,
  SignatureAlgorithm,
  XofName,
  XofParams,
} from '../engine/contract.ts';
import type { EngineChoice, Registry } from '../engine/registry.ts';
import type { RandomSource } from '../random/contract.ts';
import { bytesOf, wipeKey } from './key.ts';
import type { SubtleKey } from './key.ts';

type Keyed = KeyedCipher<never> | KeyedMac | KeyedKmac;

/** One message for a cipher, without its parameters. */
interface CipherInput {
  readonly key: SubtleKey;
  readonly data: Uint8Array;
  readonly into?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The algorithms' way to the engines: one registry, one choice of engine, and a cache of keys. */
export class Runtime {
  readonly registry: Registry;
  readonly engine: EngineChoice;
  readonly random: RandomSource;
  /**
   * Makes the platform's keys extractable, so that `storedKey` can export them. A SubtleKey's own
   * `extractable` still decides what its holder may do.
   */
  readonly keepsKeys: boolean;
  /** For each key, its set-up in each engine that was used. */
  private readonly keyed = new WeakMap<SubtleKey, Map<EngineName, Awaitable<Keyed>>>();

  constructor(
    registry: Registry,
    engine: EngineChoice,
    random: RandomSource,
    { keepsKeys = false }: { readonly keepsKeys?: boolean } = {},
  ) {
    this.registry = registry;
    this.engine = engine;
    this.random = random;
    this.keepsKeys = keepsKeys;
  }

  encrypt<A extends CipherName>(
    algorithm: A,
    params: CipherParams[A],
    { key, data, into, signal }: CipherInput,
  ): Promise<Uint8Array> {
    return this.withCipher(algorithm, params, key, data.length, (cipher) =>
      cipher.encrypt(params, data, into, signal),
    );
  }

  decrypt<A extends CipherName>(
    algorithm: A,
    params: CipherParams[A],
    { key, data, into, signal }: CipherInput,
  ): Promise<Uint8Array> {
    return this.withCipher(algorithm, params, key, data.length, (cipher) =>
      cipher.decrypt(params, data, into, signal),
    );
  }

  /** @param hash for HMAC */
  mac<T>(
    algorithm: MacName,
    hash: MacHashName | undefined,
    key: SubtleKey,
    bytes: number,
    work: (mac: KeyedMac) => Awaitable<T>,
  ): Promise<T> {
    return this.registry.run(
      {
        algorithm,
        engine: this.engine,
        bytes,
        gap: (implementation) => implementation.gap?.(hash),
      },
      async (implementation, engine) => {
        const setUp = () => implementation.withKey(bytesOf(key), hash);
        return work(await this.once(key, engine, setUp));
      },
    );
  }

  digest(algorithm: DigestName, data: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
    const request = { algorithm, engine: this.engine, bytes: data.length };
    return this.registry.run(request, (implementation) => implementation.digest(data, signal));
  }

  xof<A extends XofName>(
    algorithm: A,
    params: XofParams[A],
    data: Uint8Array,
  ): Promise<Uint8Array> {
    const request = { algorithm, engine: this.engine, bytes: data.length };
    return this.registry.run(request, (implementation) =>
      implementation.digest(params as never, data),
    );
  }

  kmac<T>(
    algorithm: KmacName,
    key: SubtleKey,
    bytes: number,
    work: (kmac: KeyedKmac) => Awaitable<T>,
  ): Promise<T> {
    const request = { algorithm, engine: this.engine, bytes };
    return this.registry.run(request, async (implementation, engine) =>
      work(await this.once(key, engine, () => implementation.withKey(bytesOf(key)))),
    );
  }

  derive<A extends KdfName>(
    algorithm: A,
    params: KdfParams[A],
    key: SubtleKey,
    lengthBytes: number,
  ): Promise<Uint8Array> {
    const secret = bytesOf(key);
    return this.registry.run(
      {
        algorithm,
        engine: this.engine,
        // What Argon2 works on is its memory.
        bytes: 'memoryKiB' in params ? params.memoryKiB * 1024 : lengthBytes,
        gap: (implementation) => implementation.gap?.(secret.length, params as never, lengthBytes),
      },
      (implementation) => implementation.derive(secret, params as never, lengthBytes),
    );
  }

  /** Work with the platform's own keys. */
  platform<T>(algorithm: PlatformName, work: (subtle: SubtleCrypto) => Promise<T>): Promise<T> {
    const request = { algorithm, engine: this.engine, bytes: 0 };
    return this.registry.run(request, ({ subtle }) => work(subtle));
  }

  /** @param bytes length of the modulus */
  power<T>(algorithm: PowerName, bytes: number, work: (power: OddPower) => T): Promise<T> {
    const request = { algorithm, engine: this.engine, bytes };
    return this.registry.run(request, ({ power }) => work(power));
  }

  kem<T>(algorithm: KemName, work: (kem: KemAlgorithm) => Awaitable<T>): Promise<T> {
    return this.registry.run({ algorithm, engine: this.engine, bytes: 0 }, work);
  }

  agreement<T>(
    algorithm: 'X448',
    work: (agreement: AgreementAlgorithm) => Awaitable<T>,
  ): Promise<T> {
    return this.registry.run({ algorithm, engine: this.engine, bytes: 0 }, work);
  }

  /** @param contextBytes length of the context of a message */
  signature<T>(
    algorithm: SignatureName | 'Ed448',
    work: (signature: SignatureAlgorithm) => Awaitable<T>,
    contextBytes = 0,
  ): Promise<T> {
    return this.registry.run(
      {
        algorithm,
        engine: this.engine,
        bytes: 0,
        gap: (implementation) => implementation.gap?.(contextBytes),
      },
      work,
    );
  }

  /** Overwrites a key that no operation will use again, and what engines made of it. */
  async wipe(key: SubtleKey): Promise<void> {
    wipeKey(key);
    for (const setUp of this.keyed.get(key)?.values() ?? []) (await setUp).wipe();
    this.keyed.delete(key);
  }

  private withCipher<A extends CipherName>(
    algorithm: A,
    params: CipherParams[A],
    key: SubtleKey,
    bytes: number,
    work: (cipher: KeyedCipher<CipherParams[A]>) => Awaitable<Uint8Array>,
  ): Promise<Uint8Array> {
    const keyBytes = bytesOf(key);
    return this.registry.run(
      {
        algorithm,
        engine: this.engine,
        bytes,
        gap: (implementation) => implementation.gap?.(keyBytes.length, params as never),
      },
      async (implementation, engine) => {
        const keyed = await this.once(key, engine, () => implementation.withKey(keyBytes));
        return work(keyed as KeyedCipher<CipherParams[A]>);
      },
    );
  }

  /** The key as this engine holds it, set up when it is first used there. */
  private once<K extends Keyed>(
    key: SubtleKey,
    engine: EngineName,
    setUp: () => Awaitable<K>,
  ): Awaitable<K> {
    const engines = this.keyed.get(key) ?? new Map<EngineName, Awaitable<Keyed>>();
    this.keyed.set(key, engines);
    const known = engines.get(engine) as Awaitable<K> | undefined;
    if (known !== undefined) return known;
    const keyed = setUp();
    engines.set(engine, keyed);
    // A failed set-up is repeated at the next use.
    if (keyed instanceof Promise) keyed.catch(() => engines.delete(engine));
    return keyed;
  }
}
