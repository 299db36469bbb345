import type { AeadParams, Cipher, GcmBeside, KeyedCipher } from '../contract.ts';
import { timesReflected } from '../../crypto/gf128.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { wipe } from '../../crypto/bytes.ts';
import { aeadOperations, type AeadStep } from './aead.ts';
import { counterWords } from './batch.ts';
import { CONSTANT_TIME, runMessages, type CardUntilFault } from './card.ts';
import { SlicedKey } from './sliced-key.ts';

const EMPTY = new Uint8Array(0);

/**
 * GCM (SP 800-38D): the card counts, and another engine hashes. That engine's GCM of an empty message, with
 * A ‖ C padded as GCM pads them in place of the associated data, gives the tag but for the block with the two
 * lengths, which is the last one to be multiplied by H. So the difference of the tags is the difference of
 * the two blocks, times H.
 */
export function gcm(card: CardUntilFault, beside: GcmBeside): Cipher<AeadParams> {
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
        ...aeadOperations('AES-GCM', gcmStep(card, key, h, mac)),
        wipe: () => {
          mac.wipe();
          key.wipe();
          wipe(h);
        },
      };
    },
  };
}

function gcmStep(
  card: CardUntilFault,
  key: SlicedKey,
  h: Uint8Array,
  mac: KeyedCipher<AeadParams>,
): AeadStep {
  const tagOf = async ({ nonce, associatedData, tagBytes }: AeadParams, data: Uint8Array) => {
    const padded = paddedTogether(associatedData, data);
    const tag = await mac.encrypt({ nonce, associatedData: padded, tagBytes: 16 }, EMPTY);
    const lengths = [associatedData.length, data.length, padded.length] as const;
    const difference = ghashOfLengths(h, ...lengths);
    return tag.slice(0, tagBytes).map((byte, i) => byte ^ difference[i]!);
  };
  return async (messages, isEncryption) => {
    const counted = runMessages(
      card,
      { operation: 'count', key },
      messages.map(({ params, data }) => ({ data, start: secondCounter(params) })),
    );
    const tagsOf = async (ciphertexts: readonly Uint8Array[]) =>
      Promise.all(ciphertexts.map((data, i) => tagOf(messages[i]!.params, data)));
    // In decryption the card works while the other engine hashes.
    const hashed = isEncryption ? counted.then(tagsOf) : tagsOf(messages.map(({ data }) => data));
    const [results, tags] = await bothOf(counted, hashed);
    return results.map((data, i) => ({ data, tag: tags[i]! }));
  };
}

/** Both results. If one fails, still waits for the other: nothing may run on after the call. */
async function bothOf<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** inc_32(J_0): the nonce, and 2 (section 7.1, steps 2 and 3). 32 bits count. */
function secondCounter({ nonce }: AeadParams): Uint32Array<ArrayBuffer> {
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

/**
 * ([aBytes]_64 ‖ [cBytes]_64 ⊕ [allBytes]_64 ‖ 0^64) · H: what the last block of lengths adds to GHASH (SP
 * 800-38D, section 6.4) where the associated data are a, and not all. Constant-time.
 *
 * @param h the hash key, 16 bytes
 * @returns 16 bytes
 */
function ghashOfLengths(
  h: Uint8Array,
  aBytes: number,
  cBytes: number,
  allBytes: number,
): Uint8Array<ArrayBuffer> {
  const [a, c, all] = [bits(aBytes), bits(cBytes), bits(allBytes)];
  return timesReflected([a[0] ^ all[0], a[1] ^ all[1], c[0], c[1]], h);
}

/** A length in bits, as two words. */
function bits(bytes: number): [number, number] {
  return [Math.floor(bytes / 0x2000_0000), bytes << 3];
}
