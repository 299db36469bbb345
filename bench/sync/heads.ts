/*
 * Heads of devices (docs/sync.md, section 2.1), in Node: what a change writes, and how long a verification takes in the
 * worker of the extension, without the way to it.
 */
import { recordEngines } from '../../src/engine/record-engines.ts';
import { median } from '../../src/engine/self-test/measure.ts';
import type { InputOf } from '../../src/rpc/workshop.ts';
import { unpacked } from '../../src/rpc/transport/byte-list.ts';
import { HEADS_BEFORE } from '../../src/sync/sealwright/head-layout.ts';
import { syncOperations } from '../../src/workshop/sync.ts';
import { encryptedRecord, packedOf, plainRecord } from '../../test/support/packed.ts';
import { loadWasm } from '../../test/support/wasm.ts';
import { pattern } from '../pattern.ts';
import type { HeadsFigures } from '../result.ts';

const RECORDS = 10_000;
const RECORD_BYTES = 1024;
const TURNS = 9;
const COLLECTION = 'bench';
const KEYS = { keys: [pattern(32, 5)], first: pattern(32, 5), seed: pattern(32, 7) };

type Stored = { readonly id: string; readonly payload: string };
type Operations = ReturnType<typeof syncOperations>;
type Output<R> =
  | { readonly result: R; readonly parts: readonly { place: number; part: string }[] }
  | { readonly error: object };

/** A device of one collection, with what it keeps. */
class Device {
  readonly #perform: Operations;
  #list: string[] = [];

  constructor(perform: Operations) {
    this.#perform = perform;
  }

  async checkpoint(records: readonly Stored[]) {
    const input = { secrets: this.#secrets(), params: { ...this.#common(records) } };
    return this.#kept(await this.#perform['sync.checkpoint'](input, () => undefined));
  }

  /** @returns the report, and the time of the operation in ms */
  async verify(records: readonly Stored[], heads: readonly Stored[]) {
    const params = { ...this.#common(records), heads: packed(heads) };
    const input = { secrets: this.#secrets(), params };
    const start = performance.now();
    const output = await this.#perform['sync.verify'](input, () => undefined);
    const ms = performance.now() - start;
    return { ms, report: this.#kept(output) };
  }

  #secrets(): InputOf<'sync.verify'>['secrets'] {
    return { ...KEYS, keys: [...KEYS.keys], list: [...this.#list] };
  }

  #common(records: readonly Stored[]) {
    return { collection: COLLECTION, records: packed(records), at: 1_700_000_000_000 };
  }

  #kept<R>(output: Output<R>): R {
    if ('error' in output) throw new Error('a call failed', { cause: output.error });
    for (const { place, part } of output.parts) this.#list[place] = part;
    return output.result;
  }
}

const packed = (records: readonly Stored[]) => packedOf(...records.map(encryptedRecord));

async function sealed(perform: Operations, generation: number, count: number): Promise<Stored[]> {
  const text = 'x'.repeat(RECORD_BYTES - JSON.stringify({ text: '' }).length);
  const ids = Array.from({ length: count }, (_, i) => `record-${String(i).padStart(5, '0')}`);
  const records = packedOf(...ids.map((id) => plainRecord({ id, payload: { text }, generation })));
  const { keys, seed } = KEYS;
  const input = {
    secrets: { keys: [...keys], seed },
    params: { format: 'sealwright' as const, collection: COLLECTION, records },
  };
  const { items } = await perform['sync.encryptRecords'](input, () => undefined);
  const decoder = new TextDecoder();
  return unpacked(items).map((bytes, i) => ({ id: ids[i]!, payload: decoder.decode(bytes) }));
}

/**
 * 10,000 records of 1 KiB that one device has written, its head after a change of one of them, and the time in which a second
 * device finds all of them.
 */
export async function measureHeads(): Promise<HeadsFigures> {
  const perform = syncOperations(recordEngines(loadWasm));
  const records = await sealed(perform, 1, RECORDS);
  const device = new Device(perform);
  const heads = new Map<string, Stored>();
  const store = ({ head, chunks }: Awaited<ReturnType<Device['checkpoint']>>): number => {
    const items = [...chunks, head];
    for (const item of items) heads.set(item.id, item);
    return items.reduce((sum, { payload }) => sum + payload.length, 0);
  };
  store(await device.checkpoint(records));
  // As long as a head gets: it says which ones it follows.
  for (let i = 0; i < HEADS_BEFORE; i++) store(await device.checkpoint([]));
  [records[0]] = (await sealed(perform, 2, 1)) as [Stored];
  const bytesOfChange = store(await device.checkpoint([records[0]]));

  const reader = new Device(perform);
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const { ms, report } = await reader.verify(records, [...heads.values()]);
    if (!report.ok || report.unconfirmed > 0) throw new Error('an honest server raised an alarm');
    times.push(ms);
  }
  return { bytesOfChange, verifyMs: median(times) };
}
