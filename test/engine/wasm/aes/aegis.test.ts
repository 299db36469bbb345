/** AEGIS by the published vectors, and by the draft's steps written block by block, at the edges of the module. */
import { expect } from 'chai';
import type { AeadKey } from '../../../../src/library/algorithms.ts';
import { aegis128l, aegis256 } from '../../../../src/library/algorithms.ts';
import { AuthenticationError } from '../../../../src/crypto/errors.ts';
import {
  AegisKey,
  loadAegis,
  WasmAegis128L,
  WasmAegis256,
} from '../../../../src/engine/wasm/aes/aegis.ts';
import { BUFFER, MEMORY_BYTES, SECRETS } from '../../../../src/engine/wasm/generator/aes/layout.ts';
import type { AegisModule } from '../../../../src/engine/wasm/aes/aegis.ts';
import { wasmFolder } from '../../../algorithms/wasm-folder.ts';
import { UNIT_VARIANTS } from '../../../support/depth.ts';
import { aegisSeal } from '../../../support/references/aegis.ts';
import { unaligned } from '../../../support/edge-lengths.ts';
import { checkAll, hex, readPublished } from '../../../support/vectors.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

enableRelaxedSimd();

interface Vector {
  readonly algorithm: 'AEGIS-128L' | 'AEGIS-256';
  readonly [field: string]: string;
}

const CLASSES = { 'AEGIS-128L': WasmAegis128L, 'AEGIS-256': WasmAegis256 };
const NAMES = ['AEGIS-128L', 'AEGIS-256'] as const;
const KEY_BYTES = { 'AEGIS-128L': 16, 'AEGIS-256': 32 };
const TAGS = [16, 32] as const;
const { vectors } = readPublished('aegis.json') as { vectors: Vector[] };
/** Every length to four updates, and around the module's 64 KiB. */
const LENGTHS = [...Array.from({ length: 130 }, (_, i) => i), 65_535, 65_536, 65_537, 65_569];

const bytesOf = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 167 + (i >> 8) * 31 + seed * 101) & 0xff);

