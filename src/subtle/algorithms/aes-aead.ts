/** AES-GCM (Web Cryptography API, 29), AES-OCB (WICG draft; RFC 7253) and AES-CCM (SP 800-38C). */
import { aead } from './aead.ts';
import { aesKeys } from './aes.ts';
import type { Definition } from './definition.ts';

export const AES_GCM: Definition = {
  name: 'AES-GCM',
  ...aead('AES-GCM', {
    // SP 800-38D, section 5.2.1.1: 1 … 2^64 - 1 bits
    nonceBytes: { min: 1, max: Infinity },
    tagBits: [32, 64, 96, 104, 112, 120, 128],
    // SP 800-38D, section 5.2.1.1: 2^39 - 256 bits
    maxBytes: () => 2 ** 36 - 32,
  }),
  ...aesKeys('AES-GCM'),
};

export const AES_OCB: Definition = {
  name: 'AES-OCB',
  ...aead('AES-OCB', {
    // RFC 7253, section 4.2: no longer than 120 bits
    nonceBytes: { min: 1, max: 15 },
    tagBits: [64, 96, 128],
    maxBytes: () => Infinity,
  }),
  ...aesKeys('AES-OCB'),
};

export const AES_CCM: Definition = {
  name: 'AES-CCM',
  ...aead('AES-CCM', {
    // SP 800-38C, section A.1: n is 7 … 13, t is 4, 6 … 16, and q = 15 - n bytes hold the length
    nonceBytes: { min: 7, max: 13 },
    tagBits: [32, 48, 64, 80, 96, 112, 128],
    maxBytes: (nonceBytes) => 2 ** (8 * (15 - nonceBytes)) - 1,
  }),
  ...aesKeys('AES-CCM'),
};
