import type { CipherGCM } from 'node:crypto';
import { asBytes, type Contender } from '../../contender.ts';
import { openssl } from '../../peers/openssl.ts';
import { TAG_BYTES, type AesTask } from '../task.ts';

const MODES = ['ecb', 'ctr', 'cbc', 'gcm', 'ccm', 'ocb'];

export const nodeCrypto: Contender<AesTask> = {
  name: 'node:crypto',
  kind: 'native',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const mode = algorithm.slice('AES-'.length).toLowerCase();
    if (!openssl || !MODES.includes(mode)) return undefined;
    const { createCipheriv } = openssl;
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
    return { run, bytes: asBytes };
  },
};
