/**
 * OCB (RFC 7253) of many messages at once. The card computes the offset of each block by itself, from Offset_0 of
 * its message and the table of L_i, so that all blocks are independent. The blocks that are not data (for offsets,
 * incomplete blocks, associated data and tags) go to the card together, unless they are few.
 */
import {
  checksumOf,
  hashInput,
  nonceBlock,
  OcbMasks,
  offsetAt,
  offsetZero,
  sumOf,
} from '../../crypto/aead/ocb.ts';
import { head } from '../../crypto/aead/buffers.ts';
import { wipe, xorInto } from '../../crypto/bytes.ts';
import type { AeadParams, Cipher } from '../contract.ts';
import { aeadOperations, type AeadStep } from './aead.ts';
import { MASKS } from './batch.ts';
import { CONSTANT_TIME, runMessages, type CardUntilFault } from './card.ts';
import { SlicedKey } from './sliced-key.ts';

const BLOCK = 16;
/** A dispatch costs about as much as some tens of blocks on the processor (`SlicedKey`). */
const FEW_BYTES = 32 * BLOCK;
const EMPTY = new Uint8Array(0);

/** AES-OCB on a card, with nonces of 1 to 15 bytes. */
export function ocb(card: CardUntilFault): Cipher<AeadParams> {
  return {
    constantTime: CONSTANT_TIME,
    withKey: (bytes) => {
      const key = new SlicedKey(bytes);
      const masks = new OcbMasks(key.encrypt(new Uint8Array(BLOCK)));
      return {
        ...aeadOperations('AES-OCB', ocbStep(card, key, masks)),
        wipe: () => {
          masks.wipe();
          key.wipe();
        },
      };
    },
  };
}

function ocbStep(card: CardUntilFault, key: SlicedKey, masks: OcbMasks): AeadStep {
  return async (messages, isEncryption) => {
    const nonces = messages.map(({ params }) => nonceBlock(params.nonce, params.tagBytes, BLOCK));
    const tops = await encryptAll(
      card,
      key,
      nonces.map(({ block }) => block),
    );
    const starts = nonces.map(({ bottom }, i) => offsetZero(tops[i]!, bottom));

    // A copy: another call for more masks wipes these.
    const table = new Uint8Array(BLOCK * MASKS);
    const longest = messages.reduce((most, { data }) => Math.max(most, data.length), 0);
    table.set(masks.upTo(Math.floor(longest / BLOCK)));
    const operation = isEncryption ? 'offsetEncrypt' : 'offsetDecrypt';
    const wholes = await runMessages(
      card,
      { operation, key, masks: new Uint32Array(table.buffer) },
      messages.map(({ data }, i) => ({
        data: head(data, wholeBytes(data)),
        start: new Uint32Array(starts[i]!.buffer),
      })),
    );

    // Offset_* = Offset_m xor L_*; Pad = ENCIPHER(K, Offset_*)
    const offsets = messages.map(({ data }, i) => {
      const offset = offsetAt(starts[i]!, table, Math.floor(data.length / BLOCK));
      if (isIncomplete(data)) xorInto(offset, masks.star);
      return offset;
    });
    const pads = await encryptAll(
      card,
      key,
      messages.map(({ data }, i) => (isIncomplete(data) ? offsets[i]! : EMPTY)),
    );
    const results = messages.map(({ data }, i) => joined(data, wholes[i]!, pads[i]!));

    // Tag = ENCIPHER(K, Checksum xor Offset xor L_$) xor HASH(K,A)
    const beforeTags = messages.map(({ data }, i) => {
      const block = checksumOf(isEncryption ? data : results[i]!, BLOCK);
      xorInto(block, offsets[i]!);
      xorInto(block, masks.dollar);
      return block;
    });
    const hashed = messages.map(({ params }) => hashInput(params.associatedData, masks, BLOCK));
    const encrypted = await encryptAll(card, key, [...beforeTags, ...hashed]);
    for (const secret of [table, ...tops, ...starts, ...offsets, ...pads]) wipe(secret);
    return messages.map(({ params }, i) => {
      const tag = encrypted[i]!;
      xorInto(tag, sumOf(encrypted[messages.length + i]!, BLOCK));
      return { data: results[i]!, tag: head(tag, params.tagBytes) };
    });
  };
}

/** @returns the encryption of each: whole blocks, or none */
async function encryptAll(
  card: CardUntilFault,
  key: SlicedKey,
  inputs: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const all = joinedAll(inputs);
  const isFew = all.length <= FEW_BYTES;
  if (isFew) {
    for (let i = 0; i < all.length; i += BLOCK) all.set(key.encrypt(all.subarray(i, i + BLOCK)), i);
  } else {
    await runMessages(card, { operation: 'encrypt', key }, [{ data: all, into: all }]);
  }
  let from = 0;
  return inputs.map(({ length }) => all.slice(from, (from += length)));
}

function joinedAll(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The whole blocks, and C_* = P_* xor Pad[1..bitlen(P_*)] or the inverse. */
function joined(data: Uint8Array, whole: Uint8Array, pad: Uint8Array): Uint8Array {
  if (!isIncomplete(data)) return whole;
  const result = new Uint8Array(data.length);
  result.set(whole);
  for (let i = whole.length; i < data.length; i++) result[i] = data[i]! ^ pad[i - whole.length]!;
  wipe(whole);
  return result;
}

const wholeBytes = (data: Uint8Array): number => data.length - (data.length % BLOCK);
const isIncomplete = (data: Uint8Array): boolean => data.length % BLOCK !== 0;
