/** The algorithms of the engine `wasm-threads`: slices by the pool, and what joins them on the calling thread. */
import { checkTagBytes, room } from '../../crypto/aead/buffers.ts';
import { AEADS } from '../../crypto/algorithms.ts';
import { copyOf, equalAt, wipe, xorInto } from '../../crypto/bytes.ts';
import { AuthenticationError, checkBytes, checkInteger } from '../../crypto/errors.ts';
import { timesReflected } from '../../crypto/gf128.ts';
import {
  addLimbs,
  limbsOfR,
  limbsOfSum,
  multiplyLimbs,
  powerOfLimbs,
  sumOfLimbs,
} from '../../crypto/mac/poly1305-parts.ts';
import { load32be } from '../../crypto/words.ts';
import type { AesModule } from '../wasm/aes/aes.ts';
import { AesKey } from '../wasm/aes/aes.ts';
import type { ArxModule } from '../wasm/arx/arx.ts';
import type { Blake3Algorithm } from '../wasm/hash/blake3.ts';
import type {
  AeadParams,
  Algorithms,
  Cipher,
  CtrParams,
  DigestAlgorithm,
  KeyedCipher,
} from '../contract.ts';
import type { Parts, Pool } from './pool.ts';
import type { Task } from './protocol.ts';
import { ArxSlices, GcmSlices, OcbSlices } from './slices.ts';

const BLOCK = 16;
const CHACHA_BLOCK = 64;
const CHUNK = 1024;
const TIMING = { constantTime: 'by-construction' } as const;

/** The modules of the calling thread, for what joins the slices. */
export interface JoiningModules {
  readonly aes: AesModule;
  readonly arx: ArxModule;
  readonly blake3: Blake3Algorithm;
}

/** Every algorithm of the engine. */
export function threadAlgorithms(pool: Pool, { aes, arx, blake3 }: JoiningModules): Algorithms {
  return {
    'AES-CTR': ctr(pool),
    'AES-GCM': {
      ...aead(pool, 'AES-GCM', (key) => gcm(aes, key)),
      gap: (_keyBytes, params) =>
        params !== undefined && params.nonce.length !== 12 ? 'only nonces of 12 bytes' : undefined,
    },
    'AES-OCB': aead(pool, 'AES-OCB', (key) => ocb(aes, key)),
    'ChaCha20-Poly1305': aead(pool, 'ChaCha20-Poly1305', (key) => arxAead(arx, key, 12)),
    'XChaCha20-Poly1305': aead(pool, 'XChaCha20-Poly1305', (key) => arxAead(arx, key, 24)),
    BLAKE3: blake3Digest(pool, blake3),
  };
}

function ctr(pool: Pool): Cipher<CtrParams> {
  return {
    ...TIMING,
    withKey: (key) => {
      checkBytes('key', key, [16, 24, 32]);
      const own = copyOf(key);
      const crypt: KeyedCipher<CtrParams>['encrypt'] = async (params, data, into, signal) => {
        const { counter, counterBits } = params;
        checkBytes('initialCounter', counter, BLOCK);
        checkInteger('counterBits', counterBits, 1, 128);
        checkBytes('source', data);
        if (Math.ceil(data.length / BLOCK) > 2 ** counterBits) {
          throw new RangeError(
            `source has ${data.length} bytes, more than ${counterBits} counter bits allow`,
          );
        }
        const target = room(into, data.length);
        const task: Task = { kind: 'ctr', key: copyOf(own), counter: copyOf(counter), counterBits };
        if (data.length > 0) await pool.run({ task, data, unitBytes: BLOCK, target, signal });
        return target;
      };
      return { encrypt: crypt, decrypt: crypt, wipe: () => wipe(own) };
    },
  };
}

type Name = 'AES-GCM' | 'AES-OCB' | 'ChaCha20-Poly1305' | 'XChaCha20-Poly1305';

/** One message of an AEAD. */
interface Sealing {
  readonly params: AeadParams;
  readonly encrypts: boolean;
  /** Without the tag. */
  readonly source: Uint8Array;
  readonly target: Uint8Array;
}

