/**
 * SHA-1 and SHA-2 (Web Cryptography API, 34; FIPS 180-4), SHA-3 (WICG draft; FIPS 202), BLAKE2b
 * with 64 bytes (RFC 7693) and BLAKE3 with 32; cSHAKE (WICG draft; SP 800-185), TurboSHAKE and
 * KangarooTwelve (WICG draft; RFC 9861).
 */
import { HASH_NAMES } from '../../crypto/algorithms.ts';
import type { DigestName, XofName, XofParams } from '../../engine/contract.ts';
import { notSupported, operationError } from '../errors.ts';
import type { Definition, DefinitionOf, ParamsFor } from './definition.ts';

/** The operation `digest` of each hash, and of the functions with outputs of any length. */
export const DIGESTS: readonly Definition[] = [
  ...HASH_NAMES.map(digest),
  xof('cSHAKE128', cShakeParams),
  xof('cSHAKE256', cShakeParams),
  xof('TurboSHAKE128', turboShakeParams),
  xof('TurboSHAKE256', turboShakeParams),
  xof('KT128', kangarooTwelveParams),
  xof('KT256', kangarooTwelveParams),
];

function digest(name: DigestName): DefinitionOf<DigestName> {
  return {
    name,
    digest: () => (runtime, data, signal) => runtime.digest(name, data, signal),
    createHash:
      () =>
      ({ registry, engine }) =>
        registry.streamingHash(name, engine),
  };
}

/** @param checked the engine's parameters, whose values it checks */
function xof<A extends XofName>(
  name: A,
  checked: (name: A, params: ParamsFor<A, 'digest'>) => XofParams[A],
): Definition {
  return {
    name,
    digest: (params: ParamsFor<A, 'digest'>) => async (runtime, data) =>
      runtime.xof(name, checked(name, params), data),
    createHash:
      (params: ParamsFor<A, 'digest'>) =>
      ({ registry, engine }) =>
        registry.streamingXof(name, checked(name, params), engine),
  };
}

/** CShakeParams of the draft. */
function cShakeParams(
  name: XofName,
  { customization, functionName, outputLength }: ParamsFor<'cSHAKE128', 'digest'>,
): XofParams['cSHAKE128'] {
  return { outputBytes: outputBytes(name, outputLength), functionName, customization };
}

/** TurboShakeParams of the draft: D is 0x1F unless given. */
function turboShakeParams(
  name: XofName,
  { domainSeparation = 0x1f, outputLength }: ParamsFor<'TurboSHAKE128', 'digest'>,
): XofParams['TurboSHAKE128'] {
  checkNotEmpty(name, outputLength);
  if (domainSeparation < 0x01 || domainSeparation > 0x7f) {
    throw operationError(`${name}: domainSeparation must be 1 to 127`);
  }
  return { outputBytes: outputLength / 8, domainSeparation };
}

/** KangarooTwelveParams of the draft. */
function kangarooTwelveParams(
  name: XofName,
  { customization, outputLength }: ParamsFor<'KT128', 'digest'>,
): XofParams['KT128'] {
  checkNotEmpty(name, outputLength);
  return { outputBytes: outputLength / 8, customization };
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
