import { START_WORDS, type Batch, type Slice } from '../gpu/batch.ts';
import { WrongBlockError } from '../gpu/card.ts';
import { BLOCKS_AT_ONCE, JOB_BYTES, KEYS_WORD, MASKS_WORD, WORKGROUP } from './kernel.ts';

/** How a ring computes: the device, its pipeline for the batch's operation, and the layout of bindings. */
export interface Pipeline {
  readonly device: GPUDevice;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
}

/** While one slice is uploaded, another is computed and a third is read back. */
const SLOTS = 3;

/** GPUBufferUsage, GPUMapMode: not every runtime has them as globals. */
const USAGE = {
  mapRead: 1,
  mapWrite: 2,
  copySource: 4,
  copyTarget: 8,
  uniform: 0x40,
  storage: 0x80,
} as const;
const MAP_READ = 1;
const MAP_WRITE = 2;

/** Where the staging buffer for uploads has starts and data. */
const STARTS_AT = 1024;

/**
 * Runs the slices of a batch over staging buffers: a slice is read back while later ones are uploaded and
 * computed. At its end the buffers are overwritten and destroyed.
 *
 * @param most blocks of a slice
 */
export async function runOverRing(pipeline: Pipeline, batch: Batch, most: number): Promise<void> {
  const slices = batch.slices(most);
  const blocks = Math.max(...slices.map((slice) => slice.blocks));
  const messages = Math.max(...slices.map((slice) => slice.messages));
  const slots: Slot[] = [];
  let failed = true;
  try {
    await guarded(pipeline.device, () => {
      for (let i = 0; i < Math.min(SLOTS, slices.length); i++) {
        slots.push(new Slot(pipeline, blocks, messages));
      }
    });
    for (const [i, slice] of slices.entries()) {
      const slot = slots[i % slots.length]!;
      await slot.idle;
      slot.begin(batch, slice);
    }
    await Promise.all(slots.map((slot) => slot.idle));
    failed = false;
  } finally {
    // After a failure the other slots may still be at work; their results are not wanted.
    if (failed) await Promise.allSettled(slots.map((slot) => slot.idle));
    for (const slot of slots) slot.destroy();
  }
}

/** The buffers of one slice. */
class Slot {
  /** Settles when the slice's results are stored. */
  idle: Promise<void> = Promise.resolve();
  readonly #on: Pipeline;
  readonly #dataAt: number;
  readonly #upload: GPUBuffer;
  readonly #job: GPUBuffer;
  readonly #starts: GPUBuffer;
  readonly #blocks: GPUBuffer;
  readonly #download: GPUBuffer;
  readonly #bindings: GPUBindGroup;

