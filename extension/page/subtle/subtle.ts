import { SealwrightError } from '../../../src/rpc/errors.ts';
import type { ErrorCode } from '../../../src/rpc/errors.ts';
import type { NameIn, ParamsIn, ResultIn } from '../../../src/rpc/methods/method.ts';
import {
  defineProperty,
  freeze,
  hasOwn,
  isUint8Array,
  SafeUint8Array,
  typedArrayBuffer,
  typedArrayByteLength,
} from '../../../src/rpc/primordials.ts';
import type { SUBTLE_METHODS } from '../../../src/rpc/methods/subtle.ts';
import { KEY_FORMATS } from '../../../src/rpc/methods/subtle-values.ts';
import type {
  Outcome,
  SubtleErrorName,
  WireKeyInfo,
} from '../../../src/rpc/methods/subtle-values.ts';
import { bindsMethods } from '../bound-methods.ts';
import type { Calls } from '../connection/calls.ts';
import { NO_CONTROL } from '../connection/control.ts';
import { DroppedKeys } from './dropped-keys.ts';
import { SafeDOMException, SafeTypeError } from '../primordials.ts';
import {
  bitLengthOf,
  BufferSource,
  jwkOf,
  isBufferSource,
  isObject,
  keyHandle,
  oneOf,
  text,
  usagesOf,
} from './arguments.ts';
import { keyOf } from './key.ts';
import type { SealwrightKey } from './key.ts';
import {
  isDerived,
  isServed,
  normalize,
  normalizeDerived,
  normalizeEither,
  normalizeNamed,
} from './normalize.ts';

type Methods = typeof SUBTLE_METHODS;
type Answering = Exclude<NameIn<Methods>, 'subtle.dropKeys'>;
type Value<M extends Answering> = Extract<ResultIn<Methods, M>, { value: unknown }>['value'];

/**
 * SubtleCrypto with keys that stay in the extension (src/client/page-api.ts; docs/library.md has the
 * algorithms). Arguments are converted in their order, then algorithms are read, then bytes are copied, all
 * before the first await, as the Web Cryptography API requires.
 */
export class SealwrightSubtle {
  readonly #calls: Calls;
  readonly #dropped = new DroppedKeys((handles) => void this.#drop(handles));

  constructor(calls: Calls) {
    this.#calls = calls;
    bindTo(this);
    freeze(this);
  }

  encrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return this.#cipher('encrypt', algorithm, key, data);
  }

  decrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return this.#cipher('decrypt', algorithm, key, data);
  }

  sign(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    return this.#cipher('sign', algorithm, key, data);
  }

  async verify(
    algorithm: unknown,
    key: unknown,
    signature: unknown,
    data: unknown,
  ): Promise<boolean> {
    const held: object[] = [];
    const handle = keyHandle('key', key, held);
    const sources = [new BufferSource('signature', signature), new BufferSource('data', data)];
    const wire = normalize('verify', algorithm, held);
    const params = { signature: sources[0]!.copy(), data: sources[1]!.copy() };
    return await this.#call('subtle.verify', { algorithm: wire, key: handle, ...params }, held);
  }

  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    const held: object[] = [];
    const source = new BufferSource('data', data);
    const wire = normalize('digest', algorithm, held);
    const params = { algorithm: wire, data: source.copy() };
    return buffer(await this.#call('subtle.digest', params, held));
  }

  async generateKey(algorithm: unknown, extractable: unknown, keyUsages: unknown) {
    const held: object[] = [];
    const requested = { extractable: !!extractable, usages: usagesOf(keyUsages) };
    const params = { algorithm: normalize('generateKey', algorithm, held), ...requested };
    const made = await this.#call('subtle.generateKey', params, held);
    if (!hasOwn(made, 'privateKey')) return this.#keyOf(made as WireKeyInfo);
    const { publicKey, privateKey } = made as { publicKey: WireKeyInfo; privateKey: WireKeyInfo };
    return { publicKey: this.#keyOf(publicKey), privateKey: this.#keyOf(privateKey) };
  }

  /** `format` 'sealwright': `keyData` is the id of a key that the user owns, or a reference of `exportKey`. */
  async importKey(
    format: unknown,
    keyData: unknown,
    algorithm: unknown,
    extractable: unknown,
    keyUsages: unknown,
  ): Promise<SealwrightKey> {
    const held: object[] = [];
    const theFormat = oneOf('format', format, IMPORT_FORMATS);
    if (theFormat === 'sealwright') {
      const source = isBufferSource(keyData) ? new BufferSource('keyData', keyData) : undefined;
      const requested = { extractable: !!extractable, usages: usagesOf(keyUsages) };
      if (source) {
        const wire = normalize('importKey', algorithm, held);
        const params = { reference: source.copy(), algorithm: wire, ...requested };
        return this.#keyOf(await this.#call('subtle.importReference', params, held));
      }
      const params = {
        keyId: keyId(keyData),
        algorithm: normalizeNamed(algorithm, held),
        ...requested,
      };
      return this.#keyOf(await this.#call('subtle.importNamedKey', params, held));
    }
    const read = dataOf(theFormat, keyData);
    const requested = { extractable: !!extractable, usages: usagesOf(keyUsages) };
    const wire = normalize('importKey', algorithm, held);
    const params = { format: theFormat, keyData: read(), algorithm: wire, ...requested };
    return this.#keyOf(await this.#call('subtle.importKey', params, held));
  }

  async exportKey(format: unknown, key: unknown): Promise<ArrayBuffer | object> {
    const held: object[] = [];
    const theFormat = oneOf('format', format, EXPORT_FORMATS);
    const handle = keyHandle('key', key, held);
    if (theFormat === 'sealwright-ref') {
      return buffer(await this.#call('subtle.exportReference', { key: handle }, held));
    }
    const params = { format: theFormat, key: handle };
    const exported = await this.#call('subtle.exportKey', params, held);
    return isUint8Array(exported) ? buffer(exported) : thawed((exported as { jwk: object }).jwk);
  }

  /** Not of SubtleCrypto: takes a key that the vault keeps out of it, by the reference that `exportKey` gave. */
  async deleteKey(reference: unknown): Promise<void> {
    const source = new BufferSource('reference', reference);
    await this.#call('subtle.deleteKey', { reference: source.copy() }, []);
  }

  async deriveBits(algorithm: unknown, baseKey: unknown, length?: unknown): Promise<ArrayBuffer> {
    const held: object[] = [];
    const handle = keyHandle('baseKey', baseKey, held);
    const bits = bitLengthOf(length);
    const params = {
      algorithm: normalize('deriveBits', algorithm, held),
      baseKey: handle,
      length: bits,
    };
    return buffer(await this.#call('subtle.deriveBits', params, held));
  }

  async deriveKey(
    algorithm: unknown,
    baseKey: unknown,
    derivedKeyType: unknown,
    extractable: unknown,
    keyUsages: unknown,
  ): Promise<SealwrightKey> {
    const held: object[] = [];
    const handle = keyHandle('baseKey', baseKey, held);
    const requested = { extractable: !!extractable, usages: usagesOf(keyUsages) };
    const wire = normalize('deriveBits', algorithm, held);
    const type = normalizeDerived(derivedKeyType, held);
    const params = { algorithm: wire, baseKey: handle, derivedKeyType: type, ...requested };
    return this.#keyOf(await this.#call('subtle.deriveKey', params, held));
  }

  async wrapKey(
    format: unknown,
    key: unknown,
    wrappingKey: unknown,
    wrapAlgorithm: unknown,
  ): Promise<ArrayBuffer> {
    const held: object[] = [];
    const theFormat = oneOf('format', format, KEY_FORMATS);
    const handles = {
      key: keyHandle('key', key, held),
      wrappingKey: keyHandle('wrappingKey', wrappingKey, held),
    };
    const params = {
      format: theFormat,
      ...handles,
      wrapAlgorithm: normalizeEither('wrapKey', 'encrypt', wrapAlgorithm, held),
    };
    return buffer(await this.#call('subtle.wrapKey', params, held));
  }

  async unwrapKey(
    format: unknown,
    wrappedKey: unknown,
    unwrappingKey: unknown,
    unwrapAlgorithm: unknown,
    unwrappedKeyAlgorithm: unknown,
    extractable: unknown,
    keyUsages: unknown,
  ): Promise<SealwrightKey> {
    const held: object[] = [];
    const theFormat = oneOf('format', format, KEY_FORMATS);
    const source = new BufferSource('wrappedKey', wrappedKey);
    const handle = keyHandle('unwrappingKey', unwrappingKey, held);
    const requested = { extractable: !!extractable, usages: usagesOf(keyUsages) };
    const algorithms = {
      unwrapAlgorithm: normalizeEither('unwrapKey', 'decrypt', unwrapAlgorithm, held),
      unwrappedKeyAlgorithm: normalize('importKey', unwrappedKeyAlgorithm, held),
    };
    const wrapped = source.copy();
    const params = { format: theFormat, wrappedKey: wrapped, unwrappingKey: handle, ...algorithms };
    return this.#keyOf(await this.#call('subtle.unwrapKey', { ...params, ...requested }, held));
  }

  async encapsulateKey(
    encapsulationAlgorithm: unknown,
    encapsulationKey: unknown,
    sharedKeyAlgorithm: unknown,
    extractable: unknown,
    keyUsages: unknown,
  ): Promise<{ sharedKey: SealwrightKey; ciphertext: ArrayBuffer }> {
    const held: object[] = [];
    const key = keyHandle('encapsulationKey', encapsulationKey, held);
    const requested = { extractable: !!extractable, usages: usagesOf(keyUsages) };
    const algorithm = normalize('encapsulate', encapsulationAlgorithm, held);
    const type = normalize('importKey', sharedKeyAlgorithm, held);
    const params = { algorithm, key, sharedKeyAlgorithm: type, ...requested };
    const made = await this.#call('subtle.encapsulateKey', params, held);
    return { sharedKey: this.#keyOf(made.sharedKey), ciphertext: buffer(made.ciphertext) };
  }

  async encapsulateBits(
    encapsulationAlgorithm: unknown,
    encapsulationKey: unknown,
  ): Promise<{ sharedKey: ArrayBuffer; ciphertext: ArrayBuffer }> {
    const held: object[] = [];
    const key = keyHandle('encapsulationKey', encapsulationKey, held);
    const params = { algorithm: normalize('encapsulate', encapsulationAlgorithm, held), key };
    const made = await this.#call('subtle.encapsulateBits', params, held);
    return { sharedKey: buffer(made.sharedKey), ciphertext: buffer(made.ciphertext) };
  }

  async decapsulateKey(
    decapsulationAlgorithm: unknown,
    decapsulationKey: unknown,
    ciphertext: unknown,
    sharedKeyAlgorithm: unknown,
    extractable: unknown,
    keyUsages: unknown,
  ): Promise<SealwrightKey> {
    const held: object[] = [];
    const key = keyHandle('decapsulationKey', decapsulationKey, held);
    const source = new BufferSource('ciphertext', ciphertext);
    const requested = { extractable: !!extractable, usages: usagesOf(keyUsages) };
    const algorithm = normalize('decapsulate', decapsulationAlgorithm, held);
    const type = normalize('importKey', sharedKeyAlgorithm, held);
    const params = { algorithm, key, ciphertext: source.copy(), sharedKeyAlgorithm: type };
    return this.#keyOf(
      await this.#call('subtle.decapsulateKey', { ...params, ...requested }, held),
    );
  }

  async decapsulateBits(
    decapsulationAlgorithm: unknown,
    decapsulationKey: unknown,
    ciphertext: unknown,
  ): Promise<ArrayBuffer> {
    const held: object[] = [];
    const key = keyHandle('decapsulationKey', decapsulationKey, held);
    const source = new BufferSource('ciphertext', ciphertext);
    const algorithm = normalize('decapsulate', decapsulationAlgorithm, held);
    const params = { algorithm, key, ciphertext: source.copy() };
    return buffer(await this.#call('subtle.decapsulateBits', params, held));
  }

  async getPublicKey(key: unknown, keyUsages: unknown): Promise<SealwrightKey> {
    const held: object[] = [];
    const params = { key: keyHandle('key', key, held), usages: usagesOf(keyUsages) };
    return this.#keyOf(await this.#call('subtle.getPublicKey', params, held));
  }

  /**
   * `SubtleCrypto.supports` of the WICG draft, which is static there. It answers at once, so by the names, the operations,
   * the types of the parameters and the length of what is derived: the extension checks all other values.
   */
  supports(operation: unknown, algorithm: unknown, lengthOrAlgorithm?: unknown): boolean {
    const method = text(operation);
    const isOther = isObject(lengthOrAlgorithm) || typeof lengthOrAlgorithm === 'string';
    if (!hasOwn(METHOD_OPERATIONS, method)) return false;
    if (isOther && hasOwn(OTHER_OPERATIONS, method)) {
      const others = OTHER_OPERATIONS[method as keyof typeof OTHER_OPERATIONS];
      for (let i = 0; i < others.length; i++) {
        if (!isServed(others[i]!, lengthOrAlgorithm)) return false;
      }
    }
    const operations = METHOD_OPERATIONS[method as keyof typeof METHOD_OPERATIONS];
    for (let i = 0; i < operations.length; i++) {
      if (!isServed(operations[i]!, algorithm)) continue;
      if (operations[i] !== 'deriveBits') return true;
      return isDerived(algorithm, lengthOrAlgorithm, method === 'deriveKey');
    }
    return false;
  }

  async #cipher(
    operation: 'encrypt' | 'decrypt' | 'sign',
    algorithm: unknown,
    key: unknown,
    data: unknown,
  ): Promise<ArrayBuffer> {
    const held: object[] = [];
    const handle = keyHandle('key', key, held);
    const source = new BufferSource('data', data);
    const wire = normalize(operation, algorithm, held);
    const params = { algorithm: wire, key: handle, data: source.copy() };
    return buffer(await this.#call(`subtle.${operation}`, params, held));
  }

  #keyOf(info: WireKeyInfo): SealwrightKey {
    const key = keyOf(info);
    this.#dropped.watch(key, info.handle);
    return key;
  }

  async #drop(handles: string[]): Promise<void> {
    try {
      await this.#calls.call('subtle.dropKeys', { keys: handles }, NO_CONTROL);
    } catch {
      // The keys are dropped with the document at the latest.
    }
  }

  /** Throws, as `Calls.call` does, when the document is gone. */
  #call<M extends Answering>(
    method: M,
    params: ParamsIn<Methods, M>,
    held: readonly object[],
  ): Promise<Value<M>> {
    try {
      return this.#valueOf(this.#calls.call(method, params, NO_CONTROL), held);
    } catch (error) {
      throw asStandardError(error);
    }
  }

  async #valueOf<M extends Answering>(
    answer: Promise<Outcome<Value<M>>>,
    held: readonly object[],
  ): Promise<Value<M>> {
    let result: Outcome<Value<M>>;
    try {
      result = await this.#dropped.holding(held, () => answer);
    } catch (error) {
      throw asStandardError(error);
    }
    if (hasOwn(result, 'error')) throw failure((result as { error: Failure }).error);
    return (result as { value: Value<M> }).value;
  }
}

