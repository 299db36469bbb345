import { wipe } from '../../crypto/bytes.ts';
import { SyncError } from '../errors.ts';
import { sealwrightMessages, type SealwrightParts } from './messages.ts';
import { decodeSealwrightContent, encodeSealwrightContent, sealwrightContext } from './record.ts';
import { textOf } from '../codec.ts';
import type { EncryptedRecord, OpenedRecord, PlainRecord, RecordCodec } from '../codec.ts';

/** The record format of sync keys that this extension generates (record.ts). */
export function sealwrightCodec(parts: SealwrightParts): RecordCodec {
  const { collection } = parts;
  const messages = sealwrightMessages(parts);
  const seal = async ({ id, generation = 0, ...content }: PlainRecord): Promise<Uint8Array> => {
    const encoded = encodeSealwrightContent({ ...content, generation: generationIn(generation) });
    const sealed = await messages.seal(sealwrightContext(collection, id), encoded);
    wipe(encoded);
    return sealed;
  };
  const open = async ({ id, payload, generation = 0 }: EncryptedRecord): Promise<OpenedRecord> => {
    const content = await messages.open(sealwrightContext(collection, id), textOf(payload));
    const opened = decodeSealwrightContent(content, generationIn(generation));
    if (opened.generation > 0) return opened;
    return { payload: opened.payload, json: opened.json };
  };
  return {
    encrypt: (records) => Promise.allSettled(records.map(seal)),
    decrypt: (records) => Promise.allSettled(records.map(open)),
    wipe: () => messages.wipe(),
  };
}

/** @throws SyncError BAD_CLEARTEXT */
export function generationIn(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new SyncError('BAD_CLEARTEXT', 'generation: expected a whole number from 0');
}
