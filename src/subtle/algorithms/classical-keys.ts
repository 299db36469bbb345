import { toBigint, toBytes } from '../../crypto/bigint/integers.ts';
import { fromHex as hex, toHex } from '../../crypto/bytes.ts';
import {
  derBitString,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  DerReader,
  derSequence,
} from '../der.ts';
import { dataError } from '../errors.ts';
import { isInRange } from '../../crypto/classical/subgroup.ts';

/**
 * Keys of DH and DSA as SubjectPublicKeyInfo (RFC 5280, section 4.1) and PrivateKeyInfo (RFC 5208):
 * an algorithm with integers for parameters, and one integer.
 */

/** The last argument of each OID; the bytes are as DER has them. */
export const OID = {
  /** PKCS #3, dhKeyAgreement 1.2.840.113549.1.3.1: p, g and maybe the length of private keys */
  pkcs3: '2a864886f70d010301',
  /** RFC 3279, section 2.3.3, dhpublicnumber 1.2.840.10046.2.1: p, g, q and more */
  x942: '2a8648ce3e0201',
  /** RFC 3279, section 2.3.2, id-dsa 1.2.840.10040.4.1: p, q, g */
  dsa: '2a8648ce380401',
} as const;

/** Longer keys would block the thread: exponentiation takes time with the cube of the length. */
const MAX_BITS = 16_384;

/** One public or private key of DH or DSA, as numbers. */
export interface ClassicalKey {
  /** Hexadecimal; one of `OID` for the kinds of keys that are known here. */
  readonly oid: string;
  /** The integers that the parameters begin with. */
  readonly params: readonly bigint[];
  /** y or x, big-endian without leading zeros */
  readonly value: Uint8Array;
}

/** @throws DataError */
export function readSpki(bytes: Uint8Array): ClassicalKey {
  const outer = new DerReader(bytes);
  const spki = outer.sequence();
  outer.end();
  const algorithm = readAlgorithm(spki.sequence());
  const key = new DerReader(spki.bitString());
  spki.end();
  const value = key.integer();
  key.end();
  return { ...algorithm, value };
}

/** Attributes after the key are passed over. @throws DataError */
export function readPkcs8(bytes: Uint8Array): ClassicalKey {
  const outer = new DerReader(bytes);
  const info = outer.sequence();
  outer.end();
  if (info.integer().length !== 0) throw dataError('pkcs8: version must be 0');
  const algorithm = readAlgorithm(info.sequence());
  const key = new DerReader(info.octetString());
  info.attributes();
  const value = key.integer();
  key.end();
  return { ...algorithm, value };
}

/** The DER of a public key. */
export function writeSpki({ oid, params, value }: ClassicalKey): Uint8Array {
  return derSequence(writeAlgorithm(oid, params), derBitString(derInteger(value)));
}

/** The DER of a private key, which the caller wipes. */
export function writePkcs8({ oid, params, value }: ClassicalKey): Uint8Array {
  const version = derInteger(new Uint8Array(0));
  return derSequence(version, writeAlgorithm(oid, params), derOctetString(derInteger(value)));
}

function readAlgorithm(reader: DerReader): Pick<ClassicalKey, 'oid' | 'params'> {
  const oid = toHex(reader.objectIdentifier());
  const list = reader.sequence();
  const params: bigint[] = [];
  while (list.nextIsInteger() && params.length < 3) {
    const integer = list.integer();
    if (8 * integer.length > MAX_BITS) throw dataError(`keys have at most ${MAX_BITS} bits`);
    params.push(toBigint(integer));
  }
  if (oid === OID.x942) passOver(list);
  list.end();
  reader.end();
  return { oid, params };
}

/** RFC 3279, section 2.3.3: j and ValidationParms, both OPTIONAL, after p, g and q. */
function passOver(domain: DerReader): void {
  if (domain.nextIsInteger()) domain.integer();
  if (!domain.hasMore()) return;
  const validation = domain.sequence();
  validation.bitString();
  validation.integer();
  validation.end();
}

function writeAlgorithm(oid: string, params: readonly bigint[]): Uint8Array {
  const integers = params.map((param) => derInteger(toBytes(param)));
  return derSequence(derObjectIdentifier(hex(oid)), derSequence(...integers));
}

/**
 * Whether a private key is 1 … limit - 1.
 *
 * @param secret big-endian without leading zeros; compared in a time that does not depend on its digits
 */
export function inBounds(secret: Uint8Array, limit: bigint): boolean {
  const bound = toBytes(limit);
  if (secret.length > bound.length) return false;
  const padded = new Uint8Array(bound.length);
  padded.set(secret, bound.length - secret.length);
  const answer = isInRange(padded, bound);
  padded.fill(0);
  return answer;
}
