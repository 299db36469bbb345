import sodium from 'libsodium-wrappers-sumo';
import {
  AegisKey,
  WasmAegis128L,
  WasmAegis256,
  type AegisModule,
} from '../../src/engine/wasm/aes/aegis.ts';
import { asBytes, type Contender } from '../contender.ts';
import { WASM, WASM_FRESH } from '../names.ts';
import { pattern } from '../pattern.ts';
import { rowOf, type RowPlan } from '../row.ts';

/* AEGIS (draft-irtf-cfrg-aegis-aead) with tags of 256 bits, beside the one peer that has it. */

interface AegisTask {
  readonly algorithm: 'AEGIS-128L' | 'AEGIS-256';
  readonly plaintext: Uint8Array;
}

const TAG_BYTES = 32;
const SIZES = [16, 1 << 10, 1 << 16, 1 << 20];
const KEYS = { 'AEGIS-128L': pattern(16, 7), 'AEGIS-256': pattern(32, 7) };
const NONCES = { 'AEGIS-128L': pattern(16, 5), 'AEGIS-256': pattern(32, 5) };

const ours = (name: string, isFresh: boolean, module: AegisModule): Contender<AegisTask> => ({
  name,
  kind: 'ours',
  prepare: ({ algorithm, plaintext }) => {
    const Mode = algorithm === 'AEGIS-128L' ? WasmAegis128L : WasmAegis256;
    const aead = new Mode(new AegisKey(module, KEYS[algorithm]), { tagBytes: TAG_BYTES });
    const into = isFresh ? undefined : new Uint8Array(plaintext.length + TAG_BYTES);
    return {
      run: () => aead.seal(NONCES[algorithm], plaintext, undefined, into),
      bytes: asBytes,
    };
  },
});

const libsodium: Contender<AegisTask> = {
  name: 'libsodium',
  kind: 'wasm',
  prepare: async ({ algorithm, plaintext }) => {
    await sodium.ready;
    const { crypto_aead_aegis128l_encrypt: seal128L, crypto_aead_aegis256_encrypt: seal256 } =
      sodium;
    const seal = algorithm === 'AEGIS-128L' ? seal128L : seal256;
    return {
      run: () => seal(plaintext, null, null, NONCES[algorithm], KEYS[algorithm]),
      bytes: asBytes,
    };
  },
};

export function aegisRows(module: AegisModule, largest: number): RowPlan[] {
  const all = [ours(WASM, false, module), ours(WASM_FRESH, true, module), libsodium];
  return (['AEGIS-128L', 'AEGIS-256'] as const).flatMap((algorithm) =>
    SIZES.filter((size) => size <= largest).map((size) =>
      rowOf(
        { algorithm, size, unit: 'B', bytes: size },
        { algorithm, plaintext: pattern(size, 3) },
        all,
      ),
    ),
  );
}
