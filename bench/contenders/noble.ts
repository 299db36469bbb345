import { cbc, ctr, ecb, gcm } from '@noble/ciphers/aes.js';
import type { Contender } from '../contender.ts';

const bytes = (result: unknown) => result as Uint8Array;

/** @noble/ciphers expands the key in every call; its API offers no other way. */
export const noble: Contender = {
  name: '@noble/ciphers',
  version: '2.4.0',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    switch (algorithm) {
      case 'AES-ECB':
        return { run: () => ecb(key, { disablePadding: true }).encrypt(plaintext), bytes };
      case 'AES-CTR':
        return { run: () => ctr(key, nonce).encrypt(plaintext), bytes };
      case 'AES-CBC':
        return { run: () => cbc(key, nonce, { disablePadding: true }).encrypt(plaintext), bytes };
      case 'AES-GCM':
        return { run: () => gcm(key, nonce).encrypt(plaintext), bytes };
      case 'AES-CCM':
      case 'AES-OCB':
      case 'key schedule':
        return undefined;
    }
  },
};