/** A mode under one key. */
interface Mode {
  /** Slices are multiples of it, and so is what the workers get, unless `takesAll`. */
  readonly unitBytes: number;
  /** Whether workers process an incomplete last block too. */
  readonly takesAll: boolean;
  task(params: AeadParams, encrypts: boolean): Task;
  /** @returns at least as many bytes as the tag has */
  tag(message: Sealing, parts: Parts): Uint8Array;
  wipe(): void;
}

/** No plaintext is released before its tag is verified. */
function aead(pool: Pool, name: Name, modeOf: (key: Uint8Array) => Mode): Cipher<AeadParams> {
  const check = ({ nonce, associatedData, tagBytes }: AeadParams) => {
    const { min, max } = AEADS[name].nonceBytes;
    checkBytes('nonce', nonce, { min, max });
    checkBytes('associatedData', associatedData);
    checkTagBytes(tagBytes, AEADS[name].tagBytes);
  };
  return {
    ...TIMING,
    withKey: (key) => {
      const mode = modeOf(key);
      const tagOf = async (message: Sealing, signal?: AbortSignal): Promise<Uint8Array> => {
        const { params, encrypts, source, target } = message;
        const { length } = source;
        const data = mode.takesAll ? source : source.subarray(0, length - (length % BLOCK));
        const { unitBytes } = mode;
        const parts =
          data.length === 0
            ? { parts: [], sliceBytes: unitBytes }
            : await pool.run({
                task: mode.task(params, encrypts),
                data,
                unitBytes,
                target,
                signal,
              });
        return mode.tag(message, parts);
      };
      return {
        encrypt: async (given, data, into, signal) => {
          check(given);
          checkBytes('plaintext', data);
          const params = ownParams(given);
          const sealed = room(into, data.length + params.tagBytes);
          const message = { params, encrypts: true, source: data, target: sealed };
          const tag = await tagOf(message, signal);
          sealed.set(tag.subarray(0, params.tagBytes), data.length);
          return sealed;
        },
        decrypt: async (given, data, into, signal) => {
          check(given);
          checkBytes('sealed', data);
          const params = ownParams(given);
          const length = data.length - params.tagBytes;
          if (length < 0) throw new AuthenticationError();
          const place = into && room(into, length);
          const target = new Uint8Array(length);
          const message = { params, encrypts: false, source: data.subarray(0, length), target };
          try {
            const tag = await tagOf(message, signal);
            if (!equalAt(data, length, tag, 0, params.tagBytes)) throw new AuthenticationError();
          } catch (error) {
            wipe(target);
            throw error;
          }
          if (place === undefined) return target;
          place.set(target);
          wipe(target);
          return place;
        },
        wipe: () => mode.wipe(),
      };
    },
  };
}

/** The nonce and the associated data as they are now. */
function ownParams({ nonce, associatedData, tagBytes }: AeadParams): AeadParams {
  return { nonce: copyOf(nonce), associatedData: copyOf(associatedData), tagBytes };
}

function gcm(module: AesModule, bytes: Uint8Array): Mode {
  const key = copyOf(bytes);
  const slices = new GcmSlices(module, key);
  return {
    unitBytes: BLOCK,
    takesAll: true,
    task: ({ nonce }, encrypts) => ({ kind: 'gcm', key: copyOf(key), nonce, encrypts }),
    tag: ({ params, source }, { parts, sliceBytes }) => {
      const { nonce, associatedData } = params;
      const { h, mask } = slices.secrets(nonce);
      // GHASH(A ‖ 0^v ‖ C ‖ 0^u ‖ [len(A)]_64 ‖ [len(C)]_64): each part follows by a power of H.
      let hash = slices.hash(associatedData);
      const step = powerOfH(h, sliceBytes / BLOCK);
      parts.forEach((part, i) => {
        const rest = source.length - i * sliceBytes;
        const power = rest >= sliceBytes ? step : powerOfH(h, Math.ceil(rest / BLOCK));
        hash = timesReflected(wordsOf(hash), power);
        xorInto(hash, part);
      });
      const lengths = [...bits(associatedData.length), ...bits(source.length)];
      const last = timesReflected(
        wordsOf(hash).map((word, i) => word ^ lengths[i]!),
        h,
      );
      xorInto(last, mask);
      wipe(h, mask, step, hash);
      return last;
    },
    wipe: () => {
      slices.wipe();
      wipe(key);
    },
  };
}

