import { HASH_SIZES } from '../../crypto/algorithms.ts';
import { toBase64url, wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import { KEY_USAGES, type WireAlgorithm } from '../../rpc/methods/subtle-values.ts';
import type { InputOf, SubtleOperation } from '../../rpc/workshop.ts';
import type { Usage } from '../../subtle/key.ts';
import type { StoredAlgorithm, StoredKey } from '../../subtle/stored-key.ts';
import { UNPACED_BYTES } from '../calls/thread-share.ts';
import { HASHES, hasOthers } from './platform-calls.ts';

const AES = ['AES-GCM', 'AES-CBC', 'AES-CTR'];
const AES_BITS: readonly unknown[] = [128, 192, 256];
const AES_USAGES: readonly Usage[] = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const HMAC_USAGES: readonly Usage[] = ['sign', 'verify'];

/**
 * Generates and imports the keys that platform-calls.ts uses: their bytes are the key, so that there is nothing to
 * parse, and a page that uses no others starts no worker.
 *
 * @returns undefined for all else, long keys, and what is wrong: the workshop does it, or names the mistake
 */
export function plainKey(
  method: SubtleOperation,
  params: InputOf<SubtleOperation>['params'],
  random: RandomSource,
): readonly StoredKey[] | undefined {
  if (method !== 'subtle.generateKey' && method !== 'subtle.importKey') return undefined;
  const { algorithm, extractable, usages } = params as InputOf<'subtle.generateKey'>['params'];
  const bytes = method === 'subtle.importKey' ? rawBytes(params) : undefined;
  if (method === 'subtle.importKey' && bytes === undefined) return undefined;
  const info = AES.includes(algorithm.name)
    ? aesInfo(algorithm, bytes?.length)
    : hmacInfo(algorithm, bytes?.length);
  const allowed = algorithm.name === 'HMAC' ? HMAC_USAGES : AES_USAGES;
  const areRight = usages.length > 0 && usages.every((usage) => allowed.includes(usage));
  if (info?.length === undefined || !areRight) return undefined;
  const key = bytes ?? random.bytes(info.length / 8);
  const content = toBase64url(key);
  wipe(key);
  const kept = KEY_USAGES.filter((usage) => usages.includes(usage));
  return [{ type: 'secret', extractable, algorithm: info, usages: kept, format: 'bytes', content }];
}

function rawBytes(params: object): Uint8Array | undefined {
  const { format, keyData } = params as InputOf<'subtle.importKey'>['params'];
  const isRaw = format === 'raw' || format === 'raw-secret';
  const isShort = keyData instanceof Uint8Array && keyData.length <= UNPACED_BYTES;
  return isRaw && isShort ? keyData : undefined;
}

/** @param bytes of the key; absent where it is generated */
function aesInfo(algorithm: WireAlgorithm, bytes?: number): StoredAlgorithm | undefined {
  const length = bytes === undefined ? algorithm.length : 8 * bytes;
  const isRight = AES_BITS.includes(length);
  if (!isRight || hasOthers(algorithm, bytes === undefined ? ['length'] : [])) return undefined;
  return { name: algorithm.name, length: length as number };
}

function hmacInfo(algorithm: WireAlgorithm, bytes?: number): StoredAlgorithm | undefined {
  if (algorithm.name !== 'HMAC' || bytes === 0 || hasOthers(algorithm, ['hash'])) return undefined;
  const { hash } = algorithm;
  const isObject = typeof hash === 'object' && hash !== null && 'name' in hash;
  const name = HASHES.find((one) => one === (isObject ? hash.name : hash));
  if (name === undefined) return undefined;
  return { name: 'HMAC', hash: { name }, length: 8 * (bytes ?? HASH_SIZES[name].blockBytes) };
}