for (const variant of UNIT_VARIANTS) {
  describe(`AEGIS in WebAssembly, variant ${variant}`, () => {
    let module: AegisModule;
    before(async () => {
      module = await loadAegis(loadWasm, variant);
    });
    const aead = (name: Vector['algorithm'], key: Uint8Array, tagBytes: number) =>
      new CLASSES[name](new AegisKey(module, key), { tagBytes });

    it('gives the vectors of the draft, with both lengths of tags', async () => {
      expect(vectors.length).to.equal(8);
      await checkAll('aegis.json', vectors, (v) => {
        for (const tagBytes of TAGS) {
          const sealed = Buffer.concat([hex(v, 'ciphertext'), hex(v, `tag${8 * tagBytes}`)]);
          const own = aead(v.algorithm, hex(v, 'key'), tagBytes);
          const [nonce, data] = [hex(v, 'nonce'), hex(v, 'associatedData')];
          expect(Buffer.from(own.seal(nonce, hex(v, 'plaintext'), data))).to.deep.equal(sealed);
          expect(own.open(nonce, sealed, data)).to.deep.equal(hex(v, 'plaintext'));
        }
      });
    });

    for (const name of NAMES) {
      it(`${name} seals as the draft's steps at every edge, unaligned and in place`, () => {
        const [key, nonce] = [bytesOf(KEY_BYTES[name], 1), bytesOf(KEY_BYTES[name], 2)];
        for (const [i, length] of LENGTHS.entries()) {
          const tagBytes = TAGS[i % 2]!;
          const own = aead(name, key, tagBytes);
          const data = bytesOf((i * 7) % 70, 3);
          const plaintext = bytesOf(length, 4);
          const wanted = aegisSeal(name, key, nonce, data, plaintext, tagBytes);
          const room = unaligned(new Uint8Array(length + tagBytes), i % 8);
          room.set(plaintext);
          const sealed = own.seal(nonce, room.subarray(0, length), data, room);
          expect(Buffer.compare(sealed, wanted), `${length}`).to.equal(0);
          expect(Buffer.compare(own.open(nonce, sealed, data, room), plaintext)).to.equal(0);
        }
      });

      it(`${name} refuses each changed part, and leaves zeros`, () => {
        const [key, nonce] = [bytesOf(KEY_BYTES[name], 1), bytesOf(KEY_BYTES[name], 2)];
        for (const tagBytes of TAGS) {
          const own = aead(name, key, tagBytes);
          const data = bytesOf(20, 3);
          const sealed = own.seal(nonce, bytesOf(45, 4), data);
          const into = new Uint8Array(45);
          for (let at = 0; at < sealed.length; at++) {
            const changed = sealed.slice();
            changed[at]! ^= 1 << (at % 8);
            expect(() => own.open(nonce, changed, data, into)).to.throw(AuthenticationError);
            expect(into.every((byte) => byte === 0)).to.equal(true);
          }
          expect(() => own.open(nonce, sealed, data.subarray(1))).to.throw();
          expect(() => own.open(bytesOf(KEY_BYTES[name], 9), sealed, data)).to.throw();
          expect(() => own.open(nonce, sealed.subarray(0, tagBytes - 1), data)).to.throw();
        }
      });

      it(`${name} leaves nothing in the memory, and a wiped key throws`, () => {
        const own = aead(name, bytesOf(KEY_BYTES[name], 1), 32);
        const sealed = own.seal(bytesOf(KEY_BYTES[name], 2), bytesOf(1000, 3), bytesOf(40, 4));
        own.open(bytesOf(KEY_BYTES[name], 2), sealed, bytesOf(40, 4));
        const secrets = module.bytes.subarray(SECRETS, MEMORY_BYTES);
        expect(secrets.findIndex((byte) => byte !== 0)).to.equal(-1);
        expect(BUFFER).to.be.above(SECRETS);
        own.wipe();
        expect(() => own.seal(bytesOf(KEY_BYTES[name], 2), bytesOf(1, 1))).to.throw('wiped');
      });
    }

    it('refuses keys, nonces and tags of other lengths', () => {
      const key = new AegisKey(module, bytesOf(24, 1));
      expect(() => new WasmAegis128L(key)).to.throw(RangeError);
      expect(() => new WasmAegis256(key)).to.throw(RangeError);
      expect(() => aead('AEGIS-256', bytesOf(32, 1), 12)).to.throw(RangeError);
      expect(() =>
        aead('AEGIS-256', bytesOf(32, 1), 16).seal(bytesOf(16, 1), bytesOf(1, 1)),
      ).to.throw(RangeError);
    });
  });
}

describe('aegis128l and aegis256 of sealwright/algorithms', () => {
  it('have both lengths of tags under one key, and end with it', async () => {
    const options = { wasmBase: (await wasmFolder()).url };
    for (const [name, load] of [
      ['AEGIS-128L', aegis128l],
      ['AEGIS-256', aegis256],
    ] as const) {
      const raw = bytesOf(KEY_BYTES[name], 5);
      const [iv, additionalData] = [bytesOf(KEY_BYTES[name], 6), bytesOf(9, 7)];
      const key: AeadKey = await load(raw, options);
      for (const tagLength of [128, 256]) {
        const sealed = key.encrypt({ iv, additionalData, tagLength }, bytesOf(77, 8));
        const wanted = aegisSeal(name, raw, iv, additionalData, bytesOf(77, 8), tagLength / 8);
        expect(Buffer.compare(sealed, wanted)).to.equal(0);
        const opened = key.decrypt({ iv, additionalData, tagLength }, sealed);
        expect(Buffer.compare(opened, bytesOf(77, 8))).to.equal(0);
      }
      key.wipe();
      expect(() => key.encrypt({ iv, tagLength: 256 }, bytesOf(1, 1))).to.throw('wiped');
    }
  });
});
