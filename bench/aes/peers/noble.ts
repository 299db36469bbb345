import { aessiv, cbc, cmac, ctr, ecb, gcm, gcmsiv } from '@noble/ciphers/aes.js';
import { asBytes, type Contender, type Prepared } from '../../contender.ts';
import type { AesTask } from '../task.ts';

/** @noble/ciphers expands the key in every call; its API offers no other way. */
export const noble: Contender<AesTask> = {
  name: '@noble/ciphers',
  kind: 'pure js',
  prepare: (task) => {
    const run = prepareRun(task);
    return run && { run, bytes: asBytes };
  },
};

function prepareRun({ algorithm, key, nonce, plaintext }: AesTask): Prepared['run'] | undefined {
  switch (algorithm) {
    case 'AES-ECB':
      return () => ecb(key, { disablePadding: true }).encrypt(plaintext);
    case 'AES-CTR':
      return () => ctr(key, nonce).encrypt(plaintext);
    case 'AES-CBC':
      return () => cbc(key, nonce, { disablePadding: true }).encrypt(plaintext);
    case 'AES-GCM':
      return () => gcm(key, nonce).encrypt(plaintext);
    case 'AES-SIV':
      return () => aessiv(key).encrypt(plaintext);
    case 'AES-GCM-SIV':
      return () => gcmsiv(key, nonce).encrypt(plaintext);
    case 'AES-CMAC':
      return () => cmac(plaintext, key);
    default:
      return undefined;
  }
}
