import { ChaCha20Poly1305 } from '../../src/crypto/aead/chacha20-poly1305.ts';
import { XChaCha20Poly1305 } from '../../src/crypto/aead/xchacha20-poly1305.ts';
import { chacha20 } from '../../src/crypto/stream/chacha20.ts';
import { salsa20 } from '../../src/crypto/stream/salsa20.ts';
import type { ArxModule } from '../../src/engine/wasm/arx/arx.ts';
import { WasmChaCha20Poly1305, WasmXChaCha20Poly1305 } from '../../src/engine/wasm/arx/aead.ts';
import { asBytes, type Contender, type Prepared } from '../contender.ts';
import { JS, WASM, WASM_FRESH } from '../names.ts';
import { KEY, NONCE_12, NONCE_24, NONCE_8, resultBytes, type ArxTask } from './task.ts';

export const oursJs: Contender<ArxTask> = {
  name: JS,
  kind: 'ours',
  prepare: (task) => ({ run: jsRun(task), bytes: asBytes }),
};

export const oursWasm = (module: ArxModule): readonly Contender<ArxTask>[] => [
  {
    name: WASM,
    kind: 'ours',
    prepare: (task) => ({
      run: wasmRun(task, module, new Uint8Array(resultBytes(task))),
      bytes: asBytes,
    }),
  },
  {
    name: WASM_FRESH,
    kind: 'ours',
    prepare: (task) => ({ run: wasmRun(task, module), bytes: asBytes }),
  },
];

function jsRun({ algorithm, plaintext }: ArxTask): Prepared['run'] {
  switch (algorithm) {
    case 'ChaCha20':
      return () => chacha20(KEY, NONCE_12, 0, plaintext);
    case 'Salsa20':
      return () => salsa20(KEY, NONCE_8, plaintext);
    case 'Salsa20/12':
      return () => salsa20(KEY, NONCE_8, plaintext, { rounds: 12 });
    case 'ChaCha20-Poly1305': {
      const aead = new ChaCha20Poly1305(KEY);
      return () => aead.seal(NONCE_12, plaintext);
    }
    case 'XChaCha20-Poly1305': {
      const aead = new XChaCha20Poly1305(KEY);
      return () => aead.seal(NONCE_24, plaintext);
    }
  }
}

function wasmRun(
  { algorithm, plaintext }: ArxTask,
  module: ArxModule,
  into?: Uint8Array,
): Prepared['run'] {
  switch (algorithm) {
    case 'ChaCha20':
      return () => module.chacha20(KEY, NONCE_12, 0, plaintext, into);
    case 'Salsa20':
      return () => module.salsa20(KEY, NONCE_8, plaintext, {}, into);
    case 'Salsa20/12':
      return () => module.salsa20(KEY, NONCE_8, plaintext, { rounds: 12 }, into);
    case 'ChaCha20-Poly1305': {
      const aead = new WasmChaCha20Poly1305(module, KEY);
      return () => aead.seal(NONCE_12, plaintext, undefined, into);
    }
    case 'XChaCha20-Poly1305': {
      const aead = new WasmXChaCha20Poly1305(module, KEY);
      return () => aead.seal(NONCE_24, plaintext, undefined, into);
    }
  }
}
