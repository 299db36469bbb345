/**
 * Making, importing and exporting the key pairs that are bytes: the same steps for ML-KEM, ML-DSA and SLH-DSA (WICG
 * draft) as for X448 and Ed448. As PKCS#8, a seed stands alone (RFC 9935, section 6; RFC 9881, section 6), a private key
 * of SLH-DSA as it is (RFC 9909, section 5), one of X448 or Ed448 in an OCTET STRING (RFC 8410, section 7). As a JSON
 * Web Key, the kty is "AKP" (draft-ietf-cose-dilithium), or "OKP" for X448 and Ed448 (RFC 8037, section 2).
 */
import { equal, fromHex as hex, toBase64url, toHex, wipe } from '../../../crypto/bytes.ts';
import {
  derBitString,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  DerReader,
  derSequence,
  derTaggedOctetString,
} from '../../der.ts';
import { dataError, invalidAccess, notSupported, syntaxError } from '../../errors.ts';
import { checkPurpose, decode } from '../../jwk.ts';
import { bytesOf, checkUsages, SubtleKey, type Usage } from '../../key.ts';
import type { Runtime } from '../../runtime.ts';
import type { Format, KeyMaterial, KeyReaders, Reads, RequestedKey } from '../definition.ts';

/** How the key pairs of one algorithm look. */
export interface ByteKeyRules {
  readonly name: string;
  /** Contents of its object identifier, hexadecimal; without one there is neither `spki` nor `pkcs8`. */
  readonly oid: string | undefined;
  readonly privateBytes: number;
  readonly publicBytes: number;
  /** Without one, private keys have no raw format. */
  readonly privateFormat: 'raw-seed' | 'raw-private' | undefined;
  /** Of "OKP", the format `raw` is that of public keys. */
  readonly kty: 'AKP' | 'OKP';
  readonly use: 'enc' | 'sig';
  readonly privateUsages: readonly Usage[];
  readonly publicUsages: readonly Usage[];
  /** Whether the `alg` of a JWK is one of the algorithm's; a key of "OKP" need not have one. */
  readonly isAlg: (alg: string) => boolean;
  /** Whether exported JWKs have the name for their `alg`: unless false. */
  readonly writesAlg?: boolean;
  /** @returns bytes that the keys own */
  readonly keyPair: (
    runtime: Runtime,
  ) => Promise<{ readonly privateKey: Uint8Array; readonly publicKey: Uint8Array }>;
  readonly publicKey: (runtime: Runtime, privateKey: Uint8Array) => Promise<Uint8Array>;
}

interface KeyOperations extends Required<KeyReaders> {
  readonly generateKey: Reads<'generateKey'>;
  readonly importKey: Reads<'importKey'>;
}

/** JsonWebKey of the draft. */
type PairKey = JsonWebKey & { readonly pub?: string; readonly priv?: string };

/** The key operations of an algorithm. */
export function byteKeys(rules: ByteKeyRules): KeyOperations {
  const { name, privateUsages, publicUsages } = rules;
  return {
    generateKey:
      () =>
      async (runtime, { extractable, usages }) => {
        checkUsages(name, usages, [...publicUsages, ...privateUsages]);
        const ofPrivate = usages.filter((usage) => privateUsages.includes(usage));
        const ofPublic = usages.filter((usage) => publicUsages.includes(usage));
        // Before the work: a private key of no usages would be refused after it.
        if (ofPrivate.length === 0) throw syntaxError(`A private key for ${name} needs a usage`);
        const { privateKey, publicKey } = await rules.keyPair(runtime);
        return Object.freeze({
          publicKey: new SubtleKey({ name }, publicKey, true, ofPublic, 'public'),
          privateKey: new SubtleKey({ name }, privateKey, extractable, ofPrivate, 'private'),
        });
      },
    importKey: () => (material, requested, runtime) =>
      importKey(rules, material, requested, runtime),
    exportKey: (format, key, runtime) => exportKey(rules, format, key, runtime),
    getPublicKey: async (key, usages, runtime) => {
      checkUsages(`${name} public`, usages, publicUsages);
      const publicKey = await rules.publicKey(runtime, bytesOf(key));
      return new SubtleKey({ name }, publicKey, true, usages, 'public');
    },
  };
}

