/**
 * What the standards ask of the bytes and members of RSA, elliptic curve and OKP keys, checked before a platform reads
 * them: each platform takes some keys that the standards refuse, and each takes others (import operations of the Web
 * Cryptography API, sections 20 to 26).
 */
import { fromHex, toBase64url, toHex } from '../crypto/bytes.ts';
import { isInRange } from '../crypto/classical/subgroup.ts';
import type { KeyMaterial, RequestedKey } from './algorithms/definition.ts';
import { DerReader } from './der.ts';
import { dataError, notSupported } from './errors.ts';
import { checkPurpose, decode, type JwkRules } from './jwk.ts';
import { checkUsages, type Usage } from './key.ts';

/** What an algorithm allows its key pairs. */
export interface PairRules {
  readonly use: JwkRules['use'];
  readonly privateUsages: readonly Usage[];
  readonly publicUsages: readonly Usage[];
}

/** An algorithm, with the members that its import operation reads. */
export interface PairAlgorithm {
  readonly name: string;
  /** ECDSA, ECDH */
  readonly namedCurve?: string;
  /** RSA */
  readonly hash?: string;
}

interface Curve {
  /** Contents of its object identifier, hexadecimal. */
  readonly oid: string;
  /** Of a coordinate and of a private key (SEC 1, section 2.3.5). */
  readonly bytes: number;
  /** Of the base point, hexadecimal (SP 800-186, section 3.2.1). */
  readonly order: string;
  /** RFC 7518, section 3.4: the `alg` of ECDSA over it. */
  readonly alg: string;
}

/** RFC 5480, section 2.1.1.1 */
const CURVES: Readonly<Record<string, Curve>> = {
  'P-256': {
    oid: '2a8648ce3d030107',
    bytes: 32,
    order: 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
    alg: 'ES256',
  },
  'P-384': {
    oid: '2b81040022',
    bytes: 48,
    order:
      'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
    alg: 'ES384',
  },
  'P-521': {
    oid: '2b81040023',
    bytes: 66,
    order:
      '01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409',
    alg: 'ES512',
  },
};

/** RFC 8410, section 3, and the `alg` of each (RFC 8037, section 3.1; RFC 9864); X25519 has none to check. */
const OKP: Readonly<Record<string, { readonly oid: string; readonly algs?: readonly string[] }>> = {
  Ed25519: { oid: '2b6570', algs: ['Ed25519', 'EdDSA'] },
  X25519: { oid: '2b656e' },
};
const OKP_BYTES = 32;

/** RFC 8017, appendix A.1 */
const RSA_ENCRYPTION = '2a864886f70d010101';
/** RFC 5480, section 2.1.1 */
const EC_PUBLIC_KEY = '2a8648ce3d0201';

/** The `alg` of a JWK without the number of its hash (RFC 7518, sections 3.3, 3.5 and 4.3). */
const RSA_ALGS: Readonly<Record<string, string>> = {
  'RSASSA-PKCS1-v1_5': 'RS',
  'RSA-PSS': 'PS',
  'RSA-OAEP': 'RSA-OAEP-',
};

/** RFC 7518, section 6.3.2: the members that belong to `d`. */
const RSA_PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const;

/** @returns whether there is such a curve */
export const isCurve = (name: string): boolean => Object.hasOwn(CURVES, name);

/** The members of a JWK that say which public key it is; of an elliptic curve maybe the point in place of x and y. */
type PublicHalf = JsonWebKey & { readonly point?: Uint8Array<ArrayBuffer> };

/** A private key as it was given, and the public key that was given with it. */
export interface KeyPairData {
  readonly privateKey: Uint8Array<ArrayBuffer> | JsonWebKey;
  readonly publicKey: PublicHalf;
}

/**
 * The steps of an import that need no arithmetic, in the standard's order.
 *
 * @param material a copy of the caller's, in a format that the algorithm has
 * @returns the halves of a private key that was given with its public key, for `checkHalves`
 * @throws SyntaxError (DOMException) for usages that such a key cannot have
 * @throws DataError for a key that is not exactly as its standard writes it
 * @throws NotSupportedError for RSA of more than two primes
 */
