import { expect } from 'chai';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, World, diesAtWrite } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example' });
const BY = { passphrase: PASSPHRASE };
const SEALING = { key: { kind: 'sealing' as const } };
const PLAINTEXT = new TextEncoder().encode('surface');

let world: World;

/** A world with two enabled sites, the first of which is in a tab. */
function withTwoSites(): void {
  beforeEach(async () => {
    world = await World.unlocked();
    world.sites.patterns = new Set(['https://a.example/*', 'https://b.example/*']);
    world.sites.tabs.set(1, 'https://a.example/page?secret=1');
  });
}

async function sealedWithOwnKey() {
  const { ref } = await world.surface('ui.createKey', { label: 'Old' });
  await world.connect(SEALING, A, { ref });
  const [key] = await world.call('keys', {}, A);
  const sealed = await world.call('seal', { plaintext: PLAINTEXT, key: key!.id }, A);
  return { ref, sealed };
}

describe('What the popup is told and can do about sites', () => {
  withTwoSites();

  it('shows the site of a tab with its own grants and its last use', async () => {
    await world.connect({ maxUses: 3 }, A);
    await world.connect({}, B);
    world.now += 1000;
    await world.call('seal', { plaintext: PLAINTEXT }, A);
    const site = await world.surface('ui.site', { tabId: 1 });
    expect(site).to.deep.include({
      origin: 'https://a.example',
      pattern: 'https://a.example/*',
      enabled: true,
      problem: null,
      lastUse: world.now,
    });
    expect(site.grants).to.have.length(1);
    expect(site.grants[0]).to.deep.include({
      origin: 'https://a.example',
      keyKind: 'app',
      capabilities: ['seal', 'open'],
      created: world.now - 1000,
      expiresAt: null,
      usesLeft: 2,
      lastUsed: world.now,
    });
  });

  it('shows why a tab cannot be enabled, and no grants while locked', async () => {
    await world.connect({}, A);
    world.sites.tabs.set(2, 'http://a.example/').set(3, 'file:///etc/hosts');
    world.sites.tabs.set(4, 'https://new.example:8443/x');
    const problem = async (tabId: number) => (await world.surface('ui.site', { tabId })).problem;
    expect(await Promise.all([2, 3, 99].map(problem))).to.deep.equal([
      'insecure',
      'file',
      'browser-page',
    ]);
    expect(await world.surface('ui.site', { tabId: 4 })).to.deep.include({
      origin: 'https://new.example:8443',
      pattern: 'https://new.example/*',
      enabled: false,
      problem: null,
    });
    await world.surface('ui.lock', {});
    const site = await world.surface('ui.site', { tabId: 1 });
    expect(site).to.deep.include({ enabled: true, grants: [], lastUse: null });
  });

  it('lists every enabled site once, with the grants under it', async () => {
    await world.connect({}, A);
    const port = pageCaller({ origin: 'https://a.example:8443' });
    await world.connect({}, port);
    const sites = await world.surface('ui.sites', {});
    const rows = sites.map(({ origin, pattern, grants }) => [origin, pattern, grants.length]);
    expect(rows).to.deep.equal([
      ['https://a.example', 'https://a.example/*', 1],
      ['https://a.example:8443', 'https://a.example/*', 1],
      ['https://b.example', 'https://b.example/*', 0],
    ]);
  });

  it('revokes by grant, at once, and tells the origin', async () => {
    const [ofA] = await world.connect({}, A);
    await world.connect({}, B);
    world.events.log.length = 0;
    await world.surface('ui.revoke', { grantIds: [ofA!.id] });
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, A))).to.equal('NOT_GRANTED');
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, B))).to.equal('ok');
    expect(world.events.log).to.deep.equal(['grantchange https://a.example']);
  });

  it('disables a site, which loses its grants and can no longer ask', async () => {
    await world.connect({}, A);
    await world.connect({}, B);
    await world.surface('ui.disableSite', { pattern: 'https://a.example/*' });
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, A))).to.equal('UNSUPPORTED');
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, B))).to.equal('ok');
    const asking = world.call('connect', { purpose: 'Again', capabilities: ['seal'] }, A);
    expect(await codeOf(asking)).to.equal('UNSUPPORTED');
    world.sites.patterns.add('https://a.example/*');
    expect(await codeOf(world.call('seal', { plaintext: PLAINTEXT }, A))).to.equal('NOT_GRANTED');
  });

  for (const how of ['by the popup', 'in the settings of the browser']) {
    it(`serves open tabs of a site no more that is disabled ${how}`, async () => {
      const served = async (caller: typeof A) => [
        await codeOf(world.call('status', {}, caller)),
        await codeOf(world.call('random', { length: 1 }, caller)),
        await codeOf(
          world.call('subtle.digest', { algorithm: { name: 'SHA-256' }, data: PLAINTEXT }, caller),
        ),
        await codeOf(world.call('grants', {}, caller)),
        await codeOf(world.call('guardedFields', {}, caller)),
      ];
      expect(new Set([...(await served(A)), ...(await served(B))])).to.deep.equal(new Set(['ok']));
      const pattern = 'https://a.example/*';
      if (how === 'by the popup') await world.surface('ui.disableSite', { pattern });
      else {
        world.sites.patterns.delete(pattern);
        await world.service.sitesRemoved([pattern]);
      }
      expect(new Set(await served(A))).to.deep.equal(new Set(['UNSUPPORTED']));
      world.restart();
      expect(new Set(await served(A))).to.deep.equal(new Set(['UNSUPPORTED']));
      expect(new Set(await served(B))).to.deep.equal(new Set(['ok']));
    });
  }

  it('takes the grants of a site that was removed while locked, though it came back', async () => {
    await world.connect({}, A);
    await world.connect({}, B);
    await world.surface('ui.lock', {});
    world.sites.patterns.delete('https://a.example/*');
    await world.service.sitesRemoved(['https://a.example/*']);
    world.restart();
    world.sites.patterns.add('https://a.example/*');
    await world.surface('ui.enableSite', { pattern: 'https://a.example/*' });
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await world.call('grants', {}, A)).to.deep.equal([]);
    expect(await world.call('grants', {}, B)).to.have.length(1);
    expect(world.notes.values.size).to.equal(0);
  });

  it('keeps grants of a site that another pattern still enables', async () => {
    world.sites.patterns.add('*://*/*');
    await world.connect({}, A);
    world.sites.patterns.delete('https://a.example/*');
    await world.service.sitesRemoved(['https://a.example/*']);
    expect(await world.call('grants', {}, A)).to.have.length(1);
  });

  it('enables a site once the browser has given the permission, and not before', async () => {
    const enable = (pattern: string) => codeOf(world.surface('ui.enableSite', { pattern }));
    expect(await enable('https://new.example/*')).to.equal('NOT_GRANTED');
    expect(world.sites.served).to.deep.equal([]);
    expect(await enable('https://a.example/*')).to.equal('ok');
    expect(world.sites.served).to.deep.equal(['https://a.example/*']);
  });

  it('refuses patterns that are no site', async () => {
    for (const pattern of [
      'https://a.example',
      'ftp://a/*',
      'https://a.example/x',
      '*',
      'file:///*',
    ]) {
      expect(await codeOf(world.surface('ui.enableSite', { pattern }))).to.equal(
        'INVALID_ARGUMENT',
      );
      expect(await codeOf(world.surface('ui.disableSite', { pattern }))).to.equal(
        'INVALID_ARGUMENT',
      );
    }
  });
});

