/**
 * SHA-1 and SHA-2 (Web Cryptography API, 34; FIPS 180-4), SHA-3 (WICG draft; FIPS 202), BLAKE2b
 * with 64 bytes (RFC 7693) and BLAKE3 with 32; cSHAKE (WICG draft; SP 800-185), TurboSHAKE and
 * KangarooTwelve (WICG draft; RFC 9861).
 */
import type { DigestName, XofName, XofParams } from '../../engine/contract.ts';
import { notSupported, operationError } from '../errors.ts';
import type { Members } from '../webidl/members.ts';
import type { Definition } from './definition.ts';

/** Every hash that `digest` knows. */
export const DIGEST_NAMES = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
  'BLAKE2b',
  'BLAKE3',
] as const satisfies readonly DigestName[];

/** The operation `digest` of each of them, and of the functions with outputs of any length. */
export const DIGESTS: readonly Definition[] = [
  ...DIGEST_NAMES.map((name) => ({
    name,
    digest: (): Digest => (runtime, data, signal) => runtime.digest(name, data, signal),
    createHash:
      (): CreateHash =>
      ({ registry, engine }) =>
        registry.streamingHash(name, engine),
  })),
  xof('cSHAKE128', readCShake),
  xof('cSHAKE256', readCShake),
  xof('TurboSHAKE128', readTurboShake),
  xof('TurboSHAKE256', readTurboShake),
  xof('KT128', readKangarooTwelve),
  xof('KT256', readKangarooTwelve),
];

type Digest = ReturnType<NonNullable<Definition['digest']>>;
type CreateHash = ReturnType<NonNullable<Definition['createHash']>>;

/** @param read reads the members; what it returns checks their values, as the operation does first */
function xof<A extends XofName>(
  name: A,
  read: (name: A, members: Members) => () => XofParams[A],
): Definition {
  return {
    name,
    digest: (members) => {
      const checked = read(name, members);
      return async (runtime, data) => runtime.xof(name, checked(), data);
    },
    createHash: (members) => {
      const checked = read(name, members);
      return ({ registry, engine }) => registry.streamingXof(name, checked(), engine);
    },
  };
}

/** CShakeParams of the draft. */
function readCShake(name: XofName, members: Members): () => XofParams['cSHAKE128'] {
  const customization = members.optionalBytes('customization');
  const functionName = members.optionalBytes('functionName');
  const bits = members.integer('outputLength', 32);
  return () => ({ outputBytes: outputBytes(name, bits), functionName, customization });
}

/** TurboShakeParams of the draft: D is 0x1F unless given. */
function readTurboShake(name: XofName, members: Members): () => XofParams['TurboSHAKE128'] {
  const domainSeparation = members.optionalInteger('domainSeparation', 8) ?? 0x1f;
  const bits = members.integer('outputLength', 32);
  return () => {
    checkNotEmpty(name, bits);
    if (domainSeparation < 0x01 || domainSeparation > 0x7f) {
      throw operationError(`${name}: domainSeparation must be 1 to 127`);
    }
    return { outputBytes: bits / 8, domainSeparation };
  };
}

/** KangarooTwelveParams of the draft. */
function readKangarooTwelve(name: XofName, members: Members): () => XofParams['KT128'] {
  const customization = members.optionalBytes('customization');
  const bits = members.integer('outputLength', 32);
  return () => {
    checkNotEmpty(name, bits);
    return { outputBytes: bits / 8, customization };
  };
}

/** "If outputLength is zero or is not a multiple of 8, then throw an OperationError." */
function checkNotEmpty(name: XofName, bits: number): void {
  if (bits === 0 || bits % 8 !== 0) {
    throw operationError(`${name}: outputLength must be a multiple of 8, and not 0`);
  }
}

/** The draft allows cSHAKE and KMAC any number of bits; here they are whole bytes. */
export function outputBytes(name: string, bits: number): number {
  if (bits % 8 !== 0) throw notSupported(`${name}: outputLength must be a multiple of 8`);
  return bits / 8;
}
