import { expect } from 'chai';
import { fastestArgon2id } from '../../../src/engine/fastest-argon2id.ts';
import { loadWasm } from '../../support/wasm.ts';
import { PASSPHRASE, TestBrowser } from '../world.ts';
import { codeOf } from '../../support/outcomes.ts';

describe('Vault with the real Argon2id (64 MiB, t = 3, p = 4)', function () {
  this.timeout(60_000);

  it('opens for its passphrase, in either Unicode form, and for no other', async () => {
    const derive = fastestArgon2id(loadWasm);
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
