import { jsEngine } from '../../src/engine/js.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import type { Engine } from '../../src/engine/contract.ts';
import type { RecordAlgorithms } from '../../src/sync/record-cipher.ts';
import { JS, WASM } from '../names.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf } from '../row.ts';
import { ours } from './ours.ts';
import { firefoxSync, firefoxSyncBso, noble } from './peers.ts';
import { OPERATIONS, recordRow, SIZES, type RecordTask } from './task.ts';

/* The codec alone: one v5 record, from an object to a payload and back. */
export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const all = [
    ours(WASM, await algorithmsOf(wasmSimdEngine(loadWasm))),
    ours(JS, await algorithmsOf(jsEngine())),
    firefoxSync,
    noble,
  ];
  return OPERATIONS.flatMap((operation) =>
    SIZES.filter((size) => size <= largest).map((size) =>
      rowOf({ ...recordRow(operation, size), bytes: size }, taskOf(operation, size), all),
    ),
  );
};

function taskOf(operation: RecordTask['operation'], size: number): RecordTask {
  const bundle = {
    encryptionKey: Buffer.from(pattern(32, 5)),
    hmacKey: Buffer.from(pattern(32, 7)),
  };
  const id = 'aBcDeFgHiJkL';
  const around = JSON.stringify({ id, text: '' }).length;
  const payload = { id, text: 'x'.repeat(size - around) };
  const encrypted = firefoxSyncBso.encryptBSO(bundle, payload).payload;
  return { operation, bundle, id, payload, encrypted };
}

async function algorithmsOf(engine: Engine): Promise<RecordAlgorithms> {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(`${engine.name}: ${probe.reason}`);
  return probe.algorithms as RecordAlgorithms;
}
