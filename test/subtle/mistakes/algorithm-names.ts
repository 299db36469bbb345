import { any, bytes } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const NORMALIZE: readonly Mistake[] = [
  {
    title: 'an unknown algorithm',
    call: (s) => s.digest('SHA-255', bytes(1)),
    name: 'NotSupportedError',
  },
  {
    title: 'no algorithm',
    call: (s) => s.digest(any(undefined), bytes(1)),
    name: 'NotSupportedError',
  },
  {
    title: 'null for an algorithm',
    call: (s) => s.digest(any(null), bytes(1)),
    name: 'NotSupportedError',
  },
  { title: 'an object without name', call: (s) => s.digest(any({}), bytes(1)), name: 'TypeError' },
  {
    title: 'a symbol for a name',
    call: (s) => s.digest(any({ name: Symbol('x') }), bytes(1)),
    name: 'TypeError',
  },
  { title: 'a name in another case', call: (s) => s.digest('sHa-256', bytes(1)), name: 'none' },
  {
    title: 'digest with a cipher',
    call: (s) => s.digest('AES-GCM', bytes(1)),
    name: 'NotSupportedError',
  },
  {
    title: 'generateKey with a hash',
    call: (s) => s.generateKey('SHA-256', true, []),
    name: 'NotSupportedError',
  },
  {
    title: 'generateKey with a KDF',
    call: (s) => s.generateKey('HKDF', true, ['deriveBits']),
    name: 'NotSupportedError',
  },
  {
    title: 'an unknown hash for HMAC',
    call: (s) => s.generateKey({ name: 'HMAC', hash: 'MD5' }, true, ['sign']),
    name: 'NotSupportedError',
  },
  {
    title: 'no hash for HMAC',
    call: (s) => s.generateKey({ name: 'HMAC' }, true, ['sign']),
    name: 'TypeError',
  },
];
