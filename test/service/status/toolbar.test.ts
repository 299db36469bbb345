import { expect } from 'chai';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { settled } from '../../support/service-fakes.ts';

describe('The state that the toolbar shows', () => {
  let world: World;
  const last = async () => {
    await settled();
    return world.toolbarButton.shown.at(-1);
  };

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('follows the lock', async () => {
    expect(await last()).to.include({ isOpen: true, requests: 0 });
    await world.surface('ui.lock', {});
    expect(await last()).to.include({ isOpen: false });
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await last()).to.include({ isOpen: true });
  });

  it('counts the requests that wait', async () => {
    const counts = () => world.toolbarButton.shown.map(({ requests }) => requests);
    await world.connect();
    await settled();
    expect(counts()).to.include(1);
    expect(counts().at(-1)).to.equal(0);
  });

  it('says that the recovery code is missing once our own pages have read the slots', async () => {
    expect(await last()).to.include({ needsRecoveryCode: false });
    await world.surface('ui.slots', {});
    expect(await last()).to.include({ needsRecoveryCode: true });
    const by = { passphrase: PASSPHRASE };
    const { code } = await world.surface('ui.addRecoveryCode', { by });
    await world.surface('ui.confirmRecoveryCode', { code });
    expect(await last()).to.include({ needsRecoveryCode: false });
    const slots = await world.surface('ui.slots', {});
    const { id } = slots.find(({ kind }) => kind === 'recovery-code')!;
    await world.surface('ui.removeSlot', { by, id });
    expect(await last()).to.include({ needsRecoveryCode: true });
    await world.surface('ui.lock', {});
    expect(await last()).to.include({ needsRecoveryCode: false });
  });

  it('tells the state whether a recovery code is missing, of the slots as they are', async () => {
    const lacksCode = async () => (await world.surface('ui.state', {})).lacksCode;
    expect(await lacksCode()).to.equal(true);
    const by = { passphrase: PASSPHRASE };
    const { code } = await world.surface('ui.addRecoveryCode', { by });
    expect(await lacksCode(), 'not typed back').to.equal(true);
    await world.surface('ui.confirmRecoveryCode', { code });
    expect(await lacksCode()).to.equal(false);
    const slots = await world.surface('ui.slots', {});
    const { id } = slots.find(({ kind }) => kind === 'recovery-code')!;
    await world.surface('ui.removeSlot', { by, id });
    expect(await lacksCode(), 'removed').to.equal(true);
    await world.surface('ui.lock', {});
    expect(await lacksCode(), 'while locked').to.equal(null);
  });

  it('is shown again when another language is chosen, and not for other values', async () => {
    await last();
    const shown = () => world.toolbarButton.shown.length;
    const before = shown();
    const json = JSON.stringify({ language: 'de', theme: 'system' });
    await world.surface('ui.setPageValue', { name: 'picture', json });
    await settled();
    expect(shown()).to.equal(before);
    expect(world.menus.translations).to.equal(0);
    await world.surface('ui.setPageValue', { name: 'preferences', json });
    await settled();
    expect(shown()).to.equal(before + 1);
    expect(world.menus.translations, 'of the menus').to.equal(1);
  });

  it('is read once for a thousand pages that are reported together', async () => {
    await last();
    const before = world.toolbarButton.shown.length;
    await Promise.all(Array.from({ length: 1_000 }, () => world.service.pageShown()));
    expect(world.toolbarButton.shown.length - before).to.be.within(1, 2);
  });

  it('is shown when the browser has started, and not before there is a vault', async () => {
    await last();
    const shown = () => world.toolbarButton.shown.length;
    const before = shown();
    world.restart();
    await world.service.started();
    expect(shown()).to.equal(before + 1);
    const empty = World.fresh();
    await empty.service.started();
    expect(empty.toolbarButton.shown).to.deep.equal([]);
  });
});