describe('What the popup and the manager are told and can do about keys', () => {
  withTwoSites();

  it('makes and renames keys, and counts their grants', async () => {
    const made = await world.surface('ui.createKey', { label: 'Notes' });
    expect(made).to.include({ kind: 'sealing', label: 'Notes', generation: 1, grants: 0 });
    const recorded = { label: 'Diary', note: 'Since May', tone: 'blue' };
    await world.surface('ui.editKey', { ref: made.ref, ...recorded });
    await world.connect({ key: { kind: 'sealing' } }, A, { ref: made.ref });
    const [, diary] = await world.surface('ui.keys', {});
    expect(diary).to.include({ ref: made.ref, ...recorded, grants: 1, sites: 0, archived: null });
    const unknown = world.surface('ui.editKey', { ...recorded, ref: 'unknown' });
    expect(await codeOf(unknown)).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(world.surface('ui.createKey', { label: '  ' }))).to.equal(
      'INVALID_ARGUMENT',
    );
  });

  it('tells of the use of a key that no permission names any more', async () => {
    const { ref } = await sealedWithOwnKey();
    const { grants } = await world.surface('ui.site', { tabId: 1 });
    await world.surface('ui.revoke', { grantIds: grants.map(({ id }) => id) });
    const used = (await world.surface('ui.keys', {})).find((key) => key.ref === ref)!;
    expect(used).to.include({ grants: 0, sealed: 1 });
    expect(used.lastUsed).to.be.a('number');
  });

  it('offers an archived key no more, and lets it open what it sealed', async () => {
    const { ref, sealed } = await sealedWithOwnKey();
    await world.surface('ui.archiveKey', { ref, archived: true });
    const asking = world.connect(SEALING, B, { ref });
    expect(await codeOf(asking)).to.equal('INVALID_ARGUMENT');
    const promptId = world.prompter.shown.at(-1)!;
    expect((await world.surface('ui.prompt', { promptId })).keys).to.deep.equal([]);
    expect(await world.call('open', { sealed }, A)).to.deep.equal(PLAINTEXT);
    await world.surface('ui.archiveKey', { ref, archived: false });
    expect((await world.surface('ui.prompt', { promptId })).keys).to.have.length(1);
  });

  it('deletes a key from the archive alone, after the passphrase, with all that came of it', async () => {
    const { ref, sealed } = await sealedWithOwnKey();
    const wrong = { passphrase: 'not it' };
    expect(await codeOf(world.surface('ui.deleteKey', { by: BY, ref }))).to.equal(
      'INVALID_ARGUMENT',
    );
    expect((await world.surface('ui.keys', {}))[1]).to.include({ ref, grants: 1, sites: 1 });
    await world.surface('ui.archiveKey', { ref, archived: true });
    expect(await codeOf(world.surface('ui.deleteKey', { by: wrong, ref }))).to.equal('AUTH_FAILED');
    expect(await world.call('open', { sealed }, A)).to.deep.equal(PLAINTEXT);
    await world.surface('ui.deleteKey', { by: BY, ref });
    expect(await world.surface('ui.keys', {})).to.have.length(1);
    expect((await world.surface('ui.site', { tabId: 1 })).grants).to.deep.equal([]);
    expect(await codeOf(world.call('open', { sealed }, A))).to.equal('NOT_GRANTED');
    world.restart();
    expect(await codeOf(world.surface('ui.archiveKey', { ref, archived: false }))).to.equal(
      'INVALID_ARGUMENT',
    );
  });

  it('deletes a key and the permissions for it together, wherever the worker ends', async () => {
    const outcomes = new Set<string>();
    let deaths = 0;
    for (let end: 'dead' | 'done' = 'dead'; end === 'dead'; deaths++) {
      world = await World.unlocked();
      const { ref } = await sealedWithOwnKey();
      await world.surface('ui.archiveKey', { ref, archived: true });
      await world.saved();
      const died = diesAtWrite(world, deaths);
      const deleting = world.surface('ui.deleteKey', { by: BY, ref });
      end = await Promise.race([died.happened, deleting.then(() => 'done' as const)]);
      died.revive();
      world.restart();
      const has = (await world.surface('ui.keys', {})).some((key) => key.ref === ref);
      const grants = (await world.surface('ui.sites', {})).flatMap((site) => site.grants);
      expect(grants.length > 0, `death ${deaths}`).to.equal(has);
      outcomes.add(has ? 'all' : 'nothing');
    }
    expect(deaths).to.be.greaterThan(4);
    expect([...outcomes].sort()).to.deep.equal(['all', 'nothing']);
  });

  it('neither archives nor deletes what is no named key', async () => {
    for (const ref of ['app', 'key-root', 'x'.repeat(22)]) {
      expect(await codeOf(world.surface('ui.archiveKey', { ref, archived: true }))).to.equal(
        'INVALID_ARGUMENT',
      );
      expect(await codeOf(world.surface('ui.deleteKey', { by: BY, ref }))).to.equal(
        'INVALID_ARGUMENT',
      );
    }
  });

  it('lists keys to a page only as far as it may use them, under names of its own', async () => {
    await world.surface('ui.createKey', { label: 'Private' });
    await world.connect({}, A);
    await world.connect({}, B);
    const [ofA, ...more] = await world.call('keys', {}, A);
    const [ofB] = await world.call('keys', {}, B);
    expect(more).to.deep.equal([]);
    expect(ofA).to.include({ kind: 'app', generation: 1 });
    expect(ofA!.id).to.not.equal(ofB!.id);
    expect(ofA!.id).to.equal((await world.call('grants', {}, A))[0]!.keyId);
  });
});

