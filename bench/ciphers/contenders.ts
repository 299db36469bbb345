import { Twofish } from 'openpgp-ocb';
import { Ocb } from '../../src/crypto/aead/ocb.ts';
import type { BlockCipherName, CipherDefinition } from '../../src/crypto/ciphers/block-cipher.ts';
import { BLOCK_CIPHERS } from '../../src/crypto/ciphers/block-cipher.ts';
import type { BlockBytes, BlockCipher } from '../../src/crypto/contracts.ts';
import { cbcEncryptRaw } from '../../src/crypto/mode/cbc.ts';
import { ctr } from '../../src/crypto/mode/ctr.ts';
import { ecbDecrypt, ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import { ALWAYS_SINGLE } from '../../src/engine/wasm/ciphers/cipher-module.ts';
import { loadCipher } from '../../src/engine/wasm/ciphers/ciphers.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';
import { asBytes, type Contender, type Prepared } from '../contender.ts';
import { JS, WASM, WASM_FRESH } from '../names.ts';
import { pattern } from '../pattern.ts';
import { CIPHERS, KEY, WASM_SINGLE, type CipherTask } from './task.ts';

/** The key is set up before the clock starts, as for the peers. */
export const oursJs: Contender<CipherTask> = {
  name: JS,
  kind: 'ours',
  prepare: (task) => ({
    run: runOf(BLOCK_CIPHERS[task.cipher].withKey(KEY), task),
    bytes: asBytes,
  }),
};

/** The engine wasm-simd; blocks one by one in the mode that shows the difference. */
export async function oursWasm(loadWasm: LoadWasm): Promise<Contender<CipherTask>[]> {
  const load = async (fewBlocks?: number) => {
    const ciphers = CIPHERS.map(
      async (name) => [name, await loadCipher(loadWasm, name, fewBlocks)] as const,
    );
    return new Map<BlockCipherName, CipherDefinition>(await Promise.all(ciphers));
  };
  const [many, single] = await Promise.all([load(), load(ALWAYS_SINGLE)]);
  const prepare =
    (ciphers: typeof many, allocates: boolean): Contender<CipherTask>['prepare'] =>
    (task) => {
      const cipher = ciphers.get(task.cipher)?.withKey(KEY);
      if (cipher === undefined) return undefined;
      const tagBytes = task.mode === 'OCB' ? cipher.blockBytes : 0;
      const into = allocates ? undefined : new Uint8Array(task.plaintext.length + tagBytes);
      return { run: runOf(cipher, task, into), bytes: asBytes };
    };
  const prepareSingle = prepare(single, false);
  return [
    { name: WASM, kind: 'ours', prepare: prepare(many, false) },
    { name: WASM_FRESH, kind: 'ours', prepare: prepare(many, true) },
    {
      name: WASM_SINGLE,
      kind: 'ours',
      prepare: (task) => (task.mode === 'ECB' ? prepareSingle(task) : undefined),
    },
  ];
}

/** The portable loops of the modes: no npm package that is installed here has most of these ciphers. */
export const oursByBlock: Contender<CipherTask> = {
  name: 'Sealwright js, block by block',
  kind: 'ours',
  prepare: (task) => {
    const cipher = BLOCK_CIPHERS[task.cipher].withKey(KEY);
    const { blockBytes } = cipher;
    const each =
      (operation: 'encryptBlocks' | 'decryptBlocks') =>
      (source: Uint8Array, target: Uint8Array): void => {
        for (let i = 0; i < source.length; i += blockBytes) {
          cipher[operation](source.subarray(i, i + blockBytes), target.subarray(i, i + blockBytes));
        }
      };
    const plain: BlockCipher<BlockBytes> = {
      blockBytes,
      encryptBlocks: each('encryptBlocks'),
      decryptBlocks: each('decryptBlocks'),
      wipe: () => cipher.wipe(),
    };
    return { run: runOf(plain, task), bytes: asBytes };
  },
};

/** The only peer among the packages here, and only for Twofish in single blocks. */
export const openpgp: Contender<CipherTask> = {
  name: 'openpgp',
  kind: 'pure js',
  prepare: ({ cipher, mode, plaintext }) => {
    if (cipher !== 'Twofish' || mode !== 'ECB') return undefined;
    const twofish = new Twofish(KEY);
    const run = () => {
      const result = new Uint8Array(plaintext.length);
      for (let i = 0; i < result.length; i += 16) {
        result.set(twofish.encrypt(plaintext.subarray(i, i + 16)), i);
      }
      return result;
    };
    return { run, bytes: asBytes };
  },
};

function runOf(
  cipher: BlockCipher<BlockBytes>,
  { mode, plaintext }: CipherTask,
  into?: Uint8Array,
): Prepared['run'] {
  const { blockBytes } = cipher;
  const iv = pattern(blockBytes, 5);
  switch (mode) {
    case 'ECB':
      return () => ecbEncrypt(cipher, plaintext, into);
    case 'ECB decryption':
      return () => ecbDecrypt(cipher, plaintext, into);
    case 'CTR':
      return () => ctr(cipher, iv, 8 * blockBytes, plaintext, into);
    case 'CBC':
      return () => cbcEncryptRaw(cipher, iv, plaintext, into);
    case 'OCB': {
      const ocb = new Ocb(cipher);
      return () => ocb.seal(iv.subarray(1), plaintext, undefined, into);
    }
  }
}
