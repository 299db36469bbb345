import { expect } from 'chai';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const OF_BACKUP = 'a passphrase of its own';
const NEW = 'a passphrase of the new vault';

describe('a backup, where the vault is lost', () => {
  let world: World;
  let file: Uint8Array;

  /** The restore as one call, however often it comes. */
  const restore = (passphrase = OF_BACKUP) =>
    world.call('ui.restoreLost', { file, passphrase, newPassphrase: NEW }, POPUP, 'restore 1');

  beforeEach(async () => {
    world = await World.unlocked();
    await world.surface('ui.createKey', { label: 'Letters' });
    await world.connect();
    const under = { passphrase: OF_BACKUP };
    ({ file } = await world.surface('ui.makeBackup', { by: { passphrase: PASSPHRASE }, under }));
    await world.surface('ui.lock', {});
    for (const { values } of [world.primary, world.copy]) {
      for (const name of [...values.keys()]) if (name.includes('/slot/')) values.delete(name);
    }
    world.restart();
    expect(await world.surface('ui.state', {})).to.include({ vault: 'lost' });
  });

  it('can be looked into, which changes nothing', async () => {
    const before = world.stored();
    const report = await world.surface('ui.checkBackup', { file, passphrase: OF_BACKUP });
    expect(report.labels).to.deep.equal(['Letters']);
    expect(report.brings).to.include({ keys: 1 });
    expect(world.stored()).to.equal(before);
  });

  it('comes back into a new vault, which its passphrase opens', async () => {
    const report = await restore();
    expect(report.brings).to.include({ keys: 1 });
    await world.surface('ui.lock', {});
    await world.surface('ui.unlock', { passphrase: NEW });
    const labels = (await world.surface('ui.keys', {})).map(({ label }) => label);
    expect(labels).to.include('Letters');
    expect(await world.call('grants', {})).to.deep.equal([]);
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 10 });
    expect(entries.map(({ operation }) => operation)).to.include('restoreBackup');
  });

  it('makes nothing where it does not open', async () => {
    const before = world.stored();
    expect(await codeOf(restore('wrong'))).to.equal('AUTH_FAILED');
    file = file.slice(0, 40);
    expect(await codeOf(restore())).to.equal('BAD_ENVELOPE');
    expect(world.stored()).to.equal(before);
  });

  it('comes back once, though the worker dies after the vault was made', async () => {
    const commit = world.vault.commit.bind(world.vault);
    let dies: () => void = () => undefined;
    const dead = new Promise<void>((resolve) => (dies = resolve));
    world.vault.commit = () => {
      dies();
      return new Promise(() => undefined);
    };
    const params = { file, passphrase: OF_BACKUP, newPassphrase: NEW };
    world.begin('ui.restoreLost', params, POPUP, 'restore 1');
    await dead;
    world.vault.commit = commit;
    world.restart();
    expect((await restore()).brings).to.include({ keys: 1 });
    const again = await restore();
    expect(again.brings).to.include({ keys: 0 });
    const { length } = await world.surface('ui.keys', {});
    expect(length).to.equal(2);
  });

  it('replaces no vault that can be opened', async () => {
    await restore();
    await world.surface('ui.lock', {});
    const before = world.stored();
    const other = world.surface('ui.restoreLost', {
      file,
      passphrase: OF_BACKUP,
      newPassphrase: 'yet another',
    });
    expect(await codeOf(other)).to.equal('INVALID_ARGUMENT');
    expect(world.stored()).to.equal(before);
  });
});

describe('a vault that is damaged in both stores while it is open', () => {
  let world: World;
  let file: Uint8Array;

  beforeEach(async () => {
    world = await World.unlocked();
    await world.surface('ui.createKey', { label: 'Letters' });
    const under = { passphrase: OF_BACKUP };
    ({ file } = await world.surface('ui.makeBackup', { by: { passphrase: PASSPHRASE }, under }));
    for (const { values } of [world.primary, world.copy]) {
      for (const name of values.keys()) {
        if (name.includes('/manifest/')) values.set(name, Uint8Array.of(1));
      }
    }
    world.restart();
  });

  it('has a state, and can be locked; the next unlock finds that it is lost', async () => {
    expect(await world.surface('ui.state', {})).to.include({ vault: 'unlocked' });
    await world.surface('ui.lock', {});
    expect(await world.surface('ui.state', {})).to.include({ vault: 'locked' });
    const unlocking = world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await codeOf(unlocking)).to.equal('INTERNAL');
    expect(await world.surface('ui.state', {})).to.include({ vault: 'lost' });
  });

  it('gives its place to a backup, also while it is open', async () => {
    const report = await world.surface('ui.checkBackup', { file, passphrase: OF_BACKUP });
    expect(report.labels).to.deep.equal(['Letters']);
    const params = { file, passphrase: OF_BACKUP, newPassphrase: NEW };
    await world.surface('ui.restoreLost', params);
    expect(await world.surface('ui.state', {})).to.include({ vault: 'unlocked' });
    const labels = (await world.surface('ui.keys', {})).map(({ label }) => label);
    expect(labels).to.include('Letters');
  });

  it('is not given up where its secret is wrong or its session is nonsense', async () => {
    await world.session.set('vault/key', { key: 'no base64url!', vaultId: 7 });
    expect(await world.surface('ui.state', {})).to.include({ vault: 'locked' });
    await world.surface('ui.lock', {});
    const unlocking = world.surface('ui.unlock', { passphrase: 'wrong' });
    expect(await codeOf(unlocking)).to.equal('AUTH_FAILED');
    expect(await world.surface('ui.state', {})).to.include({ vault: 'locked' });
  });
});
