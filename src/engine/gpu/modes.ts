/**
 * The algorithms of the engines on a graphics card. OCB is not among them: its offsets would have to be
 * computed there.
 */
import { checkTagBytes, room } from '../../crypto/aead/buffers.ts';
import { equal, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, checkBytes, checkInteger } from '../../crypto/errors.ts';
import type {
  AeadParams,
  Algorithms,
  Cipher,
  CipherMessage,
  ConstantTime,
  CtrParams,
  GcmBeside,
  KeyedCipher,
  NoParams,
} from '../contract.ts';
import { Batch } from './batch.ts';
import type { BatchMessage, Operation } from './batch.ts';
import type { CardUntilFault } from './card.ts';
import { ghashOfLengths } from './ghash.ts';
import { SlicedKey } from './sliced-key.ts';

/** No address and no branch of the shaders depends on a secret (cipher.ts). */
const CONSTANT_TIME: ConstantTime = 'by-construction';

/** Every algorithm that a card takes part in. */
export function gpuAlgorithms(card: CardUntilFault, beside: GcmBeside): Algorithms {
  return {
    'AES-ECB': cipherOf<NoParams>((key) => ({
      encrypt: (messages) => crypt(card, 'encrypt', key, messages.map(blocksOnly)),
      decrypt: (messages) => crypt(card, 'decrypt', key, messages.map(blocksOnly)),
    })),
    'AES-CTR': cipherOf<CtrParams>((key) => {
      const count: Many<CtrParams> = async (messages) =>
        crypt(card, 'count', key, messages.map(counted));
      return { encrypt: count, decrypt: count };
    }),
    'AES-GCM': gcm(card, beside),
  };
}

type Many<P> = (messages: readonly CipherMessage<P>[]) => Promise<Uint8Array[]>;

interface Input {
  readonly data: Uint8Array;
  readonly counter?: Uint32Array;
  readonly into?: Uint8Array | undefined;
}

/** A mode from what it does to many messages. */
function cipherOf<P>(
  operations: (key: SlicedKey) => { readonly encrypt: Many<P>; readonly decrypt: Many<P> },
): Cipher<P> {
  return {
    constantTime: CONSTANT_TIME,
    withKey: (bytes) => {
      const key = new SlicedKey(bytes);
      const { encrypt, decrypt } = operations(key);
      const one =
        (many: Many<P>): KeyedCipher<P>['encrypt'] =>
        async (params, data, into) =>
          (await many([{ params, data, into }]))[0]!;
      return {
        encrypt: one(encrypt),
        decrypt: one(decrypt),
        encryptMany: encrypt,
        decryptMany: decrypt,
        wipe: () => key.wipe(),
      };
    },
  };
}

/**
 * Results come into arrays of their own, and from there to `into`: if the card fails, the data are still
 * whole for the next engine.
 */
async function crypt(
  card: CardUntilFault,
  operation: Operation,
  key: SlicedKey,
  inputs: readonly Input[],
): Promise<Uint8Array[]> {
  const targets = inputs.map(({ data, into }) => room(into, data.length));
  const messages: BatchMessage[] = inputs.map(({ data, into, counter }, i) => ({
    data,
    target: into === undefined ? targets[i]! : new Uint8Array(data.length),
    ...(counter && { counter }),
  }));
  for (const group of byLength(messages)) await card.run(new Batch(operation, key, group));
  for (const [i, { into }] of inputs.entries()) {
    if (into === undefined) continue;
    targets[i]!.set(messages[i]!.target);
    wipe(messages[i]!.target);
  }
  return targets;
}

/** Groups of equal length, without the empty messages. */
function byLength(messages: readonly BatchMessage[]): BatchMessage[][] {
  const groups = new Map<number, BatchMessage[]>();
  for (const message of messages) {
    const { length } = message.data;
    if (length === 0) continue;
    const group = groups.get(length);
    if (group === undefined) groups.set(length, [message]);
    else group.push(message);
  }
  return [...groups.values()];
}

function blocksOnly({ data, into }: CipherMessage<NoParams>): Input {
  checkBytes('source', data, { min: 0, multipleOf: 16 });
  return { data, into };
}

function counted({ params, data, into }: CipherMessage<CtrParams>): Input {
  const { counter, counterBits } = params;
  checkBytes('initialCounter', counter, 16);
  checkInteger('counterBits', counterBits, 1, 128);
  checkBytes('source', data);
  if (Math.ceil(data.length / 16) > 2 ** counterBits) {
    throw new RangeError(
      `source has ${data.length} bytes, more than ${counterBits} counter bits allow`,
    );
  }
  return { data, into, counter: counterWords(counter, counterBits) };
}

/** The counter and the mask of its counting bits, as words. */
function counterWords(counter: Uint8Array, counterBits: number): Uint32Array {
  const view = new DataView(counter.buffer, counter.byteOffset, 16);
  return Uint32Array.from({ length: 8 }, (_, i) => {
    if (i < 4) return view.getUint32(4 * i);
    // The word i - 4 has the bits from 32 (7 - i) on, counted from the lowest.
    const bits = Math.min(Math.max(counterBits - 32 * (7 - i), 0), 32);
    return 2 ** bits - 1;
  });
}

// SP 800-38D, section 5.2.1.2, and appendix C
const TAG_BYTES = [4, 8, 12, 13, 14, 15, 16];
const EMPTY = new Uint8Array(0);

