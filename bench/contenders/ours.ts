import { Aes } from '../../src/crypto/aes/block.ts';
import { Ccm } from '../../src/crypto/aead/ccm.ts';
import { Gcm } from '../../src/crypto/aead/gcm.ts';
import { Ocb } from '../../src/crypto/aead/ocb.ts';
import { cbcEncryptRaw } from '../../src/crypto/mode/cbc.ts';
import { ctr } from '../../src/crypto/mode/ctr.ts';
import { ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import type { Contender, Prepared, Task } from '../contender.ts';

const bytes = (result: unknown) => result as Uint8Array;

/** Engine `js`: floor 0 itself, a fresh result for every call. */
export const ours: Contender = {
  name: 'Sealwright js',
  version: 'this tree',
  kind: 'ours',
  prepare: (task) => {
    const run = prepareRun(task);
    return { run, bytes };
  },
};

function prepareRun({ algorithm, key, nonce, plaintext }: Task): Prepared['run'] {
  if (algorithm === 'key schedule') return () => new Aes(key);
  const aes = new Aes(key);
  switch (algorithm) {
    case 'AES-ECB':
      return () => ecbEncrypt(aes, plaintext);
    case 'AES-CTR':
      return () => ctr(aes, nonce, 128, plaintext);
    case 'AES-CBC':
      return () => cbcEncryptRaw(aes, nonce, plaintext);
    case 'AES-GCM':
      return sealing(new Gcm(aes), nonce, plaintext);
    case 'AES-CCM':
      return sealing(new Ccm(aes), nonce, plaintext);
    case 'AES-OCB':
      return sealing(new Ocb(aes), nonce, plaintext);
  }
}

function sealing(aead: Gcm | Ccm | Ocb, nonce: Uint8Array, plaintext: Uint8Array) {
  return () => aead.seal(nonce, plaintext);
}
