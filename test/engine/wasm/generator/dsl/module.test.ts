import { expect } from 'chai';
import { call } from '../../../../../src/engine/wasm/generator/dsl/body.ts';
import {
  i32,
  i64,
  i8x16,
  op,
  v128,
} from '../../../../../src/engine/wasm/generator/dsl/expression.ts';
import { lookupOf, VARIANTS } from '../../../../../src/engine/wasm/generator/dsl/lookup.ts';
import { ModuleText } from '../../../../../src/engine/wasm/generator/dsl/module.ts';
import { loadModule } from '../../../../../src/engine/wasm/loader.ts';
import { assembleCached, enableRelaxedSimd } from '../../../../support/wasm.ts';

type Numbers = Readonly<Record<string, (...args: number[]) => number>>;

const build = async (text: ModuleText, variant: 'simd' | 'relaxed' = 'simd') =>
  loadModule<Numbers>(() => assembleCached('kernel-test', text.toString()), 'test', variant);

describe('the kernel generator', () => {
  it('makes functions with parameters, variables, loops and branches', async () => {
    const text = new ModuleText(1);
    text.func('sum', { params: { to: 'i32' }, result: 'i32' }, (body, { to }) => {
      const total = body.local('i32', 0);
      body.loop(to, () => {
        const odd = body.let(i32.and(to, 1));
        body.if(
          odd,
          () => body.set(total, i32.add(total, to)),
          () => body.set(total, i32.sub(total, 1)),
        );
      });
      body.result(total);
    });
    text.func('twice', { params: { x: 'i32' }, result: 'i32' }, (body, { x }) => {
      body.result(i32.add(call('i32', 'sum', x), call('i32', 'sum', x)));
    });
    const { functions } = await build(text);
    expect(functions['sum']!(5)).to.equal(5 + 3 + 1 - 2);
    expect(functions['sum']!(0)).to.equal(0);
    expect(functions['twice']!(5)).to.equal(14);
  });

  it('keeps values that a loop reads during all iterations, and reuses locals of dead values', async () => {
    const text = new ModuleText(1);
    text.func('f', { params: { n: 'i32' }, result: 'i32' }, (body, { n }) => {
      const kept = body.let(i32.mul(n, 3));
      const total = body.local('i32');
      body.loop(n, () => {
        const a = body.let(i32.add(kept, 1));
        const b = body.let(i32.add(a, 1));
        body.set(total, i32.add(total, b));
      });
      const c = body.let(i32.add(total, 100));
      const d = body.let(i32.add(c, 1));
      body.result(d);
    });
    const { functions } = await build(text);
    expect(functions['f']!(4)).to.equal(4 * (12 + 2) + 101);
    // n, the variable, and two shared locals instead of five temporaries
    expect(text.toString().match(/\(local \$r/g)).to.have.length(2);
  });

  it('refuses a temporary outside of the block that defines it', () => {
    const text = new ModuleText(1);
    const write = () =>
      text.func('f', { params: { n: 'i32' }, result: 'i32' }, (body, { n }) => {
        let inner = body.let(i32.add(n, 1));
        body.if(n, () => (inner = body.let(i32.add(n, 2))));
        body.result(inner);
      });
    expect(write).to.throw('used outside of its block');
  });

  it('places data and exports the memory and wipe', async () => {
    const text = new ModuleText(65537);
    text.data(7, [1, 2, 255]);
    const module = await build(text);
    expect(module.bytes.length).to.equal(2 * 65536);
    expect([...module.bytes.subarray(6, 11)]).to.deep.equal([0, 1, 2, 255, 0]);
    module.functions['wipe']!(8, 1);
    expect([...module.bytes.subarray(6, 11)]).to.deep.equal([0, 1, 0, 255, 0]);
  });

  it('has a memory that grows up to its maximum, or not at all', async () => {
    const grow = async (text: ModuleText) => {
      const bytes = await assembleCached('growing', text.toString());
      const { instance } = await WebAssembly.instantiate(bytes);
      return instance.exports['memory'] as WebAssembly.Memory;
    };
    const fixed = await grow(new ModuleText(1));
    expect(() => fixed.grow(1)).to.throw(RangeError);
    const growing = await grow(new ModuleText(1, 3 * 65536));
    growing.grow(2);
    expect(growing.buffer.byteLength).to.equal(3 * 65536);
    expect(() => growing.grow(1)).to.throw(RangeError);
  });

  it('writes 64-bit and vector constants exactly', async () => {
    const text = new ModuleText(1);
    text.func('f', {}, (body) => {
      body.store(0, v128.const(Uint8Array.from({ length: 16 }, (_, i) => 17 * i)));
      body.store(16, i64.xor(0xfedc_ba98_7654_3210n, 0n));
      body.store(24, i64.const(-1n));
    });
    const { functions, bytes } = await build(text);
    functions['f']!();
    expect([...bytes.subarray(0, 16)]).to.deep.equal(Array.from({ length: 16 }, (_, i) => 17 * i));
    const view = new DataView(bytes.buffer);
    expect(view.getBigUint64(16, true)).to.equal(0xfedc_ba98_7654_3210n);
    expect(view.getBigInt64(24, true)).to.equal(-1n);
  });

  it('refuses vectors with other than 16 lanes', () => {
    expect(() => v128.const([1, 2, 3])).to.throw(RangeError, '16 lanes');
    expect(() => i8x16.shuffle(v128.load(0), v128.load(0), [1])).to.throw(RangeError);
  });

  for (const variant of VARIANTS) {
    it(`looks up 16 indices at once, and 128 … 255 as 0 (${variant})`, async () => {
      enableRelaxedSimd();
      const text = new ModuleText(1);
      text.func('f', {}, (body) => body.store(32, lookupOf(variant)(v128.load(0), v128.load(16))));
      text.func('version', { result: 'i32' }, (body) => body.result(op('i32', 'i32.const 3')));
      const { functions, bytes } = await build(text, variant);
      for (let i = 0; i < 16; i++) bytes[i] = 100 + i;
      const indices = [15, 0, 1, 2, 128, 255, 7, 200, 8, 9, 10, 11, 12, 13, 14, 143];
      bytes.set(indices, 16);
      functions['f']!();
      const expected = indices.map((index) => (index < 16 ? 100 + index : 0));
      expect([...bytes.subarray(32, 48)]).to.deep.equal(expected);
      expect(functions['version']!()).to.equal(3);
    });
  }
});
