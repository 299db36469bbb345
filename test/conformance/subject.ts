/**
 * The subjects of the conformance suites: an engine, or `subtle` over an engine. Both have bytes as inputs
 * and outputs, so that one suite tests all.
 */
import type {
  CipherName,
  CipherParams,
  DigestName,
  Engine,
  MacHashName,
  KdfName,
  KdfParams,
  KmacName,
  MacName,
  XofName,
  XofParams,
  Algorithms,
  AlgorithmName,
} from '../../src/engine/contract.ts';
import type { KmacParams } from '../../src/crypto/mac/kmac.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { EngineChoice, Subtle, SubtleKey, SubtleOptions } from '../../src/library/subtle.ts';

/** The engine reports that it does not support this key or nonce. The vector is not counted. */
export class GapError extends Error {
  override readonly name = 'GapError';
}

export interface Subject {
  /** Part of every suite's title. */
  readonly title: string;
  /** Whether it has the algorithm. */
  has(algorithm: AlgorithmName): boolean;
  /** Of an engine, for those whose keys are bytes; `subtle` has keys of its own kind. */
  readonly algorithms?: Algorithms;
  encrypt<A extends CipherName>(
    name: A,
    key: Uint8Array,
    params: CipherParams[A],
    data: Uint8Array,
    into?: Uint8Array,
  ): Promise<Uint8Array>;
  decrypt: Subject['encrypt'];
  sign(name: MacName, key: Uint8Array, data: Uint8Array, hash?: MacHashName): Promise<Uint8Array>;
  verify(
    name: MacName,
    key: Uint8Array,
    tag: Uint8Array,
    data: Uint8Array,
    hash?: MacHashName,
  ): Promise<boolean>;
  digest(name: DigestName, data: Uint8Array): Promise<Uint8Array>;
  xof<A extends XofName>(name: A, params: XofParams[A], data: Uint8Array): Promise<Uint8Array>;
  kmac(name: KmacName, key: Uint8Array, params: KmacParams, data: Uint8Array): Promise<Uint8Array>;
  verifyKmac(
    name: KmacName,
    key: Uint8Array,
    params: KmacParams,
    tag: Uint8Array,
    data: Uint8Array,
  ): Promise<boolean>;
  derive<A extends KdfName>(
    name: A,
    secret: Uint8Array,
    params: KdfParams[A],
    lengthBytes: number,
  ): Promise<Uint8Array>;
}

export async function engineSubject(engine: Engine): Promise<Subject> {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(`${engine.name}: ${probe.reason}`);
  const algorithms: Algorithms = probe.algorithms;
  const crypt =
    (operation: 'encrypt' | 'decrypt'): Subject['encrypt'] =>
    async (name, key, params, data, into) => {
      const cipher = algorithms[name]!;
      const gap = await cipher.gap?.(key.length, params as never);
      if (gap !== undefined) throw new GapError(gap);
      const keyed = await cipher.withKey(key);
      try {
        return await keyed[operation](params as never, data, into);
      } finally {
        keyed.wipe();
      }
    };
  const mac = async (name: MacName, key: Uint8Array, hash?: MacHashName) => {
    const algorithm = algorithms[name]!;
    const gap = await algorithm.gap?.(hash);
    if (gap !== undefined) throw new GapError(gap);
    return algorithm.withKey(key, hash);
  };
  return {
    title: `engine ${engine.name}`,
    has: (algorithm) => algorithms[algorithm] !== undefined,
    algorithms,
    encrypt: crypt('encrypt'),
    decrypt: crypt('decrypt'),
    sign: async (name, key, data, hash) => (await mac(name, key, hash)).sign(data),
    verify: async (name, key, tag, data, hash) => (await mac(name, key, hash)).verify(tag, data),
    digest: async (name, data) => algorithms[name]!.digest(data),
    xof: async (name, params, data) => algorithms[name]!.digest(params as never, data),
    kmac: async (name, key, params, data) => {
      const keyed = await algorithms[name]!.withKey(key);
      const tag = await keyed.sign(params, data);
      keyed.wipe();
      return tag;
    },
    verifyKmac: async (name, key, params, tag, data) =>
      (await algorithms[name]!.withKey(key)).verify(params, tag, data),
    derive: async (name, secret, params, lengthBytes) => {
      const kdf = algorithms[name]!;
      const gap = await kdf.gap?.(secret.length, params as never, lengthBytes);
      if (gap !== undefined) throw new GapError(gap);
      return kdf.derive(secret, params as never, lengthBytes);
    },
  };
}

