import { expect } from 'chai';
import { GcmSiv } from '../../../../src/crypto/aead/gcm-siv.ts';
import { Siv } from '../../../../src/crypto/aead/siv.ts';
import { Aes } from '../../../../src/crypto/aes/block.ts';
import { WasmGcmSiv } from '../../../../src/engine/wasm/aes/gcm-siv.ts';
import { wasmSiv } from '../../../../src/engine/wasm/aes/cmac.ts';
import { AesModule } from '../../../../src/engine/wasm/aes/aes.ts';
import { describeMisuseResistant } from '../../../conformance/nonce-misuse.ts';
import { UNIT_VARIANTS } from '../../../support/depth.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

enableRelaxedSimd();

for (const variant of UNIT_VARIANTS) {
  const module = await AesModule.load(loadWasm, variant);
  describeMisuseResistant({
    title: `wasm-simd, variant ${variant}`,
    siv: (key) => wasmSiv(module, key),
    gcmSiv: (key) => new WasmGcmSiv(module, key),
  });

  describe(`wasm-simd, variant ${variant}: compared with src/crypto`, () => {
    const data = Uint8Array.from({ length: 140_000 }, (_, i) => (i * 89 + (i >> 8)) & 0xff);
    const lengths = [0, 1, 16, 100, 500, 512, 1000, 1030, 4096, 65_520, 65_536, 65_553, 140_000];

    it('AES-SIV gives the same', () => {
      for (const [i, length] of lengths.entries()) {
        const key = data.subarray(i, i + [32, 48, 64][i % 3]!);
        const half = key.length / 2;
        const js = Siv.over(new Aes(key.subarray(0, half)), new Aes(key.subarray(half)));
        const message = data.subarray(0, length);
        const strings = [data.subarray(0, 3 * i), data.subarray(5, 70)];
        expect(wasmSiv(module, key).seal(message, strings)).to.deep.equal(
          js.seal(message, strings),
        );
      }
    });

    it('AES-GCM-SIV gives the same', () => {
      for (const [i, length] of lengths.entries()) {
        const key = data.subarray(i, i + (i % 2 === 0 ? 16 : 32));
        const js = new GcmSiv(new Aes(key), i % 2 === 0 ? 16 : 32, (derived) => new Aes(derived));
        const wasm = new WasmGcmSiv(module, key);
        const [nonce, aad] = [data.subarray(i, i + 12), data.subarray(0, lengths.at(-1 - i))];
        const message = data.subarray(0, length);
        const sealed = wasm.seal(nonce, message, aad);
        expect(sealed, `${length}`).to.deep.equal(js.seal(nonce, message, aad));
        expect(wasm.open(nonce, sealed, aad)).to.deep.equal(message);
      }
    });
  });
}
