import { expect } from 'chai';
import { UNUSED_MS } from '../../../src/service/grants/grant-rules.ts';
import { LAST_USED_STEP_MS } from '../../../src/service/grants/usage-of-grants.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const DAY = 24 * 60 * 60_000;
const PAGE = { offset: 0, limit: 500 };

describe('Unused grants', () => {
  let world: World;
  const seal = () => world.call('seal', { plaintext: Uint8Array.of(1) });
  const grants = async () => (await world.surface('ui.sites', {})).flatMap((site) => site.grants);
  const notices = async () =>
    (await world.surface('ui.activity', { ...PAGE, operations: ['grantUnused'] })).entries;
  /** As the browser's next day: the worker has died, and the vault has locked itself. */
  const unlockAfter = async (ms: number) => {
    await world.surface('ui.lock', {});
    world.now += ms;
    world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
  };

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
  });

  it('have ended after ninety days, and the log says so once', async () => {
    await unlockAfter(UNUSED_MS - DAY);
    expect(await notices()).to.have.length(0);
    expect((await grants())[0]!.expiresAt).to.equal(null);
    await unlockAfter(DAY);
    const [notice] = await notices();
    expect(notice).to.deep.include({ origin: pageCaller().origin, result: 'ok' });
    expect(notice!.key).to.include({ ref: 'app' });
    expect(world.events.log).to.include(`grantchange ${pageCaller().origin}`);
    expect((await grants())[0]!.expiresAt).to.be.at.most(world.now);
    expect(await codeOf(seal())).to.equal('EXPIRED');
    await unlockAfter(DAY);
    expect(await notices()).to.have.length(1);
  });

  it('go on from each use, which is saved without any call waiting for it', async () => {
    for (let month = 0; month < 6; month++) {
      await unlockAfter(30 * DAY);
      const before = world.stored();
      await seal();
      if (month > 0) expect(world.stored()).to.equal(before); // the first one drew the site's key
      await world.saved();
    }
    expect(await notices()).to.have.length(0);
    expect((await grants())[0]!.lastUsed).to.equal(world.now);
    world.restart();
    expect((await grants())[0]!.lastUsed).to.equal(world.now);
  });

  it('are asked for again, and given anew', async () => {
    await unlockAfter(UNUSED_MS);
    expect(await grants()).to.have.length(1);
    await world.connect();
    expect(await codeOf(seal())).to.equal('ok');
    expect(await grants()).to.have.length(1);
  });

  it('save a use once an hour', async () => {
    await seal();
    await world.saved();
    const first = world.now;
    world.now += LAST_USED_STEP_MS - 1;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await seal();
    await world.saved();
    expect((await grants())[0]!.lastUsed).to.equal(first);
  });

  it('wait on with what is to be saved where there is no room', async () => {
    await seal();
    const at = world.now;
    world.copy.write = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    await world.saved();
    delete (world.copy as { write?: unknown }).write;
    world.now += 60_000;
    await seal();
    await world.saved();
    world.restart();
    expect((await grants())[0]!.lastUsed).to.equal(at);
  });
});
