/**
 * CBC decryption of many messages (SP 800-38A, section 6.2) as one run of blocks: each message follows its
 * IV, to which its first block is chained. The decrypted IVs are ignored.
 */
import { cbcDecryptRaw, unpadded } from '../../../crypto/mode/cbc.ts';
import type { CbcParams, CipherMessage } from '../../contract.ts';
import { checkMessages } from './cbc-many.ts';
import { roomFor } from '../memory.ts';
import type { WasmAesKey } from './block-cipher.ts';
import { BUFFER, BUFFER_BYTES, PAIR_BYTES } from '../generator/aes/layout.ts';

type Message = CipherMessage<CbcParams>;

/**
 * Decrypts and removes the padding.
 *
 * @param messages any number, of any lengths; their IVs have 16 bytes
 * @returns the plaintexts in the same order; undefined if length or padding is invalid, and nothing is then
 * left in `into`
 * @throws TypeError, RangeError before anything is written
 */
export function cbcDecryptMany(
  key: WasmAesKey,
  messages: readonly Message[],
): (Uint8Array | undefined)[] {
  checkMessages(messages);
  const plaintexts: (Uint8Array | undefined)[] = [];
  while (plaintexts.length < messages.length) {
    const first = plaintexts.length;
    const count = fitting(messages, first);
    if (count === 0) plaintexts.push(decryptLong(key, messages[first]!));
    else plaintexts.push(...decryptRun(key, messages.slice(first, first + count)));
  }
  return plaintexts;
}

function isWhole({ data }: Message): boolean {
  return data.length > 0 && data.length % 16 === 0;
}

/** The number of messages, from `first` on, that fit into the buffer together. */
function fitting(messages: readonly Message[], first: number): number {
  let count = 0;
  for (let bytes = 0; first + count < messages.length; count++) {
    const message = messages[first + count]!;
    if (isWhole(message)) bytes += 16 + message.data.length;
    if (bytes > BUFFER_BYTES) break;
  }
  return count;
}

function decryptLong(key: WasmAesKey, { params, data, into }: Message): Uint8Array | undefined {
  return unpadded(cbcDecryptRaw(key, params.iv, data, roomFor(into, data.length)));
}

function decryptRun(key: WasmAesKey, run: readonly Message[]): (Uint8Array | undefined)[] {
  key.use();
  const { module } = key;
  const { bytes, functions } = module;
  module.needSliced();
  let end = BUFFER;
  for (const { params, data } of run.filter(isWhole)) {
    bytes.set(params.iv, end);
    bytes.set(data, end + 16);
    end += 16 + data.length;
  }
  functions.cbcDecryptMany(BUFFER, Math.ceil((end - BUFFER) / PAIR_BYTES));
  let at = BUFFER;
  const plaintexts = run.map((message) => {
    if (!isWhole(message)) return undefined;
    const { length } = message.data;
    const padded = roomFor(message.into, length);
    padded.set(bytes.subarray(at + 16, at + 16 + length));
    at += 16 + length;
    return unpadded(padded);
  });
  key.clear(BUFFER, Math.max(end - BUFFER, PAIR_BYTES));
  return plaintexts;
}
