/* The format of NIST's CAVS: keys are in the blocks before their vectors, and bytes are written as numbers. */
import { expect } from 'chai';
import { fromHex, toBase64url } from '../../src/crypto/bytes.ts';
import type { Subtle } from '../../src/library/subtle.ts';
import { hex, parseRsp, type Fields } from '../support/vectors.ts';

/** Records whose key is in the blocks before them. @param last a field that only a vector has */
export function inherited(text: string, last: string): Fields[] {
  const vectors: Fields[] = [];
  let context: Fields = {};
  for (const fields of parseRsp(text)) {
    if (last in fields) vectors.push({ ...context, ...fields });
    else context = { ...context, ...fields };
  }
  return vectors;
}

/** A number of a JSON Web Key. */
export function base64url(digits: string): string {
  const number = digits.replace(/^0+/, '');
  return toBase64url(fromHex(number.padStart(number.length + (number.length % 2), '0')));
}

/** Numbers have no leading zeros: every message has 128 bytes, every signature those of n. */
function padded(v: Fields, field: string, digits: number): Uint8Array<ArrayBuffer> {
  return hex({ field: v[field]!.padStart(digits, '0') }, 'field');
}

/** The platform finds the signature of a vector as valid as its file does. */
export async function checkRsaSignature(
  native: Subtle,
  algorithm: { readonly name: 'RSASSA-PKCS1-v1_5' | 'RSA-PSS'; readonly hash: string },
  v: Fields,
): Promise<void> {
  const jwk = { kty: 'RSA', n: base64url(v['n']!), e: base64url(v['e']!) };
  const key = await native.importKey('jwk', jwk, algorithm, false, ['verify']);
  const salt = v['saltval'] ?? v['salt'] ?? '';
  const params = { ...algorithm, saltLength: salt === '00' ? 0 : salt.length / 2 };
  const signature = padded(v, 's', v['n']!.length);
  const isValid = await native.verify(params, key, signature, padded(v, 'msg', 256));
  // Those of SigGen are all valid.
  expect(isValid).to.equal((v['result'] ?? 'P').startsWith('P'));
}
