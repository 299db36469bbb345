import { expect } from 'chai';
import type { Json } from '../../../src/keys/values/json.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import sinon from 'sinon';
import { ACTIVITY } from '../../../src/service/audit/activity.ts';
import {
  SAME_ENTRY_MS,
  withActivity,
  withinQuotas,
} from '../../../src/service/audit/activity-entry.ts';
import type { ActivityEntry } from '../../../src/service/audit/activity-entry.ts';
import {
  ACTIVITY_RING,
  appendActivity,
  readActivity,
} from '../../../src/service/audit/activity-ring.ts';
import { packedOf } from '../../support/packed.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const MINUTES = 5 * SAME_ENTRY_MS;
const PAGE = { offset: 0, limit: 500 };

const entry = (changes: Partial<ActivityEntry> = {}): ActivityEntry => ({
  from: 1000,
  until: 1000,
  origin: 'https://a.example',
  container: null,
  ref: 'app',
  operation: 'seal',
  result: 'ok',
  uses: 1,
  bytes: 5,
  ...changes,
});

describe('An entry of the audit log', () => {
  it('takes in what is alike within a minute of its beginning', () => {
    const first = withActivity([], entry());
    const joined = withActivity(first, entry({ from: 2000, until: 2000 }));
    expect(joined).to.deep.equal([entry({ until: 2000, uses: 2, bytes: 10 })]);
    const later = 1000 + SAME_ENTRY_MS;
    const apart = withActivity(joined, entry({ from: later, until: later }));
    expect(apart).to.have.length(2);
  });

  it('keeps apart whatever differs', () => {
    const differences: Partial<ActivityEntry>[] = [
      { origin: 'https://b.example' },
      { origin: null },
      { container: 'work' },
      { ref: 'another' },
      { ref: null },
      { contact: 'ada' },
      { operation: 'open' },
      { result: 'EXPIRED' },
    ];
    for (const difference of differences) {
      expect(withActivity([entry()], entry(difference))).to.have.length(2);
    }
  });
});

