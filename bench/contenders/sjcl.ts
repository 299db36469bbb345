import type { Contender, Prepared, Task } from '../contender.ts';

type BitArray = number[];
interface Cipher {
  encrypt(block: BitArray): BitArray;
}
interface Mode {
  encrypt(
    cipher: Cipher,
    plaintext: BitArray,
    iv: BitArray,
    data?: BitArray,
    tagBits?: number,
  ): BitArray;
}
/** What we use of the library, with all its core files joined (bench/sjcl-source.ts). */
export interface Sjcl {
  cipher: { aes: new (key: BitArray) => Cipher };
  mode: Record<'ctr' | 'cbc' | 'gcm' | 'ccm', Mode>;
  beware: Record<string, () => void>;
}

const WARNING = "CBC mode is dangerous because it doesn't protect message integrity.";

function bits(data: Uint8Array): BitArray {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return Array.from({ length: data.length / 4 }, (_, i) => view.getInt32(4 * i));
}

function bytes(result: unknown): Uint8Array {
  const words = result as BitArray;
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, i) => view.setInt32(4 * i, word));
  return new Uint8Array(view.buffer);
}

export function sjclContender(sjcl: Sjcl): Contender {
  sjcl.beware[WARNING]?.();
  return {
    name: 'sjcl',
    version: '1.0.9',
    kind: 'pure js',
    prepare: (task) => prepare(sjcl, task),
  };
}

function prepare(sjcl: Sjcl, { algorithm, key, nonce, plaintext }: Task): Prepared | undefined {
  const keyBits = bits(key);
  if (algorithm === 'key schedule') return { run: () => new sjcl.cipher.aes(keyBits), bytes };
  const aes = new sjcl.cipher.aes(keyBits);
  const [iv, text] = [bits(nonce), bits(plaintext)];
  switch (algorithm) {
    case 'AES-CTR':
      return { run: () => sjcl.mode.ctr.encrypt(aes, text, iv, []), bytes };
    case 'AES-CBC':
      // It always pads: the block of padding is cut off for the comparison only.
      return {
        run: () => sjcl.mode.cbc.encrypt(aes, text, iv, []),
        bytes: (result) => bytes(result).subarray(0, plaintext.length),
      };
    case 'AES-GCM':
      return { run: () => sjcl.mode.gcm.encrypt(aes, text, iv, [], 128), bytes };
    case 'AES-CCM':
      return { run: () => sjcl.mode.ccm.encrypt(aes, text, iv, [], 128), bytes };
    case 'AES-ECB':
    case 'AES-OCB': // It has OCB2, another (broken) mode.
      return undefined;
  }
}