async function importKey(
  rules: ByteKeyRules,
  material: KeyMaterial,
  requested: RequestedKey,
  runtime: Runtime,
): Promise<SubtleKey> {
  switch (material.format) {
    case 'raw':
    case 'raw-public':
      checkRaw(rules, material.format);
      checkUsages(`${rules.name} public`, requested.usages, rules.publicUsages);
      return publicKey(rules, material.bytes, requested);
    case rules.privateFormat:
      checkUsages(`${rules.name} private`, requested.usages, rules.privateUsages);
      return privateKey(rules, material.bytes, requested);
    case 'spki':
      checkFormat(rules, 'spki');
      checkUsages(`${rules.name} public`, requested.usages, rules.publicUsages);
      return publicKey(rules, readSpki(rules, material.bytes), requested);
    case 'pkcs8':
      checkFormat(rules, 'pkcs8');
      checkUsages(`${rules.name} private`, requested.usages, rules.privateUsages);
      return privateKey(rules, readPkcs8(rules, material.bytes), requested);
    case 'jwk':
      return importJwk(rules, material.jwk, requested, runtime);
    default:
      throw unknownFormat(rules, material.format);
  }
}

async function importJwk(
  rules: ByteKeyRules,
  jwk: PairKey,
  requested: RequestedKey,
  runtime: Runtime,
): Promise<SubtleKey> {
  const { name, isAlg, use } = rules;
  const isOkp = rules.kty === 'OKP';
  // Read once, at the time of the call.
  const { kty, alg, crv } = jwk;
  const [pub, priv] = isOkp ? [jwk.x, jwk.d] : [jwk.pub, jwk.priv];
  checkUsages(
    name,
    requested.usages,
    priv === undefined ? rules.publicUsages : rules.privateUsages,
  );
  if (kty !== rules.kty) throw dataError(`jwk: kty must be "${rules.kty}"`);
  if (isOkp && crv !== name) throw dataError(`jwk: crv must be "${name}"`);
  if (!(isOkp && alg === undefined) && (typeof alg !== 'string' || !isAlg(alg))) {
    throw dataError(`jwk: alg must be "${name}"`);
  }
  checkPurpose(jwk, use, requested);
  const given = decode(isOkp ? 'x' : 'pub', pub);
  if (priv === undefined) return publicKey(rules, given, requested);
  const key = privateKey(rules, decode(isOkp ? 'd' : 'priv', priv), requested);
  if (equal(await rules.publicKey(runtime, bytesOf(key)), given)) return key;
  throw dataError(`jwk: ${isOkp ? 'x' : 'pub'} is not the public key of ${isOkp ? 'd' : 'priv'}`);
}

async function exportKey(
  rules: ByteKeyRules,
  format: Format,
  key: SubtleKey,
  runtime: Runtime,
): Promise<Uint8Array | JsonWebKey> {
  switch (format) {
    case 'raw':
    case 'raw-public':
      checkRaw(rules, format);
      checkType(rules, format, key, 'public');
      return bytesOf(key).slice();
    case rules.privateFormat:
      checkType(rules, format, key, 'private');
      return bytesOf(key).slice();
    case 'spki':
      checkFormat(rules, format);
      checkType(rules, format, key, 'public');
      return derSequence(algorithmOf(rules), derBitString(bytesOf(key)));
    case 'pkcs8':
      checkFormat(rules, format);
      checkType(rules, format, key, 'private');
      return writePkcs8(rules, bytesOf(key));
    case 'jwk':
      return exportJwk(rules, key, runtime);
    default:
      throw unknownFormat(rules, format);
  }
}

async function exportJwk(
  rules: ByteKeyRules,
  key: SubtleKey,
  runtime: Runtime,
): Promise<JsonWebKey> {
  const isPrivate = key.type === 'private';
  const bytes = bytesOf(key);
  const publicKey = toBase64url(isPrivate ? await rules.publicKey(runtime, bytes) : bytes);
  const secret = isPrivate ? toBase64url(bytes) : undefined;
  const jwk: PairKey = {
    kty: rules.kty,
    ...(rules.writesAlg !== false && { alg: rules.name }),
    ...(rules.kty === 'OKP'
      ? { crv: rules.name, x: publicKey, ...(secret !== undefined && { d: secret }) }
      : { pub: publicKey, ...(secret !== undefined && { priv: secret }) }),
    key_ops: [...key.usages],
    ext: key.extractable,
  };
  return jwk;
}

