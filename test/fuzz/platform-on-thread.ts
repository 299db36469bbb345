/*
 * WebCrypto for a search: the same results without other threads. The platform hands each call to a thread, which takes
 * many times as long as a short message. The platform itself is not what is searched; the short run in `npm test` has
 * it as it is.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  diffieHellman,
  KeyObject,
} from 'node:crypto';

const GCM_TAG_BYTES = 16;
const HASHES: Readonly<Record<string, string>> = {
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
};
/** Imported keys and agreements that are remembered: those of the kept inputs come again and again. */
const MOST_REMEMBERED = 4096;

/** What was computed before, by a text; the oldest is forgotten first. */
class Memory<T> {
  readonly #known = new Map<string, T>();

  async of(name: string, compute: () => Promise<T>): Promise<T> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const value = await compute();
    if (this.#known.size >= MOST_REMEMBERED) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    this.#known.set(name, value);
    return value;
  }
}

type Subtle = SubtleCrypto;
type Params<Name extends keyof Subtle> = Subtle[Name] extends (...args: infer P) => unknown
  ? P
  : never;

/**
 * The platform, which does on this thread: HMAC, AES-GCM, ECDH and X25519, and what was done before of the import and
 * export of keys. Every call that is not quite ordinary goes to the platform as it is.
 */
export function onThread(platform: SubtleCrypto): SubtleCrypto {
  const keys = new Memory<CryptoKey>();
  const secrets = new Memory<ArrayBuffer>();
  const exports = new Memory<ArrayBuffer>();
  const numbers = new WeakMap<CryptoKey, number>();
  let count = 0;
  const numberOf = (key: CryptoKey): number => {
    const known = numbers.get(key) ?? ++count;
    numbers.set(key, known);
    return known;
  };
  const answers = {
    async importKey(...args: Params<'importKey'>): Promise<CryptoKey> {
      const [format, data, ...how] = args;
      const isBytes = ArrayBuffer.isView(data) || data instanceof ArrayBuffer;
      const text = isBytes ? latin1Of(data) : JSON.stringify(data);
      return keys.of(`${format} ${JSON.stringify(how)} ${text}`, () => platform.importKey(...args));
    },

    /** @returns a copy: callers wipe what they get */
    async exportKey(...args: Params<'exportKey'>): Promise<ArrayBuffer | JsonWebKey> {
      const [format, key] = args;
      if (format === 'jwk' || !(key instanceof CryptoKey)) return platform.exportKey(...args);
      const place = `${format} ${numberOf(key)}`;
      const exported = exports.of(place, () => platform.exportKey(format, key));
      return (await exported).slice(0);
    },

    async sign(...args: Params<'sign'>): Promise<ArrayBuffer> {
      const [algorithm, key, data] = args;
      return hmac(algorithm, key, data) ?? platform.sign(...args);
    },

    async encrypt(...args: Params<'encrypt'>): Promise<ArrayBuffer> {
      const [algorithm, key, data] = args;
      const gcm = gcmOf(algorithm, key, 'encrypt');
      if (!gcm) return platform.encrypt(...args);
      const cipher = createCipheriv(gcm.name, keyObjectOf(key), gcm.iv);
      cipher.setAAD(gcm.additionalData);
      const sealed = [cipher.update(bytesOf(data)), cipher.final()];
      return ownBuffer(Buffer.concat([...sealed, cipher.getAuthTag()]));
    },

    async decrypt(...args: Params<'decrypt'>): Promise<ArrayBuffer> {
      const [algorithm, key, data] = args;
      const gcm = gcmOf(algorithm, key, 'decrypt');
      const bytes = bytesOf(data);
      const end = bytes.length - GCM_TAG_BYTES;
      if (!gcm || end < 0) return platform.decrypt(...args);
      const decipher = createDecipheriv(gcm.name, keyObjectOf(key), gcm.iv);
      decipher.setAAD(gcm.additionalData);
      decipher.setAuthTag(bytes.subarray(end));
      const opened = decipher.update(bytes.subarray(0, end));
      try {
        decipher.final();
      } catch {
        throw new DOMException('The tag does not verify', 'OperationError');
      }
      return ownBuffer(opened);
    },

    async deriveBits(...args: Params<'deriveBits'>): Promise<ArrayBuffer> {
      const [algorithm, key] = args;
      const { name, public: peer } = algorithm as { name?: unknown; public?: CryptoKey };
      const isKnown = name === 'ECDH' || name === 'X25519';
      if (!isKnown || !(peer instanceof CryptoKey)) return platform.deriveBits(...args);
      const place = [name, numberOf(key), numberOf(peer), args[2]].join(' ');
      return (await secrets.of(place, () => agreed(args, peer))).slice(0);
    },
  };

  async function agreed(args: Params<'deriveBits'>, peer: CryptoKey): Promise<ArrayBuffer> {
    const [{ name }, key, bits] = args as [{ name: string }, CryptoKey, number];
    const isFor = key.type === 'private' && key.usages.includes('deriveBits');
    const areSame = [key, peer].every(({ algorithm }) => algorithm.name === name);
    if (!isFor || !areSame || peer.type !== 'public') return platform.deriveBits(...args);
    const own = { privateKey: keyObjectOf(key), publicKey: keyObjectOf(peer) };
    try {
      const secret = diffieHellman(own);
      return 8 * secret.length === bits ? ownBuffer(secret) : await platform.deriveBits(...args);
    } catch {
      return platform.deriveBits(...args);
    }
  }

  return new Proxy(platform, {
    get(_, name) {
      if (Object.hasOwn(answers, name)) return Reflect.get(answers, name) as unknown;
      const value: unknown = Reflect.get(platform, name, platform);
      return typeof value === 'function' ? (value.bind(platform) as unknown) : value;
    },
  });
}

