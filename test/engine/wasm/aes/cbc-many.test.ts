/** Compares CBC of many messages with the js engine, message by message. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Aes } from '../../../../src/crypto/aes/block.ts';
import { cbcEncrypt } from '../../../../src/crypto/mode/cbc.ts';
import { cbcDecryptMany } from '../../../../src/engine/wasm/aes/cbc-decrypt-many.ts';
import { cbcEncryptMany } from '../../../../src/engine/wasm/aes/cbc-many.ts';
import { AesModule } from '../../../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../../../src/engine/wasm/aes/block-cipher.ts';
import { CBC_LANE_BYTES } from '../../../../src/engine/wasm/generator/aes/layout.ts';
import { UNIT_VARIANTS } from '../../../support/depth.ts';
import { EDGE_LENGTHS, unaligned } from '../../../support/edge-lengths.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

enableRelaxedSimd();

/** Lengths around the end of a lane and of several, with and without space for the padding. */
const LANE_EDGES = [1, 2, 3].flatMap((lanes) =>
  [-17, -16, -15, -1, 0, 1, 16].map((more) => lanes * CBC_LANE_BYTES + more),
);

for (const variant of UNIT_VARIANTS) {
  describe(`CBC of many messages at once, variant ${variant}`, () => {
    let module: AesModule;
    before(async () => {
      module = await AesModule.load(loadWasm, variant);
    });

    const check = (lengths: readonly number[], keyBytes = 32): void => {
      const bytes = randomBytes(keyBytes);
      const [key, reference] = [new WasmAesKey(module, bytes), new Aes(bytes)];
      const messages = lengths.map((length, i) => ({
        params: { iv: unaligned(randomBytes(16), i % 7) },
        data: unaligned(randomBytes(length), (i + 3) % 8),
      }));
      const before = messages.map(({ data }) => data.slice());
      const encrypted = cbcEncryptMany(key, messages);
      expect(encrypted.length).to.equal(lengths.length);
      const back = cbcDecryptMany(
        key,
        messages.map(({ params }, i) => ({ params, data: encrypted[i]! })),
      );
      expect(back).to.deep.equal(before);
      messages.forEach(({ params, data }, i) => {
        const expected = cbcEncrypt(reference, params.iv, before[i]!);
        expect(encrypted[i], `message ${i}, ${lengths[i]} B`).to.deep.equal(expected);
        expect(data, 'unchanged').to.deep.equal(before[i]);
      });
      key.wipe();
    };

    it('accepts any number of messages, also none', () => {
      for (let count = 0; count <= 35; count++) {
        check(Array.from({ length: count }, (_, i) => 70 + ((i * 37) % 200)));
      }
    });

    it('of one length, so that all lanes end at once', () => {
      for (const keyBytes of [16, 24, 32]) {
        for (const length of EDGE_LENGTHS) {
          const lengths = Array.from({ length: 16 }, () => length);
          check(lengths, keyBytes);
        }
      }
    });

    it('of all edge lengths together, in either order', () => {
      check(EDGE_LENGTHS);
      check([...EDGE_LENGTHS].reverse());
    });

    it('longer than a lane, from any position in it', () => {
      check(LANE_EDGES);
      check([...LANE_EDGES, ...EDGE_LENGTHS, ...[...LANE_EDGES].reverse()]);
      check(Array.from({ length: 16 }, () => 2 * CBC_LANE_BYTES));
      check([100_001, ...Array.from({ length: 30 }, (_, i) => 10 * i), 100_000]);
    });

    it('of any lengths', () => {
      const lengths = fc.array(fc.nat({ max: 9000 }), { maxLength: 60 });
      fc.assert(
        fc.property(lengths, (all) => check(all)),
        { numRuns: 30 },
      );
    });

    it('does not affect other keys of the module', () => {
      const bytes = randomBytes(32);
      const [key, other] = [new WasmAesKey(module, bytes), new WasmAesKey(module, randomBytes(16))];
      const data = randomBytes(300);
      const iv = randomBytes(16);
      const alone = cbcEncrypt(key, iv, data);
      const messages = Array.from({ length: 16 }, () => ({ params: { iv }, data }));
      cbcEncryptMany(other, messages);
      expect(cbcEncryptMany(key, messages)).to.deep.equal(messages.map(() => alone));
      expect(cbcEncrypt(key, iv, data)).to.deep.equal(alone);
    });

    it('in place, and each into its own target', () => {
      const key = new WasmAesKey(module, randomBytes(32));
      const plaintexts = [0, 1, 15, 16, 100, 5000, 70_000, 3, 4].map(randomBytes);
      const rooms = plaintexts.map((plaintext) => {
        const room = unaligned(new Uint8Array(plaintext.length + 16), 5);
        room.set(plaintext);
        return room;
      });
      const params = { iv: randomBytes(16) };
      const encrypted = cbcEncryptMany(
        key,
        plaintexts.map(({ length }, i) => ({
          params,
          data: rooms[i]!.subarray(0, length),
          into: rooms[i],
        })),
      );
      encrypted.forEach((one, i) => {
        expect(one.buffer === rooms[i]!.buffer).to.equal(true);
        expect(one).to.deep.equal(cbcEncrypt(key, params.iv, plaintexts[i]!));
      });
      const opened = cbcDecryptMany(
        key,
        encrypted.map((data) => ({ params, data, into: data })),
      );
      expect(opened).to.deep.equal(plaintexts);
      expect(opened[4]!.buffer === rooms[4]!.buffer).to.equal(true);
    });

    it('an invalid ciphertext has no plaintext and does not affect the others', () => {
      const key = new WasmAesKey(module, randomBytes(32));
      const params = { iv: randomBytes(16) };
      const good = cbcEncrypt(key, params.iv, randomBytes(100));
      const long = cbcEncrypt(key, params.iv, randomBytes(70_000));
      const unpadded = (bytes: number) => {
        const data = new Uint8Array(bytes);
        // Zeros at its end: not a padding of PKCS#7.
        key.cbcEncryptBlocks(params.iv.slice(), new Uint8Array(bytes), data);
        return data;
      };
      const wrong = [good.subarray(1), new Uint8Array(0), unpadded(16), unpadded(70_000)];
      const all = [good, ...wrong.flatMap((one) => [one, good]), long];
      const messages = all.map((data) => ({
        params,
        data: data.slice(),
        into: new Uint8Array(80_000),
      }));
      const opened = cbcDecryptMany(key, messages);
      opened.forEach((one, i) => {
        expect(one?.length, `${i}`).to.equal(
          i % 2 === 1 && i < 9 ? undefined : i === 9 ? 70_000 : 100,
        );
        if (!one) expect(messages[i]!.into.every((byte) => byte === 0)).to.equal(true);
      });
    });

    it('names the wrong argument before any work', () => {
      const key = new WasmAesKey(module, randomBytes(32));
      const good = { params: { iv: randomBytes(16) }, data: randomBytes(5) };
      const short = { params: { iv: randomBytes(15) }, data: randomBytes(5) };
      const text = { params: good.params, data: 'text' as unknown as Uint8Array };
      expect(() => cbcEncryptMany(key, [good, short])).to.throw(
        RangeError,
        'messages[1].params.iv',
      );
      expect(() => cbcDecryptMany(key, [good, short])).to.throw(
        RangeError,
        'messages[1].params.iv',
      );
      expect(() => cbcEncryptMany(key, [good, text])).to.throw(TypeError, 'messages[1].data');
    });
  });
}
