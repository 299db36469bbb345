/**
 * Compares the AES module with the js engine at the module's own edges: the 64 KiB buffer, groups of 8
 * blocks, runs of 256 counters, the limit between few and many blocks, alternating keys.
 */
import { expect } from 'chai';
import { Ccm } from '../../../../src/crypto/aead/ccm.ts';
import { Gcm } from '../../../../src/crypto/aead/gcm.ts';
import { Ocb } from '../../../../src/crypto/aead/ocb.ts';
import { Aes } from '../../../../src/crypto/aes/block.ts';
import type { Aead, BlockCipher } from '../../../../src/crypto/contracts.ts';
import { AuthenticationError } from '../../../../src/crypto/errors.ts';
import { cbcDecrypt, cbcEncrypt } from '../../../../src/crypto/mode/cbc.ts';
import { Cmac } from '../../../../src/crypto/mac/cmac.ts';
import { ctr } from '../../../../src/crypto/mode/ctr.ts';
import { AesModule } from '../../../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../../../src/engine/wasm/aes/block-cipher.ts';
import { WasmCcm } from '../../../../src/engine/wasm/aes/ccm.ts';
import { WasmCmac } from '../../../../src/engine/wasm/aes/cmac.ts';
import { wasmCtr } from '../../../../src/engine/wasm/aes/ctr.ts';
import { WasmGcm } from '../../../../src/engine/wasm/aes/gcm.ts';
import { WasmOcb } from '../../../../src/engine/wasm/aes/ocb.ts';
import { BUFFER, MEMORY_BYTES, SECRETS } from '../../../../src/engine/wasm/generator/aes/layout.ts';
import { UNIT_VARIANTS } from '../../../support/depth.ts';
import { unaligned } from '../../../support/edge-lengths.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

enableRelaxedSimd();

/** Lengths around every change of the module's method. */
const LENGTHS = [
  0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 79, 80, 96, 127, 128, 129, 144, 240, 255, 256, 257,
  495, 496, 497, 511, 512, 513, 528, 640, 1000, 1008, 1023, 1024, 1025, 1040, 4080, 4095, 4096,
  4097, 65503, 65504, 65505, 65519, 65520, 65521, 65535, 65536, 65537, 65552, 131_071, 131_072,
  200_001,
];

const bytesOf = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 167 + (i >> 8) * 31 + seed * 101) & 0xff);

const KEYS = [16, 24, 32].map((length) => bytesOf(length, 7));
const DATA = bytesOf(200_001, 3);

