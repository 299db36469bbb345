import { ArxModule } from '../../../src/engine/wasm/arx/arx.ts';
import { WasmChaCha20Poly1305, WasmXChaCha20Poly1305 } from '../../../src/engine/wasm/arx/aead.ts';
import { WasmPoly1305 } from '../../../test/engine/wasm/arx/wasm-poly1305.ts';
import type { SalsaRounds } from '../../../src/crypto/stream/salsa20.ts';
import type { Primitive, WasmEngine } from '../primitive.ts';
import { aeadPrimitives, somethingOf, tested } from './aead.ts';
import type { AeadFamily } from './aead.ts';

/** A part of a group of blocks, and several groups with a part. */
const MESSAGE_BYTES = [61, 1037];
const KEY_BYTES = 32;

type Run = (module: ArxModule, key: Uint8Array, data: Uint8Array, target: Uint8Array) => unknown;

/** Key and data are secret together: a call takes its key and leaves nothing of it. */
function primitives(name: string, run: Run): Primitive[] {
  return MESSAGE_BYTES.map((bytes) => ({
    name: `${name}, ${bytes.toLocaleString('en')} B, key and data`,
    family: 'arx',
    secretBytes: KEY_BYTES + bytes,
    expected: 'constant',
    setUp: async (engine) => {
      const module = await load(engine);
      const target = new Uint8Array(bytes);
      return {
        call: (input) =>
          run(module, input.subarray(0, KEY_BYTES), input.subarray(KEY_BYTES), target),
      };
    },
  }));
}

function load({ loadWasm, variant }: WasmEngine): Promise<ArxModule> {
  return ArxModule.load(loadWasm, variant);
}

const [NONCE8, NONCE12, NONCE24] = [8, 12, 24].map((length) => somethingOf(length)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

const salsa = (rounds: SalsaRounds): Primitive[] =>
  primitives(`Salsa20/${rounds}`, (module, key, data, target) =>
    module.salsa20(key, NONCE8, data, { rounds }, target),
  );

const FAMILIES: readonly AeadFamily[] = [
  {
    name: 'ChaCha20-Poly1305',
    family: 'arx',
    keyBytes: KEY_BYTES,
    nonceBytes: 12,
    load: async (engine) => {
      const module = await load(engine);
      return (key) => tested(new WasmChaCha20Poly1305(module, key));
    },
  },
  {
    name: 'XChaCha20-Poly1305',
    family: 'arx',
    keyBytes: KEY_BYTES,
    nonceBytes: 24,
    load: async (engine) => {
      const module = await load(engine);
      return (key) => tested(new WasmXChaCha20Poly1305(module, key));
    },
  },
];

export const ARX: readonly Primitive[] = [
  ...primitives('ChaCha20', (module, key, data, target) =>
    module.chacha20(key, NONCE12, 0, data, target),
  ),
  ...primitives('XChaCha20', (module, key, data, target) =>
    module.xchacha20(key, NONCE24, 0, data, target),
  ),
  ...salsa(8),
  ...salsa(12),
  ...salsa(20),
  ...primitives('Poly1305', (module, key, data) =>
    new WasmPoly1305(module, key).update(data).digest(),
  ),
  ...FAMILIES.flatMap(aeadPrimitives),
];
