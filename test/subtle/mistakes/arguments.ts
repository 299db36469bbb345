import { any, bytes, gcm, jwk } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const ARGUMENTS: readonly Mistake[] = [
  { title: 'a string for data', call: (s) => s.digest('SHA-256', any('abc')), name: 'TypeError' },
  { title: 'an array for data', call: (s) => s.digest('SHA-256', any([1, 2])), name: 'TypeError' },
  { title: 'no data', call: (s) => s.digest('SHA-256', any(undefined)), name: 'TypeError' },
  {
    title: 'shared memory',
    call: (s) => s.digest('SHA-256', any(new SharedArrayBuffer(3))),
    name: 'TypeError',
  },
  {
    title: 'a view of shared memory',
    call: (s) => s.digest('SHA-256', any(new Uint8Array(new SharedArrayBuffer(3)))),
    name: 'TypeError',
  },
  {
    title: 'a DataView',
    call: (s) => s.digest('SHA-256', new DataView(new ArrayBuffer(9), 2, 3)),
    name: 'none',
  },
  {
    title: 'a resizable buffer',
    call: (s) =>
      s.digest('SHA-256', any(Reflect.construct(ArrayBuffer, [3, { maxByteLength: 9 }]))),
    name: 'TypeError',
    node: 'none',
    why: 'Web IDL 3.2.26: a buffer source without [AllowResizable]',
  },
  {
    title: 'a detached buffer',
    call: (s) => {
      const buffer = new ArrayBuffer(3);
      structuredClone(buffer, { transfer: [buffer] });
      return s.digest('SHA-256', buffer);
    },
    name: 'none',
  },
  { title: 'no key', call: (s) => s.encrypt(gcm, any(undefined), bytes(1)), name: 'TypeError' },
  {
    title: 'an object for a key',
    call: (s) => s.encrypt(gcm, any({ type: 'secret' }), bytes(1)),
    name: 'TypeError',
  },
  {
    title: 'an unknown format',
    call: (s) => s.importKey(any('hex'), bytes(16), 'AES-GCM', true, ['encrypt']),
    name: 'TypeError',
  },
  {
    title: 'bytes for a JWK',
    call: (s) => s.importKey('jwk', bytes(16), 'AES-GCM', true, ['encrypt']),
    name: 'TypeError',
    node: 'DataError',
    why: 'importKey: bytes where a JsonWebKey belongs are a TypeError',
  },
  {
    title: 'a JWK for bytes',
    call: (s) => s.importKey('raw', jwk({}), 'AES-GCM', true, ['encrypt']),
    name: 'TypeError',
  },
  {
    title: 'a number for key data',
    call: (s) => s.importKey('raw', any(5), 'AES-GCM', true, ['encrypt']),
    name: 'TypeError',
  },
  {
    title: 'an unknown usage',
    call: (s) => s.importKey('raw', bytes(16), 'AES-GCM', true, any(['fly'])),
    name: 'TypeError',
  },
  {
    title: 'a string for usages',
    call: (s) => s.importKey('raw', bytes(16), 'AES-GCM', true, any('encrypt')),
    name: 'TypeError',
  },
  {
    title: 'a number for usages',
    call: (s) => s.importKey('raw', bytes(16), 'AES-GCM', true, any(7)),
    name: 'TypeError',
  },
];
