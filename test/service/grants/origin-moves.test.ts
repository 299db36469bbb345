import { expect } from 'chai';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { MESSAGE_KEY_QUOTA } from '../../../src/service/messages/one-message-keys.ts';
import { packedOf } from '../../support/packed.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const at = (origin: string) => pageCaller({ origin, documentId: origin });
const [OLD, NEW, LATER] = [
  at('https://app.example'),
  at('https://new.example'),
  at('https://later.example'),
];
const TEXT = new TextEncoder().encode('sealed at the old address');
const BY = { passphrase: PASSPHRASE };

/** An app with a sealed message at its old address, which is also allowed at two others. */
async function movingApp() {
  const world = await World.unlocked();
  for (const page of [OLD, NEW, LATER]) await world.connect({}, page);
  const sealed = await world.call('seal', { plaintext: TEXT }, OLD);
  return { world, sealed };
}

describe('Data of an app that has moved to another address', () => {
  let world: World;
  let sealed: Uint8Array;
  beforeEach(async () => ({ world, sealed } = await movingApp()));

  const move = (from = OLD, to = NEW, on = true) =>
    world.surface('ui.moveData', { from: from.origin, to: to.origin, on });
  const opens = (page = NEW, message = sealed) =>
    codeOf(world.call('open', { sealed: message }, page));

  it('open at the new one once the user lets it, by each method, and no more once that is taken back', async () => {
    const long = { head: sealed, totalBytes: sealed.length };
    const text = await world.call('sealText', { text: TEXT }, OLD);
    const each = {
      open: () => world.call('open', { sealed }, NEW),
      openText: () => world.call('openText', { sealed: text }, NEW),
      releaseOpen: () => world.call('releaseOpen', long, NEW),
      rewrap: () => world.call('rewrap', { sealed }, NEW),
    };
    const many = async (method: 'openMany' | 'rewrapMany') => {
      const { failures } = await world.call(method, { items: packedOf(sealed) }, NEW);
      return failures[0]?.error.code ?? 'ok';
    };
    const codes = async () => ({
      ...Object.fromEntries(
        await Promise.all(
          Object.entries(each).map(async ([name, work]) => [name, await codeOf(work())] as const),
        ),
      ),
      openMany: await many('openMany'),
      rewrapMany: await many('rewrapMany'),
    });
    const all = (code: string) =>
      Object.fromEntries(
        [...Object.keys(each), 'openMany', 'rewrapMany'].map((name) => [name, code]),
      );
    expect(await codes()).to.deep.equal(all('NEEDS_KEY'));
    await move();
    expect(await codes()).to.deep.equal(all('ok'));
    expect(await world.call('open', { sealed }, NEW)).to.deep.equal(TEXT);
    await move(OLD, NEW, false);
    expect(await codes()).to.deep.equal(all('NEEDS_KEY'));
  });

  it('are the new address’s own once it has rewrapped them', async () => {
    await move();
    const own = await world.call('rewrap', { sealed }, NEW);
    await move(OLD, NEW, false);
    expect(await world.call('open', { sealed: own }, NEW)).to.deep.equal(TEXT);
    expect(await opens(OLD, own)).to.equal('NEEDS_KEY');
    const fresh = await world.call('seal', { plaintext: TEXT }, NEW);
    expect(inspect(own).headerKeyId).to.equal(inspect(fresh).headerKeyId);
  });

  it('are what a picked key sealed, too, and the own copies of shared messages', async () => {
    const key = { kind: 'sealing', label: 'Notes' } as const;
    const [granted] = await world.connect({ key }, OLD, { newKeyLabel: 'Notes' });
    const { ref } = (await world.surface('ui.keys', {})).find(({ label }) => label === 'Notes')!;
    await world.connect({ key }, NEW, { ref });
    const picked = await world.call('seal', { plaintext: TEXT, key: granted!.keyId }, OLD);
    const [mine] = await world.connect(
      { key: { kind: 'sharing' }, capabilities: ['open', 'publicKey'] },
      LATER,
      { newKeyLabel: 'Mine' },
    );
    const to = [await world.call('publicKey', { keyId: mine!.keyId }, LATER)];
    const shared = await world.call('seal', { plaintext: TEXT, to, toSelf: true }, OLD);
    const opened = () => [
      codeOf(world.call('open', { sealed: picked }, NEW)),
      codeOf(world.call('open', { sealed: shared, accept: 'shared' }, NEW)),
    ];
    expect(await Promise.all(opened())).to.deep.equal(['AUTH_FAILED', 'AUTH_FAILED']);
    await move();
    expect(await Promise.all(opened())).to.deep.equal(['ok', 'ok']);
  });

  it('go one way, and no further', async () => {
    await move();
    const sealedThere = await world.call('seal', { plaintext: TEXT }, NEW);
    expect(await opens(OLD, sealedThere)).to.equal('NEEDS_KEY');
    await move(NEW, LATER);
    expect(await opens(LATER, sealedThere)).to.equal('ok');
    expect(await opens(LATER)).to.equal('NEEDS_KEY');
  });

  it('need the new address’s own permission, and outlast lock and restart', async () => {
    await move();
    await world.surface('ui.lock', {});
    expect(await opens()).to.equal('LOCKED');
    world.restart();
    await world.surface('ui.unlock', BY);
    expect(await opens()).to.equal('ok');
    await world.call('revoke', {}, NEW);
    expect(await opens()).to.equal('NOT_GRANTED');
  });

  it('are messages that the new address cannot replace: it gets their keys by the smaller quota', async () => {
    await move();
    const release = () =>
      codeOf(world.call('releaseOpen', { head: sealed, totalBytes: sealed.length }, NEW));
    const { opens: most } = MESSAGE_KEY_QUOTA.perScope;
    for (let i = 0; i < most; i++) expect(await release()).to.equal('ok');
    expect(await release()).to.equal('QUOTA');
  });

  it('are moved between two enabled addresses alone, the old one of which has sealed something', async () => {
    const never = at('https://never.example');
    const wrong = [
      move(NEW, NEW),
      move(never, NEW),
      move(OLD, at('https://app.example/path')),
      move(OLD, at('http://app.example')),
    ];
    for (const each of wrong) expect(await codeOf(each)).to.equal('INVALID_ARGUMENT');
    world.sites.patterns = new Set(['https://new.example/*']);
    expect(await codeOf(move())).to.equal('INVALID_ARGUMENT');
    expect(await world.surface('ui.moves', {})).to.deep.equal({ moves: [], origins: [] });
    await world.surface('ui.lock', {});
    expect(await codeOf(move())).to.equal('LOCKED');
  });

  it('are in the log of both addresses, and the new one gets `grantchange`', async () => {
    world.events.log.length = 0;
    await move();
    await move(OLD, NEW, false);
    const changed = `grantchange ${NEW.origin}`;
    expect(world.events.log).to.deep.equal([changed, changed]);
    for (const { origin } of [OLD, NEW]) {
      const { entries } = await world.surface('ui.activity', {
        origin,
        by: 'user',
        offset: 0,
        limit: 10,
      });
      expect(entries.map(({ operation }) => operation)).to.have.members(['moveData', 'endMove']);
    }
  });

  it('end with the new site, not with the old one', async () => {
    const patterns = [OLD, NEW].map(({ origin }) => `${origin}/*`);
    world.sites.patterns = new Set(patterns);
    await move();
    await world.surface('ui.disableSite', { pattern: patterns[0]! });
    expect(await opens()).to.equal('ok');
    await world.surface('ui.disableSite', { pattern: patterns[1]! });
    expect((await world.surface('ui.moves', {})).moves).to.deep.equal([]);
  });

  it('are not in a backup, and end where one replaces the vault', async () => {
    await move();
    const { file } = await world.surface('ui.makeBackup', { by: BY, under: BY });
    const second = await World.unlocked();
    await second.surface('ui.restoreBackup', { file, ...BY });
    await second.connect({}, NEW);
    expect(await codeOf(second.call('open', { sealed }, NEW))).to.equal('NEEDS_KEY');
    await world.surface('ui.replaceVault', { by: BY, file, ...BY });
    expect((await world.surface('ui.moves', {})).moves).to.deep.equal([]);
  });
});

describe('NEEDS_KEY', () => {
  it('is one error, whether the key is another address’s, another device’s or not granted', async () => {
    const { world, sealed: ofAnotherAddress } = await movingApp();
    const key = { kind: 'sealing' } as const;
    const [granted] = await world.connect({ key }, OLD, { newKeyLabel: 'Notes' });
    const ofKeyNotGranted = await world.call('seal', { plaintext: TEXT, key: granted!.keyId }, OLD);
    const { sealed: ofAnotherDevice } = await movingApp();
    const told = [];
    for (const sealed of [ofAnotherAddress, ofKeyNotGranted, ofAnotherDevice]) {
      for (const method of ['open', 'rewrap'] as const) {
        const { code, message, retryable, data } = await errorOf(
          world.call(method, { sealed }, NEW),
        );
        expect(data).to.deep.equal({ headerKeyId: inspect(sealed).headerKeyId });
        told.push({ code, message, retryable });
      }
    }
    expect(new Set(told.map((each) => JSON.stringify(each))).size).to.equal(1);
    expect(told[0]!.message)
      .to.match(/address/)
      .and.match(/device/)
      .and.match(/granted/);
  });
});
