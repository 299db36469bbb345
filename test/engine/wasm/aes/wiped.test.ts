/** The content of the AES module's memory after use: nothing of messages, nothing of wiped keys. */
import { expect } from 'chai';
import { cbcDecrypt, cbcEncrypt } from '../../../../src/crypto/mode/cbc.ts';
import { ecbDecrypt, ecbEncrypt } from '../../../../src/crypto/mode/ecb.ts';
import { unwrapKey, wrapKey } from '../../../../src/crypto/mode/key-wrap.ts';
import { cbcDecryptMany } from '../../../../src/engine/wasm/aes/cbc-decrypt-many.ts';
import { cbcEncryptMany } from '../../../../src/engine/wasm/aes/cbc-many.ts';
import { WasmCmac, wasmSiv } from '../../../../src/engine/wasm/aes/cmac.ts';
import { wasmCtr } from '../../../../src/engine/wasm/aes/ctr.ts';
import { WasmGcmSiv } from '../../../../src/engine/wasm/aes/gcm-siv.ts';
import { AesModule } from '../../../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../../../src/engine/wasm/aes/block-cipher.ts';
import { VARIANTS } from '../../../../src/engine/wasm/generator/dsl/lookup.ts';
import { BUFFER, MEMORY_BYTES, SECRETS } from '../../../../src/engine/wasm/generator/aes/layout.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

/** Few blocks, many, partial ones, and more than the buffer's length. */
const LENGTHS = [0, 1, 16, 31, 64, 130, 300, 600, 5000, 65_536, 70_001, 140_000];

interface Use {
  /** Processes a message in both directions, if there are two. */
  use(message: Uint8Array): void;
  wipe(): void;
}

const KEY = randomBytes(32);
const IV = randomBytes(16);

function keyed(module: AesModule, use: (key: WasmAesKey, message: Uint8Array) => void): Use {
  const key = new WasmAesKey(module, KEY);
  return { use: (message) => use(key, message), wipe: () => key.wipe() };
}

const USES: Readonly<Record<string, (module: AesModule) => Use>> = {
  CTR: (module) => keyed(module, (key, message) => void wasmCtr(key, IV, 128, message)),
  'CTR whose counter wraps': (module) =>
    keyed(module, (key, message) => {
      wasmCtr(key, new Uint8Array(16).fill(0xff), 64, message);
    }),
  CBC: (module) =>
    keyed(module, (key, message) => void cbcDecrypt(key, IV, cbcEncrypt(key, IV, message))),
  'CBC of many messages': (module) =>
    keyed(module, (key, message) => {
      const part = (i: number) => message.subarray(0, message.length >> (i % 5));
      const params = { iv: IV };
      const messages = Array.from({ length: 20 }, (_, i) => ({ params, data: part(i) }));
      const encrypted = cbcEncryptMany(key, messages);
      cbcDecryptMany(
        key,
        encrypted.map((data) => ({ params, data })),
      );
    }),
  ECB: (module) =>
    keyed(module, (key, message) => {
      ecbDecrypt(key, ecbEncrypt(key, message.subarray(0, message.length & ~15)));
    }),
  'key wrap': (module) =>
    keyed(module, (key, message) => {
      const secret = new Uint8Array(16 + (Math.min(304, message.length) & ~7));
      secret.set(message.subarray(0, secret.length));
      const wrapped = wrapKey(key, secret);
      unwrapKey(key, wrapped);
    }),
  CMAC: (module) => {
    const mac = new WasmCmac(new WasmAesKey(module, KEY));
    return { use: (message) => void mac.tag(message), wipe: () => mac.wipe() };
  },
  SIV: (module) => {
    const mode = wasmSiv(module, KEY);
    return {
      use: (message) => mode.open(mode.seal(message, [IV]), [IV]),
      wipe: () => mode.wipe(),
    };
  },
  'GCM-SIV': (module) => {
    const mode = new WasmGcmSiv(module, KEY);
    const nonce = IV.subarray(4);
    return {
      use: (message) => mode.open(nonce, mode.seal(nonce, message, IV), IV),
      wipe: () => mode.wipe(),
    };
  },
};

enableRelaxedSimd();
for (const variant of VARIANTS) {
  describe(`the memory of AES after use, variant ${variant}`, () => {
    for (const [name, make] of Object.entries(USES)) {
      it(`is empty: ${name}`, async () => {
        const module = await AesModule.load(loadWasm, variant);
        const used = (from: number) =>
          module.bytes.subarray(from, MEMORY_BYTES).findIndex((byte) => byte !== 0);
        const mode = make(module);
        for (const length of LENGTHS) {
          mode.use(randomBytes(length));
          expect(used(BUFFER), `buffer after ${length} bytes`).to.equal(-1);
        }
        mode.wipe();
        expect(used(SECRETS), 'all of it after wipe()').to.equal(-1);
      });
    }
  });
}
