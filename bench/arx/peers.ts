import { chacha20, chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { salsa20 } from '@noble/ciphers/salsa.js';
import sodium from 'libsodium-wrappers-sumo';
import { asBytes, type Contender, type Prepared } from '../contender.ts';
import { openssl } from '../peers/openssl.ts';
import { KEY, NONCE_12, NONCE_24, NONCE_8, TAG_BYTES, type ArxTask } from './task.ts';

/** Salsa20/12 is offered by none of them: the row of Salsa20 stands in for it. */
type Runs = Partial<Record<ArxTask['algorithm'], Prepared['run']>>;

export const noble: Contender<ArxTask> = {
  name: '@noble/ciphers',
  kind: 'pure js',
  prepare: ({ algorithm, plaintext }) => {
    const runs: Runs = {
      ChaCha20: () => chacha20(KEY, NONCE_12, plaintext),
      'ChaCha20-Poly1305': () => chacha20poly1305(KEY, NONCE_12).encrypt(plaintext),
      'XChaCha20-Poly1305': () => xchacha20poly1305(KEY, NONCE_24).encrypt(plaintext),
      Salsa20: () => salsa20(KEY, NONCE_8, plaintext),
    };
    const run = runs[algorithm];
    return run && { run, bytes: asBytes };
  },
};

export const libsodium: Contender<ArxTask> = {
  name: 'libsodium',
  kind: 'wasm',
  prepare: async ({ algorithm, plaintext }) => {
    await sodium.ready;
    const { crypto_aead_chacha20poly1305_ietf_encrypt: seal } = sodium;
    const { crypto_aead_xchacha20poly1305_ietf_encrypt: sealX } = sodium;
    const runs: Runs = {
      ChaCha20: () => sodium.crypto_stream_chacha20_ietf_xor(plaintext, NONCE_12, KEY),
      'ChaCha20-Poly1305': () => seal(plaintext, null, null, NONCE_12, KEY),
      'XChaCha20-Poly1305': () => sealX(plaintext, null, null, NONCE_24, KEY),
    };
    const run = runs[algorithm];
    return run && { run, bytes: asBytes };
  },
};

export const nodeCrypto: Contender<ArxTask> = {
  name: 'node:crypto',
  kind: 'native',
  prepare: ({ algorithm, plaintext }) => {
    if (!openssl || algorithm !== 'ChaCha20-Poly1305') return undefined;
    const { createCipheriv } = openssl;
    const run = () => {
      const cipher = createCipheriv('chacha20-poly1305', KEY, NONCE_12, {
        authTagLength: TAG_BYTES,
      });
      return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    };
    return { run, bytes: asBytes };
  },
};
