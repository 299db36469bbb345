import aesJs from 'aes-js';
import * as asmcrypto from 'asmcrypto.js/asmcrypto.all.es8.js';
import browserifyAes from 'browserify-aes/browser.js';
import CryptoJS from 'crypto-js';
import forge from 'node-forge';
import { asBytes, type Contender, type Prepared } from '../../contender.ts';
import { fromBinary, toBinary } from '../../peers/binary.ts';
import { fromWords, toWords } from '../../peers/words.ts';
import { TAG_BYTES, type AesTask } from '../task.ts';

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

export const cryptoJs: Contender<AesTask> = {
  name: 'crypto-js',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const { CTR, CBC, ECB } = CryptoJS.mode;
    const mode = { 'AES-CTR': CTR, 'AES-CBC': CBC, 'AES-ECB': ECB }[algorithm as string];
    if (!mode) return undefined;
    const options = { mode, iv: toWords(nonce), padding: CryptoJS.pad.NoPadding };
    const [keyWords, text] = [toWords(key), toWords(plaintext)];
    return {
      run: () => CryptoJS.AES.encrypt(text, keyWords, options),
      bytes: (result) => fromWords((result as CryptoJS.lib.CipherParams).ciphertext),
    };
  },
};

export const nodeForge: Contender<AesTask> = {
  name: 'node-forge',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const names = ['AES-ECB', 'AES-CTR', 'AES-CBC', 'AES-GCM'] as const;
    const name = names.find((one) => one === algorithm);
    if (!name) return undefined;
    const [keyText, iv, text] = [toBinary(key), toBinary(nonce), toBinary(plaintext)];
    const run = () => {
      const cipher = forge.cipher.createCipher(name, keyText);
      cipher.start({ iv, tagLength: 8 * TAG_BYTES });
      cipher.update(forge.util.createBuffer(text));
      // A padding function of our own is how forge is told not to pad.
      const unpadded = cipher as unknown as { finish(pad?: () => boolean): boolean };
      unpadded.finish(name === 'AES-CBC' || name === 'AES-ECB' ? () => true : undefined);
      return cipher;
    };
    const bytes = (result: unknown) => {
      const { output, mode } = result as { output: forge.util.ByteBuffer; mode: ForgeMode };
      return fromBinary(output.getBytes() + (name === 'AES-GCM' ? mode.tag.getBytes() : ''));
    };
    return { run, bytes };
  },
};
interface ForgeMode {
  tag: forge.util.ByteBuffer;
}

export const aesJsContender: Contender<AesTask> = {
  name: 'aes-js',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const { ecb: Ecb, ctr: Ctr, cbc: Cbc } = aesJs.ModeOfOperation;
    switch (algorithm) {
      case 'key schedule':
        return { run: () => new aesJs.AES(key) };
      case 'AES-ECB':
        return { run: () => new Ecb(key).encrypt(plaintext), bytes: asBytes };
      case 'AES-CTR':
        return {
          run: () => new Ctr(key, new aesJs.Counter(nonce)).encrypt(plaintext),
          bytes: asBytes,
        };
      case 'AES-CBC':
        return { run: () => new Cbc(key, nonce).encrypt(plaintext), bytes: asBytes };
      default:
        return undefined;
    }
  },
};

export const asmCrypto: Contender<AesTask> = {
  name: 'asmcrypto.js',
  kind: 'asm.js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const runs: Partial<Record<AesTask['algorithm'], Prepared['run']>> = {
      'AES-ECB': () => asmcrypto.AES_ECB.encrypt(plaintext, key, false),
      'AES-CTR': () => asmcrypto.AES_CTR.encrypt(plaintext, key, nonce),
      'AES-CBC': () => asmcrypto.AES_CBC.encrypt(plaintext, key, false, nonce),
      'AES-GCM': () => asmcrypto.AES_GCM.encrypt(plaintext, key, nonce, undefined, TAG_BYTES),
      'AES-CCM': () => asmcrypto.AES_CCM.encrypt(plaintext, key, nonce, undefined, TAG_BYTES),
    };
    const run = runs[algorithm];
    return run && { run, bytes: asBytes };
  },
};

export const browserify: Contender<AesTask> = {
  name: 'browserify-aes',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const mode = algorithm.slice('AES-'.length).toLowerCase();
    if (!['ecb', 'ctr', 'cbc', 'gcm'].includes(mode)) return undefined;
    const name = `aes-${8 * key.length}-${mode}`;
    const iv = mode === 'ecb' ? Buffer.alloc(0) : Buffer.from(nonce);
    const [keyBuffer, text] = [Buffer.from(key), Buffer.from(plaintext)];
    const run = () => {
      const cipher = browserifyAes.createCipheriv(name, keyBuffer, iv);
      if (mode !== 'ctr' && mode !== 'gcm') cipher.setAutoPadding(false);
      const body = cipher.update(text);
      const end = cipher.final();
      return mode === 'gcm' ? join(join(body, end), cipher.getAuthTag()) : join(body, end);
    };
    return { run, bytes: asBytes };
  },
};
