/** The Keccak module: SHA3-256, SHA3-384 and SHA3-512 (FIPS 202). */
import type { Sha3Name } from '../../../crypto/contracts.ts';
import { KECCAK_STATE_BYTES, SHA3_LAST_BIT, SHA3_SUFFIX } from '../../../crypto/hash/sha3.ts';
import { BlockHashAlgorithm } from './block-hash.ts';
import type { Bench, BlockKernel } from './block-hash.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  MARGIN_BYTES,
  SECRETS,
  STATE,
} from '../generator/hash/keccak-layout.ts';
import { loadCommonModule } from '../loader.ts';
import type { LoadWasm } from '../loader.ts';

/** Exports of the module; the kernels document the arguments. */
interface KeccakFunctions {
  readonly wipe: (offset: number, length: number) => void;
  readonly absorb: (pointer: number, count: number, lanes: number) => void;
}

/** One instance of the Keccak module. */
export interface KeccakModule {
  readonly hashes: {
    readonly 'SHA3-256': BlockHashAlgorithm<'SHA3-256'>;
    readonly 'SHA3-384': BlockHashAlgorithm<'SHA3-384'>;
    readonly 'SHA3-512': BlockHashAlgorithm<'SHA3-512'>;
  };
  readonly memory: Uint8Array;
  readonly bench: Bench;
}

/** @throws errors of the loader and of WebAssembly */
export async function loadKeccak(loadWasm: LoadWasm): Promise<KeccakModule> {
  const loaded = await loadCommonModule<KeccakFunctions>(loadWasm, 'keccak');
  const { functions, bytes: memory } = loaded;
  const bench: Bench = {
    memory,
    state: STATE,
    buffer: BUFFER,
    bufferBytes: BUFFER_BYTES,
    wipe: (bufferBytes) => functions.wipe(SECRETS, BUFFER - SECRETS + bufferBytes + MARGIN_BYTES),
    touched: 0,
    owner: undefined,
  };
  const algorithm = <N extends Sha3Name>(name: N, digestBytes: number): BlockHashAlgorithm<N> =>
    new BlockHashAlgorithm(kernelOf(name, digestBytes, functions, memory), bench);
  return {
    hashes: {
      'SHA3-256': algorithm('SHA3-256', 32),
      'SHA3-384': algorithm('SHA3-384', 48),
      'SHA3-512': algorithm('SHA3-512', 64),
    },
    memory,
    bench,
  };
}

/** FIPS 202, section 6.1: the capacity is twice the digest. */
function kernelOf<N extends Sha3Name>(
  name: N,
  digestBytes: number,
  { absorb }: KeccakFunctions,
  memory: Uint8Array,
): BlockKernel & { readonly name: N } {
  const blockBytes = KECCAK_STATE_BYTES - 2 * digestBytes;
  const lanes = blockBytes / 8;
  return {
    name,
    blockBytes,
    digestBytes,
    initial: new Uint8Array(KECCAK_STATE_BYTES),
    keepsLastBlock: false,
    absorb: (pointer, blocks) => absorb(pointer, blocks, lanes),
    finish(pointer, length) {
      memory.fill(0, pointer + length, pointer + blockBytes);
      memory[pointer + length] = SHA3_SUFFIX;
      memory[pointer + blockBytes - 1]! |= SHA3_LAST_BIT;
      absorb(pointer, 1, lanes);
    },
  };
}
