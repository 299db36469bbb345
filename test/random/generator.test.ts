import { createCipheriv } from 'node:crypto';
import { expect } from 'chai';
import { fromHex, toHex } from '../../src/crypto/bytes.ts';
import { NotSeededError } from '../../src/random/contract.ts';
import { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../src/engine/wasm/aes/block-cipher.ts';
import { loadWasm } from '../support/wasm.ts';
import { ForwardAes } from '../../src/crypto/aes/forward.ts';
import { FortunaGenerator, generateBlocks, MAX_REQUEST_BYTES } from '../../src/random/generator.ts';

const seeded = (seed = 'seed'): FortunaGenerator => {
  const generator = new FortunaGenerator();
  generator.reseed(Buffer.from(seed));
  return generator;
};

describe('FortunaGenerator', () => {
  it('refuses before its first seed', () => {
    const generator = new FortunaGenerator();
    expect(generator.seeded).to.equal(false);
    expect(() => generator.generate(1)).to.throw(NotSeededError);
    expect(() => generator.generate(0)).to.throw(NotSeededError);
    generator.reseed(new Uint8Array(1));
    expect(generator.seeded).to.equal(true);
    expect(generator.generate(1)).to.have.length(1);
  });

  it('refuses an empty seed, which leaves it as it was', () => {
    const generator = new FortunaGenerator();
    expect(() => generator.reseed(new Uint8Array(0))).to.throw(RangeError, 'seed');
    expect(generator.seeded).to.equal(false);
  });

  it('gives 0 … 2^20 bytes and no more', () => {
    const generator = seeded();
    for (const length of [0, 1, 15, 16, 17, MAX_REQUEST_BYTES]) {
      expect(generator.generate(length)).to.have.length(length);
    }
    expect(MAX_REQUEST_BYTES).to.equal(1_048_576);
    expect(() => generator.generate(MAX_REQUEST_BYTES + 1)).to.throw(RangeError, 'lengthBytes');
    expect(() => generator.generate(-1)).to.throw(RangeError, 'lengthBytes');
    expect(() => generator.generate(1.5)).to.throw(TypeError, 'lengthBytes');
  });

  it('replaces its key after each request: two short requests differ from one long one', () => {
    const whole = toHex(seeded().generate(64));
    const generator = seeded();
    const first = toHex(generator.generate(32));
    const second = toHex(generator.generate(32));
    expect(whole.startsWith(first)).to.equal(true);
    expect(whole.endsWith(second)).to.equal(false);
  });

  it('replaces its key also after a request for 0 bytes', () => {
    const generator = seeded();
    generator.generate(0);
    expect(toHex(generator.generate(16))).to.not.equal(toHex(seeded().generate(16)));
  });

  it('gives the same bytes with the AES of constant time, whenever that comes', async () => {
    const aes = await AesModule.load(loadWasm);
    const made: WasmAesKey[] = [];
    for (const late of [0, 1, 5]) {
      const [tables, switching] = [seeded(), seeded()];
      for (const [i, length] of [0, 1, 16, 33, 4_096, 70_000].entries()) {
        if (i === late) {
          switching.useCipher((key) => {
            made.push(new WasmAesKey(aes, key));
            return made.at(-1)!;
          });
        }
        expect(toHex(switching.generate(length))).to.equal(toHex(tables.generate(length)));
      }
    }
    for (const key of made) expect(() => key.use(), 'wiped').to.throw('wiped');
    expect(made).to.have.length(6 + 5 + 1);
  });

  it('keeps its entropy when it is reseeded', () => {
    const outputs = ['one', 'two'].map((seed) => {
      const generator = seeded(seed);
      generator.reseed(Buffer.from('the same'));
      return toHex(generator.generate(32));
    });
    expect(outputs[0]).to.not.equal(outputs[1]);
  });

  it('carries between all bytes of its counter, which wraps at 2^128', () => {
    const key = Uint8Array.from({ length: 32 }, (_, i) => i);
    for (const start of ['ff', 'ffff', 'ffffffff', 'ffffffffffffffff', 'ff'.repeat(16)]) {
      const counter = fromHex(start.padEnd(32, '0'));
      const second = toHex(generateBlocks(new ForwardAes(key), counter, 32)).slice(32);
      const next = (BigInt(`0x${start}`) + 1n) % 2n ** 128n;
      const block = Buffer.from(next.toString(16).padStart(32, '0'), 'hex').reverse();
      const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
      expect(second).to.equal(cipher.update(block).toString('hex'));
    }
  });

  it('does not change the seed and refuses other types', () => {
    const seed = Uint8Array.of(1, 2, 3);
    seeded().reseed(seed);
    expect([...seed]).to.deep.equal([1, 2, 3]);
    expect(() => seeded().reseed('seed' as unknown as Uint8Array)).to.throw(TypeError, 'seed');
  });
});