  constructor(on: Pipeline, blocks: number, messages: number) {
    this.#on = on;
    const bytes = 16 * evenly(blocks);
    const startBytes = 4 * START_WORDS * messages;
    this.#dataAt = STARTS_AT + startBytes;
    const { device, layout } = on;
    const make = (size: number, usage: number, mappedAtCreation = false) =>
      device.createBuffer({ size, usage, mappedAtCreation });
    this.#upload = make(this.#dataAt + bytes, USAGE.mapWrite | USAGE.copySource, true);
    this.#job = make(JOB_BYTES, USAGE.uniform | USAGE.copyTarget);
    this.#starts = make(startBytes, USAGE.storage | USAGE.copyTarget);
    this.#blocks = make(bytes, USAGE.storage | USAGE.copySource | USAGE.copyTarget);
    this.#download = make(bytes, USAGE.mapRead | USAGE.copyTarget);
    const entries = [this.#blocks, this.#job, this.#starts].map((buffer, binding) => ({
      binding,
      resource: { buffer },
    }));
    this.#bindings = device.createBindGroup({ layout, entries });
  }

  begin(batch: Batch, slice: Slice): void {
    this.idle = this.#run(batch, slice);
    // The ring awaits it later; until then it must not count as unhandled.
    this.idle.catch(() => undefined);
  }

  /** Overwrites what is on the card, and frees it. */
  destroy(): void {
    const { device } = this.#on;
    const encoder = device.createCommandEncoder();
    for (const buffer of [this.#job, this.#starts, this.#blocks, this.#download]) {
      encoder.clearBuffer(buffer);
    }
    if (this.#upload.mapState === 'mapped') {
      new Uint8Array(this.#upload.getMappedRange()).fill(0);
      this.#upload.unmap();
    }
    this.#download.unmap();
    device.queue.submit([encoder.finish()]);
    for (const buffer of [
      ...[this.#upload, this.#job, this.#starts, this.#blocks, this.#download],
    ]) {
      buffer.destroy();
    }
  }

  async #run(batch: Batch, slice: Slice): Promise<void> {
    this.#fill(batch, slice);
    const submitted = guarded(this.#on.device, () => this.#submit(slice));
    await Promise.all([
      submitted,
      this.#download.mapAsync(MAP_READ),
      this.#upload.mapAsync(MAP_WRITE),
    ]);
    const results = new Uint8Array(this.#download.getMappedRange(0, 16 * evenly(slice.blocks)));
    const picked = Math.floor(Math.random() * slice.blocks);
    if (!batch.agrees(slice, results, picked)) throw new WrongBlockError();
    batch.store(slice, results);
    this.#download.unmap();
  }

  /** Job, starts and data, in the staging buffer. */
  #fill(batch: Batch, slice: Slice): void {
    const { key, perMessage } = batch;
    const range = this.#upload.getMappedRange();
    const job = new Uint32Array(range, 0, JOB_BYTES / 4);
    job.set([key.rounds, slice.blocks, slice.first, perMessage]);
    job.set(key.planes, KEYS_WORD);
    job.set(batch.masks, MASKS_WORD);
    const starts = batch.starts(slice);
    new Uint32Array(range, STARTS_AT, starts.length).set(starts);
    batch.load(slice, new Uint8Array(range, this.#dataAt, 16 * slice.blocks));
    this.#upload.unmap();
  }

  #submit(slice: Slice): void {
    const { device, pipeline } = this.#on;
    const bytes = 16 * evenly(slice.blocks);
    const encoder = device.createCommandEncoder();
    const startBytes = 4 * START_WORDS * slice.messages;
    encoder.copyBufferToBuffer(this.#upload, 0, this.#job, 0, JOB_BYTES);
    encoder.copyBufferToBuffer(this.#upload, STARTS_AT, this.#starts, 0, startBytes);
    encoder.copyBufferToBuffer(this.#upload, this.#dataAt, this.#blocks, 0, bytes);
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.#bindings);
    pass.dispatchWorkgroups(Math.ceil(slice.blocks / (BLOCKS_AT_ONCE * WORKGROUP)));
    pass.end();
    encoder.copyBufferToBuffer(this.#blocks, 0, this.#download, 0, bytes);
    device.queue.submit([encoder.finish()]);
  }
}

/** Whole pairs: an invocation reads and writes both blocks of one. */
function evenly(blocks: number): number {
  return blocks + (blocks % BLOCKS_AT_ONCE);
}

/**
 * Runs `work`, which is synchronous. @throws what the card reports of it: otherwise such an error only
 * reaches the console, and the results are those of an earlier slice.
 */
async function guarded(device: GPUDevice, work: () => void): Promise<void> {
  const filters = ['internal', 'out-of-memory', 'validation'] as const;
  for (const filter of filters) device.pushErrorScope(filter);
  const reported = () => Promise.all(filters.map(() => device.popErrorScope()));
  try {
    work();
  } catch (error) {
    await reported();
    throw error;
  }
  const first = (await reported()).find((error) => error !== null);
  if (first) throw new Error(`${nameOf(first)}: ${first.message}`);
}

/** GPUOutOfMemoryError has no message of its own in some browsers, and its class is its name. */
function nameOf(error: GPUError): string {
  return error.constructor.name;
}
