import aesJs from 'aes-js';
import * as asmcrypto from 'asmcrypto.js/asmcrypto.all.es8.js';
import browserifyAes from 'browserify-aes/browser.js';
import CryptoJS from 'crypto-js';
import forge from 'node-forge';
import type { Contender, Prepared, Task } from '../contender.ts';
import { TAG_BYTES } from '../contender.ts';

const asBytes = (result: unknown) => result as Uint8Array;

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

/** crypto-js works on WordArrays, 32-bit words big-endian. */
function words(data: Uint8Array): CryptoJS.lib.WordArray {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const list = Array.from({ length: data.length / 4 }, (_, i) => view.getInt32(4 * i));
  return CryptoJS.lib.WordArray.create(list, data.length);
}

function fromWords(result: unknown): Uint8Array {
  const { ciphertext } = result as CryptoJS.lib.CipherParams;
  const view = new DataView(new ArrayBuffer(ciphertext.sigBytes));
  for (let i = 0; i < ciphertext.sigBytes / 4; i++) view.setInt32(4 * i, ciphertext.words[i]!);
  return new Uint8Array(view.buffer);
}

export const cryptoJs: Contender = {
  name: 'crypto-js',
  version: '4.2.0',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const { CTR, CBC, ECB } = CryptoJS.mode;
    const mode = { 'AES-CTR': CTR, 'AES-CBC': CBC, 'AES-ECB': ECB }[algorithm as string];
    if (!mode) return undefined;
    const options = { mode, iv: words(nonce), padding: CryptoJS.pad.NoPadding };
    const [keyWords, text] = [words(key), words(plaintext)];
    return { run: () => CryptoJS.AES.encrypt(text, keyWords, options), bytes: fromWords };
  },
};

/** In pieces: forge spreads the bytes over the arguments of one call, and a worker's stack is small. */
function binary(data: Uint8Array): string {
  const PIECE = 8192;
  const pieces = Array.from({ length: Math.ceil(data.length / PIECE) }, (_, i) =>
    forge.util.binary.raw.encode(data.subarray(i * PIECE, (i + 1) * PIECE)),
  );
  return pieces.join('');
}
const fromBinary = (text: string) => forge.util.binary.raw.decode(text);

export const nodeForge: Contender = {
  name: 'node-forge',
  version: '1.4.3',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const names = ['AES-ECB', 'AES-CTR', 'AES-CBC', 'AES-GCM'] as const;
    const name = names.find((one) => one === algorithm);
    if (!name) return undefined;
    const [keyText, iv, text] = [binary(key), binary(nonce), binary(plaintext)];
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

export const aesJsContender: Contender = {
  name: 'aes-js',
  version: '3.1.2',
  kind: 'pure js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const { ecb: Ecb, ctr: Ctr, cbc: Cbc } = aesJs.ModeOfOperation;
    switch (algorithm) {
      case 'key schedule':
        return { run: () => new aesJs.AES(key), bytes: asBytes };
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

export const asmCrypto: Contender = {
  name: 'asmcrypto.js',
  version: '2.3.2',
  kind: 'asm.js',
  prepare: ({ algorithm, key, nonce, plaintext }) => {
    const runs: Partial<Record<Task['algorithm'], Prepared['run']>> = {
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

export const browserify: Contender = {
  name: 'browserify-aes',
  version: '1.2.0',
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