defineProperty(SealwrightSubtle.prototype, Symbol.toStringTag, { value: 'SubtleCrypto' });
const bindTo = bindsMethods(SealwrightSubtle.prototype);
freeze(SealwrightSubtle);
freeze(SealwrightSubtle.prototype);

/** The operations behind each method: any of them will do. */
const METHOD_OPERATIONS = freeze({
  encrypt: ['encrypt'],
  decrypt: ['decrypt'],
  sign: ['sign'],
  verify: ['verify'],
  digest: ['digest'],
  generateKey: ['generateKey'],
  deriveKey: ['deriveBits'],
  deriveBits: ['deriveBits'],
  importKey: ['importKey'],
  exportKey: ['exportKey'],
  wrapKey: ['wrapKey', 'encrypt'],
  unwrapKey: ['unwrapKey', 'decrypt'],
  encapsulateKey: ['encapsulate'],
  encapsulateBits: ['encapsulate'],
  decapsulateKey: ['decapsulate'],
  decapsulateBits: ['decapsulate'],
  getPublicKey: ['getPublicKey'],
} as const);

/** What the algorithm of the other key needs: all of them. */
const OTHER_OPERATIONS = freeze({
  deriveKey: ['importKey', 'getKeyLength'],
  wrapKey: ['exportKey'],
  unwrapKey: ['importKey'],
  encapsulateKey: ['importSecret'],
  decapsulateKey: ['importSecret'],
} as const);

