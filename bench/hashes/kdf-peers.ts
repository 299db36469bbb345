import * as asmcrypto from 'asmcrypto.js/asmcrypto.all.es8.js';
import { argon2id as nobleArgon2id } from '@noble/hashes/argon2.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { pbkdf2 as noblePbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt as nobleScrypt } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import CryptoJS from 'crypto-js';
import {
  argon2id as wasmArgon2id,
  createSHA1,
  createSHA256,
  pbkdf2 as wasmPbkdf2,
  scrypt as wasmScrypt,
} from 'hash-wasm';
import sodium from 'libsodium-wrappers-sumo';
import forge from 'node-forge';
import { pbkdf2Sync } from 'pbkdf2/browser.js';
import { asBytes, type Contender } from '../contender.ts';
import { fromBinary, toBinary } from '../peers/binary.ts';
import { openssl } from '../peers/openssl.ts';
import { fromBits, sjcl, toBits } from '../peers/sjcl.ts';
import { fromWords, toWords } from '../peers/words.ts';
import type { Argon2Task, Pbkdf2Task, ScryptTask } from './task.ts';

const sjclPbkdf2: Contender<Pbkdf2Task> = {
  name: 'sjcl',
  kind: 'pure js',
  prepare: ({ hash, password, salt, iterations, length }) => {
    const Hash = hash === 'SHA-1' ? sjcl.hash.sha1 : sjcl.hash.sha256;
    const Hmac = sjcl.misc.hmac;
    class Prf extends Hmac {
      constructor(key: number[]) {
        super(key, Hash);
      }
    }
    const [secret, bits] = [toBits(password), toBits(salt)];
    return {
      run: () => sjcl.misc.pbkdf2(secret, bits, iterations, 8 * length, Prf),
      bytes: fromBits,
    };
  },
};

const cryptoJs: Contender<Pbkdf2Task> = {
  name: 'crypto-js',
  kind: 'pure js',
  prepare: ({ hash, password, salt, iterations, length }) => {
    const hasher = hash === 'SHA-1' ? CryptoJS.algo.SHA1 : CryptoJS.algo.SHA256;
    const [secret, words] = [toWords(password), toWords(salt)];
    return {
      run: () => CryptoJS.PBKDF2(secret, words, { keySize: length / 4, iterations, hasher }),
      bytes: (result) => fromWords(result as CryptoJS.lib.WordArray),
    };
  },
};

const nodeForge: Contender<Pbkdf2Task> = {
  name: 'node-forge',
  kind: 'pure js',
  prepare: ({ hash, password, salt, iterations, length }) => {
    const name = hash === 'SHA-1' ? 'sha1' : 'sha256';
    const [secret, text] = [toBinary(password), toBinary(salt)];
    return {
      run: () => forge.pkcs5.pbkdf2(secret, text, iterations, length, forge.md[name].create()),
      bytes: (result) => fromBinary(result as string),
    };
  },
};

const cryptoBrowserify: Contender<Pbkdf2Task> = {
  name: 'crypto-browserify',
  kind: 'pure js',
  prepare: ({ hash, password, salt, iterations, length }) => {
    const [secret, buffer] = [Buffer.from(password), Buffer.from(salt)];
    const name = hash === 'SHA-1' ? 'sha1' : 'sha256';
    return { run: () => pbkdf2Sync(secret, buffer, iterations, length, name), bytes: asBytes };
  },
};

const noble: Contender<Pbkdf2Task> = {
  name: '@noble/hashes',
  kind: 'pure js',
  prepare: ({ hash, password, salt, iterations: c, length: dkLen }) => {
    const algorithm = hash === 'SHA-1' ? sha1 : sha256;
    return { run: () => noblePbkdf2(algorithm, password, salt, { c, dkLen }), bytes: asBytes };
  },
};

const asmCrypto: Contender<Pbkdf2Task> = {
  name: 'asmcrypto.js',
  kind: 'asm.js',
  prepare: ({ hash, password, salt, iterations, length }) => {
    const derive = hash === 'SHA-1' ? asmcrypto.Pbkdf2HmacSha1 : asmcrypto.Pbkdf2HmacSha256;
    return { run: () => derive(password, salt, iterations, length), bytes: asBytes };
  },
};

const hashWasm: Contender<Pbkdf2Task> = {
  name: 'hash-wasm',
  kind: 'wasm',
  prepare: ({ hash, password, salt, iterations, length: hashLength }) => {
    const create = hash === 'SHA-1' ? createSHA1 : createSHA256;
    const run = () =>
      wasmPbkdf2({
        password,
        salt,
        iterations,
        hashLength,
        hashFunction: create(),
        outputType: 'binary',
      });
    return { run, bytes: asBytes };
  },
};

