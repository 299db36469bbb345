import { fromBase64url, wipe } from '../../crypto/bytes.ts';
import { platformSubtle } from '../../engine/native/native-crypto.ts';
import { source } from '../../engine/native/platform.ts';
import type { WireAlgorithm, WireParam } from '../../rpc/methods/subtle-values.ts';
import type { InputOf, SubtleOperation } from '../../rpc/workshop.ts';
import type { StoredKey } from '../../subtle/stored-key.ts';
import type { Asking } from '../calls/page-work.ts';
import type { ThreadShare } from '../calls/thread-share.ts';

type Ciphered = InputOf<'subtle.encrypt'>['params'];
type Verified = InputOf<'subtle.verify'>['params'];
type Digested = InputOf<'subtle.digest'>['params'];

/** The bytes that each cipher reads of its parameters: how many there are at least and at most. */
const CIPHERS: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  'AES-GCM': { iv: [1, 128], additionalData: [0, 65_536] },
  'AES-CBC': { iv: [16, 16] },
  'AES-CTR': { counter: [16, 16] },
};
/** Without these the call is not the platform's. */
const REQUIRED = ['iv', 'counter'];
/** The hashes that every platform has. */
export const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const;

/** A call that has all that it needs; in Chromium it is done when `begin` returns. */
interface Prepared {
  readonly bytes: number;
  readonly begin: () => Promise<ArrayBuffer | boolean>;
}

/**
 * Calls of `subtle` that the platform does with key bytes and data as they are: AES-GCM, AES-CBC, AES-CTR and HMAC
 * with a key of the call, SHA-1 and SHA-2. Firefox has threads for them; Chromium does them on the calling one, some
 * 45 ms for the most data of a call (test/browser/engines/platform-calls.test.ts), of which pages have a share
 * (calls/thread-share.ts). Another context would take longer. Every other parameter, and everything that fails here, is
 * the workshop's, which names the mistake.
 */
export class PlatformCalls {
  readonly #share: ThreadShare;
  /** Of keys that stay where they are. */
  readonly #imported = new WeakMap<StoredKey, Promise<CryptoKey>>();

  constructor(share: ThreadShare) {
    this.#share = share;
  }

  /** @returns undefined for a call that the workshop is to do, and for one that was aborted before its turn */
  async attempt(
    asking: Asking,
    method: SubtleOperation,
    params: InputOf<SubtleOperation>['params'],
    key?: StoredKey,
  ): Promise<Uint8Array | boolean | undefined> {
    try {
      const prepared = await this.#prepared(method, params, key);
      if (prepared === undefined) return undefined;
      const result = await this.#share.run(asking, prepared.bytes, prepared.begin);
      return typeof result === 'boolean' ? result : new Uint8Array(result);
    } catch {
      return undefined;
    }
  }

  async #prepared(
    method: SubtleOperation,
    params: unknown,
    key?: StoredKey,
  ): Promise<Prepared | undefined> {
    const subtle = platformSubtle();
    switch (method) {
      case 'subtle.encrypt':
      case 'subtle.decrypt': {
        const { algorithm, data } = params as Ciphered;
        const used = key && cipherOf(algorithm, key);
        const usage = method === 'subtle.encrypt' ? 'encrypt' : 'decrypt';
        if (used === undefined || !key?.usages.includes(usage)) return undefined;
        const platformKey = await this.#platformKey(key);
        return prepared(data, () => subtle[usage](used, platformKey, source(data)));
      }
      case 'subtle.sign': {
        const { algorithm, data } = params as Ciphered;
        if (!isHmac(algorithm, key, 'sign')) return undefined;
        const platformKey = await this.#platformKey(key);
        return prepared(data, () => subtle.sign('HMAC', platformKey, source(data)));
      }
      case 'subtle.verify': {
        const { algorithm, signature, data } = params as Verified;
        if (!isHmac(algorithm, key, 'verify')) return undefined;
        const platformKey = await this.#platformKey(key);
        const signed = [source(signature), source(data)] as const;
        return prepared(data, () => subtle.verify('HMAC', platformKey, ...signed));
      }
      case 'subtle.digest': {
        const { algorithm, data } = params as Digested;
        if (!isHash(algorithm.name) || hasOthers(algorithm, [])) return undefined;
        return prepared(data, () => subtle.digest(algorithm.name, source(data)));
      }
      default:
        return undefined;
    }
  }

  #platformKey(key: StoredKey): Promise<CryptoKey> {
    const known = this.#imported.get(key);
    if (known !== undefined) return known;
    const imported = platformKeyOf(key);
    this.#imported.set(key, imported);
    return imported;
  }
}

async function platformKeyOf({ algorithm, usages, content }: StoredKey): Promise<CryptoKey> {
  const { name, hash } = algorithm;
  const bytes = fromBase64url(content);
  // An HMAC key of some bits of a byte is the workshop's.
  if (algorithm.length !== 8 * bytes.length) throw new RangeError('The key ends within a byte');
  const both = name === 'HMAC' ? (['sign', 'verify'] as const) : (['encrypt', 'decrypt'] as const);
  const allowed = both.filter((usage) => usages.includes(usage));
  try {
    const wanted = { name, ...(hash && { hash: hash.name }) };
    return await platformSubtle().importKey('raw', bytes, wanted, false, allowed);
  } finally {
    wipe(bytes);
  }
}

/** The parameters for the platform; undefined where some are not as it takes them. */
function cipherOf(wire: WireAlgorithm, { algorithm }: StoredKey): AesGcmParams | undefined {
  const { name } = algorithm;
  const sizes = CIPHERS[name];
  const numbers = { 'AES-GCM': ['tagLength'], 'AES-CTR': ['length'] }[name] ?? [];
  if (sizes === undefined || wire.name !== name) return undefined;
  if (hasOthers(wire, [...Object.keys(sizes), ...numbers])) return undefined;
  const members = wire as Readonly<Record<string, WireParam | undefined>>;
  const areBytes = Object.entries(sizes).every(([member, [least, most]]) => {
    const value = members[member];
    if (value === undefined) return !REQUIRED.includes(member);
    return value instanceof Uint8Array && value.length >= least && value.length <= most;
  });
  const areNumbers = numbers.every((member) =>
    ['undefined', 'number'].includes(typeof members[member]),
  );
  return areBytes && areNumbers ? (wire as unknown as AesGcmParams) : undefined;
}

function isHmac(
  wire: WireAlgorithm,
  key: StoredKey | undefined,
  usage: 'sign' | 'verify',
): key is StoredKey {
  const isName = wire.name === 'HMAC' && !hasOthers(wire, []);
  const hash = key?.algorithm.hash?.name ?? '';
  if (!isName || key?.algorithm.name !== 'HMAC' || !isHash(hash)) return false;
  return key.usages.includes(usage);
}

function isHash(name: string): boolean {
  return (HASHES as readonly string[]).includes(name);
}

/** Whether an algorithm has members beside its name and these. */
export function hasOthers(wire: WireAlgorithm, members: readonly string[]): boolean {
  return Object.keys(wire).some((name) => name !== 'name' && !members.includes(name));
}

function prepared(data: Uint8Array, begin: Prepared['begin']): Prepared {
  return { bytes: data.length, begin };
}