describe('Movements over the popup and the manager', () => {
  withTwoSites();

  it('feeds the pools a digest of many events, and counts the events', async () => {
    const added: [number, Uint8Array][] = [];
    Object.assign(world.random, {
      addEvent: (source: number, data: Uint8Array) => added.push([source, data]),
    });
    const before = await world.surface('ui.entropy', {});
    expect(before).to.deep.include({ events: 0, reseeds: 1, healthy: true });
    expect(before.pools).to.have.length(32);
    const digest = new Uint8Array(32).fill(5);
    await world.surface('ui.addEntropy', { source: 'pointer', digest, events: 32 });
    const after = await world.surface('ui.addEntropy', { source: 'keyboard', digest, events: 3 });
    expect(after.events).to.equal(35);
    expect(added).to.deep.equal([
      [1, digest],
      [2, digest],
    ]);
  });

  it('takes digests alone as events, and no more of them than one digest can be of', async () => {
    const adding = (bytes: number, events: number) =>
      codeOf(
        world.surface('ui.addEntropy', {
          source: 'pointer',
          digest: new Uint8Array(bytes),
          events,
        }),
      );
    expect(await adding(31, 1)).to.equal('INVALID_ARGUMENT');
    expect(await adding(33, 1)).to.equal('TOO_LARGE');
    expect(await adding(32, 33)).to.equal('INVALID_ARGUMENT');
    expect(await adding(32, 0)).to.equal('INVALID_ARGUMENT');
    expect(await world.surface('ui.entropy', {})).to.include({ events: 0 });
  });

  it('does not take movements for a use of the vault', async () => {
    const { lockAt } = await world.surface('ui.state', {});
    world.now += 60_000;
    const digest = new Uint8Array(32);
    await world.surface('ui.addEntropy', { source: 'pointer', digest, events: 1 });
    expect((await world.surface('ui.state', {})).lockAt).to.equal(lockAt);
  });
});