describe('The audit log', () => {
  let world: World;
  const log = async (filter = {}) => world.surface('ui.activity', { ...PAGE, ...filter });
  const operations = async () => (await log()).entries.map(({ operation }) => operation);
  const seal = (bytes = 16, caller = pageCaller()) =>
    world.call('seal', { plaintext: new Uint8Array(bytes) }, caller);

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
  });

  it('tells of a use: when, who, which key, what, how much, how it ended', async () => {
    world.now += MINUTES;
    await seal(100);
    const [newest] = (await log()).entries;
    expect(newest).to.deep.equal({
      from: world.now,
      until: world.now,
      origin: pageCaller().origin,
      container: pageCaller().container,
      key: { ref: 'app', kind: 'app', label: 'App key' },
      operation: 'seal',
      result: 'ok',
      uses: 1,
      bytes: 100,
    });
  });

  it('tells of every way to use a key, of batches as one, and of what the user did', async () => {
    const sealed = await seal();
    await world.call('open', { sealed });
    const batch = await world.call('sealMany', {
      items: packedOf(new Uint8Array(3), new Uint8Array(4)),
    });
    await world.call('openMany', { items: batch.items });
    await world.call('releaseSeal', { purpose: 'page', totalBytes: 1_000_000 });
    await world.call('revoke', {});
    const { entries } = await log();
    const of = (name: string) => entries.find(({ operation }) => operation === name);
    expect(await operations()).to.have.members([
      ...['createVault', 'grant', 'seal', 'open', 'sealMany', 'openMany', 'releaseSeal', 'revoke'],
    ]);
    expect(of('sealMany')).to.include({ uses: 2 });
    expect(of('releaseSeal')).to.include({ bytes: 1_000_000 });
    expect(of('grant')).to.deep.include({ key: { ref: 'app', kind: 'app', label: 'App key' } });
    expect(of('revoke')).to.include({ origin: pageCaller().origin });
  });

  it('tells of refusals with their code, and which site was refused', async () => {
    const stranger = pageCaller({ origin: 'https://b.example', topOrigin: 'https://b.example' });
    expect(await codeOf(seal(7, stranger))).to.equal('NOT_GRANTED');
    const { entries } = await log({ outcome: 'failed' });
    expect(entries).to.have.length(1);
    expect(entries[0]).to.include({ origin: 'https://b.example', result: 'NOT_GRANTED', uses: 1 });
  });

  it('tells of no mistake that a site makes, which nothing was done by', async () => {
    const open = (sealed: Uint8Array) => world.call('open', { sealed });
    expect(await codeOf(open(new Uint8Array(99)))).to.equal('BAD_ENVELOPE');
    const [key, items] = ['no such key', packedOf(await seal())];
    for (const unknown of [
      world.call('seal', { plaintext: new Uint8Array(1), key }),
      world.call('sealMany', { items, key }),
      world.call('rewrapMany', { items, key }),
      world.call('mac', { data: new Uint8Array(1), key }),
      world.call('rotateKey', { keyId: key }),
    ]) {
      expect(await codeOf(unknown)).to.equal('NOT_GRANTED');
    }
    expect((await log({ outcome: 'failed' })).entries).to.have.length(0);
  });

  it('tells of locks, unlocks, and wrong passphrases, though nothing can be saved then', async () => {
    await world.surface('ui.lock', {});
    expect(await codeOf(world.surface('ui.unlock', { passphrase: 'wrong' }))).to.not.equal('ok');
    world.timers.goOff(); // while locked
    await settled();
    world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    const { entries } = await log();
    const own = entries.map(({ operation, result }) => `${operation} ${result}`);
    expect(own).to.include.members(['lock ok', 'unlock AUTH_FAILED', 'unlock ok']);
  });

  it('tells a name from a comparison, and an archive from what leaves it', async () => {
    const publicKey = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(1) });
    const { id } = await world.surface('ui.addContact', { name: 'Ada', publicKey });
    await world.surface('ui.changeContact', { id, name: 'Ada L.' });
    await world.surface('ui.changeContact', { id, verified: true });
    const { ref } = await world.surface('ui.createKey', { label: 'Letters' });
    await world.surface('ui.archiveKey', { ref, archived: true });
    await world.surface('ui.archiveKey', { ref, archived: false });
    const recorded = [
      'addContact',
      'renameContact',
      'changeContact',
      'archiveKey',
      'takeFromArchive',
    ];
    expect(await operations()).to.include.members(recorded);
  });

  it('names the contacts that the user added, compared and renamed, by their names of today', async () => {
    const add = async (name: string, fill: number) => {
      const publicKey = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(fill) });
      return (await world.surface('ui.addContact', { name, publicKey })).id;
    };
    const [ada, bob] = [await add('Ada', 1), await add('Bob', 2)];
    await world.surface('ui.changeContact', { id: ada, verified: true });
    await world.surface('ui.changeContact', { id: ada, name: 'Ada L.' });
    const named = async (filter = {}) =>
      (await log(filter)).entries
        .filter(({ operation }) => /Contact$/.test(operation))
        .map(({ operation, contact }) => [operation, contact]);
    expect(await named()).to.have.deep.members([
      ['addContact', 'Ada L.'],
      ['addContact', 'Bob'],
      ['changeContact', 'Ada L.'],
      ['renameContact', 'Ada L.'],
    ]);
    expect(await named({ text: { words: 'bob', operations: [] } })).to.deep.equal([
      ['addContact', 'Bob'],
    ]);
    await world.surface('ui.removeContact', { id: bob });
    expect(await named()).to.deep.include(['removeContact', undefined]);
    const failed = world.surface('ui.changeContact', { id: bob, verified: true });
    expect(await codeOf(failed)).to.equal('INVALID_ARGUMENT');
  });

  it('holds no content, no context, and nothing in clear', async () => {
    const plaintext = new TextEncoder().encode('a secret that no one may find');
    const context = new TextEncoder().encode('context that no one may find');
    await world.call('seal', { plaintext, context });
    await world.saved();
    const { entries } = await world.surface('ui.exportActivity', {});
    expect(JSON.stringify(entries)).to.not.match(/no one may find/);
    const disk = world.stored() + JSON.stringify([...world.session.values]);
    const { origin } = pageCaller();
    for (const form of [origin, Buffer.from(origin).toString('hex')]) {
      expect(disk).to.not.include(form);
    }
  });

  it('has no entry of private windows', async () => {
    const incognito = pageCaller({ incognito: true, origin: 'https://private.example' });
    expect(await codeOf(seal(1, incognito))).to.equal('UNSUPPORTED');
    const { entries } = await world.surface('ui.exportActivity', {});
    expect(JSON.stringify(entries)).to.not.include('private.example');
  });

  it('writes nothing while a call is waited for, and all together some seconds later', async () => {
    await seal();
    const writes = sinon.spy(world.primary, 'write');
    for (let i = 0; i < 20; i++) await seal();
    expect(writes.callCount).to.equal(0);
    await world.saved();
    expect(writes.callCount).to.be.greaterThan(0);
  });

  it('outlives the worker once it is saved, and a lock that comes before that', async () => {
    world.now += MINUTES;
    await seal(33);
    await world.saved();
    world.restart();
    await seal(34);
    await world.surface('ui.lock', {});
    world.timers.goOff();
    await settled();
    world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    const { entries } = await log({ operations: ['seal'] });
    expect(entries[0]).to.include({ uses: 2, bytes: 33 + 34 });
  });

  it('fails no call when there is no room, and saves what waited when there is', async () => {
    await seal(); // notes the hour of the grant's last use
    const full = sinon.stub(world.primary, 'write');
    full.rejects(new DOMException('full', 'QuotaExceededError'));
    expect(await codeOf(seal(77))).to.equal('ok');
    world.timers.goOff();
    await settled();
    full.restore();
    await world.saved();
    world.restart();
    const { entries } = await log({ operations: ['seal'] });
    expect(entries[0]).to.include({ uses: 2, bytes: 16 + 77 });
  });

  it('is filtered and paged', async () => {
    const other = pageCaller({ origin: 'https://b.example', topOrigin: 'https://b.example' });
    await world.connect({}, other);
    for (let i = 0; i < 5; i++) {
      world.now += 2 * SAME_ENTRY_MS;
      await seal(10, i % 2 ? other : undefined);
    }
    const { origin } = pageCaller();
    expect((await log({ origin, operations: ['seal'] })).total).to.equal(3);
    expect((await log({ by: 'user' })).entries.map((e) => e.operation)).to.deep.equal([
      'createVault',
    ]);
    const all = (await log()).entries;
    const second = await world.surface('ui.activity', { offset: 2, limit: 2 });
    expect(second.entries).to.deep.equal(all.slice(2, 4));
    expect(second.total).to.equal(all.length);
    expect(second.origins).to.deep.equal([origin, other.origin].sort());
    expect((await log({ from: world.now })).total).to.equal(1);
    expect((await log({ until: world.now - 1 })).total).to.equal(all.length - 1);
    expect(second.keys).to.deep.equal([{ ref: 'app', kind: 'app', label: 'App key' }]);
    const words = async (text: string, operations: string[] = []) =>
      (await log({ text: { words: text, operations } })).total;
    expect(await words('B.EXAMPLE')).to.equal(3); // two uses and the grant
    expect(await words('app KEY', ['createVault'])).to.equal(8);
    expect(await words('nowhere')).to.equal(0);
  });

  it('forgets all but that it was cleared', async () => {
    await seal();
    await world.saved();
    await seal();
    await world.surface('ui.clearActivity', {});
    expect(await operations()).to.deep.equal(['clearActivity']);
    await seal();
    expect(await operations()).to.have.members(['clearActivity', 'seal']);
  });

  it('is read at most when unlocked', async () => {
    await world.surface('ui.lock', {});
    expect(await codeOf(log())).to.equal('LOCKED');
    expect(await codeOf(world.surface('ui.exportActivity', {}))).to.equal('LOCKED');
    expect(await codeOf(world.surface('ui.clearActivity', {}))).to.equal('LOCKED');
  });
});

