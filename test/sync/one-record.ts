import type { EncryptedRecord, PlainRecord, RecordCodec } from '../../src/sync/codec.ts';
import { valueOf } from '../../src/sync/results.ts';

/** A codec for single records, which rejects for a failed record. */
export function oneRecordOf(codec: Pick<RecordCodec, 'encrypt' | 'decrypt'>) {
  return {
    encrypt: async (record: PlainRecord) => valueOf((await codec.encrypt([record]))[0]!),
    decrypt: async (record: EncryptedRecord) => valueOf((await codec.decrypt([record]))[0]!),
  };
}
