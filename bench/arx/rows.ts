import { ArxModule } from '../../src/engine/wasm/arx/arx.ts';
import type { Contender } from '../contender.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf } from '../row.ts';
import { oursJs, oursWasm } from './ours.ts';
import { libsodium, noble, nodeCrypto } from './peers.ts';
import { ARX_ALGORITHMS, type ArxTask } from './task.ts';

/* ChaCha20, Salsa20 and Poly1305: AES's rivals where there are no AES instructions. */
const SIZES = [16, 1 << 10, 1 << 16, 1 << 20, 1 << 24];

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const module = await ArxModule.load(loadWasm);
  const all: Contender<ArxTask>[] = [oursJs, ...oursWasm(module), nodeCrypto, libsodium, noble];
  return ARX_ALGORITHMS.flatMap((algorithm) =>
    SIZES.filter((size) => size <= largest).map((size) =>
      rowOf(
        { algorithm, size, unit: 'B', bytes: size },
        { algorithm, plaintext: pattern(size, 3) },
        all,
      ),
    ),
  );
};
