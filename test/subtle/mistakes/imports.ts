import { aes, bytes, hmacKey, jwk, secret, sha256 } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const IMPORT: readonly Mistake[] = [
  {
    title: 'a key of 15 bytes',
    call: (s) => s.importKey('raw', bytes(15), 'AES-GCM', true, ['encrypt']),
    name: 'DataError',
  },
  { title: 'a key without usages', call: (s) => aes(s, 'AES-GCM', []), name: 'SyntaxError' },
  {
    title: 'a usage of another kind',
    call: (s) => aes(s, 'AES-GCM', ['sign']),
    name: 'SyntaxError',
  },
  {
    title: 'both a wrong usage and a wrong length',
    call: (s) => s.importKey('raw', bytes(1), 'AES-GCM', true, ['sign']),
    name: 'SyntaxError',
  },
  {
    title: 'a wrong length without usages',
    call: (s) => s.importKey('raw', bytes(1), 'AES-GCM', true, []),
    name: 'DataError',
  },
  { title: 'encrypt for AES-KW', call: (s) => aes(s, 'AES-KW', ['encrypt']), name: 'SyntaxError' },
  {
    title: 'AES as pkcs8',
    call: (s) => s.importKey('pkcs8', bytes(16), 'AES-GCM', true, ['encrypt']),
    name: 'NotSupportedError',
  },
  {
    title: 'AES as spki',
    call: (s) => s.importKey('spki', bytes(16), 'AES-CTR', true, ['encrypt']),
    name: 'NotSupportedError',
  },
  {
    title: 'HMAC as pkcs8',
    call: (s) => s.importKey('pkcs8', bytes(16), sha256, true, ['sign']),
    name: 'NotSupportedError',
    node: 'Error',
    why: 'HMAC import key: any other format is not supported',
  },
  { title: 'an empty HMAC key', call: (s) => hmacKey(s, ['sign'], 0), name: 'DataError' },
  { title: 'HMAC to encrypt', call: (s) => hmacKey(s, ['encrypt']), name: 'SyntaxError' },
  {
    title: 'HMAC length beyond the key',
    call: (s) => s.importKey('raw', bytes(4), { ...sha256, length: 40 }, true, ['sign']),
    name: 'DataError',
  },
  {
    title: 'HMAC length a byte short',
    call: (s) => s.importKey('raw', bytes(4), { ...sha256, length: 24 }, true, ['sign']),
    name: 'DataError',
  },
  {
    title: 'HMAC length that is not whole bytes',
    call: (s) => s.importKey('raw', bytes(4), { ...sha256, length: 30 }, true, ['sign']),
    name: 'none',
    node: 'DataError',
    why: 'HMAC import key: a length within the last 8 bits is set as it is',
  },
  {
    title: 'HMAC length of a huge number',
    call: (s) => s.importKey('raw', bytes(4), { ...sha256, length: 2 ** 32 }, true, ['sign']),
    name: 'TypeError',
  },
  {
    title: 'an extractable HKDF secret',
    call: (s) => s.importKey('raw', bytes(4), 'HKDF', true, ['deriveBits']),
    name: 'SyntaxError',
  },
  {
    title: 'an extractable PBKDF2 secret',
    call: (s) => s.importKey('raw', bytes(4), 'PBKDF2', true, ['deriveBits']),
    name: 'SyntaxError',
  },
  { title: 'HKDF to sign', call: (s) => secret(s, 'HKDF', ['sign']), name: 'SyntaxError' },
  { title: 'HKDF without usages', call: (s) => secret(s, 'HKDF', []), name: 'SyntaxError' },
  {
    title: 'HKDF as jwk',
    call: (s) => s.importKey('jwk', jwk({}), 'HKDF', false, ['deriveBits']),
    name: 'NotSupportedError',
  },
  {
    title: 'an empty HKDF secret',
    call: (s) => s.importKey('raw', bytes(0), 'HKDF', false, ['deriveBits']),
    name: 'none',
  },
];
