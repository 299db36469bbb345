import { fromHex } from '../../src/crypto/bytes.ts';
import {
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
} from '../../src/subtle/der.ts';

/** ECDH over a curve of NIST, X25519 or X448. */
export interface AgreementAlgorithm {
  readonly name: string;
  readonly namedCurve?: string;
}

/** PKCS#8 of a private key alone (RFC 5915; RFC 8410, section 7). */
export function pkcs8Of(
  { name, namedCurve }: AgreementAlgorithm,
  secret: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const version = derInteger(Uint8Array.of(0));
  const oid = (digits: string) => derObjectIdentifier(fromHex(digits));
  if (namedCurve === undefined) {
    const algorithm = derSequence(oid({ X25519: '2b656e', X448: '2b656f' }[name]!));
    return Uint8Array.from(derSequence(version, algorithm, derOctetString(derOctetString(secret))));
  }
  const { size, curve } = {
    'P-256': { size: 32, curve: '2a8648ce3d030107' },
    'P-384': { size: 48, curve: '2b81040022' },
    'P-521': { size: 66, curve: '2b81040023' },
  }[namedCurve]!;
  const scalar = new Uint8Array(size);
  const digits = secret.subarray(Math.max(0, secret.length - size));
  scalar.set(digits, size - digits.length);
  const key = derSequence(derInteger(Uint8Array.of(1)), derOctetString(scalar));
  const algorithm = derSequence(oid('2a8648ce3d0201'), oid(curve));
  return Uint8Array.from(derSequence(version, algorithm, derOctetString(key)));
}
