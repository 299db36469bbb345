import { expect } from 'chai';
import { fromBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { AUTO_LOCK_MS } from '../../../src/service/vault/lock-keeper.ts';
import { SEED_BYTES, SEED_REWRITE_MS } from '../../../src/service/random/seed-file.ts';
import { inDepth } from '../../support/depth.ts';
import { PASSPHRASE, World, diesAtWrite } from '../../support/service-world.ts';

const MOVEMENTS = { source: 'pointer', digest: new Uint8Array(32), events: 32 } as const;
const KILLS = inDepth(200, 60);

describe('seed file', () => {
  let world: World;
  let stirred: string[];

  beforeEach(async () => {
    stirred = [];
    world = World.fresh();
    Object.assign(world.random, { stir: (seed: Uint8Array) => stirred.push(toHex(seed)) });
    world.restart();
    await world.surface('ui.createVault', { passphrase: PASSPHRASE });
    await world.surface('ui.setAutoLock', { autoLockMs: AUTO_LOCK_MS.max });
  });

  const seed = async (): Promise<string | undefined> => {
    const value = (await world.vault.read('fortuna-seed'))?.value;
    return typeof value === 'string' ? toHex(fromBase64url(value)) : undefined;
  };
  const unlock = async (): Promise<void> => {
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
  };
  const isStirred = async (wanted: string | undefined): Promise<void> => {
    const deadline = performance.now() + 10_000;
    while (!stirred.includes(wanted!) && performance.now() < deadline) {
      await new Promise(setImmediate);
    }
    expect(stirred).to.include(wanted);
  };

  it('is made with a vault, sealed, in the commit of the log', async () => {
    expect(await seed()).to.equal(undefined);
    await world.saved();
    expect(await seed()).to.have.length(2 * SEED_BYTES);
    expect(world.stored()).to.not.include(Buffer.from('fortuna-seed').toString('hex'));
    expect(world.stored()).to.not.include(await seed());
  });

  it('is mixed in at each unlock, and then replaced', async () => {
    await world.saved();
    const seen = new Set([await seed()]);
    for (let unlocks = 1; unlocks <= 5; unlocks++) {
      const before = await seed();
      await world.surface('ui.lock', {});
      world.restart();
      stirred.length = 0;
      await unlock();
      await isStirred(before);
      await world.saved();
      seen.add(await seed());
      expect(seen.size).to.equal(unlocks + 1);
    }
  });

  it('is rewritten after ten minutes, with the log or with movements, and not before', async () => {
    await world.saved();
    const first = await seed();
    world.now += SEED_REWRITE_MS - 1;
    await world.surface('ui.addEntropy', MOVEMENTS);
    expect(await seed()).to.equal(first);
    world.now += 1;
    stirred.length = 0;
    await world.surface('ui.addEntropy', MOVEMENTS);
    const second = await seed();
    expect(second).to.not.equal(first);
    expect(stirred, 'what is replaced is mixed in').to.deep.equal([first]);
    world.now += SEED_REWRITE_MS;
    await world.surface('ui.createKey', { label: 'a line of the log' });
    await world.saved();
    expect(await seed()).to.not.equal(second);
  });

  it('is left alone while the vault is locked', async () => {
    await world.saved();
    const before = world.stored();
    await world.surface('ui.lock', {});
    world.now += SEED_REWRITE_MS;
    stirred.length = 0;
    await world.surface('ui.addEntropy', MOVEMENTS);
    expect(world.stored()).to.equal(before);
    expect(stirred).to.deep.equal([]);
    expect(await world.call('random', { length: 16 })).to.have.length(16);
  });

  it('is replaced again after a commit that failed', async () => {
    await world.saved();
    const first = await seed();
    world.now += SEED_REWRITE_MS;
    for (const store of [world.primary, world.copy]) {
      store.write = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
    }
    await world.surface('ui.addEntropy', MOVEMENTS);
    for (const store of [world.primary, world.copy]) Reflect.deleteProperty(store, 'write');
    expect(await seed()).to.equal(first);
    await world.surface('ui.addEntropy', MOVEMENTS);
    expect(await seed()).to.not.equal(first);
  });

  it('survives kills: the old one or a new one is there, and no seed comes twice', async () => {
    await world.saved();
    const made = new Set([await seed()]);
    const outcomes = { old: 0, new: 0 };
    for (let kills = 0; kills < KILLS; kills++) {
      const before = await seed();
      world.now += SEED_REWRITE_MS;
      const died = diesAtWrite(world, kills % 4);
      const adding = world.surface('ui.addEntropy', MOVEMENTS);
      await Promise.race([died.happened, adding]);
      died.revive();
      world.restart();
      if (kills % 10 === 0) {
        await world.surface('ui.lock', {});
        await unlock();
      }
      const after = await seed();
      expect(after, `kill ${kills}`).to.have.length(2 * SEED_BYTES);
      if (after === before) outcomes.old++;
      else {
        outcomes.new++;
        expect(made.has(after), `kill ${kills}`).to.equal(false);
      }
      made.add(after);
    }
    expect(outcomes.old).to.be.greaterThan(10);
    expect(outcomes.new).to.be.greaterThan(10);
  });
});
