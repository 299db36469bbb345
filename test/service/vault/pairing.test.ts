import { expect } from 'chai';
import { OFFER_LIFE_MS } from '../../../src/keys/pairing/offer.ts';
import type { Caller } from '../../../src/rpc/channel.ts';
import type { MethodName, ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { METHODS } from '../../../src/rpc/methods/methods.ts';
import { codeOf } from '../../support/outcomes.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { diesAtWrite, PASSPHRASE, POPUP, World } from '../../support/service-world.ts';

const MANAGER: Caller = { kind: 'surface', page: 'manager' };
const BY = { passphrase: PASSPHRASE };
const PLAINTEXT = new TextEncoder().encode('sealed on the old device');
const A = 'https://a.example';

/** As the manager calls. */
function manager<M extends MethodName>(
  world: World,
  method: M,
  params: ParamsOf<M>,
  id?: string,
): Promise<ResultOf<M>> {
  return world.call(method, params, MANAGER, id);
}

/** The old device gives, after the person has picked the words of the new one. */
async function given(old: World, fresh: World) {
  const { offer, words } = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
  return manager(old, 'ui.giveToDevice', { by: BY, offer, shown: { words }, name: 'Old laptop' });
}

async function joined(old: World, fresh: World): Promise<ResultOf<'ui.takeParcel'>> {
  return manager(fresh, 'ui.takeParcel', await given(old, fresh));
}

/** A vault that a site has used, and what the site has sealed. */
async function oldDevice() {
  const world = await World.unlocked();
  await world.connect();
  const sealed = await world.call('seal', { plaintext: PLAINTEXT });
  await world.surface('ui.createKey', { label: 'Letters' });
  await world.surface('ui.createKey', { kind: 'sharing', label: 'Mine' });
  return { world, sealed };
}

/** Both have paired. Then the old one has deleted a key of which a site has a permission on the new one. */
async function devicesWithDeletedKey() {
  const { world: old } = await oldDevice();
  const fresh = await World.unlocked();
  await joined(old, fresh);
  const keys = await fresh.surface('ui.keys', {});
  const { ref } = keys.find(({ label }) => label === 'Letters')!;
  const [granted] = await fresh.connect({ key: { kind: 'sealing' } }, pageCaller(), { ref });
  const mine = await fresh.call('seal', { plaintext: PLAINTEXT, key: granted!.keyId });
  await joined(fresh, old); // the old device hears of the use
  await old.surface('ui.archiveKey', { ref, archived: true });
  await old.surface('ui.deleteKey', { by: BY, ref });
  return { old, fresh, mine };
}

const labelsIn = async (world: World) =>
  (await world.surface('ui.keys', {})).map(({ label }) => label).sort();

const wrongDigits = (digits: string) => (digits === '000000' ? '000001' : '000000');

/** All that is stored, but what a read of the log saves. */
async function settledIn(world: World): Promise<string> {
  await world.saved();
  return world.stored();
}

describe('Devices that pair', function () {
  this.timeout(30_000);

  it('have the same keys afterwards, and open what the other one sealed', async () => {
    const { world: old, sealed } = await oldDevice();
    const fresh = await World.unlocked();
    await fresh.surface('ui.createKey', { label: 'Made here' });
    expect(await joined(old, fresh)).to.deep.equal({ isForked: false });
    expect(await labelsIn(fresh)).to.deep.equal(['App key', 'Letters', 'Made here', 'Mine']);
    expect(await codeOf(fresh.call('open', { sealed }))).to.equal('NOT_GRANTED');
    await fresh.connect();
    expect(await fresh.call('open', { sealed })).to.deep.equal(PLAINTEXT);
    // Both are devices: a deletion on either is told to the other.
    for (const world of [old, fresh]) expect(await world.vault.read('device')).to.be.an('object');
  });

  it('tell in the log who gave and who joined', async () => {
    const { world: old } = await oldDevice();
    const fresh = await World.unlocked();
    await joined(old, fresh);
    for (const [world, operation] of [
      [old, 'giveToDevice'],
      [fresh, 'joinDevice'],
    ] as const) {
      const { entries } = await world.surface('ui.activity', { offset: 0, limit: 10 });
      expect(entries.map((entry) => entry.operation)).to.include(operation);
    }
  });

  it('say before it which sites will know the person anew, and change nothing', async () => {
    const { world: old } = await oldDevice();
    old.now += 1000;
    const fresh = await World.unlocked();
    fresh.now = old.now;
    await fresh.connect();
    await fresh.call('seal', { plaintext: PLAINTEXT });
    const parcel = await given(old, fresh);
    const before = await settledIn(fresh);
    const checked = await manager(fresh, 'ui.checkParcel', parcel);
    if (checked.outcome !== 'opened') throw new Error(checked.outcome);
    expect(checked.joining.name).to.equal('Old laptop');
    const { here, there } = checked.joining.anew;
    expect([...here, ...there]).to.deep.equal([A]);
    expect(await settledIn(fresh)).to.equal(before);
    expect(await codeOf(manager(fresh, 'ui.takeParcel', parcel))).to.equal('ok');
  });

  it('take back the permissions on keys that the other device had deleted, in the same commit', async () => {
    const { old, fresh, mine } = await devicesWithDeletedKey();
    expect(await fresh.call('open', { sealed: mine })).to.deep.equal(PLAINTEXT);
    await joined(old, fresh);
    expect(await labelsIn(fresh)).not.to.include('Letters');
    expect(await fresh.call('grants', {})).to.deep.equal([]);
    expect(await codeOf(fresh.call('open', { sealed: mine }))).to.equal('NOT_GRANTED');
  });

  it('take all of a parcel or nothing, wherever the worker ends', async () => {
    let isDone = false;
    for (let at = 0; !isDone; at++) {
      const { old, fresh } = await devicesWithDeletedKey();
      const parcel = await given(old, fresh);
      await fresh.saved();
      const death = diesAtWrite(fresh, at);
      const taking = fresh.begin('ui.takeParcel', parcel, MANAGER);
      isDone = (await Promise.race([death.happened, taking.answer])) !== 'dead';
      fresh.restart();
      death.revive();
      const isTaken = (await manager(fresh, 'ui.ownOffer', {})) === null;
      expect((await labelsIn(fresh)).includes('Letters'), `write ${at}`).to.equal(!isTaken);
      expect(await fresh.call('grants', {}), `write ${at}`).to.have.length(isTaken ? 0 : 1);
      const again = await codeOf(manager(fresh, 'ui.takeParcel', parcel));
      expect(again, `write ${at}`).to.equal(isTaken ? 'EXPIRED' : 'ok');
    }
  });

  it('take a parcel once, however often the call is repeated', async () => {
    const { world: old } = await oldDevice();
    const fresh = await World.unlocked();
    const parcel = await given(old, fresh);
    for (let i = 0; i < 2; i++) {
      const { isForked } = await manager(fresh, 'ui.takeParcel', parcel, 'take 1');
      expect(isForked).to.equal(false);
    }
    expect(await codeOf(manager(fresh, 'ui.takeParcel', parcel, 'take 2'))).to.equal('EXPIRED');
  });

  it('take nothing by wrong digits, and nothing after three of them', async () => {
    const { world: old } = await oldDevice();
    const fresh = await World.unlocked();
    const { parcel, digits } = await given(old, fresh);
    const wrong = { parcel, digits: wrongDigits(digits) };
    for (const triesLeft of [2, 1, 0]) {
      const checked = await manager(fresh, 'ui.checkParcel', wrong);
      expect(checked).to.deep.equal({ outcome: 'wrong-digits', triesLeft });
      fresh.restart();
    }
    expect(await codeOf(manager(fresh, 'ui.takeParcel', { parcel, digits }))).to.equal('EXPIRED');
    expect(await labelsIn(fresh)).to.deep.equal(['App key']);
    expect(await fresh.vault.read('device')).to.equal(undefined);
  });

  it('take nothing by wrong digits without a check before', async () => {
    const { world: old } = await oldDevice();
    const fresh = await World.unlocked();
    const { parcel, digits } = await given(old, fresh);
    const wrong = { parcel, digits: wrongDigits(digits) };
    const taking = manager(fresh, 'ui.takeParcel', wrong);
    expect(await codeOf(taking)).to.equal('INVALID_ARGUMENT');
    expect(await labelsIn(fresh)).to.deep.equal(['App key']);
    expect(await codeOf(manager(fresh, 'ui.takeParcel', { parcel, digits }))).to.equal('ok');
  });

  it('give nothing for other words, a wrong passphrase, or what is no offer', async () => {
    const { world: old } = await oldDevice();
    const fresh = await World.unlocked();
    const { offer, words } = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    const params = { by: BY, offer, shown: { words }, name: 'Old laptop' };
    const refused = {
      INVALID_ARGUMENT: { ...params, shown: { words: words.toReversed() } },
      AUTH_FAILED: { ...params, by: { passphrase: 'wrong' } },
      BAD_ENVELOPE: { ...params, offer: offer.subarray(1) },
    };
    for (const [code, wrong] of Object.entries(refused)) {
      expect(await codeOf(manager(old, 'ui.giveToDevice', wrong))).to.equal(code);
      expect(await old.vault.read('device')).to.equal(undefined);
    }
    const wrong = { offer: offer.subarray(1) };
    expect(await codeOf(manager(old, 'ui.readOffer', wrong))).to.equal('BAD_ENVELOPE');
    expect(await codeOf(manager(old, 'ui.giveToDevice', params))).to.equal('ok');
  });

  it('give by the code of the offer, without the words', async () => {
    const { world: old } = await oldDevice();
    const fresh = await World.unlocked();
    const { offer, code } = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    expect((await manager(fresh, 'ui.ownOffer', {}))!.code).to.equal(code);
    expect((await manager(old, 'ui.readOffer', { offer, code })).name).to.equal('New laptop');
    const giving = { by: BY, offer, shown: { code }, name: 'Old laptop' };
    await manager(fresh, 'ui.takeParcel', await manager(old, 'ui.giveToDevice', giving));
    expect(await labelsIn(fresh)).to.include('Letters');
  });

  it('refuse the code of another offer before the passphrase, and give nothing for it', async () => {
    const { world: old } = await oldDevice();
    const [fresh, other] = [await World.unlocked(), await World.unlocked()];
    const { offer, code } = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    // Planted, an earlier one, and one with another digit.
    const planted = await manager(other, 'ui.makeOffer', { name: 'New laptop' });
    fresh.now += 1;
    const later = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    const digit = code.endsWith('0') ? '1' : '0';
    for (const wrong of [planted.code, later.code, code.slice(0, -1) + digit, code.toLowerCase()]) {
      const reading = manager(old, 'ui.readOffer', { offer, code: wrong });
      expect(await codeOf(reading), wrong).to.equal('INVALID_ARGUMENT');
      const giving = { by: BY, offer, shown: { code: wrong }, name: 'Old laptop' };
      const given = await codeOf(manager(old, 'ui.giveToDevice', giving));
      expect(given, wrong).to.equal('INVALID_ARGUMENT');
    }
    expect(await old.vault.read('device')).to.equal(undefined);
  });

  it('show the words of the offer among two other sets, in any place', async () => {
    const [old, fresh] = [await World.unlocked(), await World.unlocked()];
    const { offer, words, until } = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    expect(until).to.equal(fresh.now + OFFER_LIFE_MS);
    const places = new Set<number>();
    for (let i = 0; i < 60; i++) {
      const { name, choices, isStale } = await manager(old, 'ui.readOffer', { offer });
      expect([name, isStale]).to.deep.equal(['New laptop', false]);
      expect(new Set(choices.map((choice) => choice.join())).size).to.equal(3);
      places.add(choices.findIndex((choice) => choice.join() === words.join()));
    }
    expect([...places].sort()).to.deep.equal([0, 1, 2]);
    for (const now of [old.now + OFFER_LIFE_MS + 1, old.now - OFFER_LIFE_MS - 1]) {
      old.now = now;
      await old.surface('ui.unlock', BY);
      expect((await manager(old, 'ui.readOffer', { offer })).isStale).to.equal(true);
      old.now = fresh.now;
    }
  });

  it('keep an offer over the end of a worker, until it is withdrawn or its time is over', async () => {
    const fresh = await World.unlocked();
    expect(await manager(fresh, 'ui.ownOffer', {})).to.equal(null);
    const made = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    fresh.restart();
    expect(await manager(fresh, 'ui.ownOffer', {})).to.deep.equal(made);
    await manager(fresh, 'ui.endOffer', {});
    expect(await manager(fresh, 'ui.ownOffer', {})).to.equal(null);
    await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    fresh.now += OFFER_LIFE_MS;
    await fresh.surface('ui.unlock', BY);
    expect(await manager(fresh, 'ui.ownOffer', {})).to.equal(null);
    expect(await fresh.vault.read('pairing-offer')).to.equal(undefined);
  });

  it('take the longest name that a device can have', async () => {
    const [old, fresh] = [await World.unlocked(), await World.unlocked()];
    const name = 'x'.repeat(64);
    const { offer, words } = await manager(fresh, 'ui.makeOffer', { name });
    expect((await manager(old, 'ui.readOffer', { offer })).name).to.equal(name);
    const parcel = await manager(old, 'ui.giveToDevice', { by: BY, offer, shown: { words }, name });
    expect(await manager(fresh, 'ui.checkParcel', parcel)).to.have.nested.property(
      'joining.name',
      name,
    );
  });

  it('refuse a name that a device cannot have', async () => {
    const fresh = await World.unlocked();
    for (const name of ['a\u202eb', 'ä'.repeat(33)]) {
      const making = manager(fresh, 'ui.makeOffer', { name });
      expect(await codeOf(making)).to.equal('INVALID_ARGUMENT');
    }
  });

  it('pair in the manager alone, and not while locked', async () => {
    const { world: old } = await oldDevice();
    const fresh = await World.unlocked();
    const { offer, words } = await manager(fresh, 'ui.makeOffer', { name: 'New laptop' });
    const params = { by: BY, offer, shown: { words }, name: 'Old laptop' };
    const pages = ['popup', 'prompt', 'fields'] as const;
    for (const caller of [POPUP, ...pages.map((page) => ({ kind: 'surface', page }) as const)]) {
      const giving = old.call('ui.giveToDevice', params, caller);
      expect(await codeOf(giving)).to.equal('UNSUPPORTED');
    }
    expect(await codeOf(old.begin('ui.giveToDevice', params, pageCaller()).answer)).to.equal(
      'UNSUPPORTED',
    );
    const rows = Object.entries(METHODS).filter(([, row]) => 'page' in row);
    expect(rows).to.have.length(26); // with those of the members, and of the exchange with them
    await old.surface('ui.lock', {});
    expect(await codeOf(manager(old, 'ui.giveToDevice', params))).to.equal('LOCKED');
  });
});
