import { expect } from 'chai';
import { LIBRARY_MODULES, MODULES } from '../../../scripts/make-wasm.ts';
import { AEGIS_MODULES } from '../../../src/algorithms/aead.ts';
import { CIPHER_MODULES } from '../../../src/library/cipher-modules.ts';
import { ENGINE_MODULES } from '../../../src/engine/wasm/module-scripts.ts';
import { SHARED_ARGON2_MODULES } from '../../../src/subtle/create-subtle.ts';

describe('the modules of the library', () => {
  it('are those that the build makes, each under its own name and in one list', () => {
    const ofLibrary = { ...AEGIS_MODULES, ...CIPHER_MODULES, ...SHARED_ARGON2_MODULES };
    const listed = [...Object.keys(ENGINE_MODULES), ...Object.keys(ofLibrary)];
    expect(listed).to.have.members(Object.keys(MODULES));
    expect(Object.keys(ofLibrary)).to.have.members(LIBRARY_MODULES);
    for (const [name, script] of Object.entries({ ...ENGINE_MODULES, ...ofLibrary })) {
      expect(String(script)).to.match(
        new RegExp(`import\\(["']wasm:${name.replace('.', '\\.')}["']\\)`),
      );
    }
  });
});
