/*
 * A record of a sync service as it crosses the channels, so that its payload is neither quoted nor parsed for the way:
 *
 *   three digits ‖ id in UTF-8 ‖ generation as JSON, or nothing ‖ payload in UTF-8
 *
 * The digits have seven bits each. The first two are the length of the id, the third is that of the generation. All
 * is UTF-8, so that many records can be encoded in one step. Decrypted records have the same form, without an id.
 */
import { charCodeAt, viewOf } from '../primordials.ts';

/** The three parts of a record, in UTF-8; they are views. */
export interface RecordParts {
  readonly id: Uint8Array;
  readonly generation: Uint8Array;
  readonly payload: Uint8Array;
}

const HEAD_BYTES = 3;
const { fromCharCode } = String;

/**
 * @param id at most 5,461 UTF-16 code units without lone surrogates
 * @param generation JSON in ASCII, at most 127 characters
 * @returns the record as text; its bytes are the text in UTF-8
 */
export function recordText(id: string, generation: string, payload: string): string {
  const idBytes = utf8Length(id);
  const head = fromCharCode(idBytes >> 7, idBytes & 127, generation.length);
  return `${head}${id}${generation}${payload}`;
}

/** @returns undefined if the bytes are shorter than their head says; the texts are not checked */
export function recordParts(bytes: Uint8Array): RecordParts | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const idEnd = HEAD_BYTES + bytes[0]! * 128 + bytes[1]!;
  const generationEnd = idEnd + bytes[2]!;
  if (generationEnd > bytes.length) return undefined;
  return {
    id: viewOf(bytes, HEAD_BYTES, idEnd),
    generation: viewOf(bytes, idEnd, generationEnd),
    payload: viewOf(bytes, generationEnd, bytes.length),
  };
}

/** Of text without lone surrogates. The halves of a pair count two bytes each. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit >= 0x80) length += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}
