import { loadArgon2, type Argon2 } from '../../src/engine/wasm/hash/argon2.ts';
import { loadHashes } from '../../src/engine/wasm/hash/hashes.ts';
import type { WasmHashes } from '../../src/engine/wasm/hash/hashes.ts';
import type { Contender } from '../contender.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf, type RowPlan } from '../row.ts';
import { fourStreamsRow } from './four-streams.ts';
import {
  cryptoBrowserify,
  cryptoJs,
  hashWasmPeer,
  noble,
  nodeCrypto,
  nodeForge,
  sjclHash,
  webcrypto,
} from './hash-peers.ts';
import { argon2Peers, pbkdf2Peers, scryptPeers } from './kdf-peers.ts';
import {
  argon2Js,
  argon2Wasm,
  hashJs,
  hashWasm,
  pbkdf2Js,
  pbkdf2Wasm,
  scryptJs,
  scryptWasm,
} from './ours.ts';
import { ARGON2_COSTS, argon2Row, HASHES, SCRYPT_ROW } from './task.ts';
import type { Argon2Task, HashTask, Pbkdf2Task, ScryptTask } from './task.ts';

/*
 * The 2014 comparison of hash functions and PBKDF2: messages from nothing to 10 MB, iterations from
 * one to ten thousand, and a hundred thousand to see whether time stays in proportion.
 */
const SIZES = [0, 64, 1 << 10, 1 << 16, 1 << 20, 10_000_000];
const ITERATIONS = [1, 10, 100, 1000, 10_000, 100_000];

const PASSWORD = new TextEncoder().encode('correct horse battery staple');

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const [hashes, argon2] = await Promise.all([loadHashes(loadWasm), loadArgon2(loadWasm)]);
  return [
    ...hashRows(hashes, largest),
    ...[1 << 16, 1 << 20]
      .filter((size) => size <= largest)
      .map((size) => fourStreamsRow(hashes, size)),
    ...pbkdf2Rows(hashes, largest),
    ...(SCRYPT_ROW.size <= largest ? [scryptRow(hashes)] : []),
    ...argon2Rows(argon2, largest),
  ];
};

function hashRows(hashes: WasmHashes, largest: number): RowPlan[] {
  const all: Contender<HashTask>[] = [
    hashJs,
    hashWasm(hashes),
    nodeCrypto,
    webcrypto,
    sjclHash,
    cryptoJs,
    nodeForge,
    cryptoBrowserify,
    noble,
    hashWasmPeer,
  ];
  return HASHES.flatMap((hash) =>
    SIZES.filter((size) => size <= largest).map((size) =>
      rowOf(
        { algorithm: hash, size, unit: 'B', bytes: size },
        { hash, message: pattern(size, 3) },
        all,
      ),
    ),
  );
}

function pbkdf2Rows(hashes: WasmHashes, largest: number): RowPlan[] {
  const all: Contender<Pbkdf2Task>[] = [pbkdf2Js, pbkdf2Wasm(hashes), ...pbkdf2Peers];
  return (['SHA-1', 'SHA-256'] as const).flatMap((hash) =>
    ITERATIONS.filter((iterations) => iterations <= largest).map((iterations) => {
      const length = hash === 'SHA-1' ? 20 : 32;
      const task = { hash, iterations, password: PASSWORD, salt: pattern(16, 9), length };
      const key = { algorithm: `PBKDF2-${hash}`, size: iterations, unit: 'iterations' } as const;
      return rowOf({ ...key, bytes: 0 }, task, all);
    }),
  );
}

function scryptRow(hashes: WasmHashes): RowPlan {
  const all: Contender<ScryptTask>[] = [scryptJs, scryptWasm(hashes), ...scryptPeers];
  const task = {
    N: SCRYPT_ROW.size,
    r: 8,
    p: 1,
    password: PASSWORD,
    salt: pattern(16, 9),
    length: 32,
  };
  return rowOf({ ...SCRYPT_ROW, bytes: 0 }, task, all);
}

function argon2Rows(argon2: Argon2, largest: number): RowPlan[] {
  const all: Contender<Argon2Task>[] = [argon2Js, argon2Wasm(argon2), ...argon2Peers];
  const task = { password: PASSWORD, salt: pattern(16, 9), length: 32 };
  return ARGON2_COSTS.filter(({ memoryKiB }) => memoryKiB <= largest).map((cost) =>
    rowOf({ ...argon2Row(cost), bytes: 0 }, { ...task, cost }, all),
  );
}
