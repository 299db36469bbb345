import { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { PACKETS } from '../../lab/tasks.ts';
import type { Contender } from '../contender.ts';
import type { MakeRows } from '../order.ts';
import { pattern } from '../pattern.ts';
import { sjclBlocks } from '../peers/sjcl.ts';
import { rowOf } from '../row.ts';
import { blocksRow } from './blocks.ts';
import { noble } from './peers/noble.ts';
import { nodeCrypto } from './peers/node-crypto.ts';
import { aesJsContender, asmCrypto, browserify, cryptoJs, nodeForge } from './peers/other-js.ts';
import { oursJs } from './ours-js.ts';
import { oursWasm } from './ours-wasm.ts';
import type { AesTask } from './task.ts';

/* Block encryption alone: Table III of 2009 with the libraries of today, and the nine packets of Figure 3 of 2013. */
const sjcl: Contender<AesTask> = {
  name: 'sjcl',
  kind: 'pure js',
  prepare: ({ key, plaintext }) => sjclBlocks(key, plaintext),
};

export const rows: MakeRows = async ({ largest, loadWasm }) => {
  const [wasm] = oursWasm(await AesModule.load(loadWasm));
  const all = [
    ...[oursJs, wasm!, sjcl, noble, cryptoJs, nodeForge, aesJsContender, asmCrypto, browserify],
    nodeCrypto,
  ];
  return PACKETS.filter((size) => size <= largest).map((size) =>
    rowOf(
      { ...blocksRow(size), bytes: size },
      {
        algorithm: 'AES-ECB' as const,
        key: pattern(16, 7),
        nonce: new Uint8Array(0),
        plaintext: pattern(size, 3),
      },
      all,
    ),
  );
};
