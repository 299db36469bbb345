import { expect } from 'chai';
import { FAMILIES } from '../../scripts/make-wasm.ts';
import { VARIANTS } from '../../src/engine/wasm/kernel/lookup.ts';
import { ENGINE_MODULES } from '../../src/subtle/engine-modules.ts';

describe('the modules of the library', () => {
  it('are those that the build makes, each under its own name', () => {
    const made = Object.keys(FAMILIES).flatMap((family) =>
      VARIANTS.map((variant) => `${family}.${variant}`),
    );
    expect(Object.keys(ENGINE_MODULES)).to.have.members([...made, 'argon2id-simd']);
    for (const [name, url] of Object.entries(ENGINE_MODULES)) {
      expect(url().pathname).to.match(new RegExp(`/wasm/${name.replace('.', '\\.')}\\.wasm$`));
    }
  });
});
