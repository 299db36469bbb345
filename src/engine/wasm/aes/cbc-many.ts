/**
 * CBC encryption of many messages (SP 800-38A, section 6.2), 16 at a time: the blocks of one message depend
 * on each other, those of different messages do not.
 *
 * Each message has a lane of the buffer, and all lanes advance together. After the end of a message its lane
 * takes the next one, which begins at the current position of the lanes.
 */
import { copyOf } from '../../../crypto/bytes.ts';
import { checkBytes } from '../../../crypto/errors.ts';
import { pkcs7 } from '../../../crypto/mode/cbc.ts';
import type { CbcParams, CipherMessage } from '../../contract.ts';
import type { AesModule } from './aes.ts';
import type { WasmAesKey } from './block-cipher.ts';
import {
  BLOCKS,
  BUFFER,
  CBC_LANE_BYTES,
  CBC_LANES,
  PAIR_BYTES,
  STATES,
} from '../generator/aes/layout.ts';

/** With fewer messages left, encrypting one after the other is faster than sixteen lanes. */
const FEW = 7;

/**
 * Pads with PKCS#7 and encrypts.
 *
 * @param messages any number, of any lengths; their IVs have 16 bytes
 * @returns 16 · (⌊data.length / 16⌋ + 1) bytes of each, in the same order
 * @throws TypeError, RangeError before anything is written
 */
export function cbcEncryptMany(
  key: WasmAesKey,
  messages: readonly CipherMessage<CbcParams>[],
): Uint8Array[] {
  checkMessages(messages);
  const encrypted = messages.map(({ data, into }) => pkcs7(data, into));
  const ivs = messages.map(({ params }) => params.iv);
  key.use();
  const left =
    encrypted.length < FEW
      ? encrypted.map((message, i) => ({ message, done: 0, chain: ivs[i]! }))
      : encryptTogether(key.module, encrypted, ivs);
  for (const { message, done, chain } of left) {
    const rest = message.subarray(done);
    key.cbcEncryptBlocks(copyOf(chain), rest, rest);
  }
  return encrypted;
}

/** @throws TypeError, RangeError that name the message */
export function checkMessages(messages: readonly CipherMessage<CbcParams>[]): void {
  messages.forEach(({ params, data }, i) => {
    checkBytes(`messages[${i}].params.iv`, params.iv, 16);
    checkBytes(`messages[${i}].data`, data);
  });
}

/** A padded message, which is encrypted in place. */
interface Unfinished {
  readonly message: Uint8Array;
  /** Number of encrypted bytes. */
  readonly done: number;
  /** The last ciphertext block, or the IV. */
  readonly chain: Uint8Array;
}

/** @returns the messages that are left when too few lanes are in use */
function encryptTogether(
  module: AesModule,
  messages: readonly Uint8Array[],
  ivs: readonly Uint8Array[],
): Unfinished[] {
  module.needSliced();
  const idle = Array.from({ length: CBC_LANES }, (_, place) => place);
  let lanes: Lane[] = [];
  let next = 0;
  let at = 0;
  try {
    for (;;) {
      for (; idle.length > 0 && next < messages.length; next++) {
        lanes.push(new Lane(module, idle.pop()!, messages[next]!, ivs[next]!, at));
      }
      if (lanes.length < FEW) return lanes.map((lane) => lane.leave(at));
      const end = lanes.reduce((least, lane) => Math.min(least, lane.end), CBC_LANE_BYTES);
      module.functions.cbcEncryptLanes(BUFFER + at, (end - at) >> 4);
      at = end % CBC_LANE_BYTES;
      for (const lane of lanes) {
        if (lane.end !== end) continue;
        lane.moveOn(at);
        if (lane.ended) idle.push(lane.place);
      }
      lanes = lanes.filter(({ ended }) => !ended);
    }
  } finally {
    module.functions.wipe(BUFFER, CBC_LANES * CBC_LANE_BYTES);
    module.functions.wipe(STATES, 2 * PAIR_BYTES);
  }
}

/** A message in one of the sixteen lanes. */
class Lane {
  readonly place: number;
  ended = false;
  /** The end of the message's current part within the lane. */
  end = 0;
  readonly #module: AesModule;
  readonly #message: Uint8Array;
  readonly #iv: Uint8Array;
  #begin = 0;
  #done = 0;

  /** @param at the current position of the lanes in the buffer */
  constructor(module: AesModule, place: number, message: Uint8Array, iv: Uint8Array, at: number) {
    this.place = place;
    this.#module = module;
    this.#message = message;
    this.#iv = iv;
    module.bytes.set(iv, BLOCKS + 16 * place);
    this.#fill(at);
  }

  /** The current part has been encrypted. Ends the message, or continues it at `at`. */
  moveOn(at: number): void {
    this.#drain(this.end);
    this.ended = this.#done === this.#message.length;
    if (!this.ended) this.#fill(at);
  }

  /** Returns the unfinished message to be continued without lanes. @param at the position of the lanes */
  leave(at: number): Unfinished {
    this.#drain(at);
    const done = this.#done;
    const message = this.#message;
    return { message, done, chain: done === 0 ? this.#iv : message.subarray(done - 16, done) };
  }

  #fill(at: number): void {
    const part = this.#message.subarray(this.#done, this.#done + CBC_LANE_BYTES - at);
    this.#module.bytes.set(part, this.#offset + at);
    this.#begin = at;
    this.end = at + part.length;
  }

  #drain(end: number): void {
    const part = this.#module.bytes.subarray(this.#offset + this.#begin, this.#offset + end);
    this.#message.set(part, this.#done);
    this.#done += part.length;
    this.#begin = end;
  }

  get #offset(): number {
    return BUFFER + CBC_LANE_BYTES * this.place;
  }
}
