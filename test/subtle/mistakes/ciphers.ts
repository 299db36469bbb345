import { any, aes, bytes, gcm, hmacKey } from './mistake.ts';
import type { Mistake } from './mistake.ts';

export const CIPHER: readonly Mistake[] = [
  {
    title: 'a key of another mode',
    call: async (s) => s.encrypt(gcm, await aes(s, 'AES-CTR', ['encrypt']), bytes(1)),
    name: 'InvalidAccessError',
  },
  {
    title: 'a key that may only decrypt',
    call: async (s) => s.encrypt(gcm, await aes(s, 'AES-GCM', ['decrypt']), bytes(1)),
    name: 'InvalidAccessError',
  },
  {
    title: 'a bad nonce and the wrong key',
    call: async (s) =>
      s.encrypt({ name: 'AES-GCM' }, await aes(s, 'AES-CTR', ['encrypt']), bytes(1)),
    name: 'TypeError',
  },
  {
    title: 'a bad tag length and the wrong key',
    call: async (s) =>
      s.encrypt({ ...gcm, tagLength: 5 }, await aes(s, 'AES-CTR', ['encrypt']), bytes(1)),
    name: 'InvalidAccessError',
  },
  {
    title: 'GCM without nonce',
    call: async (s) => s.encrypt('AES-GCM', await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'TypeError',
  },
  {
    title: 'GCM with an empty nonce',
    call: async (s) =>
      s.encrypt({ ...gcm, iv: bytes(0) }, await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'OperationError',
  },
  {
    title: 'GCM with a tag of 31 bits',
    call: async (s) =>
      s.encrypt({ ...gcm, tagLength: 31 }, await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'OperationError',
  },
  {
    title: 'GCM with a tag of 0 bits',
    call: async (s) =>
      s.encrypt({ ...gcm, tagLength: 0 }, await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'OperationError',
  },
  {
    title: 'GCM with a tag of 256 bits',
    call: async (s) =>
      s.encrypt({ ...gcm, tagLength: 256 }, await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'TypeError',
  },
  {
    title: 'GCM with a negative tag',
    call: async (s) =>
      s.encrypt({ ...gcm, tagLength: -1 }, await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'TypeError',
  },
  {
    title: 'GCM with a tag length as text',
    call: async (s) =>
      s.encrypt({ ...gcm, tagLength: any('96') }, await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'none',
  },
  {
    title: 'GCM with text for associated data',
    call: async (s) =>
      s.encrypt(
        { ...gcm, additionalData: any('x') },
        await aes(s, 'AES-GCM', ['encrypt']),
        bytes(1),
      ),
    name: 'TypeError',
  },
  {
    title: 'opening less than a tag',
    call: async (s) => s.decrypt(gcm, await aes(s, 'AES-GCM', ['decrypt']), bytes(15)),
    name: 'OperationError',
  },
  {
    title: 'opening what was not sealed',
    call: async (s) => s.decrypt(gcm, await aes(s, 'AES-GCM', ['decrypt']), bytes(40)),
    name: 'OperationError',
  },
  {
    title: 'CTR without counter',
    call: async (s) =>
      s.encrypt({ name: 'AES-CTR', length: 64 }, await aes(s, 'AES-CTR', ['encrypt']), bytes(1)),
    name: 'TypeError',
  },
  {
    title: 'CTR with 15 bytes of counter',
    call: async (s) =>
      s.encrypt(
        { name: 'AES-CTR', counter: bytes(15), length: 64 },
        await aes(s, 'AES-CTR', ['encrypt']),
        bytes(1),
      ),
    name: 'OperationError',
  },
  {
    title: 'CTR of 0 bits',
    call: async (s) =>
      s.encrypt(
        { name: 'AES-CTR', counter: bytes(16), length: 0 },
        await aes(s, 'AES-CTR', ['encrypt']),
        bytes(1),
      ),
    name: 'OperationError',
  },
  {
    title: 'CTR of 129 bits',
    call: async (s) =>
      s.encrypt(
        { name: 'AES-CTR', counter: bytes(16), length: 129 },
        await aes(s, 'AES-CTR', ['encrypt']),
        bytes(1),
      ),
    name: 'OperationError',
  },
  {
    title: 'CTR longer than its counter',
    call: async (s) =>
      s.encrypt(
        { name: 'AES-CTR', counter: bytes(16), length: 1 },
        await aes(s, 'AES-CTR', ['encrypt']),
        bytes(33),
      ),
    name: 'OperationError',
  },
  {
    title: 'CTR just as long as its counter',
    call: async (s) =>
      s.encrypt(
        { name: 'AES-CTR', counter: bytes(16), length: 1 },
        await aes(s, 'AES-CTR', ['encrypt']),
        bytes(32),
      ),
    name: 'none',
  },
  {
    title: 'CBC with 12 bytes of IV',
    call: async (s) =>
      s.encrypt({ name: 'AES-CBC', iv: bytes(12) }, await aes(s, 'AES-CBC', ['encrypt']), bytes(1)),
    name: 'OperationError',
  },
  {
    title: 'CBC of no ciphertext',
    call: async (s) =>
      s.decrypt({ name: 'AES-CBC', iv: bytes(16) }, await aes(s, 'AES-CBC', ['decrypt']), bytes(0)),
    name: 'OperationError',
  },
  {
    title: 'CBC of half a block',
    call: async (s) =>
      s.decrypt({ name: 'AES-CBC', iv: bytes(16) }, await aes(s, 'AES-CBC', ['decrypt']), bytes(8)),
    name: 'OperationError',
  },
  {
    title: 'CBC with bad padding',
    call: async (s) =>
      s.decrypt(
        { name: 'AES-CBC', iv: bytes(16) },
        await aes(s, 'AES-CBC', ['decrypt']),
        bytes(32),
      ),
    name: 'OperationError',
  },
  {
    title: 'encrypt with AES-KW',
    call: async (s) => s.encrypt('AES-KW', await aes(s, 'AES-KW', ['wrapKey']), bytes(16)),
    name: 'NotSupportedError',
  },
  {
    title: 'sign with a key that may only verify',
    call: async (s) => s.sign('HMAC', await hmacKey(s, ['verify']), bytes(1)),
    name: 'InvalidAccessError',
  },
  {
    title: 'verify with a key that may only sign',
    call: async (s) => s.verify('HMAC', await hmacKey(s, ['sign']), bytes(32), bytes(1)),
    name: 'InvalidAccessError',
  },
  {
    title: 'sign with AES',
    call: async (s) => s.sign('AES-GCM', await aes(s, 'AES-GCM', ['encrypt']), bytes(1)),
    name: 'NotSupportedError',
  },
];
