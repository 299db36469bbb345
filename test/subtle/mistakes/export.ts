import { aes, bytes, gcm, hmacKey, secret } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const EXPORT: readonly Mistake[] = [
  {
    title: 'a key that is not extractable',
    call: async (s) => s.exportKey('raw', await aes(s, 'AES-GCM', ['encrypt'], false)),
    name: 'InvalidAccessError',
    node: 'InvalidAccessException',
    why: 'exportKey: no such name as InvalidAccessException in Web IDL 2.8.1',
  },
  {
    title: 'an HKDF secret',
    call: async (s) => s.exportKey('raw', await secret(s, 'HKDF', ['deriveBits'])),
    name: 'NotSupportedError',
    node: 'InvalidAccessException',
    why: 'exportKey: an algorithm without export comes before extractability',
  },
  {
    title: 'AES as spki',
    call: async (s) => s.exportKey('spki', await aes(s, 'AES-GCM', ['encrypt'])),
    name: 'NotSupportedError',
    node: 'InvalidAccessError',
    why: 'AES export key: any other format is not supported',
  },
  {
    title: 'wrapping a key that is not extractable',
    call: async (s) =>
      s.wrapKey(
        'raw',
        await aes(s, 'AES-GCM', ['encrypt'], false),
        await aes(s, 'AES-KW', ['wrapKey']),
        'AES-KW',
      ),
    name: 'InvalidAccessError',
    node: 'InvalidAccessException',
    why: 'wrapKey: no such name as InvalidAccessException in Web IDL 2.8.1',
  },
  {
    title: 'wrapping with a key that may only unwrap',
    call: async (s) =>
      s.wrapKey(
        'raw',
        await aes(s, 'AES-GCM', ['encrypt']),
        await aes(s, 'AES-KW', ['unwrapKey']),
        'AES-KW',
      ),
    name: 'InvalidAccessError',
  },
  {
    title: 'wrapping with encrypt alone',
    call: async (s) =>
      s.wrapKey(
        'raw',
        await aes(s, 'AES-GCM', ['encrypt']),
        await aes(s, 'AES-GCM', ['encrypt']),
        gcm,
      ),
    name: 'InvalidAccessError',
  },
  {
    title: 'wrapping 9 bytes with AES-KW',
    call: async (s) =>
      s.wrapKey(
        'raw',
        await hmacKey(s, ['sign'], 9),
        await aes(s, 'AES-KW', ['wrapKey']),
        'AES-KW',
      ),
    name: 'OperationError',
  },
  {
    title: 'wrapping 8 bytes with AES-KW',
    call: async (s) =>
      s.wrapKey(
        'raw',
        await hmacKey(s, ['sign'], 8),
        await aes(s, 'AES-KW', ['wrapKey']),
        'AES-KW',
      ),
    name: 'OperationError',
  },
  {
    title: 'wrapping with HMAC',
    call: async (s) =>
      s.wrapKey('raw', await aes(s, 'AES-GCM', ['encrypt']), await hmacKey(s, ['sign']), 'HMAC'),
    name: 'NotSupportedError',
  },
  {
    title: 'unwrapping what was not wrapped',
    call: async (s) =>
      s.unwrapKey(
        'raw',
        bytes(24),
        await aes(s, 'AES-KW', ['unwrapKey']),
        'AES-KW',
        'AES-GCM',
        true,
        ['encrypt'],
      ),
    name: 'OperationError',
  },
  {
    title: 'unwrapping JSON that is none',
    call: async (s) => {
      const key = await aes(s, 'AES-CTR', ['encrypt', 'unwrapKey']);
      const ctr = { name: 'AES-CTR', counter: bytes(16), length: 64 };
      const wrapped = await s.encrypt(ctr, key, Buffer.from('{"k"'));
      return s.unwrapKey('jwk', wrapped, key, ctr, 'AES-GCM', true, ['encrypt']);
    },
    name: 'DataError',
  },
];
