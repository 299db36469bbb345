import { loadHashes } from '../../src/engine/wasm/hash/hashes.ts';
import { iterationsOf, sizesOf } from '../../lab/runs/tarr.ts';
import type { Contender } from '../contender.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf, type RowPlan } from '../row.ts';
import { CURVES, curveRow } from './curves.ts';
import {
  cryptoBrowserify,
  cryptoJs,
  nodeCrypto,
  nodeForge,
  sjclHash,
  webcrypto,
} from './hash-peers.ts';
import { pbkdf2Peers } from './kdf-peers.ts';
import { hashJs, hashWasm, pbkdf2Js, pbkdf2Wasm } from './ours.ts';
import type { HashTask, Pbkdf2Task } from './task.ts';

/*
 * The eight graphs of 2014: SHA-1 and SHA-256 at 22 lengths up to 10 MB, PBKDF2 with both at 13 numbers of iterations up
 * to 10,000, with its password and salt, in its four libraries, our engines and the platform's own.
 */
const text = new TextEncoder();
const [PASSWORD, SALT] = [text.encode('whatever'), text.encode('salty')];

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const hashes = await loadHashes(loadWasm);
  const hashers: Contender<HashTask>[] = [
    ...[hashJs, hashWasm(hashes), nodeCrypto, webcrypto],
    ...[sjclHash, cryptoJs, nodeForge, cryptoBrowserify],
  ];
  const names = new Set(hashers.map(({ name }) => name));
  const derivers: Contender<Pbkdf2Task>[] = [
    ...[pbkdf2Js, pbkdf2Wasm(hashes)],
    ...pbkdf2Peers.filter(({ name }) => names.has(name)),
  ];
  const all = CURVES.flatMap(({ algorithm, hash, isHash }): RowPlan[] =>
    (isHash ? sizesOf('full') : iterationsOf('full'))
      .filter((size) => size <= largest)
      .map((size) => {
        const row = curveRow(algorithm, size);
        if (isHash) {
          return rowOf({ ...row, bytes: size }, { hash, message: pattern(size, 3) }, hashers);
        }
        const length = hash === 'SHA-1' ? 20 : 32;
        const task = { hash, iterations: size, password: PASSWORD, salt: SALT, length };
        return rowOf({ ...row, bytes: 0 }, task, derivers);
      }),
  );
  return shuffled(all);
};

/** Sizes that only grow cannot be told from a compiler that warms up. */
function shuffled<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
