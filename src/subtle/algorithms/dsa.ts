/**
 * The Digital Signature Algorithm (FIPS 186-4) with the nonces of RFC 6979. No standard of WebCrypto
 * has it: the operations are ECDSA's, signatures are r ‖ s, the keys those of RFC 3279. It is for
 * existing systems; new ones should use Ed25519 or ECDSA.
 */
import { toBigint, toBytes } from '../../crypto/bigint/integers.ts';
import { createDh } from '../../crypto/classical/dh.ts';
import type { DsaHashName } from '../../crypto/classical/dsa-hashes.ts';
import { createDsa } from '../../crypto/classical/dsa.ts';
import type { Dsa, DsaParameters } from '../../crypto/classical/dsa.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import {
  inBounds,
  OID,
  readPkcs8,
  readSpki,
  writePkcs8,
  writeSpki,
  type ClassicalKey,
} from './classical-keys.ts';
import type { DefinitionOf, Format, KeyMaterial, ParamsFor, RequestedKey } from './definition.ts';
import { macHash } from './hmac.ts';
import { dataError, invalidAccess, notSupported, operationError } from '../errors.ts';
import {
  bytesOf,
  SubtleKey,
  checkUsages,
  type KeyAlgorithmInfo,
  type SubtleKeyPair,
} from '../key.ts';
import type { Runtime } from '../runtime.ts';

interface Group {
  readonly p: bigint;
  readonly q: bigint;
  readonly g: bigint;
}

/** Signatures r ‖ s, deterministic. */
export const DSA: DefinitionOf<'DSA'> = {
  name: 'DSA',
  generateKey: (group) => (runtime, requested) => generate(runtime, group, requested),
  importKey: () => (material, requested) => importKey(material, requested),
  exportKey: (format, key) => exportKey(format, key),
  getPublicKey: async (key, usages, runtime) => {
    checkUsages('DSA public', usages, ['verify']);
    const group = groupIn(key.algorithm);
    const randomBytes = (lengthBytes: number) => runtime.random.bytes(lengthBytes);
    const y = await classical(runtime, group, (power) =>
      createDh(power, randomBytes).publicKey(group, bytesOf(key)),
    );
    return new SubtleKey(infoOf(group), y, true, usages, 'public');
  },
  sign: (params) => {
    const hash = dsaHash(params);
    return ({ runtime, key, data }) =>
      withDsa(runtime, key.algorithm, hash, (dsa, params) =>
        dsa.sign({ ...params, x: bytesOf(key) }, data),
      );
  },
  verify: (params) => {
    const hash = dsaHash(params);
    return ({ runtime, key, data, signature }) =>
      withDsa(runtime, key.algorithm, hash, (dsa, params) =>
        verified(() => dsa.verify({ ...params, y: bytesOf(key) }, data, signature)),
      );
  },
};

/** Throws away a pair that cannot sign and verify, as of a size that FIPS 186-4 does not have. */
async function generate(
  runtime: Runtime,
  group: Group,
  { extractable, usages }: RequestedKey,
): Promise<SubtleKeyPair> {
  checkUsages('DSA', usages, ['sign', 'verify']);
  const { privateKey, publicKey } = await classical(runtime, group, (power) => {
    const randomBytes = (lengthBytes: number) => runtime.random.bytes(lengthBytes);
    const pair = createDh(power, randomBytes).generateKeyPair(group);
    const dsa = createDsa(power);
    const params = { ...group, hash: 'SHA-256' } as const;
    const empty = new Uint8Array(0);
    const signature = dsa.sign({ ...params, x: pair.privateKey }, empty);
    dsa.verify({ ...params, y: pair.publicKey }, empty, signature);
    return pair;
  });
  const ofKind = (usage: 'sign' | 'verify') => usages.filter((each) => each === usage);
  return Object.freeze({
    publicKey: new SubtleKey(infoOf(group), publicKey, true, ofKind('verify'), 'public'),
    privateKey: new SubtleKey(infoOf(group), privateKey, extractable, ofKind('sign'), 'private'),
  });
}

function importKey(material: KeyMaterial, { extractable, usages }: RequestedKey): SubtleKey {
  switch (material.format) {
    case 'spki': {
      checkUsages('DSA public', usages, ['verify']);
      const key = readSpki(material.bytes);
      const group = groupOf(key);
      const y = toBigint(key.value);
      if (y < 2n || y > group.p - 2n) throw dataError('DSA: the public key is out of range');
      return new SubtleKey(infoOf(group), key.value.slice(), extractable, usages, 'public');
    }
    case 'pkcs8': {
      checkUsages('DSA private', usages, ['sign']);
      const key = readPkcs8(material.bytes);
      const group = groupOf(key);
      if (!inBounds(key.value, group.q)) throw dataError('DSA: the private key is out of range');
      return new SubtleKey(infoOf(group), key.value.slice(), extractable, usages, 'private');
    }
    default:
      throw notSupported(`DSA: keys have no format ${material.format}`);
  }
}

function exportKey(format: Format, key: SubtleKey): Uint8Array {
  if (format !== 'spki' && format !== 'pkcs8') {
    throw notSupported(`DSA: keys have no format ${format}`);
  }
  const wanted = format === 'spki' ? 'public' : 'private';
  if (key.type !== wanted) throw invalidAccess(`DSA: ${format} is for ${wanted} keys`);
  const { p, q, g } = groupIn(key.algorithm);
  const classicalKey = { oid: OID.dsa, params: [p, q, g], value: bytesOf(key) };
  return format === 'spki' ? writeSpki(classicalKey) : writePkcs8(classicalKey);
}

function groupOf({ oid, params }: ClassicalKey): Group {
  const [p, q, g] = params;
  if (oid !== OID.dsa || p === undefined || q === undefined || g === undefined) {
    throw dataError('This is not a key for DSA');
  }
  return { p, q, g };
}

/** SHA-3 is newer than DSA. */
function dsaHash({ hash: given }: ParamsFor<'DSA', 'sign'>): DsaHashName {
  if (given === 'SHA-224') return given;
  const hash = macHash('DSA', given);
  if (hash.startsWith('SHA3-')) throw notSupported(`DSA is not defined over ${hash}`);
  return hash as DsaHashName;
}

function verified(verify: () => true): boolean {
  try {
    return verify();
  } catch (error) {
    if (error instanceof AuthenticationError) return false;
    throw error;
  }
}

function withDsa<T>(
  runtime: Runtime,
  algorithm: KeyAlgorithmInfo,
  hash: DsaHashName,
  work: (dsa: Dsa, params: DsaParameters) => T,
): Promise<T> {
  const group = groupIn(algorithm);
  return classical(runtime, group, (power) => work(createDsa(power), { ...group, hash }));
}

/** A wrong group makes the work throw RangeError, which becomes OperationError. */
function classical<T>(
  runtime: Runtime,
  { p }: Group,
  work: (power: Parameters<typeof createDsa>[0]) => T,
): Promise<T> {
  return runtime.power('DSA', toBytes(p).length, (power) => {
    try {
      return work(power);
    } catch (error) {
      if (error instanceof RangeError) throw operationError(`DSA: ${error.message}`);
      throw error;
    }
  });
}

function infoOf({ p, q, g }: Group): KeyAlgorithmInfo {
  return { name: 'DSA', p, q, g };
}

function groupIn({ p, q, g }: KeyAlgorithmInfo): Group {
  return { p: p!, q: q!, g: g! };
}
