/** The BLAKE module: BLAKE2b; blake3.ts has BLAKE3. */
import type { Hash } from '../../../crypto/contracts.ts';
import {
  BLAKE2B_BLOCK_BYTES,
  BLAKE2B_MAX_DIGEST_BYTES,
  blake2bInitial,
  checkBlake2bOptions,
} from '../../../crypto/hash/blake2b.ts';
import type { Blake2bOptions } from '../../../crypto/hash/blake2b.ts';
import { wipe } from '../../../crypto/bytes.ts';
import { Blake3Algorithm } from './blake3.ts';
import type { BlakeFunctions } from './blake3.ts';
import { BlockHashAlgorithm } from './block-hash.ts';
import type { BlockKernel, HashInstance } from './block-hash.ts';
import type { Variant } from '../generator/dsl/lookup.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  MARGIN_BYTES,
  SECRETS,
  STATE,
} from '../generator/hash/blake-layout.ts';
import { loadModule } from '../loader.ts';
import type { LoadWasm } from '../loader.ts';

/** One instance of the BLAKE module, which both hashes share. */
export interface BlakeInstance {
  readonly functions: BlakeFunctions;
  readonly memory: Uint8Array;
  readonly instance: HashInstance;
}

export interface BlakeModule {
  readonly hashes: {
    readonly BLAKE2b: BlockHashAlgorithm<'BLAKE2b'>;
    readonly BLAKE3: Blake3Algorithm;
  };
  /** BLAKE2b of another length, or with a key: a MAC (RFC 7693, section 2.9). */
  createBlake2b(options: Blake2bOptions): Hash;
  readonly memory: Uint8Array;
  readonly instance: HashInstance;
}

/** @param variant for tests; default: the best one that the platform supports */
export async function loadBlakeInstance(
  loadWasm: LoadWasm,
  variant?: Variant,
): Promise<BlakeInstance> {
  const loaded = await loadModule<BlakeFunctions>(loadWasm, 'blake', variant);
  const { functions, bytes: memory } = loaded;
  const instance: HashInstance = {
    memory,
    state: STATE,
    buffer: BUFFER,
    bufferBytes: BUFFER_BYTES,
    wipe: (bufferBytes) => functions.wipe(SECRETS, BUFFER - SECRETS + bufferBytes + MARGIN_BYTES),
    touched: 0,
    owner: undefined,
  };
  return { functions, memory, instance };
}

/** BLAKE2b on that instance. @param keyBytes length of the key, which is hashed first */
export function blake2bAlgorithm(
  { functions, memory, instance }: BlakeInstance,
  digestBytes = BLAKE2B_MAX_DIGEST_BYTES,
  keyBytes = 0,
): BlockHashAlgorithm<'BLAKE2b'> {
  return new BlockHashAlgorithm(kernelOf(digestBytes, keyBytes, functions, memory), instance);
}

/** Both hashes. @param variant as for `loadBlakeInstance` */
export async function loadBlake(loadWasm: LoadWasm, variant?: Variant): Promise<BlakeModule> {
  const loaded = await loadBlakeInstance(loadWasm, variant);
  const { functions, memory, instance } = loaded;
  return {
    hashes: {
      BLAKE2b: blake2bAlgorithm(loaded),
      BLAKE3: new Blake3Algorithm(functions, instance),
    },
    createBlake2b(options) {
      checkBlake2bOptions(options);
      const { digestBytes = BLAKE2B_MAX_DIGEST_BYTES, key } = options;
      const hash = blake2bAlgorithm(loaded, digestBytes, key?.length).create();
      return key === undefined || key.length === 0 ? hash : withKeyBlock(hash, key);
    },
    memory,
    instance,
  };
}

/** The key, padded with zeros, is the first block. */
function withKeyBlock(hash: Hash, key: Uint8Array): Hash {
  const block = new Uint8Array(BLAKE2B_BLOCK_BYTES);
  block.set(key);
  hash.update(block);
  wipe(block);
  return hash;
}

function kernelOf(
  digestBytes: number,
  keyBytes: number,
  { blake2bBlocks }: BlakeFunctions,
  memory: Uint8Array,
): BlockKernel & { readonly name: 'BLAKE2b' } {
  return {
    name: 'BLAKE2b',
    blockBytes: BLAKE2B_BLOCK_BYTES,
    digestBytes,
    initial: blake2bInitial(digestBytes, keyBytes),
    keepsLastBlock: true,
    absorb: (pointer, blocks, before) =>
      blake2bBlocks(pointer, blocks, before + BLAKE2B_BLOCK_BYTES, 0),
    finish(pointer, length, messageBytes) {
      memory.fill(0, pointer + length, pointer + BLAKE2B_BLOCK_BYTES);
      blake2bBlocks(pointer, 1, messageBytes, -1);
    },
  };
}
