/** The groups of DH keys: by name, by numbers, and inside keys of others. */
import { GROUP_NAMES, namedGroup } from '../../crypto/classical/dh-groups.ts';
import type { GroupName } from '../../crypto/classical/dh-groups.ts';
import { OID } from './classical-keys.ts';
import type { ClassicalKey } from './classical-keys.ts';
import { dataError, notSupported } from '../errors.ts';
import type { Members } from '../webidl/members.ts';

export interface DhParameters {
  readonly p: bigint;
  readonly g: bigint;
  /** The order of g, where it is known. */
  readonly q?: bigint | undefined;
}

/** IKE's numbers of the groups of RFC 3526, under which Node has them. */
const NUMBERED: ReadonlyMap<string, GroupName> = new Map([
  ['modp5', 'modp1536'],
  ['modp14', 'modp2048'],
  ['modp15', 'modp3072'],
  ['modp16', 'modp4096'],
  ['modp17', 'modp6144'],
  ['modp18', 'modp8192'],
]);

/**
 * `group`, or `p`, `g` and maybe `q`; undefined if there is none of them.
 *
 * @throws NotSupportedError for a group without a name here
 */
export function readGroup(members: Members): DhParameters | undefined {
  const name = members.optionalText('group');
  if (name !== undefined) return namedGroup(groupName(name));
  const q = members.optionalNatural('q');
  const p = members.optionalNatural('p');
  return p === undefined ? undefined : { p, g: members.natural('g'), q };
}

function groupName(name: string): GroupName {
  const known = NUMBERED.get(name) ?? GROUP_NAMES.find((each) => each === name);
  if (known === undefined) throw notSupported(`DH: there is no group ${JSON.stringify(name)}`);
  return known;
}

/** @throws DataError for a key of something else */
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
