/** The Keccak module: SHA3-256, SHA3-384 and SHA3-512 (FIPS 202), and the sponges of cSHAKE, KMAC, TurboSHAKE and KT. */
import type { Sha3Name } from '../../../crypto/contracts.ts';
import type { KangarooPrimitives } from '../../../crypto/hash/kangaroo-twelve.ts';
import {
  KECCAK_ROUNDS,
  KECCAK_STATE_BYTES,
  LAST_PADDING_BIT,
  type SpongeParams,
} from '../../../crypto/hash/keccak.ts';
import { SHA3_SUFFIX } from '../../../crypto/hash/sha3.ts';
import { BlockHash, BlockHashAlgorithm } from './block-hash.ts';
import type { BlockKernel, HashInstance } from './block-hash.ts';
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
  readonly absorb: (pointer: number, count: number, lanes: number, rounds: number) => void;
}

/** One instance of the Keccak module. */
export interface KeccakModule {
  readonly hashes: {
    readonly 'SHA3-256': BlockHashAlgorithm<'SHA3-256'>;
    readonly 'SHA3-384': BlockHashAlgorithm<'SHA3-384'>;
    readonly 'SHA3-512': BlockHashAlgorithm<'SHA3-512'>;
  };
  /** The sponge with any parameters, and the leaves of KangarooTwelve. */
  readonly primitives: KangarooPrimitives;
  readonly memory: Uint8Array;
  readonly instance: HashInstance;
}

/** @throws errors of the loader and of WebAssembly */
export async function loadKeccak(loadWasm: LoadWasm): Promise<KeccakModule> {
  const loaded = await loadCommonModule<KeccakFunctions>(loadWasm, 'keccak');
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
  const kernel = (params: SpongeParams): BlockKernel => kernelOf(params, functions, memory);
  // FIPS 202, section 6.1: the capacity is twice the digest.
  const sha3 = <N extends Sha3Name>(name: N, outputBytes: number): BlockHashAlgorithm<N> => {
    const rateBytes = KECCAK_STATE_BYTES - 2 * outputBytes;
    const params = { rounds: KECCAK_ROUNDS, rateBytes, suffix: SHA3_SUFFIX, outputBytes } as const;
    return new BlockHashAlgorithm({ ...kernel(params), name }, instance);
  };
  return {
    hashes: {
      'SHA3-256': sha3('SHA3-256', 32),
      'SHA3-384': sha3('SHA3-384', 48),
      'SHA3-512': sha3('SHA3-512', 64),
    },
    primitives: {
      sponge: (params) => new BlockHash(kernel(params), instance),
      leaves: (params, messages, messageBytes) =>
        leaves(kernel(params), messages, messageBytes, instance),
    },
    memory,
    instance,
  };
}

function kernelOf(
  { rounds, rateBytes, suffix, outputBytes }: SpongeParams,
  { absorb }: KeccakFunctions,
  memory: Uint8Array,
): BlockKernel {
  const lanes = rateBytes / 8;
  return {
    blockBytes: rateBytes,
    digestBytes: outputBytes,
    initial: INITIAL,
    keepsLastBlock: false,
    absorb: (pointer, blocks) => absorb(pointer, blocks, lanes, rounds),
    finish(pointer, length) {
      memory.fill(0, pointer + length, pointer + rateBytes);
      memory[pointer + length] = suffix;
      memory[pointer + rateBytes - 1]! |= LAST_PADDING_BIT;
      absorb(pointer, 1, lanes, rounds);
    },
    // FIPS 202, section 4, algorithm 8, steps 8 to 10
    output() {
      const output = new Uint8Array(outputBytes);
      for (let done = 0; done < outputBytes; done += rateBytes) {
        if (done > 0) absorb(BUFFER, 1, 0, rounds);
        const taken = Math.min(rateBytes, outputBytes - done);
        output.set(memory.subarray(STATE, STATE + taken), done);
      }
      return output;
    },
  };
}

const INITIAL = /* @__PURE__ */ new Uint8Array(KECCAK_STATE_BYTES);

/** As many messages as fit are copied at once, and hashed one after the other. */
function leaves(
  kernel: BlockKernel,
  messages: Uint8Array,
  messageBytes: number,
  instance: HashInstance,
): Uint8Array {
  const { memory } = instance;
  const { blockBytes, digestBytes } = kernel;
  const blocks = Math.floor(messageBytes / blockBytes);
  const values = new Uint8Array((messages.length / messageBytes) * digestBytes);
  const atOnce = BUFFER_BYTES - (BUFFER_BYTES % messageBytes);
  instance.owner?.leave();
  for (let offset = 0; offset < messages.length; offset += atOnce) {
    const part = messages.subarray(offset, offset + atOnce);
    memory.set(part, BUFFER);
    // The last one first: the padding overwrites what follows a message.
    for (let at = part.length - messageBytes; at >= 0; at -= messageBytes) {
      memory.fill(0, STATE, STATE + KECCAK_STATE_BYTES);
      kernel.absorb(BUFFER + at, blocks, 0);
      const done = blocks * blockBytes;
      kernel.finish(BUFFER + at + done, messageBytes - done, messageBytes);
      const value = memory.subarray(STATE, STATE + digestBytes);
      values.set(value, ((offset + at) / messageBytes) * digestBytes);
    }
  }
  instance.wipe(Math.max(instance.touched, Math.min(messages.length, BUFFER_BYTES)));
  instance.touched = 0;
  return values;
}
