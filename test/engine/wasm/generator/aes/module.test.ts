import { expect } from 'chai';
import { VARIANTS } from '../../../../../src/engine/wasm/generator/dsl/lookup.ts';
import { aesModule } from '../../../../../src/engine/wasm/generator/aes/aes.ts';
import { SECRETS } from '../../../../../src/engine/wasm/generator/aes/layout.ts';
import { assembleCached, enableRelaxedSimd } from '../../../../support/wasm.ts';

describe('the text of the AES module', () => {
  before(() => enableRelaxedSimd());

  for (const variant of VARIANTS) {
    it(`has no instruction whose time depends on its operands (${variant})`, () => {
      const names = new Set(aesModule(variant).match(/(?<=\()[a-z][\w.]*/g));
      const variable = [...names].filter((name) =>
        /div|rem|sqrt|f32|f64|select$|br_table/.test(name),
      );
      expect(names.has('v128.xor'), 'instructions are found').to.be.true;
      expect(variable).to.deep.equal([]);
    });

    it(`imports nothing and is the same each time (${variant})`, async () => {
      const text = aesModule(variant);
      expect(aesModule(variant)).to.equal(text);
      const module = await WebAssembly.compile(await assembleCached(`aes.${variant}`, text));
      expect(WebAssembly.Module.imports(module)).to.deep.equal([]);
      const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
      expect(exported).to.include.members(['memory', 'wipe', 'expandKey', 'counterMany']);
    });
  }

  it('has relaxed instructions in the relaxed variant only', () => {
    expect(aesModule('simd')).to.not.contain('relaxed');
    expect(aesModule('relaxed')).to.contain('i8x16.relaxed_swizzle');
  });

  it('has constants below the secrets only', () => {
    const [, offset, bytes] = /\(data \(i32\.const (\d+)\) "([^"]*)"/.exec(aesModule('simd'))!;
    expect(Number(offset) + bytes!.length / 3).to.be.at.most(SECRETS);
  });
});
