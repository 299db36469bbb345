import { Aes } from '../../src/crypto/aes/block.ts';
import { Ocb } from '../../src/crypto/aead/ocb.ts';
import type { Aead, BlockCipher } from '../../src/crypto/contracts.ts';
import { cbcMac } from '../../src/crypto/mac/cbc-mac.ts';
import { cbcEncryptRaw } from '../../src/crypto/mode/cbc.ts';
import { ctr } from '../../src/crypto/mode/ctr.ts';
import { ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import type { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../src/engine/wasm/aes/block-cipher.ts';
import { wasmCtr } from '../../src/engine/wasm/aes/ctr.ts';
import { WasmOcb } from '../../src/engine/wasm/aes/ocb.ts';
import { asBytes } from '../contender.ts';
import { pattern } from '../pattern.ts';
import type { Entry, RowPlan } from '../row.ts';
import { MODES_ROW, modeName, type Mode, type ModesEngine } from './modes-row.ts';

const BYTES = MODES_ROW.size;

/**
 * Lipmaa's comparison: what a mode costs over ECB, of which it makes its blocks, in one engine. All
 * write into one array that is there already, so that nothing but the mode is told apart.
 */
export function modesRow(module: AesModule): RowPlan {
  const key = pattern(16, 7);
  const entries = [
    ...entriesOf(
      'js',
      () => new Aes(key),
      ctr,
      (cipher) => new Ocb(cipher),
    ),
    ...entriesOf(
      'wasm-simd',
      () => new WasmAesKey(module, key),
      wasmCtr,
      (c) => new WasmOcb(c),
    ),
  ];
  return { ...MODES_ROW, bytes: BYTES, entries };
}

/** CTR as the engine has it. */
type CtrOf<C> = (
  cipher: C,
  counter: Uint8Array,
  counterBits: number,
  source: Uint8Array,
  target: Uint8Array,
) => Uint8Array;

function entriesOf<C extends BlockCipher>(
  engine: ModesEngine,
  create: () => C,
  ctrOf: CtrOf<C>,
  ocbOf: (cipher: C) => Aead,
): Entry[] {
  const text = pattern(BYTES, 3);
  const [iv, nonce] = [pattern(16, 5), pattern(12, 5)];
  const entry = (mode: Mode, runOf: (cipher: C, into: Uint8Array) => () => Uint8Array): Entry => ({
    name: modeName(engine, mode),
    kind: 'ours',
    prepare: () => ({
      run: runOf(create(), new Uint8Array(BYTES + (mode === 'OCB' ? 16 : 0))),
      bytes: asBytes,
      answer: mode,
    }),
  });
  return [
    entry('ECB', (cipher, into) => () => ecbEncrypt(cipher, text, into)),
    entry('CBC', (cipher, into) => () => cbcEncryptRaw(cipher, iv, text, into)),
    entry('CBC-MAC', (cipher) => () => cbcMac(cipher, text)),
    entry('CTR', (cipher, into) => () => ctrOf(cipher, iv, 128, text, into)),
    entry('OCB', (cipher, into) => {
      const ocb = ocbOf(cipher);
      return () => ocb.seal(nonce, text, undefined, into);
    }),
  ];
}