for (const variant of UNIT_VARIANTS) {
  describe(`AES in WebAssembly, variant ${variant}`, () => {
    let module: AesModule;
    before(async () => {
      module = await AesModule.load(loadWasm, variant);
    });

    for (const key of KEYS) {
      describe(`key of ${key.length} bytes`, () => {
        let wasm: WasmAesKey;
        let js: BlockCipher;
        before(() => {
          wasm = new WasmAesKey(module, key);
          js = new Aes(key);
        });

        const same = (run: (cipher: BlockCipher, length: number) => Uint8Array) => () => {
          for (const length of LENGTHS) {
            expect(run(wasm, length), `${length}`).to.deep.equal(run(js, length));
          }
        };
        const whole = (length: number) => DATA.subarray(0, length & ~15);

        it('encrypts and decrypts blocks', () => {
          for (const length of LENGTHS) {
            const target = new Uint8Array(length & ~15);
            const expected = new Uint8Array(length & ~15);
            wasm.encryptBlocks(whole(length), target);
            js.encryptBlocks(whole(length), expected);
            expect(target, `${length}`).to.deep.equal(expected);
            wasm.decryptBlocks(target, target);
            expect(target, `${length}`).to.deep.equal(whole(length));
          }
        });

        it(
          'CBC, encryption',
          same((cipher, length) => cbcEncrypt(cipher, KEYS[0]!, DATA.subarray(0, length))),
        );

        it('CBC, decryption', () => {
          for (const length of LENGTHS) {
            const plaintext = DATA.subarray(0, length);
            const ciphertext = cbcEncrypt(js, KEYS[0]!, plaintext);
            expect(cbcDecrypt(wasm, KEYS[0]!, ciphertext), `${length}`).to.deep.equal(plaintext);
          }
        });

        it('CMAC, whole and in pieces', () => {
          const mac = new WasmCmac(wasm);
          const expected = new Cmac(js);
          for (const [i, length] of LENGTHS.entries()) {
            const message = DATA.subarray(0, length);
            const tag = expected.tag(message);
            expect(mac.tag(message), `${length}`).to.deep.equal(tag);
            for (const cut of [1, 16, LENGTHS[i >> 1]!, length]) {
              const pieces = [message.subarray(0, cut), message.subarray(cut)];
              expect(mac.tag(...pieces), `${length} at ${cut}`).to.deep.equal(tag);
            }
          }
          expect(() => mac.tag([1] as unknown as Uint8Array)).to.throw(TypeError, 'message');
        });

        it('CTR, for every low counter byte and width, with every carry', () => {
          for (const [i, length] of LENGTHS.entries()) {
            const counter = bytesOf(16, i);
            if (i % 3 === 1) counter.fill(0xff, 1 + (i % 13));
            if (i % 3 === 2) counter.fill(0xff, 13, 15);
            const bits = [128, 64, 32, 33, 24, 17][i % 6]!;
            const data = DATA.subarray(0, length);
            const expected = ctr(js, counter, bits, data);
            expect(wasmCtr(wasm, counter, bits, data), `${length}`).to.deep.equal(expected);
            expect(ctr(wasm, counter, bits, data), `${length}`).to.deep.equal(expected);
          }
        });

        it('refuses a message longer than its counter', () => {
          expect(() => wasmCtr(wasm, new Uint8Array(16), 3, DATA)).to.throw(RangeError);
        });
      });
    }

    const aeads: [string, number[], (key: WasmAesKey) => Aead, (aes: Aes) => Aead][] = [
      ['GCM', [12, 1, 16, 61], (key) => new WasmGcm(key), (aes) => new Gcm(aes)],
      ['CCM', [12, 7, 11], (key) => new WasmCcm(key), (aes) => new Ccm(aes)],
      ['OCB', [12, 15, 1], (key) => new WasmOcb(key), (aes) => new Ocb(aes)],
    ];
    for (const [name, nonces, make, reference] of aeads) {
      describe(name, () => {
        let wasm: Aead[];
        let js: Aead[];
        before(() => {
          wasm = KEYS.map((key) => make(new WasmAesKey(module, key)));
          js = KEYS.map((key) => reference(new Aes(key)));
        });

        it('seals as js does and opens it, with alternating keys', () => {
          for (const [i, length] of LENGTHS.entries()) {
            const which = i % KEYS.length;
            const nonce = bytesOf(nonces[i % nonces.length]!, i);
            // Short nonces of CCM are for long messages only, and the other way round.
            if (name === 'CCM' && length > 65535 && nonce.length > 12) continue;
            const associatedData = DATA.subarray(0, LENGTHS[(i * 7) % LENGTHS.length]);
            const plaintext = unaligned(DATA.subarray(0, length), i % 8);
            const sealed = wasm[which]!.seal(nonce, plaintext, associatedData);
            const expected = js[which]!.seal(nonce, plaintext, associatedData);
            expect(sealed, `${length}`).to.deep.equal(expected);
            const opened = wasm[which]!.open(nonce, unaligned(sealed, (i + 3) % 8), associatedData);
            expect(opened, `${length}`).to.deep.equal(plaintext);
          }
        });

        it('works in place and returns a view of into', () => {
          for (const length of [0, 1, 16, 100, 1000, 70_000]) {
            const buffer = new Uint8Array(length + 40).fill(0xee);
            buffer.set(DATA.subarray(0, length));
            const nonce = bytesOf(12, length);
            const sealed = wasm[0]!.seal(nonce, buffer.subarray(0, length), undefined, buffer);
            expect(sealed.buffer).to.equal(buffer.buffer);
            expect(sealed).to.deep.equal(js[0]!.seal(nonce, DATA.subarray(0, length)));
            expect(buffer.subarray(length + 16)).to.deep.equal(new Uint8Array(24).fill(0xee));
            const opened = wasm[0]!.open(nonce, sealed, undefined, buffer);
            expect(opened.buffer).to.equal(buffer.buffer);
            expect(opened).to.deep.equal(DATA.subarray(0, length));
          }
        });

        it('refuses every changed part and leaves no plaintext', () => {
          for (const length of [0, 1, 40, 600, 70_000]) {
            const nonce = bytesOf(12, length);
            const sealed = wasm[0]!.seal(nonce, DATA.subarray(0, length), KEYS[0]);
            for (const at of [0, length >> 1, length, length + 15]) {
              const changed = sealed.slice();
              changed[at]! ^= 4;
              const into = new Uint8Array(length);
              const open = () => wasm[0]!.open(nonce, changed, KEYS[0], into);
              expect(open, `${length} ${at}`).to.throw(AuthenticationError);
              expect(into).to.deep.equal(new Uint8Array(length));
            }
            expect(() => wasm[0]!.open(nonce, sealed)).to.throw(AuthenticationError);
            expect(() => wasm[0]!.open(bytesOf(12, 99), sealed, KEYS[0])).to.throw(
              AuthenticationError,
            );
          }
          expect(() => wasm[0]!.open(KEYS[0]!.subarray(0, 12), new Uint8Array(15))).to.throw(
            AuthenticationError,
          );
        });

        it('refuses wrong arguments with their names', () => {
          const [aead] = wasm;
          expect(() => aead!.seal(new Uint8Array(0), DATA)).to.throw(RangeError, 'nonce');
          expect(() => aead!.seal(KEYS[0]!.subarray(4), 'text' as never)).to.throw(
            TypeError,
            'plain',
          );
          const short = () => aead!.seal(KEYS[0]!.subarray(4), DATA, undefined, new Uint8Array(9));
          expect(short).to.throw(RangeError, 'into');
        });

        it('leaves no data in the buffer, and nothing at all after the key is wiped', () => {
          const aead = make(new WasmAesKey(module, KEYS[1]!));
          for (const length of [0, 1, 16, 33, 65, 130, 300, 600, 5000, DATA.length]) {
            const data = DATA.subarray(0, length);
            const sealed = aead.seal(bytesOf(12, 1), data, data.subarray(0, 100));
            expect(nonZero(module.bytes, BUFFER - 512, MEMORY_BYTES), `${length}`).to.equal(0);
            aead.open(bytesOf(12, 1), sealed, data.subarray(0, 100));
            expect(nonZero(module.bytes, BUFFER - 512, MEMORY_BYTES), `${length}`).to.equal(0);
          }
          aead.wipe();
          expect(nonZero(module.bytes, SECRETS, MEMORY_BYTES)).to.equal(0);
          expect(() => aead.seal(bytesOf(12, 1), DATA)).to.throw('wiped');
        });
      });
    }

    it('refuses keys of other lengths', () => {
      expect(() => new WasmAesKey(module, new Uint8Array(17))).to.throw(RangeError, 'key');
    });
  });
}

function nonZero(bytes: Uint8Array, from: number, to: number): number {
  return bytes.subarray(from, to).filter((byte) => byte !== 0).length;
}
