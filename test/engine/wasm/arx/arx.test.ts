/**
 * The module of ChaCha20, Salsa20 and Poly1305: passes the suites of src/crypto, and leaves no data in its
 * memory.
 */
import { expect } from 'chai';
import { AuthenticationError } from '../../../../src/crypto/errors.ts';
import { ArxModule } from '../../../../src/engine/wasm/arx/arx.ts';
import {
  WasmChaCha20Poly1305,
  WasmXChaCha20Poly1305,
} from '../../../../src/engine/wasm/arx/aead.ts';
import { WasmPoly1305 } from './wasm-poly1305.ts';
import {
  BUFFER,
  LENGTHS,
  MEMORY_BYTES,
  SECRETS,
} from '../../../../src/engine/wasm/generator/arx/layout.ts';
import { describeChaChaPoly, describeXChaChaPoly } from '../../../crypto/aead/chacha-suite.ts';
import { describePoly1305 } from '../../../crypto/mac/poly1305-suite.ts';
import {
  describeChaCha20,
  describeSalsa20,
  describeXChaCha20,
} from '../../../crypto/stream/stream-suite.ts';
import { UNIT_VARIANTS } from '../../../support/depth.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

enableRelaxedSimd();

/** The buffer: ciphertext of the last part, then 256 zeros, then ciphertext of the previous part. */
function leftBySealing(ciphertext: Uint8Array): Uint8Array {
  const buffer = new Uint8Array(Math.ceil(MEMORY_BYTES / 65536) * 65536 - BUFFER);
  for (let done = 0, part = 65_472; done < ciphertext.length; done += part, part = 65_536) {
    const last = ciphertext.subarray(done, done + part);
    buffer.set(last);
    if (last.length < part) buffer.fill(0, last.length, last.length + 256);
  }
  return buffer;
}

for (const variant of UNIT_VARIANTS) {
  describe(`ARX in WebAssembly, variant ${variant}`, () => {
    let module: ArxModule;
    before(async () => {
      module = await ArxModule.load(loadWasm, variant);
    });
    const poly1305 = (key: Uint8Array, ...parts: readonly Uint8Array[]) => {
      const mac = new WasmPoly1305(module, key);
      for (const part of parts) mac.update(part);
      return mac.digest();
    };

    describe('ChaCha20', () => describeChaCha20((...args) => module.chacha20(...args)));
    describe('XChaCha20', () => describeXChaCha20((...args) => module.xchacha20(...args)));
    describe('Salsa20', () => describeSalsa20((...args) => module.salsa20(...args)));
    describe('Poly1305', () => describePoly1305(poly1305));
    describe('ChaCha20-Poly1305', () =>
      describeChaChaPoly((key) => new WasmChaCha20Poly1305(module, key)));
    describe('XChaCha20-Poly1305', () =>
      describeXChaChaPoly((key) => new WasmXChaCha20Poly1305(module, key)));

    it('keeps alternating MACs and ciphers separate', () => {
      const keys = [randomBytes(32), randomBytes(32)];
      const message = randomBytes(1000);
      const macs = keys.map((key) => new WasmPoly1305(module, key));
      for (let at = 0; at < 1000; at += 50) {
        macs.forEach((mac) => mac.update(message.subarray(at, at + 50)));
        new WasmChaCha20Poly1305(module, keys[0]!).seal(message.subarray(0, 12), message);
        module.salsa20(keys[1]!, message.subarray(0, 8), message);
      }
      const tags = macs.map((mac) => mac.digest());
      expect(tags).to.deep.equal(keys.map((key) => poly1305(key, message)));
    });

    it('ends a MAC with its digest', () => {
      const mac = new WasmPoly1305(module, randomBytes(32));
      mac.digest();
      expect(() => mac.digest()).to.throw(Error, 'ended');
      expect(() => mac.update(new Uint8Array(1))).to.throw(Error, 'ended');
    });

    const dirty = () => module.bytes.subarray(SECRETS).findIndex((byte) => byte !== 0);

    it('leaves nothing of key and message in its memory', () => {
      const [key, message] = [randomBytes(32), randomBytes(100_000)];
      module.forget();
      for (const length of [0, 1, 16, 191, 192, 193, 500, 65_472, 65_473, 65_536, 100_000]) {
        const part = message.subarray(0, length);
        module.chacha20(key, key.subarray(0, 12), 0, part);
        expect(dirty(), `chacha20 ${length}`).to.equal(-1);
        module.xchacha20(key, key.subarray(0, 24), 0, part);
        expect(dirty(), `xchacha20 ${length}`).to.equal(-1);
        module.salsa20(key, key.subarray(0, 8), part);
        expect(dirty(), `salsa20 ${length}`).to.equal(-1);
        poly1305(key, part, part);
        expect(dirty(), `poly1305 ${length}`).to.equal(-1);
      }
    });

    it('leaves only lengths, tag and ciphertext of AEADs, and no plaintext or key stream', () => {
      const [key, nonce, message] = [randomBytes(32), randomBytes(12), randomBytes(200_000)];
      const aead = new WasmChaCha20Poly1305(module, key);
      for (const length of [0, 1, 16, 191, 192, 193, 500, 65_472, 65_473, 65_536, 200_000]) {
        module.forget();
        const sealed = aead.seal(nonce, message.subarray(0, length), nonce);
        expect(module.bytes.subarray(SECRETS, LENGTHS).some((byte) => byte !== 0)).to.equal(false);
        expect(module.bytes.subarray(BUFFER)).to.deep.equal(leftBySealing(sealed.subarray(0, -16)));
        module.forget();
        aead.open(nonce, sealed, nonce);
        module.bytes.fill(0, LENGTHS, BUFFER);
        expect(dirty(), `opened ${length}`).to.equal(-1);
        sealed[0]! ^= 1;
        expect(() => aead.open(nonce, sealed, nonce)).to.throw(AuthenticationError);
        module.bytes.fill(0, LENGTHS, BUFFER);
        expect(dirty(), `refused ${length}`).to.equal(-1);
      }
    });
  });
}
