import type { RecordAlgorithms } from '../../src/sync/record-cipher.ts';
import { bundleCodec } from '../../src/sync/bundle-codec.ts';
import type { OpenedRecord, RecordCodec } from '../../src/sync/record-codec.ts';
import type { RandomSource } from '../../src/random/contract.ts';
import type { Contender } from '../contender.ts';
import { cleartextOf, jsonBytes } from './peers.ts';
import type { RecordTask } from './task.ts';

/** Drawn for many records at once, as the extension's background does. */
function drawnAhead(): RandomSource {
  const drawn = new Uint8Array(16 * 1024);
  let next = drawn.length;
  return {
    bytes(length) {
      if (next + length > drawn.length) {
        crypto.getRandomValues(drawn);
        next = 0;
      }
      return drawn.slice(next, (next += length));
    },
  };
}

/** The codec of src/sync over one engine; what it gives is turned into text, as the peers' is. */
export const ours = (name: string, algorithms: RecordAlgorithms): Contender<RecordTask> => ({
  name,
  kind: 'ours',
  async prepare({ operation, bundle, id, payload, encrypted }) {
    const codec: RecordCodec = await bundleCodec('weave-5', [bundle], algorithms, drawnAhead());
    const decoder = new TextDecoder();
    return operation === 'encrypt'
      ? {
          run: async () => decoder.decode(await codec.encrypt({ id, payload })),
          bytes: (result) => cleartextOf(bundle, id, result as string),
        }
      : {
          run: () => codec.decrypt({ id, payload: encrypted }),
          bytes: (result) => jsonBytes((result as OpenedRecord).payload),
        };
  },
});
