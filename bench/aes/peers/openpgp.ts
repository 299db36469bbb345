import { enums, ocbMode } from 'openpgp-ocb';
import { asBytes, type Contender } from '../../contender.ts';
import type { AesTask } from '../task.ts';

const NO_DATA = new Uint8Array(0);

/** OpenPGP.js: the one well-kept library in JavaScript that has RFC 7253's OCB. */
export const openpgp: Contender<AesTask> = {
  name: 'openpgp',
  kind: 'pure js',
  prepare: async ({ algorithm, key, nonce, plaintext }) => {
    if (algorithm !== 'AES-OCB') return undefined;
    const { aes128, aes256 } = enums.symmetric;
    const ocb = await ocbMode(key.length === 16 ? aes128 : aes256, key);
    return { run: () => ocb.encrypt(plaintext, nonce, NO_DATA), bytes: asBytes };
  },
};
