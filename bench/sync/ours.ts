import type { RecordAlgorithms } from '../../src/sync/record-cipher.ts';
import { bundleCodec } from '../../src/sync/weave/bundle-codec.ts';
import { valueOf } from '../../src/sync/results.ts';
import type { RandomSource } from '../../src/random/contract.ts';
import type { Contender } from '../contender.ts';
import { cleartextOf, jsonBytes } from './peers.ts';
import type { RecordsTask } from './task.ts';

/** Drawn for many records at once, as the extension's background does. */
function bufferedRandom(): RandomSource {
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
export const ours = (name: string, algorithms: RecordAlgorithms): Contender<RecordsTask> => ({
  name,
  kind: 'ours',
  async prepare({ operation, bundle, records }) {
    const codec = await bundleCodec('weave-5', [bundle], algorithms, bufferedRandom());
    const decoder = new TextDecoder();
    const encrypted = records.map((record) => ({ id: record.id, payload: record.encrypted }));
    return operation === 'encrypt'
      ? {
          run: async () =>
            (await codec.encrypt(records)).map((one) => decoder.decode(valueOf(one))),
          bytes: (results) => cleartextOf(bundle, records, results as string[]),
        }
      : {
          run: async () => (await codec.decrypt(encrypted)).map((one) => valueOf(one).payload),
          bytes: jsonBytes,
        };
  },
});
