import { expect } from 'chai';
import sinon from 'sinon';
import { outcomes, packedOf } from '../../support/packed.ts';
import { World } from '../../support/service-world.ts';

/* A call that a page waits for reads nothing that the worker knows already. */
describe('The hot path', () => {
  let world: World;
  let reads: sinon.SinonSpy[];

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
    await world.call('seal', { plaintext: new Uint8Array(16) });
    const { primary, copy, session, notes } = world;
    reads = [primary, copy, session, notes].map((store) => sinon.spy(store, 'get'));
  });

  const countReads = (): number => reads.reduce((sum, read) => sum + read.callCount, 0);

  it('reads no store and no session while the vault is unlocked', async () => {
    const sealed = await world.call('seal', { plaintext: new Uint8Array(16) });
    await world.call('open', { sealed }); // the first use of a key to open reads its record
    const before = countReads();
    for (let i = 0; i < 5; i++) {
      const again = await world.call('seal', { plaintext: new Uint8Array(16) });
      await world.call('open', { sealed: again });
      const batch = await world.call('sealMany', { items: packedOf(Uint8Array.of(i)) });
      expect(outcomes(await world.call('openMany', { items: batch.items }))).to.deep.equal([
        Uint8Array.of(i),
      ]);
    }
    expect(countReads()).to.equal(before);
  });

  it('sees at once that another context has locked the vault', async () => {
    // What another worker, or the popup, does to the session store.
    await world.session.remove('vault/key');
    const locked = world.call('seal', { plaintext: new Uint8Array(16) });
    expect(await locked.catch((error: unknown) => error)).to.have.property('code', 'LOCKED');
  });

  it('sees at once that a grant was revoked', async () => {
    const [grant] = await world.call('grants', {});
    await world.surface('ui.revoke', { grantIds: [grant!.id] });
    const refused = world.call('seal', { plaintext: new Uint8Array(16) });
    expect(await refused.catch((error: unknown) => error)).to.have.property('code', 'NOT_GRANTED');
  });

  it('reads again after the worker has died, and then no more', async () => {
    world.restart();
    await world.call('seal', { plaintext: new Uint8Array(16) });
    const before = countReads();
    expect(before).to.be.greaterThan(0);
    await world.call('seal', { plaintext: new Uint8Array(16) });
    expect(countReads()).to.equal(before);
  });
});
