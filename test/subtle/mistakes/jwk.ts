import { fromJwk, jwk, sha256 } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const JWK: readonly Mistake[] = [
  {
    title: 'a right one',
    call: fromJwk({ alg: 'A128GCM', use: 'enc', key_ops: ['encrypt', 'decrypt'], ext: true }),
    name: 'none',
  },
  { title: 'no kty', call: fromJwk({ kty: undefined }), name: 'DataError' },
  { title: 'kty RSA', call: fromJwk({ kty: 'RSA' }), name: 'DataError' },
  { title: 'no k', call: fromJwk({ k: undefined }), name: 'DataError' },
  { title: 'k of 3 bytes', call: fromJwk({ k: 'AAAA' }), name: 'DataError' },
  { title: 'alg of another size', call: fromJwk({ alg: 'A256GCM' }), name: 'DataError' },
  { title: 'alg of another mode', call: fromJwk({ alg: 'A128CBC' }), name: 'DataError' },
  { title: 'use sig', call: fromJwk({ use: 'sig' }), name: 'DataError' },
  { title: 'use sig, and no usages', call: fromJwk({ use: 'sig' }, []), name: 'SyntaxError' },
  {
    title: 'key_ops without the usage',
    call: fromJwk({ key_ops: ['decrypt'] }),
    name: 'DataError',
  },
  { title: 'key_ops twice', call: fromJwk({ key_ops: ['encrypt', 'encrypt'] }), name: 'DataError' },
  { title: 'ext false, extractable wanted', call: fromJwk({ ext: false }), name: 'DataError' },
  {
    title: 'ext false, not extractable',
    call: fromJwk({ ext: false }, ['encrypt'], false),
    name: 'none',
  },
  {
    title: 'HMAC with the alg of another hash',
    call: (s) => s.importKey('jwk', jwk({ alg: 'HS512' }), sha256, true, ['sign']),
    name: 'DataError',
  },
  {
    title: 'HMAC with use enc',
    call: (s) => s.importKey('jwk', jwk({ use: 'enc' }), sha256, true, ['sign']),
    name: 'DataError',
  },
  {
    title: 'k with padding',
    call: fromJwk({ k: 'AAAAAAAAAAAAAAAAAAAAAA==' }),
    name: 'DataError',
    node: 'none',
    why: 'RFC 7518, 6.4.1 with RFC 7515, section 2: base64url without padding',
  },
];
