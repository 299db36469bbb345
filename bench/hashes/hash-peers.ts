import { blake2b } from '@noble/hashes/blake2.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { sha3_256 } from '@noble/hashes/sha3.js';
import createHash from 'create-hash/browser.js';
import CryptoJS from 'crypto-js';
import {
  createBLAKE2b,
  createBLAKE3,
  createSHA1,
  createSHA256,
  createSHA3,
  createSHA512,
  type IHasher,
} from 'hash-wasm';
import forge from 'node-forge';
import { asBytes, type Contender, type Prepared } from '../contender.ts';
import { fromBinary, toBinary } from '../peers/binary.ts';
import { openssl } from '../peers/openssl.ts';
import { fromBits, sjcl, toBits } from '../peers/sjcl.ts';
import { fromWords, toWords } from '../peers/words.ts';
import type { HashName, HashTask } from './task.ts';

/** What each library has of the hashes. */
type Some<V> = Partial<Record<HashName, V>>;

const NOBLE = {
  'SHA-1': sha1,
  'SHA-256': sha256,
  'SHA-512': sha512,
  'SHA3-256': sha3_256,
  BLAKE2b: blake2b,
  BLAKE3: blake3,
};

export const noble: Contender<HashTask> = {
  name: '@noble/hashes',
  kind: 'pure js',
  prepare: ({ hash, message }) => ({ run: () => NOBLE[hash](message), bytes: asBytes }),
};

export const sjclHash: Contender<HashTask> = {
  name: 'sjcl',
  kind: 'pure js',
  prepare: ({ hash, message }) => {
    const { sha1: Sha1, sha256: Sha256, sha512: Sha512 } = sjcl.hash;
    const hashes: Some<typeof Sha1> = { 'SHA-1': Sha1, 'SHA-256': Sha256, 'SHA-512': Sha512 };
    const Hash = hashes[hash];
    if (!Hash) return undefined;
    const bits = toBits(message);
    const run = () => {
      const state = new Hash();
      state.update(bits);
      return state.finalize();
    };
    return { run, bytes: fromBits };
  },
};

export const cryptoJs: Contender<HashTask> = {
  name: 'crypto-js',
  kind: 'pure js',
  // Its SHA-3 is Keccak as submitted, which pads otherwise than FIPS 202.
  prepare: ({ hash, message }) => {
    const hashes: Some<typeof CryptoJS.SHA1> = {
      'SHA-1': CryptoJS.SHA1,
      'SHA-256': CryptoJS.SHA256,
      'SHA-512': CryptoJS.SHA512,
    };
    const digest = hashes[hash];
    if (!digest) return undefined;
    const words = toWords(message);
    return {
      run: () => digest(words),
      bytes: (result) => fromWords(result as CryptoJS.lib.WordArray),
    };
  },
};

export const nodeForge: Contender<HashTask> = {
  name: 'node-forge',
  kind: 'pure js',
  prepare: ({ hash, message }) => {
    const names: Some<'sha1' | 'sha256' | 'sha512'> = {
      'SHA-1': 'sha1',
      'SHA-256': 'sha256',
      'SHA-512': 'sha512',
    };
    const name = names[hash];
    if (!name) return undefined;
    const text = toBinary(message);
    return {
      run: () => forge.md[name].create().update(text).digest(),
      bytes: (result) => fromBinary((result as forge.util.ByteStringBuffer).getBytes()),
    };
  },
};

export const cryptoBrowserify: Contender<HashTask> = {
  name: 'crypto-browserify',
  kind: 'pure js',
  prepare: ({ hash, message }) => {
    const names: Some<string> = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-512': 'sha512' };
    const name = names[hash];
    if (name === undefined) return undefined;
    const buffer = Buffer.from(message.buffer, message.byteOffset, message.length);
    return { run: () => createHash(name).update(buffer).digest(), bytes: asBytes };
  },
};

const HASH_WASM: Record<HashName, () => Promise<IHasher>> = {
  'SHA-1': createSHA1,
  'SHA-256': createSHA256,
  'SHA-512': createSHA512,
  'SHA3-256': () => createSHA3(256),
  BLAKE2b: () => createBLAKE2b(512),
  BLAKE3: () => createBLAKE3(256),
};

/** With its module kept between calls, which is the fastest way to use it. */
export const hashWasmPeer: Contender<HashTask> = {
  name: 'hash-wasm',
  kind: 'wasm',
  prepare: async ({ hash, message }): Promise<Prepared> => {
    const hasher = await HASH_WASM[hash]();
    return { run: () => hasher.init().update(message).digest('binary'), bytes: asBytes };
  },
};

export const webcrypto: Contender<HashTask> = {
  name: 'WebCrypto',
  kind: 'native',
  prepare: ({ hash, message }) => {
    if (!hash.startsWith('SHA-')) return undefined;
    return {
      run: () => globalThis.crypto.subtle.digest(hash, message as BufferSource),
      bytes: (result) => new Uint8Array(result as ArrayBuffer),
    };
  },
};

export const nodeCrypto: Contender<HashTask> = {
  name: 'node:crypto',
  kind: 'native',
  prepare: ({ hash, message }) => {
    const names: Some<string> = {
      'SHA-1': 'sha1',
      'SHA-256': 'sha256',
      'SHA-512': 'sha512',
      'SHA3-256': 'sha3-256',
      BLAKE2b: 'blake2b512',
    };
    const name = names[hash];
    if (!openssl || name === undefined) return undefined;
    const { createHash: create } = openssl;
    return { run: () => create(name).update(message).digest(), bytes: asBytes };
  },
};
