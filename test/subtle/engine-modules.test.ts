import { expect } from 'chai';
import { MODULES } from '../../scripts/make-wasm.ts';
import { ENGINE_MODULES } from '../../src/subtle/engine-modules.ts';

describe('the modules of the library', () => {
  it('are those that the build makes, each under its own name', () => {
    expect(Object.keys(ENGINE_MODULES)).to.have.members([...Object.keys(MODULES), 'argon2id-simd']);
    for (const [name, url] of Object.entries(ENGINE_MODULES)) {
      expect(url().pathname).to.match(new RegExp(`/wasm/${name.replace('.', '\\.')}\\.wasm$`));
    }
  });
});