/**
 * GCM (SP 800-38D): the card counts, and another engine hashes. That engine's GCM of an empty message, with
 * A ‖ C padded as GCM pads them in place of the associated data, gives the tag but for the block with the two
 * lengths, which is the last one to be multiplied by H. So the difference of the tags is the difference of
 * the two blocks, times H.
 */
function gcm(card: CardUntilFault, beside: GcmBeside): Cipher<AeadParams> {
  return {
    constantTime: CONSTANT_TIME,
    gap: async (keyBytes, params) => {
      if (params !== undefined && params.nonce.length !== 12) return 'only nonces of 12 bytes';
      const other = await beside(keyBytes, params);
      return typeof other === 'string' ? other : undefined;
    },
    withKey: async (bytes) => {
      const other = await beside(bytes.length);
      if (typeof other === 'string') throw new TypeError(`AES-GCM: ${other}`);
      const mac = await other.withKey(bytes);
      const key = new SlicedKey(bytes);
      const h = key.encrypt(new Uint8Array(16));
      return {
        ...gcmOperations(card, key, h, mac),
        wipe: () => {
          mac.wipe();
          key.wipe();
          wipe(h);
        },
      };
    },
  };
}

function gcmOperations(
  card: CardUntilFault,
  key: SlicedKey,
  h: Uint8Array,
  mac: KeyedCipher<AeadParams>,
): Omit<KeyedCipher<AeadParams>, 'wipe'> {
  const tagOf = async ({ nonce, associatedData, tagBytes }: AeadParams, data: Uint8Array) => {
    const padded = paddedTogether(associatedData, data);
    const tag = await mac.encrypt({ nonce, associatedData: padded, tagBytes: 16 }, EMPTY);
    const lengths = [associatedData.length, data.length, padded.length] as const;
    const difference = ghashOfLengths(h, ...lengths);
    return tag.slice(0, tagBytes).map((byte, i) => byte ^ difference[i]!);
  };
  const count = (messages: readonly CipherMessage<AeadParams>[]) =>
    crypt(
      card,
      'count',
      key,
      messages.map(({ params, data }) => ({ data, counter: secondCounter(params) })),
    );
  const encryptMany = async (messages: readonly CipherMessage<AeadParams>[]) => {
    for (const { params } of messages) checkTagBytes(params.tagBytes, TAG_BYTES);
    const targets = messages.map(({ data, params, into }) =>
      room(into, data.length + params.tagBytes),
    );
    const encrypted = await count(messages);
    const tags = await Promise.all(encrypted.map((data, i) => tagOf(messages[i]!.params, data)));
    for (const [i, target] of targets.entries()) {
      target.set(encrypted[i]!);
      target.set(tags[i]!, encrypted[i]!.length);
    }
    return targets;
  };
  /** Each plaintext, in an array of its own, or undefined where the tag is wrong. */
  const openMany = async (messages: readonly CipherMessage<AeadParams>[]) => {
    const parts = messages.map(({ params, data }) => {
      checkTagBytes(params.tagBytes, TAG_BYTES);
      const length = Math.max(data.length - params.tagBytes, 0);
      return { params, data: data.subarray(0, length), tag: data.subarray(length) };
    });
    const tags = Promise.all(parts.map(({ params, data }) => tagOf(params, data)));
    // The card works while the other engine hashes.
    const [right, plaintexts] = await bothOf(tags, count(parts));
    return plaintexts.map((plaintext, i) => {
      if (equal(right[i]!, parts[i]!.tag)) return plaintext;
      wipe(plaintext);
      return undefined;
    });
  };
  const deliver = (plaintext: Uint8Array | undefined, into: Uint8Array | undefined) => {
    if (plaintext === undefined || into === undefined) return plaintext;
    const target = room(into, plaintext.length);
    target.set(plaintext);
    wipe(plaintext);
    return target;
  };
  return {
    encrypt: async (params, data, into) => (await encryptMany([{ params, data, into }]))[0]!,
    decrypt: async (params, data, into) => {
      if (into !== undefined) room(into, Math.max(data.length - params.tagBytes, 0));
      const [plaintext] = await openMany([{ params, data }]);
      if (plaintext === undefined) throw new AuthenticationError();
      return deliver(plaintext, into)!;
    },
    encryptMany,
    decryptMany: async (messages) => {
      const plaintexts = await openMany(messages);
      return plaintexts.map((plaintext, i) => deliver(plaintext, messages[i]!.into));
    },
  };
}

/** Both results. If one fails, still waits for the other: nothing may run on after the call. */
async function bothOf<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** inc_32(J_0): the nonce, and 2 (section 7.1, steps 2 and 3). 32 bits count. */
function secondCounter({ nonce }: AeadParams): Uint32Array {
  checkBytes('nonce', nonce, 12);
  const counter = new Uint8Array(16);
  counter.set(nonce);
  counter[15] = 2;
  return counterWords(counter, 32);
}

/** A ‖ 0^v ‖ C ‖ 0^u (section 7.1, step 5) */
function paddedTogether(associatedData: Uint8Array, data: Uint8Array): Uint8Array {
  const start = 16 * Math.ceil(associatedData.length / 16);
  const both = new Uint8Array(start + 16 * Math.ceil(data.length / 16));
  both.set(associatedData);
  both.set(data, start);
  return both;
}
