/**
 * The methods of SubtleCrypto (Web Cryptography API, section 14.3; WICG draft "Modern Algorithms in
 * the Web Cryptography API") over the engines of this library. Each method takes its steps in the
 * order of the standard, because the order decides which of several mistakes is reported.
 *
 * Every method copies its arguments before it returns; every mistake is a rejection.
 */
import { inPlaceOrApart, utf8, wipe } from '../crypto/bytes.ts';
import { checkInteger } from '../crypto/errors.ts';
import type { AlgorithmName, Awaitable, EngineName } from '../engine/contract.ts';
import { isBufferSource, toBufferSource, viewBytes } from './webidl/buffer-source.ts';
import type { CipherWork, Format, KeyMaterial } from './algorithms/definition.ts';
import { FORMATS } from './algorithms/definition.ts';
import { invalidAccess, notSupported, translated } from './errors.ts';
import { padForKeyWrap, parseJwk } from './jwk.ts';
import { toKey, USAGES, type SubtleKey, type SubtleKeyPair, type Usage } from './key.ts';
import { canonicalName, hasOperation, keyReaders, normalize } from './normalize.ts';
import type { GeneratedKey, PairParams, SubtleAlgorithm } from './params.ts';
import type { Runtime } from './runtime.ts';
import { StreamingHash } from './streaming-hash.ts';
import { isSupported } from './supports.ts';
import { isObject, toBoolean, toInteger, toOneOf, toSequenceOf } from './webidl/web-idl.ts';

/** An ArrayBuffer; with `into`, a view of its memory. */
export type CipherResult<A> = A extends { readonly into: Uint8Array }
  ? Uint8Array<ArrayBuffer>
  : ArrayBuffer;

/** EncapsulatedKey of the WICG draft. */
export interface EncapsulatedKey {
  readonly sharedKey: SubtleKey;
  readonly ciphertext: ArrayBuffer;
}

/** EncapsulatedBits of the WICG draft. */
export interface EncapsulatedBits {
  readonly sharedKey: ArrayBuffer;
  readonly ciphertext: ArrayBuffer;
}

/** SubtleCrypto, with `into`, streaming hashes and the choice of engines added. */
export class Subtle {
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** @returns ciphertext (‖ tag); with `into`, a view of it, else an ArrayBuffer */
  encrypt<const A extends SubtleAlgorithm>(
    algorithm: A,
    key: SubtleKey,
    data: BufferSource,
  ): Promise<CipherResult<A>> {
    return this.#cipher('encrypt', algorithm, key, data) as Promise<CipherResult<A>>;
  }

  /** @returns the plaintext; with `into`, a view of it, else an ArrayBuffer */
  decrypt<const A extends SubtleAlgorithm>(
    algorithm: A,
    key: SubtleKey,
    data: BufferSource,
  ): Promise<CipherResult<A>> {
    return this.#cipher('decrypt', algorithm, key, data) as Promise<CipherResult<A>>;
  }

