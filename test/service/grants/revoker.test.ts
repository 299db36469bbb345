import { expect } from 'chai';
import sinon from 'sinon';
import { KeyRing } from '../../../src/keys/ring/key-ring.ts';
import { InFlightCalls } from '../../../src/service/calls/in-flight.ts';
import { inDepth } from '../../support/depth.ts';
import { errorName, pageSubtle } from '../../support/page-subtle.ts';
import { settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

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

  const FULL = new DOMException('full', 'QuotaExceededError');

  /** The user takes the grant back, and nothing can be saved. */
  async function unsavedRevocation(): Promise<void> {
    const grantIds = [(await world.call('grants', {}))[0]!.id];
    const { go } = heldWrites();
    const revoking = codeOf(world.surface('ui.revoke', { grantIds }));
    await settled();
    go(FULL);
    expect(await revoking).to.equal('ok');
  }

  const unsaved = async () => (await world.surface('ui.state', {})).unsavedRevocations;

  it('by the user, and could not be, other calls of pages go on', async () => {
    await unsavedRevocation();
    expect(world.holds).to.equal(0);
    expect(await codeOf(world.call('status', {}))).to.equal('ok');
  });

  it('by a page, and could not be, the grant counts no longer', async () => {
    const { go } = heldWrites();
    const revoking = codeOf(world.call('revoke', {}));
    await settled();
    go(FULL);
    expect(await revoking).to.equal('INTERNAL'); // QUOTA would be the page's own fault
    expect(await seal()).to.equal('NOT_GRANTED');
    expect(await unsaved()).to.equal(1);
  });

  it('and could not be, the grant counts no longer, in any worker, locked or not, and the state says so', async () => {
    expect(await unsaved()).to.equal(0);
    await unsavedRevocation();
    expect(await seal()).to.equal('NOT_GRANTED');
    expect(await world.call('grants', {})).to.deep.equal([]);
    expect(await unsaved()).to.equal(1);
    world.restart();
    expect(await seal()).to.equal('NOT_GRANTED');
    expect(await unsaved()).to.equal(1);
    expect(await stored()).to.have.lengthOf(1);
    await world.surface('ui.lock', {});
    world.restart();
    expect(await unsaved()).to.equal(1);
  });

  it('and could not be, it is tried again with the audit log, and then nothing is left of it', async () => {
    await unsavedRevocation();
    await world.saved();
    expect(await unsaved()).to.equal(1);
    delete (world.primary as { write?: unknown }).write;
    expect(await seal()).to.equal('NOT_GRANTED');
    await world.saved();
    expect(await stored()).to.deep.equal([]);
    expect(await unsaved()).to.equal(0);
    expect(world.notes.values.has('withheld-grants')).to.equal(false);
  });

  it('and could not be, another worker tries it again after the next unlock', async () => {
    await unsavedRevocation();
    await world.surface('ui.lock', {});
    world.restart();
    delete (world.primary as { write?: unknown }).write;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await seal()).to.equal('NOT_GRANTED');
    await world.saved();
    expect(await stored()).to.deep.equal([]);
    expect(await unsaved()).to.equal(0);
  });

  for (const saved of ['with the audit log', 'with the next grant']) {
    it(`and is saved ${saved}, references to keys do nothing until the site is allowed again`, async () => {
      const subtle = pageSubtle(world);
      const hmac = { name: 'HMAC', hash: 'SHA-256' };
      const key = await subtle.generateKey({ ...hmac, length: 256 }, false, ['sign']);
      const reference = await subtle.exportKey('sealwright-ref' as 'raw', key);
      const imported = () =>
        subtle.importKey('sealwright' as 'raw', reference, hmac, false, ['sign']);
      expect(await errorName(imported())).to.equal('none');
      await unsavedRevocation();
      delete (world.primary as { write?: unknown }).write;
      if (saved === 'with the audit log') {
        expect(await seal()).to.equal('NOT_GRANTED');
        await world.saved();
        expect(await unsaved()).to.equal(0);
      }
      expect(await errorName(imported())).to.equal('InvalidAccessError');
      await world.connect();
      expect(await errorName(imported())).to.equal('none');
    });
  }

  it('while a call is between its use and its work, the work does not begin', async () => {
    const [key] = await world.call('grants', {});
    const algorithm = { name: 'AES-CBC', length: 256 };
    const made = await world.call('subtle.importNamedKey', {
      keyId: key!.keyId,
      algorithm,
      extractable: false,
      usages: ['encrypt'],
    });
    const { handle } = (made as { value: { handle: string } }).value;
    const encrypt = { algorithm: { name: 'AES-CBC', iv: new Uint8Array(16) }, key: handle };
    const begun = new Set<number>();
    for (let microtasks = 0; microtasks < 100; microtasks += inDepth(1, 3)) {
      const began = sinon.spy(KeyRing.prototype, 'keyOfGeneration');
      const landing = sinon.spy(InFlightCalls.prototype, 'endGrants');
      const revoking = world.call('revoke', {});
      for (let i = 0; i < microtasks; i++) await Promise.resolve();
      const params = { ...encrypt, data: new Uint8Array(16) };
      expect(await codeOf(world.call('subtle.encrypt', params))).to.equal('NOT_GRANTED');
      await revoking;
      const late = began.getCalls().filter((one) => !one.calledBefore(landing.firstCall));
      expect(late, `after ${microtasks} microtasks`).to.deep.equal([]);
      begun.add(began.callCount);
      landing.restore();
      began.restore();
      await world.connect();
    }
    expect(begun).to.deep.equal(new Set([0, 1]));
  });

  it('and could not be, the next revocation that is saved removes it too', async () => {
    await unsavedRevocation();
    delete (world.primary as { write?: unknown }).write;
    await world.connect();
    expect(await seal()).to.equal('ok');
    expect(await stored(), 'a new grant removes it').to.have.lengthOf(1);
    await world.call('revoke', {});
    expect(await stored()).to.deep.equal([]);
    expect(await seal()).to.equal('NOT_GRANTED');
  });

  /** The grants that the vault holds. */
  const stored = () => world.vault.list('grant');
});
