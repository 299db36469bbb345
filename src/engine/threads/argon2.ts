/** Argon2 (RFC 9106) with its lanes in several threads, which share one memory. */
import {
  ARGON2_NAMES,
  ARGON2_SLICES,
  checkArgon2,
  initialHash,
  matrixOf,
} from '../../crypto/kdf/argon2.ts';
import type { Argon2Matrix, Argon2Name } from '../../crypto/kdf/argon2.ts';
import { wipe } from '../../crypto/bytes.ts';
import { EngineError, type Argon2Params, type Kdf } from '../contract.ts';
import { MAX_THREADS } from '../wasm/generator/hash/argon2-layout.ts';
import {
  beginMatrix,
  fillWhole,
  finishMatrix,
  KEPT_BYTES,
  KeptMemory,
  matrixBytes,
  segmentsOf,
  wipeMatrix,
} from '../wasm/hash/argon2.ts';
import { SliceLost, type Pool } from './pool.ts';
import { argon2Over } from './slices.ts';

const PAGE_BYTES = 65_536;

/** Whether threads may share memory: in Node, and in isolated pages. */
export const mayShareMemory = (): boolean => typeof SharedArrayBuffer === 'function';

/** @param module whose memory is imported */
export function argon2InThreads(
  pool: Pool,
  module: WebAssembly.Module,
): Readonly<Record<Argon2Name, Kdf<Argon2Params>>> {
  const kept = new KeptMemory<WebAssembly.Memory>();
  const kdf = (name: Argon2Name): Kdf<Argon2Params> => ({
    // A property of the functions, as in `wasm-simd`.
    constantTime: name === 'Argon2i' ? 'by-construction' : 'no',
    gap: (_secretBytes, { parallelism }) => {
      if (parallelism === 1) return 'one lane has one thread';
      return parallelism > MAX_THREADS ? `more than ${MAX_THREADS} lanes` : undefined;
    },
    derive: async (password, params, lengthBytes) => {
      checkArgon2(password, params, lengthBytes);
      const matrix = matrixOf(name, params);
      const seed = initialHash(name, password, params, lengthBytes);
      try {
        return await derived(matrix, seed, lengthBytes, { module, kept, pool });
      } catch (error) {
        if (!(error instanceof SliceLost)) throw error;
        return await derived(matrix, seed, lengthBytes, { module, kept });
      } finally {
        wipe(seed);
      }
    },
  });
  const entries = ARGON2_NAMES.map((name) => [name, kdf(name)]);
  return Object.fromEntries(entries) as Readonly<Record<Argon2Name, Kdf<Argon2Params>>>;
}

interface Means {
  readonly module: WebAssembly.Module;
  readonly kept: KeptMemory<WebAssembly.Memory>;
  /** Absent: this thread alone. */
  readonly pool?: Pool;
}

async function derived(
  matrix: Argon2Matrix,
  seed: Uint8Array,
  lengthBytes: number,
  { module, kept, pool }: Means,
): Promise<Uint8Array> {
  const memory = sharedMemory(kept, matrixBytes(matrix));
  const bytes = new Uint8Array(memory.buffer);
  const functions = argon2Over(module, memory);
  // A worker that is being ended may still write there.
  let isOurs = false;
  try {
    beginMatrix(bytes, matrix, seed);
    if (pool) await fillBy(pool, memory, matrix);
    else for (const segment of segmentsOf(matrix)) fillWhole(functions, bytes, matrix, segment);
    isOurs = true;
    return finishMatrix(bytes, matrix, lengthBytes);
  } finally {
    wipeMatrix(functions, matrix);
    if (isOurs && bytes.length <= KEPT_BYTES) kept.keep(memory);
  }
}

/** Section 3.4: the lanes of a slice are independent of each other; all end before the next slice begins. */
async function fillBy(pool: Pool, memory: WebAssembly.Memory, matrix: Argon2Matrix): Promise<void> {
  // A byte for each lane: what threads work on is in the memory.
  const data = new Uint8Array(matrix.lanes);
  for (let pass = 0; pass < matrix.passes; pass++) {
    for (let slice = 0; slice < ARGON2_SLICES; slice++) {
      const task = { kind: 'argon2', memory, matrix, pass, slice } as const;
      // From the second pass on a block is XORed to what was there.
      await pool.run({ task, data, unitBytes: 1, inPlace: pass === 0 ? 'first' : 'again' });
    }
  }
}

/** Kept memory where it is large enough, else new memory. @throws EngineError if there is not enough */
function sharedMemory(kept: KeptMemory<WebAssembly.Memory>, bytes: number): WebAssembly.Memory {
  const memory = kept.take();
  if (memory && memory.buffer.byteLength >= bytes) return memory;
  const pages = Math.ceil(bytes / PAGE_BYTES);
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch (cause) {
    throw new EngineError('Argon2: there is not so much memory', { cause });
  }
}
