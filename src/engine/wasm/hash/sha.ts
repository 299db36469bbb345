/** The SHA module: SHA-1, SHA-256, SHA-384 and SHA-512. */
import type { ShaName } from '../../../crypto/contracts.ts';
import { store64be } from '../../../crypto/words.ts';
import { BlockHashAlgorithm } from './block-hash.ts';
import type { BlockKernel, HashInstance } from './block-hash.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  INITIAL_1,
  INITIAL_256,
  INITIAL_384,
  INITIAL_512,
  MARGIN_BYTES,
  SECRETS,
  STATE,
  SWAP_4,
  SWAP_8,
} from '../generator/hash/sha-layout.ts';
import { loadCommonModule } from '../loader.ts';
import type { LoadWasm } from '../loader.ts';

/** Exports of the module; the kernels document the arguments. */
export interface ShaFunctions {
  readonly wipe: (offset: number, length: number) => void;
  readonly swap: (offset: number, vectors: number, order: number) => void;
  readonly sha1Blocks: (pointer: number, count: number) => void;
  readonly sha256Blocks: (pointer: number, count: number) => void;
  readonly sha512Blocks: (pointer: number, count: number) => void;
  readonly sha1Iterate: (count: number) => void;
  readonly sha256Iterate: (count: number) => void;
  readonly sha384Iterate: (count: number) => void;
  readonly sha512Iterate: (count: number) => void;
  readonly sha256FourBlocks: (a: number, b: number, c: number, d: number, count: number) => void;
  readonly sha256FourIterate: (count: number) => void;
  readonly base64Encode: (from: number, to: number, steps: number) => void;
}

/** The functions and sizes of one hash of the module, also for PBKDF2. */
export interface ShaMember {
  readonly name: ShaName;
  readonly blockBytes: 64 | 128;
  readonly digestBytes: number;
  /** The chaining state; SHA-384 returns only a part of it. */
  readonly stateBytes: 20 | 32 | 64;
  readonly initial: number;
  readonly blocks: 'sha1Blocks' | 'sha256Blocks' | 'sha512Blocks';
  readonly iterate: 'sha1Iterate' | 'sha256Iterate' | 'sha384Iterate' | 'sha512Iterate';
}

/** FIPS 180-4, figure 1 */
const MEMBERS: { readonly [N in ShaName]: ShaMember & { readonly name: N } } = {
  'SHA-1': {
    name: 'SHA-1',
    blockBytes: 64,
    digestBytes: 20,
    stateBytes: 20,
    initial: INITIAL_1,
    blocks: 'sha1Blocks',
    iterate: 'sha1Iterate',
  },
  'SHA-256': {
    name: 'SHA-256',
    blockBytes: 64,
    digestBytes: 32,
    stateBytes: 32,
    initial: INITIAL_256,
    blocks: 'sha256Blocks',
    iterate: 'sha256Iterate',
  },
  'SHA-384': {
    name: 'SHA-384',
    blockBytes: 128,
    digestBytes: 48,
    stateBytes: 64,
    initial: INITIAL_384,
    blocks: 'sha512Blocks',
    iterate: 'sha384Iterate',
  },
  'SHA-512': {
    name: 'SHA-512',
    blockBytes: 128,
    digestBytes: 64,
    stateBytes: 64,
    initial: INITIAL_512,
    blocks: 'sha512Blocks',
    iterate: 'sha512Iterate',
  },
};

/** The hashes, and the module itself for pbkdf2.ts and sha256-many.ts. */
export interface ShaModule {
  readonly hashes: { readonly [N in ShaName]: BlockHashAlgorithm<N> };
  readonly members: Readonly<Record<ShaName, ShaMember>>;
  readonly functions: ShaFunctions;
  readonly memory: Uint8Array;
  /** The same memory, for words. */
  readonly view: DataView;
  readonly instance: HashInstance;
}

/** @throws errors of the loader and of WebAssembly */
export async function loadSha(loadWasm: LoadWasm): Promise<ShaModule> {
  const { functions, bytes: memory } = await loadCommonModule<ShaFunctions>(loadWasm, 'sha');
  const instance: HashInstance = {
    memory,
    state: STATE,
    buffer: BUFFER,
    bufferBytes: BUFFER_BYTES,
    wipe: (bufferBytes) => functions.wipe(SECRETS, BUFFER - SECRETS + bufferBytes + MARGIN_BYTES),
    touched: 0,
    owner: undefined,
  };
  const algorithm = <N extends ShaName>(name: N): BlockHashAlgorithm<N> =>
    new BlockHashAlgorithm(kernelOf(MEMBERS[name], functions, memory), instance);
  return {
    hashes: {
      'SHA-1': algorithm('SHA-1'),
      'SHA-256': algorithm('SHA-256'),
      'SHA-384': algorithm('SHA-384'),
      'SHA-512': algorithm('SHA-512'),
    },
    members: MEMBERS,
    functions,
    memory,
    view: new DataView(memory.buffer),
    instance,
  };
}

/** Words of 8 bytes for blocks of 128, of 4 bytes for blocks of 64. */
function swapOrder(blockBytes: number): number {
  return blockBytes === 128 ? SWAP_8 : SWAP_4;
}

function kernelOf<N extends ShaName>(
  member: ShaMember & { readonly name: N },
  functions: ShaFunctions,
  memory: Uint8Array,
): BlockKernel & { readonly name: N } {
  const { name, blockBytes, digestBytes, stateBytes, initial } = member;
  const blocks = functions[member.blocks];
  return {
    name,
    blockBytes,
    digestBytes,
    initial: memory.slice(initial, initial + stateBytes),
    keepsLastBlock: false,
    absorb: blocks,
    finish(pointer, length, messageBytes) {
      blocks(pointer, pad(memory, pointer, length, messageBytes, blockBytes));
      functions.swap(STATE, Math.ceil(stateBytes / 16), swapOrder(blockBytes));
    },
  };
}

/**
 * A 1 bit, zeros, and the length in bits at the end of a block (FIPS 180-4, section 5.1).
 *
 * @param length bytes of the message from `pointer` on: less than a block
 * @returns blocks from `pointer` on: 1 or 2
 */
export function pad(
  memory: Uint8Array,
  pointer: number,
  length: number,
  messageBytes: number,
  blockBytes: number,
): number {
  const blocks = length + 1 + blockBytes / 8 > blockBytes ? 2 : 1;
  const end = pointer + blocks * blockBytes;
  memory[pointer + length] = 0x80;
  memory.fill(0, pointer + length + 1, end - 8);
  // messageBytes · 8 may exceed 2^53, but multiplication by a power of two stays exact.
  store64be(memory, end - 8, messageBytes * 8);
  return blocks;
}

/** Converts big-endian words to the module's form, or back. @param wordBytes 4 or 8 */
export function toWords(bytes: Uint8Array, wordBytes: number): Uint8Array {
  const words = new Uint8Array(bytes.length);
  for (let i = 0; i < words.length; i++) words[i] = bytes[i ^ (wordBytes - 1)]!;
  return words;
}