export async function subtleSubject(
  engine: EngineChoice,
  options: Pick<SubtleOptions, 'registry'> = {},
): Promise<Subject> {
  const subtle = await createSubtle({ engine, ...options });
  return {
    title: `subtle over ${engine}`,
    has: (algorithm) => hasAlgorithm(subtle, algorithm),
    encrypt: (name, key, params, data, into) =>
      asSubject(async () => {
        const algorithm = toAlgorithm(name, params, into);
        if (name === 'AES-KW') return wrap(subtle, key, data);
        const imported = await importKey(subtle, { name }, key, ['encrypt']);
        return bytes(await subtle.encrypt(algorithm, imported, data as BufferSource));
      }),
    decrypt: (name, key, params, data, into) =>
      asSubject(async () => {
        const algorithm = toAlgorithm(name, params, into);
        if (name === 'AES-KW') return unwrap(subtle, key, data);
        const imported = await importKey(subtle, { name }, key, ['decrypt']);
        return bytes(await subtle.decrypt(algorithm, imported, data as BufferSource));
      }),
    sign: (name, key, data, hash) =>
      asSubject(async () => {
        const imported = await importKey(subtle, { name, ...(hash && { hash }) }, key, ['sign']);
        return bytes(await subtle.sign(name, imported, data as BufferSource));
      }),
    verify: async (name, key, tag, data, hash) => {
      const imported = await importKey(subtle, { name, ...(hash && { hash }) }, key, ['verify']);
      return subtle.verify(name, imported, tag as BufferSource, data as BufferSource);
    },
    digest: async (name, data) => bytes(await subtle.digest(name, data as BufferSource)),
    xof: async (name, params, data) =>
      bytes(await subtle.digest(inBits(name, params), data as BufferSource)),
    kmac: async (name, key, params, data) => {
      const imported = await importKey(subtle, { name }, key, ['sign']);
      return bytes(await subtle.sign(inBits(name, params), imported, data as BufferSource));
    },
    verifyKmac: async (name, key, params, tag, data) => {
      const imported = await importKey(subtle, { name }, key, ['verify']);
      const given = [tag as BufferSource, data as BufferSource] as const;
      return subtle.verify(inBits(name, params), imported, ...given);
    },
    derive: (name, secret, params, lengthBytes) =>
      asSubject(async () => {
        const imported = await importKey(subtle, { name }, secret, ['deriveBits']);
        const algorithm = { name, ...params, ...draftNames(params) } as never;
        return bytes(await subtle.deriveBits(algorithm, imported, 8 * lengthBytes));
      }),
  };
}

/** The wrapped key is first imported as an HMAC key, which may have any bytes. */
async function wrap(subtle: Subtle, key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  const wrapper = await importKey(subtle, { name: 'AES-KW' }, key, ['wrapKey']);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const carrier = await subtle.importKey('raw', data as BufferSource, hmac, true, ['sign']);
  return bytes(await subtle.wrapKey('raw', carrier, wrapper, 'AES-KW'));
}

async function unwrap(subtle: Subtle, key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  const unwrapper = await importKey(subtle, { name: 'AES-KW' }, key, ['unwrapKey']);
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const wrapped = data as BufferSource;
  const carrier = await subtle.unwrapKey('raw', wrapped, unwrapper, 'AES-KW', hmac, true, ['sign']);
  return bytes(await subtle.exportKey('raw', carrier));
}

function importKey(
  subtle: Subtle,
  algorithm: { name: string; hash?: string },
  key: Uint8Array,
  usages: Parameters<Subtle['importKey']>[4],
): Promise<SubtleKey> {
  return subtle.importKey('raw', key as BufferSource, algorithm, false, usages);
}

function toAlgorithm(name: string, params: object, into?: Uint8Array) {
  const given = params as Record<string, unknown>;
  const { nonce, associatedData, tagBytes, counter, counterBits, iv, rounds } = given;
  return {
    name,
    ...(nonce !== undefined && { iv: nonce }),
    ...(associatedData !== undefined && { additionalData: associatedData }),
    ...(tagBytes !== undefined && { tagLength: 8 * (tagBytes as number) }),
    ...(counter !== undefined && { counter, length: counterBits }),
    ...(rounds !== undefined && { rounds }),
    ...(iv !== undefined && { iv }),
    ...(into && { into }),
  } as { name: string };
}

/** The parameters of the WICG draft, whose lengths are in bits. */
function inBits(name: string, { outputBytes, ...params }: { readonly outputBytes: number }) {
  return { name, outputLength: 8 * outputBytes, ...params };
}

/** Argon2Params of the WICG draft. */
function draftNames(params: object): object {
  const { memoryKiB, secret } = params as { memoryKiB?: number; secret?: Uint8Array };
  return memoryKiB === undefined ? {} : { memory: memoryKiB, secretValue: secret };
}

function hasAlgorithm(subtle: Subtle, algorithm: AlgorithmName): boolean {
  try {
    subtle.engineFor(algorithm, 1024);
    return true;
  } catch (error) {
    if ((error as Error).name === 'NotSupportedError') return false;
    throw error;
  }
}

async function asSubject<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') throw error;
    throw new GapError((error as Error).message, { cause: error });
  }
}

/** The result as a Uint8Array over the same memory. */
function bytes(result: ArrayBuffer | Uint8Array): Uint8Array {
  return result instanceof Uint8Array ? result : new Uint8Array(result);
}
