/** The old block ciphers in the engine `wasm-simd`: their modules and the round keys in these. */
import { BLOCK_CIPHERS } from '../../../crypto/ciphers/block-cipher.ts';
import type { BlockCipherName, CipherDefinition } from '../../../crypto/ciphers/block-cipher.ts';
import { expandIdeaKey } from '../../../crypto/ciphers/idea.ts';
import { expandMarsKey, MARS_TABLES } from '../../../crypto/ciphers/mars.ts';
import { expandSc2000Key, SC2000_TABLES } from '../../../crypto/ciphers/sc2000.ts';
import { expandRc6Key } from '../../../crypto/ciphers/rc6.ts';
import { expandSerpentKey } from '../../../crypto/ciphers/serpent.ts';
import { expandTwofishKey } from '../../../crypto/ciphers/twofish.ts';
import { checkBytes } from '../../../crypto/errors.ts';
import type { BlockBytes } from '../../../crypto/contracts.ts';
import {
  GROUP_BYTES,
  IDEA_DECRYPT,
  IDEA_ENCRYPT,
  IDEA_SINGLE,
  IDEA_SUBKEY_BYTES,
  KEYS,
  LARGE_GROUP_BYTES,
  PAIR_BYTES,
  TWOFISH_TABLES,
} from '../generator/ciphers/layout.ts';
import type { LoadWasm } from '../loader.ts';
import { CipherModule, WasmBlockCipher } from './cipher-module.ts';

/** The name of a cipher's module, and its memory from KEYS on for a key of a right length. */
interface Kernel {
  readonly module: string;
  readonly groupBytes: number;
  readonly expandKey: (key: Uint8Array) => Int32Array;
  /** Those of the cipher, which do not depend on the key. */
  readonly tables?: Int32Array;
}

const KERNELS: { readonly [N in BlockCipherName]: Kernel } = {
  IDEA: { module: 'idea', groupBytes: GROUP_BYTES, expandKey: ideaKeys },
  Twofish: { module: 'twofish', groupBytes: PAIR_BYTES, expandKey: twofishKeys },
  MARS: { module: 'mars', groupBytes: PAIR_BYTES, expandKey: expandMarsKey, tables: MARS_TABLES },
  RC6: { module: 'rc6', groupBytes: GROUP_BYTES, expandKey: expandRc6Key },
  Serpent: { module: 'serpent', groupBytes: LARGE_GROUP_BYTES, expandKey: expandSerpentKey },
  SC2000: {
    module: 'sc2000',
    groupBytes: PAIR_BYTES,
    expandKey: sc2000Keys,
    tables: SC2000_TABLES,
  },
};

/**
 * @param fewBlocks for measurement; see WasmBlockCipher
 * @returns the cipher of a new instance of its module
 * @throws errors of the loader and of WebAssembly
 */
export async function loadCipher(
  loadWasm: LoadWasm,
  name: BlockCipherName,
  fewBlocks?: number,
): Promise<CipherDefinition> {
  const kernel = KERNELS[name];
  const { blockBytes, keyBytes }: CipherDefinition = BLOCK_CIPHERS[name];
  const { groupBytes, tables } = kernel;
  const sizes = { blockBytes, groupBytes, tables };
  const module = await CipherModule.load<BlockBytes>(loadWasm, kernel.module, sizes);
  return {
    blockBytes,
    keyBytes,
    withKey: (key) => {
      checkBytes('key', key, keyBytes);
      return new WasmBlockCipher(module, kernel.expandKey(key), fewBlocks);
    },
  };
}

/** The number of steps, then the round keys. */
function sc2000Keys(key: Uint8Array): Int32Array {
  const keys = expandSc2000Key(key);
  const words = new Int32Array(1 + keys.length);
  words[0] = keys.length / 8;
  words.set(keys, 1);
  keys.fill(0);
  return words;
}

/** Round keys, then the tables of the key. */
function twofishKeys(key: Uint8Array): Int32Array {
  const { keys, tables } = expandTwofishKey(key);
  const at = (TWOFISH_TABLES - KEYS) / 4;
  const words = new Int32Array(at + tables.length);
  words.set(keys);
  words.set(tables, at);
  keys.fill(0);
  tables.fill(0);
  return words;
}

/** Both forms of the subkeys; src/engine/wasm/generator/ciphers/idea.ts explains those for vectors. */
function ideaKeys(key: Uint8Array): Int32Array {
  const { encryptKeys, decryptKeys } = expandIdeaKey(key);
  const end = IDEA_DECRYPT + encryptKeys.length * IDEA_SUBKEY_BYTES;
  const words = new Int32Array((end - IDEA_SINGLE) / 4);
  words.set(encryptKeys);
  forVectors(encryptKeys, words, (IDEA_ENCRYPT - IDEA_SINGLE) / 4);
  forVectors(decryptKeys, words, (IDEA_DECRYPT - IDEA_SINGLE) / 4);
  encryptKeys.fill(0);
  decryptKeys.fill(0);
  return words;
}

/** Subkeys in groups of six, of which the second and the third are added and the others multiplied. */
function forVectors(subkeys: Int32Array, words: Int32Array, at: number): void {
  subkeys.forEach((subkey, i) => {
    const to = at + 4 * i;
    if (i % 6 === 1 || i % 6 === 2) {
      words[to] = subkey | (subkey << 16);
      return;
    }
    // k modulo 65537 in 16 bits with a sign: k, or k - 65537 if k > 32768
    const signed = (subkey + ((32768 - subkey) >> 31)) & 0xffff;
    const sign = ((subkey ^ 32768) - 1) >> 31;
    // 32769 is 1 / 2, so that 32769 · k is k / 2 or (k + 65537) / 2; 32768 · k is its negative.
    const half = (subkey + (65537 & -(subkey & 1))) >> 1;
    words[to] = signed;
    words[to + 1] = signed << 16;
    words[to + 2] = sign;
    // 2^30 + 2^14 ≡ 0, and no product is less than -2^30.
    words[to + 3] = 2 ** 30 + 2 ** 14 + ((half ^ sign) - sign) + (65537 & sign);
  });
}
