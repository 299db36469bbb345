import { toBigint } from '../../../src/crypto/bigint/integers.ts';
import { OID, writePkcs8 } from '../../../src/subtle/algorithms/classical-keys.ts';
import { hex, readPublished } from '../vectors.ts';

export type DsaMembers = Record<'p' | 'q' | 'g' | 'x' | 'y', string>;

/** RFC 6979, appendix A.2: DSA of 1,024 and 160 bits, and of 2,048 and 256 bits. */
export const [smallDsaKey, largeDsaKey] = (
  readPublished('rfc6979-dsa.json') as { readonly keys: readonly [DsaMembers, DsaMembers] }
).keys;

/** DER in the text form of OpenSSL. */
export function pem(der: Uint8Array, label = 'PRIVATE KEY'): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** PKCS #8 of a DSA key, with some members otherwise. */
export function dsaPem(
  members: DsaMembers = largeDsaKey,
  change: Partial<DsaMembers> = {},
): string {
  const all = { ...members, ...change };
  const params = (['p', 'q', 'g'] as const).map((name) => toBigint(hex(all, name)));
  return pem(writePkcs8({ oid: OID.dsa, params, value: hex(all, 'x') }));
}
