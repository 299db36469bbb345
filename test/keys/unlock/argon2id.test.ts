import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { argon2id } from '../../../src/engine/argon2id/argon2id.ts';
import { codeOf, PASSPHRASE, TestBrowser } from '../world.ts';

const load = (file: string) => async (imports: WebAssembly.Imports) => {
  const path = new URL(`../../../node_modules/argon2id/dist/${file}`, import.meta.url);
  return WebAssembly.instantiate(await readFile(path), imports);
};

describe('Vault with the real Argon2id (64 MiB, t = 3, p = 4)', function () {
  this.timeout(60_000);

  it('opens for its passphrase, in either Unicode form, and for no other', async () => {
    const derive = argon2id({ simd: load('simd.wasm'), noSimd: load('no-simd.wasm') });
    const world = new TestBrowser();
    const vault = world.vault({ derive });
    await vault.create(`${PASSPHRASE} caf\u00e9`);
    await vault.commit((draft) => draft.put({ id: 'first', type: 'note', value: 'one' }));
    await vault.lock();
    expect(await codeOf(vault.unlock(PASSPHRASE))).to.equal('WRONG_PASSPHRASE');
    const later = world.clone().vault({ derive });
    await later.unlock(`${PASSPHRASE} cafe\u0301`);
    expect((await later.read('first'))?.value).to.equal('one');
  });
});
