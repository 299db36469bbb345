import { VARIANTS } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import type { Variant } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import { atMost, type Figure } from '../figures.ts';
import type { Suite } from '../suite.ts';
import { measureWasmEngine } from '../wasm-engine.ts';
import type { WasmEngineFigures } from '../wasm-engine.ts';

type Read = (engine: WasmEngineFigures) => number;

function figuresFor(variant: Variant): Figure[] {
  const figure = (what: string, unit: Figure['unit'], asked: number, read: Read) =>
    atMost(`Engine wasm-simd, variant ${variant}: ${what}`, unit, { node: asked }, (extras) => {
      const engine = extras.wasmEngine?.find((one) => one.variant === variant);
      return engine && read(engine);
    });
  return [
    figure(
      'modules that it loads at its start, with brotli',
      'bytes',
      40 * 1024,
      ({ brotliBytes }) => brotliBytes,
    ),
    figure('compiles and instantiates', 'ms', 10, ({ startMs }) => startMs),
    figure('all known answers but scrypt', 'ms', 100, ({ knownAnswersMs }) => knownAnswersMs),
  ];
}

/** The engine as a whole: what it weighs, and how soon it is there. It has no peers, so no rows. */
export const engine: Suite = {
  name: 'engine',
  title: 'The engine wasm-simd as a whole',
  largest: 0,
  figures: VARIANTS.flatMap(figuresFor),
  plots: [],
  extras: async () => ({ wasmEngine: await measureWasmEngine() }),
};