/** H^exponent. @param exponent at least 1; public */
function powerOfH(h: Uint8Array, exponent: number): Uint8Array {
  let power = copyOf(h);
  for (let bit = Math.floor(Math.log2(exponent)) - 1; bit >= 0; bit--) {
    power = timesReflected(wordsOf(power), power);
    if (Math.floor(exponent / 2 ** bit) % 2 === 1) power = timesReflected(wordsOf(power), h);
  }
  return power;
}

const wordsOf = (block: Uint8Array): number[] => [0, 4, 8, 12].map((at) => load32be(block, at));

/** A length in bits, as two words. */
function bits(bytes: number): [number, number] {
  return [Math.floor(bytes / 0x2000_0000), bytes << 3];
}

/** The length of a tag is a part of OCB's nonce. */
function ocb(module: AesModule, bytes: Uint8Array): Mode {
  const key = copyOf(bytes);
  checkBytes('key', key, [16, 24, 32]);
  return {
    // Offsets of slices begin at multiples of eight blocks, but for those of few blocks.
    unitBytes: 8 * BLOCK,
    takesAll: false,
    task: ({ nonce, tagBytes }, encrypts) => ({
      kind: 'ocb',
      key: copyOf(key),
      nonce,
      tagBytes,
      encrypts,
    }),
    tag: ({ params, encrypts, source, target }, { parts }) => {
      const { nonce, associatedData, tagBytes } = params;
      const slices = new OcbSlices(new AesKey(module, key), { tagBytes });
      const { length } = source;
      try {
        return slices.finish(nonce, associatedData, parts, [source, target], length, encrypts);
      } finally {
        slices.wipe();
      }
    },
    wipe: () => wipe(key),
  };
}

function arxAead(module: ArxModule, bytes: Uint8Array, nonceBytes: 12 | 24): Mode {
  const key = copyOf(bytes);
  const slices = new ArxSlices(module, key, nonceBytes);
  return {
    unitBytes: CHACHA_BLOCK,
    takesAll: true,
    task: ({ nonce }, encrypts) => ({
      kind: 'chacha20-poly1305',
      key: copyOf(key),
      nonce,
      encrypts,
    }),
    tag: ({ params, source }, { parts, sliceBytes }) =>
      slices.finish(params.nonce, params.associatedData, source.length, (before, r) => {
        const base = limbsOfR(r);
        const sum = limbsOfSum(before);
        const step = powerOfLimbs(base, sliceBytes / BLOCK);
        parts.forEach((part, i) => {
          const rest = source.length - i * sliceBytes;
          const blocks = Math.ceil(rest / BLOCK);
          multiplyLimbs(sum, rest >= sliceBytes ? step : powerOfLimbs(base, blocks));
          addLimbs(sum, limbsOfSum(part));
        });
        const joined = sumOfLimbs(sum);
        wipe(base, sum, step);
        return joined;
      }),
    wipe: () => {
      slices.wipe();
      wipe(key);
    },
  };
}

/** Subtrees of 2^k chunks by the pool; the last one, which may be the root, and the parents here. */
function blake3Digest(pool: Pool, blake3: Blake3Algorithm): DigestAlgorithm {
  return {
    ...TIMING,
    digest: async (data, signal) => {
      checkBytes('data', data);
      const { length } = data;
      if (length <= CHUNK) return blake3.digest(data);
      const sliceBytes = pool.sliceBytes(length, CHUNK);
      const rest = length % sliceBytes === 0 ? sliceBytes : length % sliceBytes;
      const subtrees = data.subarray(0, length - rest);
      if (subtrees.length === 0) return blake3.digest(data);
      const task: Task = { kind: 'blake3' };
      const { parts } = await pool.run({ task, data: subtrees, unitBytes: sliceBytes, signal });
      return blake3.digestAfter(parts, sliceBytes / CHUNK, data.subarray(length - rest));
    },
  };
}
