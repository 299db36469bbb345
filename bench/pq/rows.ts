import { loadMlDsa, ML_DSA_NAMES } from '../../src/engine/wasm/lattice/ml-dsa.ts';
import { loadMlKem, ML_KEM_NAMES } from '../../src/engine/wasm/lattice/ml-kem.ts';
import { probePostQuantum } from '../../src/engine/native/post-quantum.ts';
import type { MakeRows } from '../order.ts';
import { rowOf } from '../row.ts';
import {
  jsKems,
  nativeDsas,
  nativeKems,
  nobleDsas,
  nobleKems,
  oursDsa,
  wasmKems,
} from './contenders.ts';
import { dsaRow, type DsaTask, kemRow, type KemTask } from './task.ts';

const KEM_OPERATIONS = ['public key', 'encapsulate', 'decapsulate'] as const;
const DSA_OPERATIONS = ['public key', 'sign', 'verify'] as const;

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const own = await probePostQuantum(globalThis.crypto.subtle);
  const kems = [wasmKems((await loadMlKem(loadWasm)).sets), jsKems, nobleKems, nativeKems(own)];
  const dsas = [oursDsa((await loadMlDsa(loadWasm)).sets), nobleDsas, nativeDsas(own)];
  const ofKems = ML_KEM_NAMES.flatMap((name) =>
    KEM_OPERATIONS.map((operation) => {
      const task: KemTask = { name, operation };
      return rowOf({ ...kemRow(task), bytes: 0 }, task, kems);
    }),
  );
  const ofDsas = ML_DSA_NAMES.flatMap((name) =>
    DSA_OPERATIONS.map((operation) => {
      const task: DsaTask = { name, operation };
      return rowOf({ ...dsaRow(task), bytes: 0 }, task, dsas);
    }),
  );
  return [...ofKems, ...ofDsas].filter(({ size }) => size <= largest);
};
