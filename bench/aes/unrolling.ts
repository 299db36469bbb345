import { variants } from 'unrolled-rounds';
import { Aes } from '../../src/crypto/aes/block.ts';
import { tables } from '../../src/crypto/aes/run.ts';
import { ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import { asBytes } from '../contender.ts';
import { JS } from '../names.ts';
import { pattern } from '../pattern.ts';
import type { Entry, RowPlan } from '../row.ts';
import { UNROLLING_ROW, unrolledName } from './unrolling-row.ts';

const BYTES = UNROLLING_ROW.size;

/** The variants of unrolled-source.ts, confirmed by the engine that we ship. */
export function unrollingRow(): RowPlan {
  const aes = new Aes(pattern(16, 7));
  const text = pattern(BYTES, 3);
  const source = new Int32Array(text.slice().buffer);
  const entries = variants.map(({ roundsPerTurn, encrypt }): Entry => ({
    name: unrolledName(roundsPerTurn),
    kind: 'ours',
    prepare: () => {
      const target = new Int32Array(source.length);
      const bytes = new Uint8Array(target.buffer);
      return { run: () => encrypt(tables[0], aes.keys[0], source, target), bytes: () => bytes };
    },
  }));
  const into = new Uint8Array(BYTES);
  entries.push({
    name: JS,
    kind: 'ours',
    prepare: () => ({ run: () => ecbEncrypt(aes, text, into), bytes: asBytes }),
  });
  return { ...UNROLLING_ROW, bytes: BYTES, entries };
}
