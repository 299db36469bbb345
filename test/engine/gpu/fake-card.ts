import { xorInto } from '../../../src/crypto/bytes.ts';
import type { Batch, Slice } from '../../../src/engine/gpu/batch.ts';
import { WrongBlockError } from '../../../src/engine/gpu/card.ts';
import type { Card } from '../../../src/engine/gpu/card.ts';

/** A card that is this processor: it takes slices as a real one does, and counts by itself. */
export class FakeCard implements Card {
  runs = 0;
  closed = 0;
  loss: string | undefined;
  /** Called with each slice's results, before they are checked. */
  spoil: (results: Uint8Array) => void = () => undefined;
  readonly #sliceBlocks: number;

  constructor(sliceBlocks = 1024) {
    this.#sliceBlocks = sliceBlocks;
  }

  async run(batch: Batch): Promise<void> {
    this.runs += 1;
    for (const slice of batch.slices(this.#sliceBlocks)) {
      await Promise.resolve();
      if (this.loss !== undefined) throw new Error('a buffer is not valid');
      const room = new Uint8Array(16 * slice.blocks);
      batch.load(slice, room);
      const results = computed(batch, slice, room);
      this.spoil(results);
      if (!batch.agrees(slice, results, slice.blocks - 1)) throw new WrongBlockError();
      batch.store(slice, results);
    }
  }

  lossOf(): Promise<string | undefined> {
    return Promise.resolve(this.loss);
  }

  close(): void {
    this.closed += 1;
  }
}

function computed(batch: Batch, slice: Slice, room: Uint8Array): Uint8Array {
  const { key, operation, perMessage } = batch;
  const starts = batch.starts(slice);
  const results = new Uint8Array(room.length);
  for (let block = 0; block < slice.blocks; block++) {
    const own = room.subarray(16 * block, 16 * block + 16);
    const place = slice.first + block;
    const words = starts.slice(8 * Math.floor(place / perMessage)).subarray(0, 8);
    if (operation === 'count') {
      const stream = key.encrypt(counted(words, BigInt(place % perMessage)));
      results.set(
        own.map((byte, i) => byte ^ stream[i]!),
        16 * block,
      );
    } else if (operation === 'offsetEncrypt' || operation === 'offsetDecrypt') {
      const offset = offsetOf(words, batch.masks, (place % perMessage) + 1);
      xorInto(own, offset);
      const result = operation === 'offsetEncrypt' ? key.encrypt(own) : key.decrypt(own);
      xorInto(result, offset);
      results.set(result, 16 * block);
    } else {
      results.set(key[operation](own), 16 * block);
    }
  }
  return results;
}

/** Offset by offset, as RFC 7253 has them. */
function offsetOf(words: Uint32Array, masks: Uint32Array, index: number): Uint8Array {
  const offset = words.slice(0, 4);
  for (let i = 1; i <= index; i++) {
    let ntz = 0;
    while ((i >> ntz) % 2 === 0) ntz += 1;
    for (let word = 0; word < 4; word++) offset[word]! ^= masks[4 * ntz + word]!;
  }
  return new Uint8Array(offset.buffer);
}

/** The base's masked bits, advanced. */
function counted(words: Uint32Array, index: bigint): Uint8Array {
  const number = (from: number) =>
    words.subarray(from, from + 4).reduce((all, word) => (all << 32n) | BigInt(word), 0n);
  const [base, mask] = [number(0), number(4)];
  const next = (base & ~mask) | ((base + index) & mask);
  return Uint8Array.from(Buffer.from(next.toString(16).padStart(32, '0'), 'hex'));
}