function hmac(
  algorithm: AlgorithmIdentifier,
  key: CryptoKey,
  data: BufferSource,
): ArrayBuffer | undefined {
  const name = typeof algorithm === 'string' ? algorithm : algorithm.name;
  if (name !== 'HMAC' || key.algorithm.name !== 'HMAC' || !key.usages.includes('sign')) {
    return undefined;
  }
  const hash = HASHES[(key.algorithm as HmacKeyAlgorithm).hash.name];
  if (hash === undefined) return undefined;
  return ownBuffer(createHmac(hash, keyObjectOf(key)).update(bytesOf(data)).digest());
}

/** The parameters of AES-GCM, where they are those of this project; undefined for all others. */
function gcmOf(algorithm: AlgorithmIdentifier, key: CryptoKey, usage: KeyUsage) {
  if (typeof algorithm === 'string' || key.algorithm.name !== 'AES-GCM') return undefined;
  const { name, iv, additionalData = new Uint8Array(0), tagLength } = algorithm as AesGcmParams;
  if (name !== 'AES-GCM' || tagLength !== 8 * GCM_TAG_BYTES || !key.usages.includes(usage)) {
    return undefined;
  }
  if (iv.byteLength !== 12) return undefined;
  const { length } = key.algorithm as AesKeyAlgorithm;
  return {
    name: `aes-${length}-gcm` as 'aes-256-gcm',
    iv: bytesOf(iv),
    additionalData: bytesOf(additionalData),
  };
}

const KEY_OBJECTS = new WeakMap<CryptoKey, KeyObject>();

function keyObjectOf(key: CryptoKey): KeyObject {
  const known = KEY_OBJECTS.get(key) ?? KeyObject.from(key);
  KEY_OBJECTS.set(key, known);
  return known;
}

const bytesOf = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

const latin1Of = (data: BufferSource): string => Buffer.from(bytesOf(data)).toString('latin1');

/** Small Buffers share an ArrayBuffer. */
const ownBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
