import { jsEngine } from '../../src/engine/js/js.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import type { Engine } from '../../src/engine/contract.ts';
import type { RecordAlgorithms } from '../../src/sync/record-cipher.ts';
import { JS, WASM } from '../names.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf } from '../row.ts';
import { ours } from './ours.ts';
import { firefoxSync, firefoxSyncBso, noble } from './peers.ts';
import { COUNTS, OPERATIONS, recordRow, SIZES, type RecordsTask } from './task.ts';

/* The codec alone: v5 records, from objects to payloads and back. */
export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const all = [
    ours(WASM, await algorithmsOf(wasmSimdEngine(loadWasm))),
    ours(JS, await algorithmsOf(jsEngine())),
    firefoxSync,
    noble,
  ];
  return OPERATIONS.flatMap((operation) =>
    COUNTS.flatMap((count) =>
      SIZES.filter((size) => size <= largest).map((size) => {
        const key = { ...recordRow(operation, size, count), bytes: count * size };
        return rowOf(key, taskOf(operation, size, count), all);
      }),
    ),
  );
};

function taskOf(operation: RecordsTask['operation'], size: number, count: number): RecordsTask {
  const bundle = {
    encryptionKey: Buffer.from(pattern(32, 5)),
    hmacKey: Buffer.from(pattern(32, 7)),
  };
  const records = Array.from({ length: count }, (_, i) => {
    const id = `record-${String(i).padStart(5, '0')}`;
    const around = JSON.stringify({ id, text: '' }).length;
    const payload = { id, text: 'x'.repeat(size - around) };
    return { id, payload, encrypted: firefoxSyncBso.encryptBSO(bundle, payload).payload };
  });
  return { operation, bundle, records };
}

async function algorithmsOf(engine: Engine): Promise<RecordAlgorithms> {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(`${engine.name}: ${probe.reason}`);
  return probe.algorithms as RecordAlgorithms;
}
