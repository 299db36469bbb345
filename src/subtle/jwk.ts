/**
 * Symmetric keys as JSON Web Keys: kty "oct" (RFC 7518, section 6.4), with the checks that the Web
 * Cryptography API asks for in its import operations. algorithms/post-quantum has those of kty "AKP" and "OKP".
 */
import { fromBase64url, toBase64url } from '../crypto/bytes.ts';
import type { RequestedKey } from './algorithms/definition.ts';
import { dataError } from './errors.ts';
import { bytesOf } from './key.ts';
import type { SubtleKey } from './key.ts';
import { isObject, toText } from './webidl/web-idl.ts';

/** What an algorithm allows in a JWK. */
export interface JwkRules {
  /** RFC 7517, section 4.2: "enc" or "sig". */
  readonly use: 'enc' | 'sig';
  /** The `alg` of a key of so many bytes, if it has one; a wrong length throws DataError. */
  readonly algFor: (keyBytes: number) => string | undefined;
}

/**
 * @returns the key's bytes
 * @throws DataError for anything that is not a JWK of such a key
 */
export function fromJwk(jwk: JsonWebKey, rules: JwkRules, requested: RequestedKey): Uint8Array {
  if (jwk.kty !== 'oct') throw dataError('jwk: kty must be "oct"');
  const bytes = decode('k', jwk.k);
  const alg = rules.algFor(bytes.length);
  if (jwk.alg !== undefined && toText('jwk: alg', jwk.alg) !== alg) {
    throw dataError(`jwk: alg must be ${alg ?? 'absent'}`);
  }
  checkPurpose(jwk, rules.use, requested);
  return bytes;
}

/** @throws DataError where `use`, `key_ops` or `ext` do not allow what is requested */
export function checkPurpose(jwk: JsonWebKey, use: JwkRules['use'], requested: RequestedKey): void {
  if (requested.usages.length > 0 && jwk.use !== undefined && jwk.use !== use) {
    throw dataError(`jwk: use must be "${use}"`);
  }
  checkKeyOps(jwk.key_ops, requested);
  if (jwk.ext === false && requested.extractable) throw dataError('jwk: ext is false');
}

/** The key as a JSON Web Key, with its usages and `ext`. */
export function toJwk(key: SubtleKey, rules: JwkRules): JsonWebKey {
  const bytes = bytesOf(key);
  const alg = rules.algFor(bytes.length);
  return {
    kty: 'oct',
    k: toBase64url(bytes),
    ...(alg !== undefined && { alg }),
    key_ops: [...key.usages],
    ext: key.extractable,
  };
}

/** The JSON of a wrapped key. @throws DataError (Web Cryptography API, "parse a JWK") */
export function parseJwk(bytes: Uint8Array): JsonWebKey {
  try {
    const jwk: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(jwk) && 'kty' in jwk) return jwk as JsonWebKey;
  } catch (error) {
    // The parser's message would quote the bytes, which are secret.
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw dataError('The unwrapped bytes are not a JSON Web Key');
}

/**
 * AES-KW takes multiples of 8 bytes only: spaces before the last brace, as the note in wrapKey of
 * the Web Cryptography API suggests.
 */
export function padForKeyWrap(json: string): string {
  return `${json.slice(0, -1).padEnd(Math.ceil(json.length / 8) * 8 - 1)}}`;
}

/** The bytes of a member. @throws DataError */
export function decode(name: string, value: unknown): Uint8Array {
  try {
    if (typeof value === 'string') return fromBase64url(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw dataError(`jwk: ${name} must be base64url`);
}

/** RFC 7517, section 4.3: no value twice; and all the usages that are asked for. */
function checkKeyOps(keyOps: unknown, { usages }: RequestedKey): void {
  if (keyOps === undefined) return;
  if (!Array.isArray(keyOps)) throw dataError('jwk: key_ops must be an array');
  const ops = keyOps.map(String);
  if (new Set(ops).size !== ops.length || !usages.every((usage) => ops.includes(usage))) {
    throw dataError('jwk: key_ops must hold each usage once');
  }
}
