import { BLAKE2B } from '../../src/crypto/hash/blake2b.ts';
import { BLAKE3 } from '../../src/crypto/hash/blake3.ts';
import { SHA1 } from '../../src/crypto/hash/legacy/sha1.ts';
import { SHA256 } from '../../src/crypto/hash/sha256.ts';
import { SHA3_256 } from '../../src/crypto/hash/sha3.ts';
import { SHA512 } from '../../src/crypto/hash/sha512.ts';
import { argon2 } from '../../src/crypto/kdf/argon2.ts';
import { pbkdf2 } from '../../src/crypto/kdf/pbkdf2.ts';
import { scrypt } from '../../src/crypto/kdf/scrypt.ts';
import type { Argon2 } from '../../src/engine/wasm/hash/argon2.ts';
import type { WasmHashes } from '../../src/engine/wasm/hash/hashes.ts';
import { pbkdf2 as wasmPbkdf2 } from '../../src/engine/wasm/hash/pbkdf2.ts';
import { asBytes, type Contender } from '../contender.ts';
import { JS, WASM } from '../names.ts';
import type { Argon2Task, HashTask, Pbkdf2Task, ScryptTask } from './task.ts';

const ALGORITHMS = {
  'SHA-1': SHA1,
  'SHA-256': SHA256,
  'SHA-512': SHA512,
  'SHA3-256': SHA3_256,
  BLAKE2b: BLAKE2B,
  BLAKE3,
};

export const hashJs: Contender<HashTask> = {
  name: JS,
  kind: 'ours',
  prepare: ({ hash, message }) => ({
    run: () => ALGORITHMS[hash].create().update(message).digest(),
    bytes: asBytes,
  }),
};

export const hashWasm = (hashes: WasmHashes): Contender<HashTask> => ({
  name: WASM,
  kind: 'ours',
  prepare: ({ hash, message }) => ({
    run: () => hashes.algorithms[hash].digest(message),
    bytes: asBytes,
  }),
});

export const pbkdf2Js: Contender<Pbkdf2Task> = {
  name: JS,
  kind: 'ours',
  prepare: ({ hash, password, salt, iterations, length }) => ({
    run: () => pbkdf2(hash === 'SHA-1' ? SHA1 : SHA256, password, salt, iterations, length),
    bytes: asBytes,
  }),
};

export const pbkdf2Wasm = ({ sha }: WasmHashes): Contender<Pbkdf2Task> => ({
  name: WASM,
  kind: 'ours',
  prepare: ({ hash, password, salt, iterations, length }) => ({
    run: () => wasmPbkdf2(sha, hash, password, salt, iterations, length),
    bytes: asBytes,
  }),
});

export const scryptJs: Contender<ScryptTask> = {
  name: JS,
  kind: 'ours',
  prepare: ({ password, salt, length, ...cost }) => ({
    run: () => scrypt(password, salt, cost, length),
    bytes: asBytes,
  }),
};

export const scryptWasm = ({ scrypt: engine }: WasmHashes): Contender<ScryptTask> => ({
  name: WASM,
  kind: 'ours',
  prepare: ({ password, salt, length, ...cost }) => ({
    run: () => engine.derive(password, salt, cost, length),
    bytes: asBytes,
  }),
});

export const argon2Js: Contender<Argon2Task> = {
  name: JS,
  kind: 'ours',
  prepare: ({ password, salt: nonce, length, cost }) => ({
    run: () => argon2('Argon2id', password, { ...cost, nonce }, length),
    bytes: asBytes,
  }),
};

export const argon2Wasm = (engine: Argon2): Contender<Argon2Task> => ({
  name: WASM,
  kind: 'ours',
  prepare: ({ password, salt: nonce, length, cost }) => ({
    run: () => engine.derive('Argon2id', password, { ...cost, nonce }, length),
    bytes: asBytes,
  }),
});
