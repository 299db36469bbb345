import { expect } from 'chai';
import { PASSPHRASE, World } from '../../support/service-world.ts';

describe('what the extension’s own pages store', () => {
  it('outlives the worker, is the same locked and unlocked, and is none of the notes', async () => {
    const world = World.fresh();
    const read = () => world.surface('ui.pageValue', { name: 'picture' });
    expect(await read()).to.deep.equal({ json: null });
    const json = JSON.stringify({ tone: 'green' });
    await world.surface('ui.setPageValue', { name: 'picture', json });
    await world.surface('ui.createVault', { passphrase: PASSPHRASE });
    await world.surface('ui.lock', {});
    world.restart();
    expect(await read()).to.deep.equal({ json });
    expect([...world.notes.values.keys()]).to.not.include('picture');
  });

  it('is JSON, under a name of the list', async () => {
    const world = World.fresh();
    const code = (params: object) =>
      world.surface('ui.setPageValue', params as never).then(
        () => 'done',
        (error: unknown) => (error as { code?: string }).code,
      );
    expect(await code({ name: 'picture', json: '{' })).to.equal('INVALID_ARGUMENT');
    expect(await code({ name: 'guarded sites', json: '[]' })).to.equal('INVALID_ARGUMENT');
  });
});
