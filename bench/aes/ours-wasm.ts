import { cbcEncryptRaw } from '../../src/crypto/mode/cbc.ts';
import { ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import type { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../src/engine/wasm/aes/block-cipher.ts';
import { WasmCcm } from '../../src/engine/wasm/aes/ccm.ts';
import { WasmCmac, wasmSiv } from '../../src/engine/wasm/aes/cmac.ts';
import { wasmCtr } from '../../src/engine/wasm/aes/ctr.ts';
import { WasmGcm } from '../../src/engine/wasm/aes/gcm.ts';
import { WasmGcmSiv } from '../../src/engine/wasm/aes/gcm-siv.ts';
import { WasmOcb } from '../../src/engine/wasm/aes/ocb.ts';
import type { Aead } from '../../src/crypto/contracts.ts';
import { asBytes, type Contender, type Prepared } from '../contender.ts';
import { WASM, WASM_FRESH } from '../names.ts';
import { resultBytes, type AesTask } from './task.ts';

export function oursWasm(module: AesModule): readonly Contender<AesTask>[] {
  return [
    {
      name: WASM,
      kind: 'ours',
      prepare: (task) => prepared(task, module, new Uint8Array(resultBytes(task))),
    },
    {
      name: WASM_FRESH,
      kind: 'ours',
      // A key schedule has no result, and a MAC no choice.
      prepare: (task) =>
        task.algorithm === 'key schedule' || task.algorithm === 'AES-CMAC'
          ? undefined
          : prepared(task, module),
    },
  ];
}

function prepared(task: AesTask, module: AesModule, into?: Uint8Array): Prepared {
  const run = prepareRun(task, module, into);
  return task.algorithm === 'key schedule' ? { run } : { run, bytes: asBytes };
}

function prepareRun(
  { algorithm, key, nonce, plaintext }: AesTask,
  module: AesModule,
  into?: Uint8Array,
): Prepared['run'] {
  if (algorithm === 'AES-SIV') {
    const siv = wasmSiv(module, key);
    return () => siv.seal(plaintext, [], into);
  }
  if (algorithm === 'key schedule') return () => new WasmAesKey(module, key);
  if (algorithm === 'AES-GCM-SIV') {
    return sealing(new WasmGcmSiv(module, key), nonce, plaintext, into);
  }
  const aes = new WasmAesKey(module, key);
  switch (algorithm) {
    case 'AES-ECB':
      return () => ecbEncrypt(aes, plaintext, into);
    case 'AES-CTR':
      return () => wasmCtr(aes, nonce, 128, plaintext, into);
    case 'AES-CBC':
      return () => cbcEncryptRaw(aes, nonce, plaintext, into);
    case 'AES-GCM':
      return sealing(new WasmGcm(aes), nonce, plaintext, into);
    case 'AES-CCM':
      return sealing(new WasmCcm(aes), nonce, plaintext, into);
    case 'AES-OCB':
      return sealing(new WasmOcb(aes), nonce, plaintext, into);
    case 'AES-CMAC': {
      const mac = new WasmCmac(aes);
      return () => mac.tag(plaintext);
    }
  }
}

function sealing(aead: Aead, nonce: Uint8Array, plaintext: Uint8Array, into?: Uint8Array) {
  return () => aead.seal(nonce, plaintext, undefined, into);
}