  async sign(algorithm: SubtleAlgorithm, key: SubtleKey, data: BufferSource): Promise<ArrayBuffer> {
    const theKey = toKey('key', key);
    const read = toBufferSource('data', data);
    const { name, run } = normalize('sign', algorithm);
    const bytes = read();
    checkKey(theKey, name, 'sign');
    return buffer(await settled(run({ runtime: this.#runtime, key: theKey, data: bytes })));
  }

  async verify(
    algorithm: SubtleAlgorithm,
    key: SubtleKey,
    signature: BufferSource,
    data: BufferSource,
  ): Promise<boolean> {
    const theKey = toKey('key', key);
    const readSignature = toBufferSource('signature', signature);
    const readData = toBufferSource('data', data);
    const { name, run } = normalize('verify', algorithm);
    const given = { signature: readSignature(), data: readData() };
    checkKey(theKey, name, 'verify');
    return settled(run({ runtime: this.#runtime, key: theKey, ...given }));
  }

  async digest(algorithm: SubtleAlgorithm, data: BufferSource): Promise<ArrayBuffer> {
    const signal = readSignal(algorithm);
    const read = toBufferSource('data', data);
    const { run } = normalize('digest', algorithm);
    const digest = await settled(run(this.#runtime, read(), signal));
    signal?.throwIfAborted();
    return buffer(digest);
  }

  /** @returns a key pair for the algorithms that have one */
  async generateKey<const A extends SubtleAlgorithm>(
    algorithm: A,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<GeneratedKey<A>>;
  // For SubtleCrypto, which tells pairs from single keys by the parameters.
  async generateKey(
    algorithm: PairParams,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<SubtleKeyPair>;
  async generateKey(
    algorithm: SubtleAlgorithm,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<SubtleKey>;
  async generateKey(
    algorithm: SubtleAlgorithm,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<SubtleKey | SubtleKeyPair> {
    const requested = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
    const { run } = normalize('generateKey', algorithm);
    return settled(run(this.#runtime, requested));
  }

  async importKey(
    format: Format,
    keyData: BufferSource | JsonWebKey,
    algorithm: SubtleAlgorithm,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<SubtleKey> {
    const theFormat = toOneOf('format', format, FORMATS);
    if (!isObject(keyData)) throw new TypeError('keyData must be bytes or a JSON Web Key');
    const read = toMaterial(theFormat, keyData);
    const requested = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
    const { run } = normalize('importKey', algorithm);
    return settled(run(read(), requested, this.#runtime));
  }

  async exportKey(format: 'jwk', key: SubtleKey): Promise<JsonWebKey>;
  async exportKey(format: Exclude<Format, 'jwk'>, key: SubtleKey): Promise<ArrayBuffer>;
  async exportKey(format: Format, key: SubtleKey): Promise<ArrayBuffer | JsonWebKey>;
  async exportKey(format: Format, key: SubtleKey): Promise<ArrayBuffer | JsonWebKey> {
    const theFormat = toOneOf('format', format, FORMATS);
    const exported = await this.#export(toKey('key', key), theFormat);
    return exported instanceof Uint8Array ? buffer(exported) : exported;
  }

  async deriveBits(
    algorithm: SubtleAlgorithm,
    baseKey: SubtleKey,
    length: number | null = null,
  ): Promise<ArrayBuffer> {
    const theKey = toKey('baseKey', baseKey);
    const lengthBits = length === null ? null : toInteger('length', length, 32);
    const { name, run } = normalize('deriveBits', algorithm);
    checkKey(theKey, name, 'deriveBits');
    return buffer(await settled(run({ runtime: this.#runtime, key: theKey, lengthBits })));
  }

  async deriveKey(
    algorithm: SubtleAlgorithm,
    baseKey: SubtleKey,
    derivedKeyType: SubtleAlgorithm,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<SubtleKey> {
    const theKey = toKey('baseKey', baseKey);
    const requested = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
    const { name, run: derive } = normalize('deriveBits', algorithm);
    const { run: importKey } = normalize('importKey', derivedKeyType);
    const { run: getKeyLength } = normalize('getKeyLength', derivedKeyType);
    checkKey(theKey, name, 'deriveKey');
    const lengthBits = getKeyLength();
    const bytes = await settled(derive({ runtime: this.#runtime, key: theKey, lengthBits }));
    return settled(importKey({ format: 'raw-secret', bytes }, requested, this.#runtime));
  }

  async wrapKey(
    format: Format,
    key: SubtleKey,
    wrappingKey: SubtleKey,
    wrapAlgorithm: SubtleAlgorithm,
  ): Promise<ArrayBuffer> {
    const theFormat = toOneOf('format', format, FORMATS);
    const [theKey, wrapper] = [toKey('key', key), toKey('wrappingKey', wrappingKey)];
    const operation = hasOperation('wrapKey', wrapAlgorithm) ? 'wrapKey' : 'encrypt';
    const { name, run } = normalize(operation, wrapAlgorithm);
    checkKey(wrapper, name, 'wrapKey');
    const data = wrappable(await this.#export(theKey, theFormat), name);
    try {
      return buffer(await settled(run({ runtime: this.#runtime, key: wrapper, data })));
    } finally {
      wipe(data);
    }
  }

  async unwrapKey(
    format: Format,
    wrappedKey: BufferSource,
    unwrappingKey: SubtleKey,
    unwrapAlgorithm: SubtleAlgorithm,
    unwrappedKeyAlgorithm: SubtleAlgorithm,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<SubtleKey> {
    const theFormat = toOneOf('format', format, FORMATS);
    const read = toBufferSource('wrappedKey', wrappedKey);
    const unwrapper = toKey('unwrappingKey', unwrappingKey);
    const requested = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
    const operation = hasOperation('unwrapKey', unwrapAlgorithm) ? 'unwrapKey' : 'decrypt';
    const { name, run } = normalize(operation, unwrapAlgorithm);
    const { run: importKey } = normalize('importKey', unwrappedKeyAlgorithm);
    const data = read();
    checkKey(unwrapper, name, 'unwrapKey');
    const bytes = await settled(run({ runtime: this.#runtime, key: unwrapper, data }));
    if (theFormat !== 'jwk') {
      return settled(importKey({ format: theFormat, bytes }, requested, this.#runtime));
    }
    try {
      const material = { format: 'jwk', jwk: parseJwk(bytes) } as const;
      return await settled(importKey(material, requested, this.#runtime));
    } finally {
      wipe(bytes);
    }
  }

  /**
   * Makes a shared key of 32 bytes for the holder of a private key.
   *
   * @returns the shared key as a key for `sharedKeyAlgorithm`, and its ciphertext for `decapsulateKey`
   */
  async encapsulateKey(
    encapsulationAlgorithm: SubtleAlgorithm,
    encapsulationKey: SubtleKey,
    sharedKeyAlgorithm: SubtleAlgorithm,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<EncapsulatedKey> {
    const theKey = toKey('encapsulationKey', encapsulationKey);
    const requested = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
    const { name, run } = normalize('encapsulate', encapsulationAlgorithm);
    const { run: importKey } = normalize('importKey', sharedKeyAlgorithm);
    checkKey(theKey, name, 'encapsulateKey');
    const made = await settled(run({ runtime: this.#runtime, key: theKey }));
    const material = { format: 'raw-secret', bytes: made.sharedKey } as const;
    const sharedKey = await settled(importKey(material, requested, this.#runtime));
    return { sharedKey, ciphertext: buffer(made.ciphertext) };
  }

  /** @returns the shared key, 32 bytes, and its ciphertext for `decapsulateBits` */
  async encapsulateBits(
    encapsulationAlgorithm: SubtleAlgorithm,
    encapsulationKey: SubtleKey,
  ): Promise<EncapsulatedBits> {
    const theKey = toKey('encapsulationKey', encapsulationKey);
    const { name, run } = normalize('encapsulate', encapsulationAlgorithm);
    checkKey(theKey, name, 'encapsulateBits');
    const made = await settled(run({ runtime: this.#runtime, key: theKey }));
    return { sharedKey: buffer(made.sharedKey), ciphertext: buffer(made.ciphertext) };
  }

  /**
   * A ciphertext that was made for another key, or was changed, gives another shared key: KEMs do not
   * authenticate, so what is encrypted under it must.
   */
  async decapsulateKey(
    decapsulationAlgorithm: SubtleAlgorithm,
    decapsulationKey: SubtleKey,
    ciphertext: BufferSource,
    sharedKeyAlgorithm: SubtleAlgorithm,
    extractable: boolean,
    keyUsages: Iterable<Usage>,
  ): Promise<SubtleKey> {
    const theKey = toKey('decapsulationKey', decapsulationKey);
    const read = toBufferSource('ciphertext', ciphertext);
    const requested = { extractable: toBoolean(extractable), usages: toUsages(keyUsages) };
    const { name, run } = normalize('decapsulate', decapsulationAlgorithm);
    const { run: importKey } = normalize('importKey', sharedKeyAlgorithm);
    const bytes = read();
    checkKey(theKey, name, 'decapsulateKey');
    const work = { runtime: this.#runtime, key: theKey, ciphertext: bytes };
    const material = { format: 'raw-secret', bytes: await settled(run(work)) } as const;
    return settled(importKey(material, requested, this.#runtime));
  }

  /** @returns the shared key, 32 bytes; see `decapsulateKey` */
  async decapsulateBits(
    decapsulationAlgorithm: SubtleAlgorithm,
    decapsulationKey: SubtleKey,
    ciphertext: BufferSource,
  ): Promise<ArrayBuffer> {
    const theKey = toKey('decapsulationKey', decapsulationKey);
    const read = toBufferSource('ciphertext', ciphertext);
    const { name, run } = normalize('decapsulate', decapsulationAlgorithm);
    const bytes = read();
    checkKey(theKey, name, 'decapsulateBits');
    const work = { runtime: this.#runtime, key: theKey, ciphertext: bytes };
    return buffer(await settled(run(work)));
  }

  /** @returns the public key that belongs to a private one; always extractable */
  async getPublicKey(key: SubtleKey, keyUsages: Iterable<Usage>): Promise<SubtleKey> {
    const theKey = toKey('key', key);
    const usages = toUsages(keyUsages);
    const { name } = theKey.algorithm;
    const getPublicKey = keyReaders(name)?.getPublicKey;
    if (getPublicKey === undefined) throw notSupported(`${name}: keys have no public half`);
    if (theKey.type !== 'private') throw invalidAccess('The key must be private');
    return settled(getPublicKey(theKey, usages, this.#runtime));
  }

  /**
   * Whether an operation would be served, with these parameters, for some key and data. In the draft it is
   * static; here it depends on the engines of this object.
   *
   * @param operation the name of a method
   * @param lengthOrAlgorithm with deriveBits the length in bits; with deriveKey, wrapKey, unwrapKey, encapsulateKey and
   *   decapsulateKey the algorithm of the other key
   * @throws TypeError for arguments of wrong types
   */
  supports(
    operation: string,
    algorithm: SubtleAlgorithm,
    lengthOrAlgorithm: number | SubtleAlgorithm | null = null,
  ): boolean {
    return isSupported(this.#runtime, operation, algorithm, lengthOrAlgorithm);
  }

  /**
   * The engine that a message of `bytes` bytes would go to, by what is known now. Known answers that
   * have not run yet, and keys or nonces that an engine cannot take, may still change it.
   *
   * @throws NotSupportedError if none has the algorithm
   */
  engineFor(algorithm: SubtleAlgorithm, bytes: number): EngineName {
    checkInteger('bytes', bytes, 0, Number.MAX_SAFE_INTEGER);
    const name = canonicalName(algorithm) as AlgorithmName;
    try {
      return this.#runtime.registry.choose(name, bytes, this.#runtime.engine);
    } catch (error) {
      throw translated(error);
    }
  }

  /**
   * A digest whose message comes in pieces. The parameters are those of `digest`.
   *
   * @throws NotSupportedError if there is no such hash, or no engine that streams it
   * @throws OperationError for parameters that the algorithm does not allow; TypeError for missing ones
   */
  createHash(algorithm: SubtleAlgorithm): StreamingHash {
    const { run } = normalize('createHash', algorithm);
    try {
      return new StreamingHash(run(this.#runtime));
    } catch (error) {
      throw translated(error);
    }
  }

  #export(key: SubtleKey, format: Format): Promise<Uint8Array | JsonWebKey> {
    const { name } = key.algorithm;
    const exportKey = keyReaders(name)?.exportKey;
    if (exportKey === undefined) throw notSupported(`${name}: keys cannot be exported`);
    if (!key.extractable) throw invalidAccess('The key is not extractable');
    return settled(exportKey(format, key, this.#runtime));
  }

  async #cipher(
    operation: 'encrypt' | 'decrypt',
    algorithm: SubtleAlgorithm,
    key: SubtleKey,
    data: BufferSource,
  ): Promise<ArrayBuffer | Uint8Array> {
    const theKey = toKey('key', key);
    const into = readInto(algorithm);
    const signal = readSignal(algorithm);
    const read = toBufferSource('data', data);
    const { name, run } = normalize(operation, algorithm);
    const bytes = into ? inPlaceOrApart(into, viewBytes('data', data)) : read();
    checkKey(theKey, name, operation);
    const work: CipherWork = { runtime: this.#runtime, key: theKey, data: bytes, into, signal };
    const result = await settled(run(work));
    signal?.throwIfAborted();
    return into === undefined ? buffer(result) : result;
  }
}

/** Turns the errors of engines into those of the API. */
async function settled<T>(work: Awaitable<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw translated(error);
  }
}

/** "If the name … is not equal to the name attribute of …, then throw an InvalidAccessError." */
function checkKey(key: SubtleKey, name: string, usage: Usage): void {
  if (key.algorithm.name !== name) {
    throw invalidAccess(`The key is for ${key.algorithm.name}, not for ${name}`);
  }
  if (!key.usages.includes(usage)) throw invalidAccess(`The key's usages lack ${usage}`);
}

function toUsages(keyUsages: unknown): Usage[] {
  return toSequenceOf('keyUsages', keyUsages, USAGES);
}

function toMaterial(format: Format, keyData: BufferSource | JsonWebKey): () => KeyMaterial {
  if (format === 'jwk') {
    if (isBufferSource(keyData)) throw new TypeError('keyData must be a JSON Web Key');
    return () => ({ format, jwk: keyData });
  }
  const read = toBufferSource('keyData', keyData);
  return () => ({ format, bytes: read() });
}

/** A JWK is wrapped as its JSON; AES-KW needs a multiple of 8 bytes (spaces do not change it). */
function wrappable(exported: Uint8Array | JsonWebKey, wrapAlgorithm: string): Uint8Array {
  if (exported instanceof Uint8Array) return exported;
  const json = JSON.stringify(exported);
  return utf8(wrapAlgorithm === 'AES-KW' ? padForKeyWrap(json) : json);
}

/** Not in the standard: the memory for the result, which may be the data's own. */
function readInto(algorithm: unknown): Uint8Array | undefined {
  const into = isObject(algorithm) ? (algorithm as { into?: unknown }).into : undefined;
  if (into === undefined) return undefined;
  if (!(into instanceof Uint8Array)) throw new TypeError('into must be a Uint8Array');
  return viewBytes('into', into);
}

/** Not in the standard: ends the work. @throws its reason, if it is aborted already */
function readSignal(algorithm: unknown): AbortSignal | undefined {
  const signal = isObject(algorithm) ? (algorithm as { signal?: unknown }).signal : undefined;
  if (signal === undefined) return undefined;
  if (!(signal instanceof AbortSignal)) throw new TypeError('signal must be an AbortSignal');
  signal.throwIfAborted();
  return signal;
}

/** The bytes as an ArrayBuffer of their own. */
function buffer(bytes: Uint8Array): ArrayBuffer {
  const whole = bytes.byteLength === bytes.buffer.byteLength;
  return (whole ? bytes.buffer : bytes.slice().buffer) as ArrayBuffer;
}