const IMPORT_FORMATS = freeze([...KEY_FORMATS, 'sealwright'] as const);
const EXPORT_FORMATS = freeze([...KEY_FORMATS, 'sealwright-ref'] as const);

interface Failure {
  readonly name: SubtleErrorName;
  readonly message: string;
}

function failure({ name, message }: Failure): Error {
  return name === 'TypeError' ? new SafeTypeError(message) : new SafeDOMException(message, name);
}

/** The standard's error names for failures of the call itself. */
const NAMES: Readonly<Partial<Record<ErrorCode, string>>> = freeze({
  UNSUPPORTED: 'NotSupportedError',
  LOCKED: 'InvalidAccessError',
  NOT_GRANTED: 'InvalidAccessError',
  EXPIRED: 'InvalidAccessError',
  QUOTA: 'QuotaExceededError',
  INVALID_ARGUMENT: 'DataError',
});

function asStandardError(error: unknown): unknown {
  if (!(error instanceof SealwrightError)) return error;
  const { code, message } = error;
  const name = hasOwn(NAMES, code) ? NAMES[code] : undefined;
  return new SafeDOMException(`${code}: ${message}`, name ?? 'OperationError');
}

/** Checks the type of importKey's data now. @returns copies the data */
function dataOf(format: (typeof KEY_FORMATS)[number], keyData: unknown) {
  if (format === 'jwk') {
    const jwk = jwkOf(keyData);
    return () => ({ jwk });
  }
  const source = new BufferSource('keyData', keyData);
  return () => source.copy();
}

function keyId(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new SafeTypeError('keyData must be the id of a key, or its reference');
}

function buffer(bytes: Uint8Array): ArrayBuffer {
  const own = typedArrayBuffer(bytes);
  return own.byteLength === typedArrayByteLength(bytes)
    ? own
    : typedArrayBuffer(new SafeUint8Array(bytes));
}

/** A copy of a JSON Web Key that the page may change. */
function thawed(jwk: object): object {
  const copy: Record<string, unknown> = { ...jwk };
  const { key_ops: keyOps } = copy;
  if (keyOps === undefined) return copy;
  const list: unknown[] = [];
  for (let i = 0; i < (keyOps as unknown[]).length; i++) list[i] = (keyOps as unknown[])[i];
  copy.key_ops = list;
  return copy;
}
