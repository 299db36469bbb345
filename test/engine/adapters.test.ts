import { chacha20poly1305, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { salsa20 } from '@noble/ciphers/salsa.js';
import { expect } from 'chai';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { JS_ARX_CIPHERS, type ArxCiphers } from '../../src/engine/adapters.ts';
import { ArxModule } from '../../src/engine/wasm/arx/arx.ts';
import { arxAlgorithms } from '../../src/engine/wasm/arx/aead.ts';
import { randomBytes } from '../support/random-bytes.ts';
import { loadWasm } from '../support/wasm.ts';

const engines = {
  js: () => Promise.resolve(JS_ARX_CIPHERS),
  'wasm-simd': async () => arxAlgorithms(await ArxModule.load(loadWasm)),
};

for (const [name, load] of Object.entries(engines)) {
  describe(`the Salsa20 family as ciphers of the engine ${name}`, () => {
    let ciphers: ArxCiphers;
    before(async () => {
      ciphers = await load();
    });

    for (const [algorithm, nonceBytes, peer] of [
      ['ChaCha20-Poly1305', 12, chacha20poly1305],
      ['XChaCha20-Poly1305', 24, xchacha20poly1305],
    ] as const) {
      it(`${algorithm}: seals and opens, also into a given array, with tags of 16 bytes only`, async () => {
        const [key, nonce, data] = [randomBytes(32), randomBytes(nonceBytes), randomBytes(70)];
        const params = { nonce, associatedData: randomBytes(5), tagBytes: 16 };
        const keyed = await ciphers[algorithm].withKey(key);
        const sealed = await keyed.encrypt(params, data);
        expect(sealed).to.deep.equal(peer(key, nonce, params.associatedData).encrypt(data));
        const room = new Uint8Array(100);
        const opened = await keyed.decrypt(params, sealed, room);
        expect(opened).to.deep.equal(data);
        expect(opened.buffer).to.equal(room.buffer);
        sealed[3]! ^= 1;
        expect(() => keyed.decrypt(params, sealed)).to.throw(AuthenticationError);
        for (const tagBytes of [12, 0, 32]) {
          const short = { ...params, tagBytes };
          expect(() => keyed.encrypt(short, data)).to.throw(RangeError, 'tagBytes');
          expect(() => keyed.decrypt(short, sealed)).to.throw(RangeError, 'tagBytes');
        }
        keyed.wipe();
        expect(await keyed.encrypt(params, data)).to.not.deep.equal(sealed);
      });
    }

    it('Salsa20: encrypts and decrypts with a copy of its key, also into a given array', async () => {
      const [key, nonce, data] = [randomBytes(32), randomBytes(8), randomBytes(100)];
      const expected = salsa20(key, nonce, data.slice(), undefined, 9);
      const params = { nonce, rounds: 20, counter: 9n } as const;
      const keyed = await ciphers.Salsa20.withKey(key);
      key.fill(0);
      const room = new Uint8Array(120);
      const text = await keyed.encrypt(params, data, room);
      expect(text).to.deep.equal(expected);
      expect(text.buffer).to.equal(room.buffer);
      expect(await keyed.decrypt(params, text)).to.deep.equal(data);
      const few = await keyed.encrypt({ ...params, rounds: 8 }, data);
      expect(few).to.not.deep.equal(expected);
    });
  });
}
