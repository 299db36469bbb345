import { expect } from 'chai';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const [HOUR, YEARS] = [3_600_000, 10 * 365 * 24 * 3_600_000];

/* A grant ends by its own time, whatever is done to the system's clock. */
describe('The clock of grants', () => {
  let world: World;
  const seal = () => codeOf(world.call('seal', { plaintext: Uint8Array.of(1) }));

  beforeEach(async () => {
    world = await World.unlocked();
  });

  /** The worker may die and the user unlocks, as a clock that is set locks the vault. */
  async function clockSet(byMs: number, { restarts = false } = {}): Promise<void> {
    world.now += byMs;
    if (restarts) world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
  }

  for (const restarts of [false, true]) {
    const when = restarts ? 'in a later worker' : 'in the same worker';
    it(`lets no grant live again when it is set back, ${when}`, async () => {
      await world.connect({ expiresInMs: HOUR });
      await clockSet(HOUR);
      expect(await seal()).to.equal('EXPIRED');
      await world.saved();
      for (const byMs of [-2 * HOUR, -YEARS]) {
        await clockSet(byMs, { restarts });
        expect(await seal()).to.equal('EXPIRED');
        await world.saved();
      }
    });

    it(`leaves a grant the time that it had, ${when}`, async () => {
      await world.connect({ expiresInMs: 3 * HOUR });
      await clockSet(HOUR);
      expect(await seal()).to.equal('ok');
      await world.saved();
      await clockSet(-YEARS, { restarts });
      expect(await seal()).to.equal('ok');
      await clockSet(2 * HOUR - 60_000);
      expect(await seal()).to.equal('ok');
      await clockSet(60_000);
      expect(await seal()).to.equal('EXPIRED');
    });

    it(`goes on after a clock that was far ahead once, ${when}`, async () => {
      await world.connect({ expiresInMs: HOUR });
      await clockSet(YEARS);
      expect(await seal()).to.equal('EXPIRED');
      await world.connect({ expiresInMs: 2 * HOUR });
      await world.saved();
      await clockSet(-YEARS, { restarts });
      expect(await seal()).to.equal('ok');
      await clockSet(2 * HOUR);
      expect(await seal()).to.equal('EXPIRED');
      const [grant] = await world.connect({ expiresInMs: HOUR });
      expect(grant!.expiresAt).to.equal(world.now + HOUR);
      expect(await seal()).to.equal('ok');
      await clockSet(HOUR, { restarts });
      expect(await seal()).to.equal('EXPIRED');
    });
  }

  it('keeps grants without a time limit, also one that was just used', async () => {
    await world.connect();
    await seal();
    await clockSet(-YEARS);
    expect(await seal()).to.equal('ok');
    await world.saved();
    await clockSet(80 * 24 * HOUR);
    expect(await seal()).to.equal('ok');
    await clockSet(91 * 24 * HOUR);
    expect(await seal()).to.equal('EXPIRED');
  });

  it('does not mind a clock that is corrected by seconds', async () => {
    await world.connect({ expiresInMs: HOUR });
    world.now += HOUR - 1000;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await seal()).to.equal('ok');
    world.now += 1000;
    expect(await seal()).to.equal('EXPIRED');
    world.now -= 60_000;
    expect(await seal()).to.equal('EXPIRED');
  });
});
