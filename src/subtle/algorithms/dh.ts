import { toBigint, toBytes } from '../../crypto/bigint/integers.ts';
import { createDh, type Dh } from '../../crypto/classical/dh.ts';
import { firstBitsOf } from '../params.ts';
import {
  inBounds,
  readPkcs8,
  readSpki,
  writePkcs8,
  writeSpki,
  OID,
  type ClassicalKey,
} from './classical-keys.ts';
import type { DefinitionOf, Format, KeyMaterial, ParamsFor, RequestedKey } from './definition.ts';
import { dataError, invalidAccess, notSupported, operationError } from '../errors.ts';
import {
  bytesOf,
  SubtleKey,
  checkUsages,
  type KeyAlgorithmInfo,
  type SubtleKeyPair,
  type Usage,
} from '../key.ts';
import type { Runtime } from '../runtime.ts';
import { groupNameOf, namedGroup, type GroupName } from '../../crypto/classical/dh-groups.ts';

/**
 * Finite-field Diffie-Hellman (SP 800-56A; RFC 7919). No standard of WebCrypto has it: the operations
 * are ECDH's, the keys those of RFC 3279 and PKCS #3.
 */

const PRIVATE_USAGES: readonly Usage[] = ['deriveKey', 'deriveBits'];

/** Key agreement in a finite field. */
export const DH: DefinitionOf<'DH'> = {
  name: 'DH',
  generateKey: (params) => {
    const group = groupOfParams(params);
    if (group === undefined) throw new TypeError('DH: group, or p and g, are missing');
    return (runtime, requested) => generate(runtime, group, requested);
  },
  importKey: (params) => {
    const group = groupOfParams(params);
    return (material, requested) => importKey(material, group, requested);
  },
  exportKey: (format, key) => exportKey(format, key),
  getPublicKey: async (key, usages, runtime) => {
    checkUsages('DH public', usages, []);
    const y = await withDh(runtime, groupIn(key.algorithm), (dh, group) =>
      dh.publicKey(group, bytesOf(key)),
    );
    return new SubtleKey(infoOf(groupIn(key.algorithm)), y, true, [], 'public');
  },
  deriveBits:
    ({ public: peer }) =>
    async ({ runtime, key, lengthBits }) => {
      checkPeer(key, peer);
      const secret = await withDh(runtime, groupIn(key.algorithm), (dh, group) =>
        dh.sharedSecret(group, bytesOf(key), bytesOf(peer)),
      );
      return firstBitsOf('DH', secret, lengthBits);
    },
};

async function generate(
  runtime: Runtime,
  group: DhParameters,
  { extractable, usages }: RequestedKey,
): Promise<SubtleKeyPair> {
  checkUsages('DH', usages, PRIVATE_USAGES);
  const pair = await withDh(runtime, group, (dh, given) => dh.generateKeyPair(given));
  return Object.freeze({
    publicKey: new SubtleKey(infoOf(group), pair.publicKey, true, [], 'public'),
    privateKey: new SubtleKey(infoOf(group), pair.privateKey, extractable, usages, 'private'),
  });
}

function importKey(
  material: KeyMaterial,
  group: DhParameters | undefined,
  requested: RequestedKey,
): SubtleKey {
  switch (material.format) {
    case 'raw':
    case 'raw-public':
      if (group === undefined) throw new TypeError('DH: a raw key needs group, or p and g');
      return publicKey(group, material.bytes, requested);
    case 'spki': {
      const key = readSpki(material.bytes);
      return publicKey(agreed(groupOf(key), group), key.value, requested);
    }
    case 'pkcs8': {
      const key = readPkcs8(material.bytes);
      return privateKey(agreed(groupOf(key), group), key.value, requested);
    }
    default:
      throw notSupported(`DH: keys have no format ${material.format}`);
  }
}

function exportKey(format: Format, key: SubtleKey): Uint8Array {
  const wanted = format === 'pkcs8' ? 'private' : 'public';
  const isRaw = format === 'raw' || format === 'raw-public';
  if (!isRaw && format !== 'spki' && format !== 'pkcs8') {
    throw notSupported(`DH: keys have no format ${format}`);
  }
  if (key.type !== wanted) throw invalidAccess(`DH: ${format} is for ${wanted} keys`);
  if (isRaw) return bytesOf(key).slice();
  const classical = toClassical(groupIn(key.algorithm), bytesOf(key));
  return format === 'spki' ? writeSpki(classical) : writePkcs8(classical);
}

