/**
 * The SHA module: SHA-1, SHA-256, SHA-384, SHA-512, PBKDF2 with these, SHA-256 of four messages at once,
 * and Base64 of what is hashed as text.
 *
 * Constant time: addition, logic and rotation only; addresses and branches depend on counts.
 */
import { i32, i8x16, v128 } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { base64EncodeFunction } from './base64.ts';
import { SHA1_CORE, SHA1_INITIAL } from './sha1.ts';
import {
  SHA256_CORE,
  SHA256_INITIAL,
  SHA256_K,
  SHA384_INITIAL,
  SHA512_CORE,
  SHA512_INITIAL,
  SHA512_K,
} from './sha2.ts';
import { blocksFunction, iterateFunction } from './sha-core.ts';
import { fourBlocksFunction, fourIterateFunction } from './sha256-four.ts';
import {
  INITIAL_1,
  INITIAL_256,
  INITIAL_384,
  INITIAL_512,
  K256,
  K512,
  MEMORY_BYTES,
  SWAP_4,
  SWAP_8,
} from './sha-layout.ts';
import { bytesOf, byteSwap } from '../dsl/words.ts';

/** @returns the module in WebAssembly's text format; the same in both variants */
export function shaModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  placeConstants(module);
  swapFunction(module);
  for (const core of [SHA1_CORE, SHA256_CORE]) {
    blocksFunction(module, core);
    iterateFunction(module, core);
  }
  blocksFunction(module, SHA512_CORE);
  iterateFunction(module, SHA512_CORE);
  iterateFunction(module, SHA512_CORE, 'sha384', 6);
  fourBlocksFunction(module);
  fourIterateFunction(module);
  base64EncodeFunction(module);
  return module.toString();
}

function placeConstants(module: ModuleText): void {
  module.data(K256, bytesOf(SHA256_K));
  module.data(K512, bytesOf(SHA512_K));
  module.data(SWAP_4, byteSwap(4));
  module.data(SWAP_8, byteSwap(8));
  module.data(INITIAL_1, bytesOf(SHA1_INITIAL));
  module.data(INITIAL_256, bytesOf(SHA256_INITIAL));
  module.data(INITIAL_384, bytesOf(SHA384_INITIAL));
  module.data(INITIAL_512, bytesOf(SHA512_INITIAL));
}

/**
 * Converts words to big-endian or back.
 *
 * @param vectors of 16 bytes, from `offset` on
 * @param order SWAP_4 or SWAP_8
 */
function swapFunction(module: ModuleText): void {
  const params = { offset: 'i32', vectors: 'i32', order: 'i32' } as const;
  module.func('swap', { params }, (body, { offset, vectors, order }) => {
    body.loop(vectors, () => {
      body.store(offset, i8x16.swizzle(v128.load(offset), v128.load(order)));
      body.set(offset, i32.add(offset, 16));
    });
  });
}