describe('The ring of the audit log', () => {
  const { segments, entriesPerSegment } = ACTIVITY_RING;
  const many = (count: number, first = 0) =>
    Array.from({ length: count }, (_, i) =>
      entry({ from: first + i, until: first + i, ref: `${first + i}` }),
    );

  it('keeps the entries of all sites when one has far too many', async () => {
    const { vault } = await World.unlocked();
    const quiet = many(30).map((one) => ({ ...one, origin: 'https://quiet.example' }));
    const own = many(20, 30).map((one) => ({ ...one, origin: null }));
    await vault.commit((draft) => appendActivity(draft, [...quiet, ...own]));
    for (let i = 0; i < 3; i++) {
      await vault.commit((draft) => appendActivity(draft, many(4000, 1000 + 4000 * i)));
    }
    const left = await readActivity(vault);
    const of = (origin: string | null) => left.filter((one) => one.origin === origin);
    expect(of('https://quiet.example')).to.deep.equal(quiet);
    expect(of(null)).to.deep.equal(own);
    expect(left.length).to.be.within(3900, segments * entriesPerSegment);
    expect(left.at(-1)!.ref).to.equal(`${1000 + 3 * 4000 - 1}`);
  });

  it('shares what room there is equally, and gives what is left over to the larger', () => {
    const of = (origin: string, count: number) => many(count).map((one) => ({ ...one, origin }));
    const kept = withinQuotas([...of('a', 10), ...of('b', 90), ...of('c', 200)], 100);
    const counts = ['a', 'b', 'c'].map(
      (name) => kept.filter(({ origin }) => origin === name).length,
    );
    expect(counts).to.deep.equal([10, 45, 45]);
    expect(kept.at(-1)!.ref).to.equal('199');
    const strangers = many(30).map((one, i) => ({ ...one, origin: `${i}` }));
    expect(withinQuotas(strangers, 7)).to.have.length(7);
  });

  it('goes on in a log that an earlier version wrote round', async () => {
    const { vault } = await World.unlocked();
    await vault.commit((draft) => {
      draft.put({ id: 'activity', type: 'activity-head', value: segments + 3 });
      for (let number = 4; number <= segments + 3; number++) {
        const value = many(entriesPerSegment, number * entriesPerSegment) as unknown as Json;
        draft.put({ id: `activity/${number % segments}`, type: 'activity', value });
      }
    });
    const before = await readActivity(vault);
    expect(before).to.have.length(segments * entriesPerSegment);
    await vault.commit((draft) => appendActivity(draft, many(1, 1_000_000)));
    const after = await readActivity(vault);
    expect(after.slice(0, -1)).to.deep.equal(before.slice(-ACTIVITY_RING.keptWhenFull));
  });

  it('holds the newest, and forgets a fifth at a time', async () => {
    const { vault } = await World.unlocked();
    const capacity = segments * entriesPerSegment;
    await vault.commit((draft) => appendActivity(draft, many(capacity)));
    expect(await readActivity(vault)).to.have.length(capacity);
    await vault.commit((draft) => appendActivity(draft, many(1, capacity)));
    const left = await readActivity(vault);
    const { keptWhenFull } = ACTIVITY_RING;
    expect(left).to.have.length(keptWhenFull + 1);
    expect(left[0]!.ref).to.equal(`${capacity - keptWhenFull}`);
    expect(left.at(-1)!.ref).to.equal(`${capacity}`);
  });

  it('goes on over a damaged segment', async () => {
    const { vault } = await World.unlocked();
    await vault.commit((draft) => appendActivity(draft, many(entriesPerSegment + 1)));
    const { VaultError } = await import('../../../src/keys/values/errors.ts');
    const read = vault.read.bind(vault);
    sinon.stub(vault, 'read').callsFake((id) => {
      return id === 'activity/0' ? Promise.reject(new VaultError('CORRUPT')) : read(id);
    });
    expect((await readActivity(vault)).map(({ ref }) => ref)).to.deep.equal([
      `${entriesPerSegment}`,
    ]);
  });

  it('keeps no more in memory than its limit', async () => {
    const world = World.fresh();
    for (let i = 0; i < ACTIVITY.maxUnsaved + 10; i++) {
      world.now += SAME_ENTRY_MS;
      await codeOf(world.surface('ui.unlock', { passphrase: 'x' }));
    }
    world.timers.goOff();
    await settled();
    const waiting = (await world.session.get('activity')) as ActivityEntry[];
    expect(waiting).to.have.length(ACTIVITY.maxUnsaved);
    expect(waiting.at(-1)!.from).to.equal(world.now);
  });
});