/** The cheap checks. Each use checks that y has order q. */
function publicKey(group: DhParameters, y: Uint8Array, requested: RequestedKey): SubtleKey {
  checkUsages('DH public', requested.usages, []);
  const value = toBigint(y);
  if (value < 2n || value > group.p - 2n) throw dataError('DH: the public key is out of range');
  const bytes = toBytes(value, toBytes(group.p).length);
  return new SubtleKey(infoOf(group), bytes, requested.extractable, [], 'public');
}

function privateKey(group: DhParameters, x: Uint8Array, requested: RequestedKey): SubtleKey {
  checkUsages('DH private', requested.usages, PRIVATE_USAGES);
  if (!inBounds(x, group.q ?? group.p - 1n)) throw dataError('DH: the private key is out of range');
  return new SubtleKey(
    infoOf(group),
    x.slice(),
    requested.extractable,
    requested.usages,
    'private',
  );
}

/** The group of the key. The parameters may name the same group, and may add q. */
function agreed(found: DhParameters, wanted: DhParameters | undefined): DhParameters {
  if (wanted === undefined) return checkGroup(found);
  if (wanted.p !== found.p || wanted.g !== found.g) {
    throw dataError('DH: the key is of another group');
  }
  return checkGroup({ ...found, q: found.q ?? wanted.q });
}

function checkGroup(group: DhParameters): DhParameters {
  const { p, g } = group;
  if (p < 7n || p % 2n === 0n || g < 2n || g > p - 2n) throw dataError('DH: p or g cannot be');
  return group;
}

function checkPeer(own: SubtleKey, peer: SubtleKey): void {
  if (own.type !== 'private') throw invalidAccess('DH: the base key must be private');
  const { name, p, g } = peer.algorithm;
  if (peer.type !== 'public' || name !== 'DH') throw invalidAccess('DH: public is no such key');
  if (p !== own.algorithm.p || g !== own.algorithm.g) {
    throw invalidAccess('DH: the two keys are of different groups');
  }
}

/** A wrong group makes the work throw RangeError, which becomes OperationError. */
function withDh<T>(
  runtime: Runtime,
  group: DhParameters,
  work: (dh: Dh, group: { p: bigint; g: bigint; q?: bigint }) => T,
): Promise<T> {
  const { p, g, q } = group;
  return runtime.power('DH', toBytes(p).length, (power) => {
    const dh = createDh(power, (lengthBytes) => runtime.random.bytes(lengthBytes));
    try {
      return work(dh, { p, g, ...(q !== undefined && { q }) });
    } catch (error) {
      if (error instanceof RangeError) throw operationError(`DH: ${error.message}`);
      throw error;
    }
  });
}

function infoOf({ p, g, q }: DhParameters): KeyAlgorithmInfo {
  return { name: 'DH', p, g, ...(q !== undefined && { q }) };
}

function groupIn({ p, g, q }: KeyAlgorithmInfo): DhParameters {
  return { p: p!, g: g!, q };
}

/** The groups of DH keys: by name, by numbers, and inside keys of others. */

export interface DhParameters {
  readonly p: bigint;
  readonly g: bigint;
  /** The order of g, if it is known. */
  readonly q?: bigint | undefined;
}

/**
 * The group of `group`, or of `p`, `g` and optionally `q`; undefined if all are absent.
 *
 * @throws NotSupportedError for an unknown name of a group
 */
function groupOfParams(params: ParamsFor<'DH', 'importKey'>): DhParameters | undefined {
  const { group, p, g, q } = params;
  if (group !== undefined) return namedGroup(groupName(group));
  if (p === undefined) return undefined;
  if (g === undefined) throw new TypeError('DH: g is missing');
  return { p, g, q };
}

function groupName(name: string): GroupName {
  const known = groupNameOf(name);
  if (known === undefined) throw notSupported(`DH: there is no group ${JSON.stringify(name)}`);
  return known;
}

/** @throws DataError for a key that is not of DH */
export function groupOf({ oid, params }: ClassicalKey): DhParameters {
  const [p, g, q] = params;
  if (p === undefined || g === undefined) throw dataError('DH: the key has no p and g');
  if (oid === OID.pkcs3) return { p, g };
  if (oid === OID.x942 && q !== undefined) return { p, g, q };
  throw dataError('This is not a key for DH');
}

/** As OpenSSL writes it: safe primes as PKCS #3 does, groups with another q as RFC 3279. */
export function toClassical({ p, g, q }: DhParameters, value: Uint8Array): ClassicalKey {
  return q === undefined || p === 2n * q + 1n
    ? { oid: OID.pkcs3, params: [p, g], value }
    : { oid: OID.x942, params: [p, g, q], value };
}
