import { expect } from 'chai';
import type {
  EncryptedRecord,
  OpenedRecord,
  PlainRecord,
  RecordCodec,
} from '../../src/sync/codec.ts';
import { valueOf } from '../../src/sync/results.ts';

/** A codec for single records, which rejects for a failed record. */
export function oneRecordOf(codec: Pick<RecordCodec, 'encrypt' | 'decrypt'>) {
  return {
    encrypt: async (record: PlainRecord) => valueOf((await codec.encrypt([record]))[0]!),
    decrypt: async (record: EncryptedRecord) =>
      withoutJson(valueOf((await codec.decrypt([record]))[0]!)),
  };
}

/** A record without the JSON that its payload was parsed from, which has to say the same. */
export function withoutJson({ json, ...opened }: OpenedRecord): Omit<OpenedRecord, 'json'> {
  expect(JSON.parse(Buffer.from(json).toString())).to.deep.equal(opened.payload);
  return opened;
}