export function checkKeyStructure(
  algorithm: PairAlgorithm,
  rules: PairRules,
  material: KeyMaterial,
  requested: RequestedKey,
): KeyPairData | undefined {
  const { name } = algorithm;
  const isPrivate =
    material.format === 'jwk' ? material.jwk.d !== undefined : material.format === 'pkcs8';
  checkUsages(name, requested.usages, isPrivate ? rules.privateUsages : rules.publicUsages);
  const key = kindOf(algorithm);
  switch (material.format) {
    case 'spki':
      readSpki(material.bytes, key);
      return undefined;
    case 'pkcs8': {
      const publicKey = readPkcs8(material.bytes, key);
      return publicKey && { privateKey: material.bytes as Uint8Array<ArrayBuffer>, publicKey };
    }
    case 'jwk': {
      const publicKey = readJwk(material.jwk, key);
      checkPurpose(material.jwk, rules.use, requested);
      const { key_ops: _ops, use: _use, ext: _ext, alg: _alg, ...privateKey } = material.jwk;
      return isPrivate ? { privateKey, publicKey } : undefined;
    }
    default:
      key.raw?.(material.bytes);
      return undefined;
  }
}

/** How the keys of one algorithm are written. Each function throws DataError for anything else. */
interface KeyKind {
  readonly kty: string;
  /** The `alg` that a JWK may have; any, if absent. */
  readonly algs?: readonly string[] | undefined;
  /** An AlgorithmIdentifier (RFC 5280, section 4.1.1.2). */
  readonly algorithm: (reader: DerReader) => void;
  /** The content of the BIT STRING of a SubjectPublicKeyInfo. */
  readonly publicKey: (bytes: Uint8Array) => void;
  /** The content of the OCTET STRING of a PrivateKeyInfo. @returns the public key, if it is there */
  readonly privateKey: (reader: DerReader) => PublicHalf | undefined;
  /** The members of a JWK beside those of all keys. @returns those of the public key, but kty */
  readonly jwk: (jwk: JsonWebKey) => JsonWebKey;
  readonly raw?: (bytes: Uint8Array) => void;
}

function kindOf({ name, namedCurve, hash }: PairAlgorithm): KeyKind {
  if (Object.hasOwn(OKP, name)) return okp(name);
  return namedCurve === undefined ? rsa(name, hash!) : elliptic(name, namedCurve);
}

/** RFC 8017, appendix A.1; RFC 3279, section 2.3.1; RFC 7518, section 6.3. */
function rsa(name: string, hash: string): KeyKind {
  const bits = hash.replace('SHA-', '').replace(/^1$/, name === 'RSA-OAEP' ? '' : '1');
  return {
    kty: 'RSA',
    algs: [`${RSA_ALGS[name]}${bits}`.replace(/-$/, '')],
    algorithm: (reader) => {
      expectOid(reader, RSA_ENCRYPTION);
      reader.nothing();
    },
    publicKey: (bytes) => {
      const outer = new DerReader(bytes);
      const numbers = outer.sequence();
      outer.end();
      checkRsa(numbers.integer(), numbers.integer());
      numbers.end();
    },
    privateKey: (reader) => {
      const numbers = reader.sequence();
      const version = toHex(numbers.integer());
      if (version === '01') throw ofMorePrimes();
      if (version !== '') throw dataError('RSAPrivateKey: version must be 0 or 1');
      const [n, e] = [numbers.integer(), numbers.integer()];
      checkRsa(n, e);
      for (const _ of RSA_PRIVATE) numbers.integer();
      numbers.end();
      return { kty: 'RSA', n: toBase64url(n), e: toBase64url(e) };
    },
    jwk: (jwk) => {
      const { n, e, d, oth } = jwk;
      checkRsa(unsigned('n', n), unsigned('e', e));
      if (oth !== undefined) throw ofMorePrimes();
      if (d !== undefined) for (const member of RSA_PRIVATE) unsigned(member, jwk[member]);
      return { n: n!, e: e! };
    },
  };
}

/** RFC 8017, section 3.1: an odd modulus, and an odd exponent of 3 and more that is less. */
function checkRsa(n: Uint8Array, e: Uint8Array): void {
  const isOdd = (integer: Uint8Array) => (integer.at(-1) ?? 0) % 2 === 1;
  const isLess = e.length < n.length || (e.length === n.length && toHex(e) < toHex(n));
  if (isOdd(n) && isOdd(e) && isLess && (e.length > 1 || e[0]! > 1)) return;
  throw dataError('RSA: this is no public key');
}

