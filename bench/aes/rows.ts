import { loadAegis } from '../../src/engine/wasm/aes/aegis.ts';
import { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { ArxModule } from '../../src/engine/wasm/arx/arx.ts';
import { loadSha } from '../../src/engine/wasm/hash/sha.ts';
import type { Contender } from '../contender.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { rowOf, type RowPlan } from '../row.ts';
import { aegisRows } from './aegis.ts';
import { besideRows } from './beside.ts';
import { modesRow } from './modes.ts';
import { MODES_ROW } from './modes-row.ts';
import { noble } from './peers/noble.ts';
import { nodeCrypto } from './peers/node-crypto.ts';
import { openpgp } from './peers/openpgp.ts';
import { aesJsContender, asmCrypto, browserify, cryptoJs, nodeForge } from './peers/other-js.ts';
import { oursJs } from './ours-js.ts';
import { oursWasm } from './ours-wasm.ts';
import { sjclContender } from './peers/sjcl.ts';
import { AES_ALGORITHMS, type AesTask } from './task.ts';
import { unrollingRow } from './unrolling.ts';
import { webcrypto } from './peers/webcrypto.ts';

/*
 * The table of the 2009 paper on today's machines: AES-128 and AES-256 in nine modes, and the key
 * schedule, in our engines and in every peer; what a mode costs (Lipmaa); the study of unrolling; AEGIS, an
 * AEAD of AES's rounds.
 */
const SIZES = [16, 1 << 10, 1 << 16, 1 << 20, 1 << 24];
/** With the longer key the largest messages would only repeat what the shorter one tells. */
const LARGEST_256 = 1 << 20;

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const [aes, aegis, arx, sha] = await Promise.all([
    AesModule.load(loadWasm),
    loadAegis(loadWasm),
    ArxModule.load(loadWasm),
    loadSha(loadWasm),
  ]);
  const all = contenders(aes);
  return [
    ...(MODES_ROW.size <= largest ? [modesRow(aes), unrollingRow()] : []),
    ...besideRows({ aes, arx, sha }, largest),
    ...keyRows(16, largest, all),
    ...keyRows(32, Math.min(largest, LARGEST_256), all),
    ...aegisRows(aegis, largest),
  ];
};

function contenders(aes: AesModule): readonly Contender<AesTask>[] {
  return [
    oursJs,
    ...oursWasm(aes),
    nodeCrypto,
    webcrypto,
    noble,
    sjclContender,
    cryptoJs,
    nodeForge,
    aesJsContender,
    asmCrypto,
    browserify,
    openpgp,
  ];
}

function keyRows(keyBytes: number, largest: number, all: readonly Contender<AesTask>[]): RowPlan[] {
  const sizes = SIZES.filter((bytes) => bytes <= largest);
  const schedule = taskOf('key schedule', keyBytes, 0);
  const name = (algorithm: string) => algorithm.replace('AES', `AES-${8 * keyBytes}`);
  return [
    rowOf(
      { algorithm: name('AES key schedule'), size: keyBytes, unit: 'B', bytes: 0 },
      schedule,
      all,
    ),
    ...AES_ALGORITHMS.flatMap((algorithm) =>
      sizes.map((size) => {
        const task = taskOf(algorithm, keyBytes, size);
        return rowOf({ algorithm: name(algorithm), size, unit: 'B', bytes: size }, task, all);
      }),
    ),
  ];
}

function taskOf(algorithm: AesTask['algorithm'], keyBytes: number, size: number): AesTask {
  return {
    algorithm,
    key: pattern(algorithm === 'AES-SIV' ? 2 * keyBytes : keyBytes, 7),
    nonce: pattern(nonceBytes(algorithm), 5),
    plaintext: pattern(size, 3),
  };
}

function nonceBytes(algorithm: AesTask['algorithm']): number {
  if (algorithm === 'AES-CTR' || algorithm === 'AES-CBC') return 16;
  return algorithm === 'AES-CCM' ? 11 : 12;
}
