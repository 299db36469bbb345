import { expect } from 'chai';
import { settled } from '../../support/service-fakes.ts';
import { World, codeOf } from '../../support/service-world.ts';

describe('While a revocation is being written', () => {
  let world: World;
  const seal = () => codeOf(world.call('seal', { plaintext: Uint8Array.of(1) }));

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
    await seal();
  });

  /** Holds every write of the primary store until `go`, which lets it through or fails it. */
  function heldWrites(): { readonly go: (error?: Error) => void } {
    const write = world.primary.write.bind(world.primary);
    let go!: (error?: Error) => void;
    const held = new Promise<void>((resolve, reject) => {
      go = (error) => (error ? reject(error) : resolve());
    });
    held.catch(() => undefined);
    world.primary.write = async (puts, removes) => {
      await held;
      return write(puts, removes);
    };
    return { go };
  }

  it('no call begins under the grant that the user has taken back', async () => {
    const { go } = heldWrites();
    const revoking = world.call('revoke', {});
    await settled();
    expect(await seal()).to.equal('NOT_GRANTED');
    expect(await world.call('grants', {})).to.deep.equal([]);
    go();
    await revoking;
    expect(await seal()).to.equal('NOT_GRANTED');
  });

  it('by the user, calls of pages wait, and no longer than that; by a page, they do not', async () => {
    const grantIds = [(await world.call('grants', {}))[0]!.id];
    const { go } = heldWrites();
    const revoking = world.surface('ui.revoke', { grantIds });
    await settled();
    expect(world.holds).to.equal(1);
    go();
    await revoking;
    expect(world.holds).to.equal(0);
    await world.connect();
    const { go: goOn } = heldWrites();
    const own = world.call('revoke', {});
    await settled();
    expect(world.holds).to.equal(0);
    goOn();
    await own;
  });

  it('by the user, and could not be, calls of pages go on', async () => {
    const grantIds = [(await world.call('grants', {}))[0]!.id];
    const { go } = heldWrites();
    const revoking = codeOf(world.surface('ui.revoke', { grantIds }));
    await settled();
    go(new DOMException('full', 'QuotaExceededError'));
    expect(await revoking).to.equal('INTERNAL');
    expect(world.holds).to.equal(0);
  });

  it('and could not be, the grant stands, as the error says', async () => {
    const { go } = heldWrites();
    const revoking = codeOf(world.call('revoke', {}));
    await settled();
    go(new DOMException('full', 'QuotaExceededError'));
    expect(await revoking).to.equal('INTERNAL'); // QUOTA would be the page's own fault
    expect(await seal()).to.equal('ok');
  });
});
