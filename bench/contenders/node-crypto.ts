import { createCipheriv, type CipherGCM } from 'node:crypto';
import { TAG_BYTES, type Contender } from '../contender.ts';

/** OpenSSL through Node: the independent answer for the modes that no other peer has. */
export const nodeCrypto: Contender = {
  name: 'node:crypto',
  version: process.versions.openssl,
  kind: 'native',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    if (algorithm === 'key schedule') return undefined;
    const mode = algorithm.slice('AES-'.length).toLowerCase();
    const name = `aes-${8 * key.length}-${mode}` as 'aes-128-gcm';
    const isAead = mode === 'gcm' || mode === 'ccm' || mode === 'ocb';
    const options = isAead ? { authTagLength: TAG_BYTES } : undefined;
    const iv = mode === 'ecb' ? null : nonce;
    const run = () => {
      const cipher: CipherGCM = createCipheriv(name, key, iv!, options);
      if (!isAead) cipher.setAutoPadding(false);
      const parts = [cipher.update(plaintext), cipher.final()];
      return Buffer.concat(isAead ? [...parts, cipher.getAuthTag()] : parts);
    };
    return { run, bytes: (result) => result as Uint8Array };
  },
};