function publicKey(rules: ByteKeyRules, bytes: Uint8Array, requested: RequestedKey): SubtleKey {
  const { name, publicBytes } = rules;
  if (bytes.length !== publicBytes) {
    throw dataError(`${name}: a public key has ${publicBytes} bytes`);
  }
  return new SubtleKey({ name }, bytes.slice(), requested.extractable, requested.usages, 'public');
}

/** The caller's bytes are overwritten. */
function privateKey(rules: ByteKeyRules, bytes: Uint8Array, requested: RequestedKey): SubtleKey {
  const { name, privateBytes } = rules;
  if (bytes.length !== privateBytes) {
    throw dataError(`${name}: a private key has ${privateBytes} bytes`);
  }
  const own = bytes.slice();
  wipe(bytes);
  return new SubtleKey({ name }, own, requested.extractable, requested.usages, 'private');
}

/** RFC 5280, section 4.1. */
function readSpki(rules: ByteKeyRules, bytes: Uint8Array): Uint8Array {
  const outer = new DerReader(bytes);
  const spki = outer.sequence();
  outer.end();
  checkAlgorithm(rules, spki.sequence());
  const key = spki.bitString();
  spki.end();
  return key;
}

/** RFC 5208, section 5. Attributes after the key are passed over. */
function readPkcs8(rules: ByteKeyRules, bytes: Uint8Array): Uint8Array {
  const outer = new DerReader(bytes);
  const info = outer.sequence();
  outer.end();
  if (info.integer().length !== 0) throw dataError('pkcs8: version must be 0');
  checkAlgorithm(rules, info.sequence());
  const field = info.octetString();
  info.attributes();
  if (rules.privateFormat === 'raw-private') return field;
  const key = new DerReader(field);
  if (rules.kty === 'OKP') {
    const bytes = key.octetString();
    key.end();
    return bytes;
  }
  if (!key.nextIsTagged()) throw notSupported(`${rules.name}: pkcs8 must hold the seed alone`);
  const seed = key.taggedOctetString();
  key.end();
  return seed;
}

function writePkcs8(rules: ByteKeyRules, bytes: Uint8Array): Uint8Array {
  const version = derInteger(new Uint8Array(0));
  return derSequence(version, algorithmOf(rules), derOctetString(privateField(rules, bytes)));
}

function privateField({ kty, privateFormat }: ByteKeyRules, bytes: Uint8Array): Uint8Array {
  if (kty === 'OKP') return derOctetString(bytes);
  return privateFormat === 'raw-seed' ? derTaggedOctetString(bytes) : bytes;
}

function algorithmOf({ oid }: ByteKeyRules): Uint8Array {
  return derSequence(derObjectIdentifier(hex(oid!)));
}

/** There are no parameters. */
function checkAlgorithm({ name, oid }: ByteKeyRules, algorithm: DerReader): void {
  const found = toHex(algorithm.objectIdentifier());
  algorithm.end();
  if (found !== oid) throw dataError(`This is not a key for ${name}`);
}

function checkRaw(rules: ByteKeyRules, format: Format): void {
  if (format === 'raw' && rules.kty !== 'OKP') throw unknownFormat(rules, format);
}

function checkFormat(rules: ByteKeyRules, format: Format): void {
  if (rules.oid === undefined) throw unknownFormat(rules, format);
}

function unknownFormat({ name }: ByteKeyRules, format: Format): DOMException {
  return notSupported(`${name}: keys have no format ${format}`);
}

function checkType(
  { name }: ByteKeyRules,
  format: Format,
  key: SubtleKey,
  type: SubtleKey['type'],
): void {
  if (key.type !== type) throw invalidAccess(`${name}: ${format} is for ${type} keys`);
}
