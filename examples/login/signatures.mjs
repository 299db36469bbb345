/*
 * Checks a signature of Sealwright with nothing but node:crypto: docs/keys.md, "Signatures" and
 * "Public keys", in forty lines. A server in another language does the same.
 */
import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';

const ED25519 = 0x11;
const DSA = 0x12;

/**
 * @param {string} publicKey what `sealwright.publicKey` gave
 * @param {string} origin this site's own, from its configuration and not from the request
 * @param {Uint8Array} data what the page had signed
 * @param {Uint8Array} signature
 */
export function isSignature(publicKey, origin, data, signature) {
  const { key, hash } = keyOf(publicKey);
  return verify(hash, signedBytes(origin, data), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

function signedBytes(origin, data) {
  const name = Buffer.from(origin, 'ascii');
  const length = Buffer.of(name.length >> 8, name.length & 0xff);
  return Buffer.concat([Buffer.from('sealwright.org/signature@v1\0'), length, name, data]);
}

/** @throws for what is no public key of Ed25519 or DSA */
function keyOf(text) {
  if (!text.startsWith('swp1.')) throw new TypeError('not a public key of Sealwright');
  const [type, ...bytes] = Buffer.from(text.slice(5), 'base64url');
  const key = Buffer.from(bytes);
  if (type === ED25519) {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
    return { key: createPublicKey({ key: jwk, format: 'jwk' }), hash: null };
  }
  if (type === DSA) {
    return { key: createPublicKey({ key, format: 'der', type: 'spki' }), hash: 'sha256' };
  }
  throw new TypeError('a key of another algorithm');
}