const webcrypto: Contender<Pbkdf2Task> = {
  name: 'WebCrypto',
  kind: 'native',
  prepare: async ({ hash, password, salt, iterations, length }) => {
    const { subtle } = globalThis.crypto;
    const secret = password as BufferSource;
    const key = await subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits']);
    const parameters = { name: 'PBKDF2', hash, salt: salt as BufferSource, iterations };
    return {
      run: () => subtle.deriveBits(parameters, key, 8 * length),
      bytes: (result) => new Uint8Array(result as ArrayBuffer),
    };
  },
};

const nodeCrypto: Contender<Pbkdf2Task> = {
  name: 'node:crypto',
  kind: 'native',
  prepare: ({ hash, password, salt, iterations, length }) => {
    if (!openssl) return undefined;
    const name = hash.replace('-', '').toLowerCase();
    const { pbkdf2Sync: derive } = openssl;
    return { run: () => derive(password, salt, iterations, length, name), bytes: asBytes };
  },
};

export const pbkdf2Peers: readonly Contender<Pbkdf2Task>[] = [
  nodeCrypto,
  webcrypto,
  sjclPbkdf2,
  cryptoJs,
  nodeForge,
  cryptoBrowserify,
  noble,
  asmCrypto,
  hashWasm,
];

const nobleKdf: Contender<ScryptTask> = {
  name: '@noble/hashes',
  kind: 'pure js',
  prepare: ({ password, salt, length: dkLen, ...cost }) => ({
    run: () => nobleScrypt(password, salt, { ...cost, dkLen }),
    bytes: asBytes,
  }),
};

const hashWasmKdf: Contender<ScryptTask> = {
  name: 'hash-wasm',
  kind: 'wasm',
  prepare: ({ password, salt, N, r, p, length: hashLength }) => {
    const cost = { costFactor: N, blockSize: r, parallelism: p };
    return {
      run: () => wasmScrypt({ password, salt, hashLength, ...cost, outputType: 'binary' }),
      bytes: asBytes,
    };
  },
};

const libsodium: Contender<ScryptTask> = {
  name: 'libsodium',
  kind: 'wasm',
  prepare: async ({ password, salt, N, r, p, length }) => {
    await sodium.ready;
    return {
      run: () => sodium.crypto_pwhash_scryptsalsa208sha256_ll(password, salt, N, r, p, length),
      bytes: asBytes,
    };
  },
};

const nodeKdf: Contender<ScryptTask> = {
  name: 'node:crypto',
  kind: 'native',
  prepare: ({ password, salt, length, ...cost }) => {
    if (!openssl) return undefined;
    const { scryptSync } = openssl;
    const options = { ...cost, maxmem: 2 ** 28 };
    return { run: () => scryptSync(password, salt, length, options), bytes: asBytes };
  },
};

export const scryptPeers: readonly Contender<ScryptTask>[] = [
  nodeKdf,
  nobleKdf,
  hashWasmKdf,
  libsodium,
];

const nobleArgon2: Contender<Argon2Task> = {
  name: '@noble/hashes',
  kind: 'pure js',
  prepare: ({
    password,
    salt,
    length: dkLen,
    cost: { memoryKiB: m, passes: t, parallelism: p },
  }) => ({
    run: () => nobleArgon2id(password, salt, { t, m, p, dkLen }),
    bytes: asBytes,
  }),
};

const hashWasmArgon2: Contender<Argon2Task> = {
  name: 'hash-wasm',
  kind: 'wasm',
  prepare: ({ password, salt, length: hashLength, cost }) => {
    const { memoryKiB: memorySize, passes: iterations, parallelism } = cost;
    const options = { memorySize, iterations, parallelism, hashLength };
    return {
      run: () => wasmArgon2id({ password, salt, ...options, outputType: 'binary' }),
      bytes: asBytes,
    };
  },
};

/** It has one lane. */
const libsodiumArgon2: Contender<Argon2Task> = {
  name: 'libsodium',
  kind: 'wasm',
  prepare: async ({ password, salt, length, cost: { memoryKiB, passes, parallelism } }) => {
    if (parallelism !== 1) return undefined;
    await sodium.ready;
    const { crypto_pwhash: derive, crypto_pwhash_ALG_ARGON2ID13: algorithm } = sodium;
    return {
      run: () => derive(length, password, salt, passes, 1024 * memoryKiB, algorithm),
      bytes: asBytes,
    };
  },
};

export const argon2Peers: readonly Contender<Argon2Task>[] = [
  nobleArgon2,
  hashWasmArgon2,
  libsodiumArgon2,
];
