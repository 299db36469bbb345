import { recordText } from '../../src/rpc/methods/sync-record.ts';
import { encodedLengths, unpacked } from '../../src/rpc/transport/byte-list.ts';
import type { ByteList } from '../../src/rpc/transport/byte-list.ts';
import type { ResultOf } from '../../src/rpc/methods/methods.ts';

/** Items as they cross a line. */
export function packedOf(...items: readonly Uint8Array[]): ByteList {
  return {
    bytes: Uint8Array.from(Buffer.concat(items)),
    lengths: encodedLengths(items.map(({ length }) => length)),
  };
}

/** A record to encrypt as it crosses a line. */
export const plainRecord = ({ id, payload, generation }: RecordFields): Uint8Array =>
  utf8(recordText(id, generationText(generation), JSON.stringify(payload)));

/** A record to decrypt; a payload that is no text is sent empty. */
export const encryptedRecord = ({ id, payload, generation }: RecordFields): Uint8Array =>
  utf8(recordText(id, generationText(generation), typeof payload === 'string' ? payload : ''));

interface RecordFields {
  readonly id: string;
  readonly payload?: unknown;
  readonly generation?: unknown;
}
const generationText = (generation: unknown): string =>
  generation === undefined ? '' : JSON.stringify(generation);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What became of each item: its bytes, or the code of its error. */
export function outcomes({ items, failures }: ResultOf<'sealMany'>): (Uint8Array | string)[] {
  const results: (Uint8Array | string)[] = unpacked(items);
  for (const { at, error } of failures) results[at] = error.code;
  return results;
}