/** RFC 5480, section 2; RFC 5915, section 3; RFC 7518, section 6.2. */
function elliptic(name: string, namedCurve: string): KeyKind {
  const curve = CURVES[namedCurve];
  if (curve === undefined) throw dataError(`${name}: there is no curve ${namedCurve}`);
  const { oid, bytes: size, alg, order } = curve;
  // SEC 1, section 2.3.3. The standard leaves compressed points to each platform: all take them.
  const point = (bytes: Uint8Array) => {
    const [first = 0] = bytes;
    const isCompressed = first === 2 || first === 3;
    if (isCompressed || first === 4) expectBytes(name, bytes, 1 + (isCompressed ? 1 : 2) * size);
    else throw dataError(`${name}: this is no point`);
  };
  const secret = (bytes: Uint8Array) => {
    expectBytes(name, bytes, size);
    if (isInRange(bytes, fromHex(order))) return;
    throw dataError(`${name}: the private key is out of range`);
  };
  return {
    kty: 'EC',
    ...(name === 'ECDSA' && { algs: [alg] }),
    algorithm: (reader) => {
      expectOid(reader, EC_PUBLIC_KEY);
      expectOid(reader, oid);
    },
    publicKey: point,
    privateKey: (reader) => {
      const key = reader.sequence();
      if (toHex(key.integer()) !== '01') throw dataError('ECPrivateKey: version must be 1');
      secret(key.octetString());
      const parameters = key.explicit(0);
      if (parameters !== undefined) {
        expectOid(parameters, oid);
        parameters.end();
      }
      const publicKey = key.explicit(1);
      const bytes = publicKey?.bitString();
      publicKey?.end();
      key.end();
      if (bytes === undefined) return undefined;
      point(bytes);
      return { kty: 'EC', crv: namedCurve, point: bytes.slice() };
    },
    jwk: ({ crv, x, y, d }) => {
      if (crv !== namedCurve) throw dataError(`jwk: crv must be "${namedCurve}"`);
      expectBytes('jwk: x', decode('x', x), size);
      expectBytes('jwk: y', decode('y', y), size);
      if (d !== undefined) secret(decode('d', d));
      return { crv, x: x!, y: y! };
    },
    raw: point,
  };
}

/** RFC 8410, sections 3, 4 and 7; RFC 8037, section 2. */
function okp(name: string): KeyKind {
  const { oid, algs } = OKP[name]!;
  const raw = (bytes: Uint8Array) => expectBytes(name, bytes, OKP_BYTES);
  return {
    kty: 'OKP',
    algs,
    algorithm: (reader) => expectOid(reader, oid),
    publicKey: raw,
    privateKey: (reader) => {
      raw(reader.octetString());
      return undefined;
    },
    jwk: ({ crv, x, d }) => {
      if (crv !== name) throw dataError(`jwk: crv must be "${name}"`);
      raw(decode('x', x));
      if (d !== undefined) raw(decode('d', d));
      return { crv, x: x! };
    },
    raw,
  };
}

/** One SubjectPublicKeyInfo (RFC 5280, section 4.1) and nothing after it. */
function readSpki(bytes: Uint8Array, kind: KeyKind): void {
  const outer = new DerReader(bytes);
  const spki = outer.sequence();
  outer.end();
  readAlgorithm(spki, kind);
  kind.publicKey(spki.bitString());
  spki.end();
}

/** One PrivateKeyInfo (RFC 5208, section 5) and nothing after it. */
function readPkcs8(bytes: Uint8Array, kind: KeyKind): PublicHalf | undefined {
  const outer = new DerReader(bytes);
  const info = outer.sequence();
  outer.end();
  if (info.integer().length > 0) throw dataError('pkcs8: version must be 0');
  readAlgorithm(info, kind);
  const key = new DerReader(info.octetString());
  const publicKey = kind.privateKey(key);
  key.end();
  info.attributes();
  return publicKey;
}

function readAlgorithm(reader: DerReader, kind: KeyKind): void {
  const algorithm = reader.sequence();
  kind.algorithm(algorithm);
  algorithm.end();
}

function readJwk(jwk: JsonWebKey, { kty, algs, jwk: readMembers }: KeyKind): JsonWebKey {
  if (jwk.kty !== kty) throw dataError(`jwk: kty must be "${kty}"`);
  const publicKey = readMembers(jwk);
  if (algs === undefined || jwk.alg === undefined || algs.includes(jwk.alg)) {
    return { kty, ...publicKey };
  }
  throw dataError(`jwk: alg must be ${algs.join(' or ')}`);
}

function expectOid(reader: DerReader, oid: string): void {
  if (toHex(reader.objectIdentifier()) !== oid) throw dataError('This is a key of another kind');
}

function expectBytes(what: string, { length }: Uint8Array, size: number): void {
  if (length !== size) throw dataError(`${what}: ${size} bytes are needed, not ${length}`);
}

/** Base64urlUInt (RFC 7518, section 2): in as few bytes as possible. */
function unsigned(name: string, value: unknown): Uint8Array {
  const bytes = decode(name, value);
  if (bytes.length === 0 || bytes[0] === 0) {
    throw dataError(`jwk: ${name} must be a positive integer without leading zeros`);
  }
  return bytes;
}

/** RFC 7518, section 6.3.2.7: who does not support them must not use the key. */
function ofMorePrimes(): DOMException {
  return notSupported('RSA: keys have two primes');
}
