import { jsEngine } from '../../src/engine/js/js.ts';
import { nativeEngine } from '../../src/engine/native/native.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import type { Engine } from '../../src/engine/contract.ts';
import type { RecordAlgorithms } from '../../src/sync/record-cipher.ts';
import { loadWasm } from '../support/wasm.ts';

export const ENGINES = ['js', 'wasm-simd', 'native'] as const;
export type EngineUnderTest = (typeof ENGINES)[number];

const MAKE: Readonly<Record<EngineUnderTest, () => Engine>> = {
  js: jsEngine,
  'wasm-simd': () => wasmSimdEngine(loadWasm),
  native: nativeEngine,
};

/** The algorithms of one engine for records. */
export async function algorithmsOf(name: EngineUnderTest): Promise<RecordAlgorithms> {
  const probe = await MAKE[name]().probe();
  if (!probe.available) throw new Error(`${name}: ${probe.reason}`);
  return probe.algorithms as RecordAlgorithms;
}
