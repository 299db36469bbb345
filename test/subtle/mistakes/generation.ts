import { any, sha256 } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const GENERATE: readonly Mistake[] = [
  {
    title: 'AES of 127 bits',
    call: (s) => s.generateKey({ name: 'AES-GCM', length: 127 }, true, ['encrypt']),
    name: 'OperationError',
  },
  {
    title: 'AES without length',
    call: (s) => s.generateKey('AES-GCM', true, ['encrypt']),
    name: 'TypeError',
  },
  {
    title: 'AES with a length that is no number',
    call: (s) => s.generateKey({ name: 'AES-GCM', length: any('x') }, true, ['encrypt']),
    name: 'TypeError',
  },
  {
    title: 'AES of 65,536 bits',
    call: (s) => s.generateKey({ name: 'AES-GCM', length: 65_536 }, true, ['encrypt']),
    name: 'TypeError',
  },
  {
    title: 'no usages',
    call: (s) => s.generateKey({ name: 'AES-GCM', length: 128 }, true, []),
    name: 'SyntaxError',
  },
  {
    title: 'a wrong usage',
    call: (s) => s.generateKey({ name: 'AES-GCM', length: 128 }, true, ['sign']),
    name: 'SyntaxError',
  },
  {
    title: 'a wrong usage and a wrong length',
    call: (s) => s.generateKey({ name: 'AES-GCM', length: 1 }, true, ['sign']),
    name: 'SyntaxError',
    node: 'OperationError',
    why: 'AES generate key: usages are checked first',
  },
  {
    title: 'HMAC of no length',
    call: (s) => s.generateKey({ ...sha256, length: 0 }, true, ['sign']),
    name: 'OperationError',
  },
];
