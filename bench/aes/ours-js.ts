import { Aes } from '../../src/crypto/aes/block.ts';
import { Ccm } from '../../src/crypto/aead/ccm.ts';
import { Gcm } from '../../src/crypto/aead/gcm.ts';
import { GcmSiv } from '../../src/crypto/aead/gcm-siv.ts';
import { Ocb } from '../../src/crypto/aead/ocb.ts';
import { Siv } from '../../src/crypto/aead/siv.ts';
import type { Aead } from '../../src/crypto/contracts.ts';
import { Cmac } from '../../src/crypto/mac/cmac.ts';
import { cbcEncryptRaw } from '../../src/crypto/mode/cbc.ts';
import { ctr } from '../../src/crypto/mode/ctr.ts';
import { ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import { asBytes, type Contender, type Prepared } from '../contender.ts';
import { JS } from '../names.ts';
import type { AesTask } from './task.ts';

export const oursJs: Contender<AesTask> = {
  name: JS,
  kind: 'ours',
  prepare: (task) => ({
    run: prepareRun(task),
    ...(task.algorithm !== 'key schedule' && { bytes: asBytes }),
  }),
};

function prepareRun({ algorithm, key, nonce, plaintext }: AesTask): Prepared['run'] {
  if (algorithm === 'AES-SIV') {
    const siv = Siv.over(
      new Aes(key.subarray(0, key.length / 2)),
      new Aes(key.subarray(key.length / 2)),
    );
    return () => siv.seal(plaintext);
  }
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
    case 'AES-GCM-SIV': {
      const create = (messageKey: Uint8Array) => new Aes(messageKey);
      return sealing(new GcmSiv(aes, key.length as 16 | 32, create), nonce, plaintext);
    }
    case 'AES-CMAC': {
      const mac = new Cmac(aes);
      return () => mac.tag(plaintext);
    }
  }
}

function sealing(aead: Aead, nonce: Uint8Array, plaintext: Uint8Array) {
  return () => aead.seal(nonce, plaintext);
}
