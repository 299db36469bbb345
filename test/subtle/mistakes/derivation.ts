import { bytes, hkdf, pbkdf2, secret, sha256 } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const DERIVE: readonly Mistake[] = [
  {
    title: 'HKDF of no length',
    call: async (s) => s.deriveBits(hkdf, await secret(s, 'HKDF', ['deriveBits'])),
    name: 'OperationError',
  },
  {
    title: 'HKDF of 7 bits',
    call: async (s) => s.deriveBits(hkdf, await secret(s, 'HKDF', ['deriveBits']), 7),
    name: 'OperationError',
  },
  {
    title: 'HKDF of 0 bits',
    call: async (s) => s.deriveBits(hkdf, await secret(s, 'HKDF', ['deriveBits']), 0),
    name: 'none',
  },
  {
    title: 'HKDF of 255 blocks',
    call: async (s) => s.deriveBits(hkdf, await secret(s, 'HKDF', ['deriveBits']), 255 * 256),
    name: 'none',
  },
  {
    title: 'HKDF of a byte more',
    call: async (s) => s.deriveBits(hkdf, await secret(s, 'HKDF', ['deriveBits']), 255 * 256 + 8),
    name: 'OperationError',
  },
  {
    title: 'HKDF without info',
    call: async (s) =>
      s.deriveBits(
        { name: 'HKDF', hash: 'SHA-256', salt: bytes(0) },
        await secret(s, 'HKDF', ['deriveBits']),
        8,
      ),
    name: 'TypeError',
  },
  {
    title: 'HKDF with a PBKDF2 secret',
    call: async (s) => s.deriveBits(hkdf, await secret(s, 'PBKDF2', ['deriveBits']), 8),
    name: 'InvalidAccessError',
  },
  {
    title: 'deriveBits with a deriveKey secret',
    call: async (s) => s.deriveBits(hkdf, await secret(s, 'HKDF', ['deriveKey']), 8),
    name: 'InvalidAccessError',
  },
  {
    title: 'PBKDF2 of 0 iterations',
    call: async (s) =>
      s.deriveBits({ ...pbkdf2, iterations: 0 }, await secret(s, 'PBKDF2', ['deriveBits']), 8),
    name: 'OperationError',
  },
  {
    title: 'PBKDF2 of 2^32 iterations',
    call: async (s) =>
      s.deriveBits(
        { ...pbkdf2, iterations: 2 ** 32 },
        await secret(s, 'PBKDF2', ['deriveBits']),
        8,
      ),
    name: 'TypeError',
  },
  {
    title: 'PBKDF2 of 0 bits',
    call: async (s) => s.deriveBits(pbkdf2, await secret(s, 'PBKDF2', ['deriveBits']), 0),
    name: 'none',
  },
  {
    title: 'a negative length',
    call: async (s) => s.deriveBits(pbkdf2, await secret(s, 'PBKDF2', ['deriveBits']), -8),
    name: 'TypeError',
    node: 'OperationError',
    why: 'Web IDL takes it modulo 2^32, which is 512 MiB; ours refuses on purpose',
  },
  {
    title: 'deriveKey with a deriveBits secret',
    call: async (s) =>
      s.deriveKey(
        hkdf,
        await secret(s, 'HKDF', ['deriveBits']),
        { name: 'AES-GCM', length: 128 },
        true,
        ['encrypt'],
      ),
    name: 'InvalidAccessError',
  },
  {
    title: 'deriveKey of 100 bits',
    call: async (s) =>
      s.deriveKey(
        hkdf,
        await secret(s, 'HKDF', ['deriveKey']),
        { name: 'AES-GCM', length: 100 },
        true,
        ['encrypt'],
      ),
    name: 'OperationError',
  },
  {
    title: 'deriveKey without usages',
    call: async (s) =>
      s.deriveKey(
        hkdf,
        await secret(s, 'HKDF', ['deriveKey']),
        { name: 'AES-GCM', length: 128 },
        true,
        [],
      ),
    name: 'SyntaxError',
  },
  {
    title: 'deriveKey to a hash',
    call: async (s) =>
      s.deriveKey(hkdf, await secret(s, 'HKDF', ['deriveKey']), 'SHA-256', true, ['sign']),
    name: 'NotSupportedError',
  },
  {
    title: 'deriveKey to HMAC of its usual length',
    call: async (s) =>
      s.deriveKey(hkdf, await secret(s, 'HKDF', ['deriveKey']), sha256, true, ['sign']),
    name: 'none',
  },
  {
    title: 'deriveKey to HMAC of length 0',
    call: async (s) =>
      s.deriveKey(hkdf, await secret(s, 'HKDF', ['deriveKey']), { ...sha256, length: 0 }, true, [
        'sign',
      ]),
    name: 'TypeError',
    node: 'OperationError',
    why: 'HMAC get key length: a length of 0 is a TypeError',
  },
  {
    title: 'deriveKey to HKDF',
    call: async (s) =>
      s.deriveKey(hkdf, await secret(s, 'HKDF', ['deriveKey']), 'HKDF', false, ['deriveBits']),
    name: 'OperationError',
  },
];
