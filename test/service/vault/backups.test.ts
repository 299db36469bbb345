import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { BACKED_UP_TYPES } from '../../../src/keys/backup/backup-contents.ts';
import { SHARED_TYPES } from '../../../src/keys/devices/contents.ts';
import { USER_KEY_TYPES } from '../../../src/keys/ring/kinds.ts';
import { codeOf } from '../../support/outcomes.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';

const BY = { passphrase: PASSPHRASE };
const UNDER = { passphrase: 'a passphrase of its own' };
const PATTERN = 'https://a.example/*';
const FIELD = { tag: 'textarea', by: 'name', value: 'message' } as const;
const PLAINTEXT = new TextEncoder().encode('sealed on the old device');

/** A vault that a site has used, its backup, and what the site has sealed. */
async function oldDevice() {
  const world = await World.unlocked();
  await world.connect();
  const sealed = await world.call('seal', { plaintext: PLAINTEXT });
  await world.surface('ui.createKey', { label: 'Letters' });
  await world.surface('ui.createKey', { kind: 'sharing', label: 'Mine' });
  const key = { kind: 'sealing' } as const;
  const [granted] = await world.connect({ key }, pageCaller(), { newKeyLabel: 'Shared' });
  const byNamedKey = await world.call('seal', { plaintext: PLAINTEXT, key: granted!.keyId });
  const { file } = await world.surface('ui.makeBackup', { by: BY, under: UNDER });
  return { world, file, sealed, byNamedKey };
}

/** A vault that was made before the backup was brought, and used. */
async function newDevice(): Promise<World> {
  const world = await World.unlocked();
  await world.connect();
  await world.call('seal', { plaintext: PLAINTEXT });
  const { ref } = await world.surface('ui.createKey', { label: 'Made here' });
  await world.surface('ui.alwaysSeal', { origin: 'https://a.example', field: FIELD, on: true });
  await world.surface('ui.offerKey', { origin: 'https://a.example', ref });
  return world;
}

const labelsIn = async (world: World) =>
  (await world.surface('ui.keys', {})).map(({ label }) => label);

describe('A backup in the manager', function () {
  this.timeout(30_000);
  let file: Uint8Array;
  let sealed: Uint8Array;
  let byNamedKey: Uint8Array;
  before(async () => ({ file, sealed, byNamedKey } = await oldDevice()));

  it('says whose it is before anything changes, and what the vault holds', async () => {
    const { world: own, file: ofOwn } = await oldDevice();
    const empty = await World.unlocked();
    const used = await newDevice();
    for (const [world, backup, relation, present] of [
      [own, ofOwn, 'own', { keys: 3, contacts: 0, appKeys: 1, persistentKeys: 0 }],
      [empty, file, 'first', { keys: 0, contacts: 0, appKeys: 0, persistentKeys: 0 }],
      [used, file, 'foreign', { keys: 1, contacts: 0, appKeys: 1, persistentKeys: 0 }],
    ] as const) {
      const before = await labelsIn(world);
      const report = await world.surface('ui.checkBackup', { file: backup, ...UNDER });
      expect({ ...report.present }).to.deep.equal(present);
      expect(report.relation).to.equal(relation);
      expect(await labelsIn(world)).to.deep.equal(before);
    }
  });

  it('gives guests, which nothing offers until each is taken over', async () => {
    const world = await newDevice();
    await world.surface('ui.restoreBackup', { file, ...UNDER });
    const guests = (await world.surface('ui.keys', {})).filter(({ guest }) => guest);
    expect(guests.map(({ label }) => label)).to.have.members(['Letters', 'Mine', 'Shared']);
    expect(await world.surface('ui.ownSharingKeys', {})).to.deep.equal([]);
    expect(await offered(world)).to.deep.equal(['Made here']);
    for (const { ref, label } of guests) {
      const unarchived = world.surface('ui.archiveKey', { ref, archived: false });
      expect(await codeOf(unarchived)).to.equal('INVALID_ARGUMENT');
      world.now += 1;
      await world.surface('ui.takeOverKey', { ref });
      const left = (await world.surface('ui.keys', {})).filter(({ guest }) => guest);
      expect(left.map((key) => key.label)).not.to.include(label);
      expect(await codeOf(world.surface('ui.takeOverKey', { ref }))).to.equal('INVALID_ARGUMENT');
    }
    expect(await offered(world)).to.have.members(['Made here', 'Letters', 'Shared']);
    const own = await world.surface('ui.ownSharingKeys', {});
    expect(own.map(({ label }) => label)).to.deep.equal(['Mine']);
  });

  it('opens with guests what the user opens alone, by a marked name, and nothing for a site', async () => {
    const world = await newDevice();
    await world.surface('ui.restoreBackup', { file, ...UNDER });
    expect(await codeOf(world.call('open', { sealed: byNamedKey }))).to.equal('NEEDS_KEY');
    const message = { head: byNamedKey, totalBytes: byNamedKey.length };
    const released = await world.surface('ui.releaseOpen', message);
    expect(released.openedBy).to.deep.include({ label: 'Shared', guest: true });
  });

  it('replaces a vault: all of the file is here, and no permission', async () => {
    const world = await newDevice();
    expect(await codeOf(world.call('open', { sealed }))).to.equal('NEEDS_KEY');
    await replaced(world);
    expect(await labelsIn(world)).to.have.members(['App key', 'Letters', 'Mine', 'Shared']);
    expect((await world.surface('ui.keys', {})).filter(({ guest }) => guest)).to.deep.equal([]);
    expect(await codeOf(world.call('open', { sealed }))).to.equal('NOT_GRANTED');
    expect(world.sites.guarded.at(-1)).to.deep.equal([PATTERN, false]);
    await world.connect();
    expect(await world.call('open', { sealed })).to.deep.equal(PLAINTEXT);
    const report = await world.surface('ui.checkBackup', { file, ...UNDER });
    expect(report.relation).to.equal('own');
    await world.surface('ui.lock', {});
    expect(await codeOf(world.surface('ui.unlock', BY))).to.equal('ok');
  });

  it('replaces a vault once, however often the call is repeated', async () => {
    const world = await newDevice();
    await replaced(world);
    await world.surface('ui.createKey', { label: 'Made later' });
    await replaced(world);
    expect(await labelsIn(world)).to.include('Made later');
  });

  it('replaces nothing under a wrong passphrase, by no backup, or while locked', async () => {
    const world = await newDevice();
    const before = [await labelsIn(world), await world.call('grants', {})];
    const params = { by: BY, file, ...UNDER };
    const refused = {
      AUTH_FAILED: { ...params, by: { passphrase: 'wrong' } },
      BAD_ENVELOPE: { ...params, file: file.subarray(1) },
    };
    for (const [code, wrong] of Object.entries(refused)) {
      expect(await codeOf(world.surface('ui.replaceVault', wrong))).to.equal(code);
    }
    const wrongSecret = world.surface('ui.replaceVault', { ...params, passphrase: 'wrong' });
    expect(await codeOf(wrongSecret)).to.equal('AUTH_FAILED');
    expect([await labelsIn(world), await world.call('grants', {})]).to.deep.equal(before);
    await world.surface('ui.lock', {});
    expect(await codeOf(world.surface('ui.replaceVault', params))).to.equal('LOCKED');
  });

  async function replaced(world: World): Promise<void> {
    await world.call('ui.replaceVault', { by: BY, file, ...UNDER }, POPUP, 'replace 1');
  }

  /** What a prompt offers to a site that asks for a sealing key. */
  async function offered(world: World): Promise<string[]> {
    const shown = world.prompter.shown.length;
    const purpose = 'To test';
    const key = { kind: 'sealing' } as const;
    const origin = 'https://b.example';
    const page = pageCaller({ origin, topOrigin: origin });
    const asking = world.call('connect', { purpose, key, capabilities: ['seal'] }, page);
    asking.catch(() => undefined);
    while (world.prompter.shown.length === shown) await settled();
    const promptId = world.prompter.shown[shown]!;
    const { keys } = await world.surface('ui.prompt', { promptId });
    await world.surface('ui.answerPrompt', { promptId, allow: false });
    world.now += 60_000; // until the site may ask again
    return keys.map(({ label }) => label);
  }
});

interface Row {
  readonly inBackups: boolean;
  readonly why: string;
  /** Words of the guide's paragraph about backups; null: nothing that a user would miss. */
  readonly told: string | null;
  /** Why devices of one person do not share it (docs/design/devices.md); null: they do. */
  readonly unshared: string | null;
}

const inBoth = (told: string | null, why: string): Row => ({
  inBackups: true,
  why,
  told,
  unshared: null,
});

const inNone = (told: string | null, why: string, unshared = why): Row => ({
  inBackups: false,
  why,
  told,
  unshared,
});

/** Every type of record in a vault. */
const RECORD_TYPES: Readonly<Record<string, Row>> = {
  'key-root': inBoth('keys', 'all app keys are derived from it'),
  'key-use': inBoth('keys', 'without its salt an app key cannot be derived again'),
  'sealing-key': inBoth('keys', 'drawn at random'),
  'signing-key': inBoth('keys', 'drawn at random, or imported'),
  'sharing-key': inBoth('keys', 'drawn at random'),
  'sync-key': inBoth('keys', 'drawn at random, or imported'),
  'age-key': inBoth('keys', 'imported'),
  'jose-key': inBoth('keys', 'drawn at random'),
  'key-details': inBoth('their notes', 'entered by the user'),
  contact: inBoth('contacts', 'entered by the user'),
  'site-fields': inBoth('settings for fields of sites', 'entered by the user'),
  'persistent-key': inBoth(
    'keys that sites keep by reference',
    'made by a site, and drawn at random',
  ),
  'sync-list': inNone(null, 'two devices with one list would be told as copies of each other'),
  'sync-list-part': inNone(null, 'a part of a sync-list'),
  grant: inNone('permissions', 'given to the sites of one browser'),
  'origin-move': inNone(
    'what may open data of another address',
    'a right of a site, given in one browser, as permissions are',
  ),
  decoys: inNone(
    'the lists of decoys',
    'they stop grants of one browser, and each browser seals its own',
  ),
  'jose-point': inNone(null, 'a public point, computed again from its jose-key'),
  draft: inNone(
    'drafts',
    'an old file would bring back texts that were sent or discarded',
    'written and sent in one browser, and deleted when it is used',
  ),
  activity: inNone('activity log', 'says what happened in one browser'),
  'activity-head': inNone(null, 'the place of the newest entry of the log'),
  usage: inNone('activity log', 'counts of one browser'),
  setting: inNone('settings of this browser', 'times and limits of one browser'),
  journal: inNone(null, 'makes repeated calls of the last minutes act once'),
  'recovery-friends': inNone(
    null,
    'a file that was made in one browser, with the keys that check its friends',
  ),
  'recovery-request': inNone(
    null,
    'ends with the recovery; who had it and the answers could open the file',
  ),
  seed: inNone(null, 'two vaults would begin with one seed of the random generator'),
  group: inNone(
    null,
    'an old file would name an older epoch as the newest',
    'digests alone: each browser checks the epochs that an app gives it',
  ),
  'kept-group': inNone(
    'groups',
    'an old file would name an older epoch as the newest',
    'each device takes the group file by itself: any member can give it',
  ),
  device: inNone(
    null,
    'two devices with one id would give one number to two changes',
    'the id of this device; the state in it is what is shared',
  ),
  'pairing-offer': inNone(null, 'a key of ten minutes, for one answer of another device'),
  circle: inNone(
    null,
    'who had the file would be this member of the circle',
    'the pairs of this device; the epochs are shared as epochs',
  ),
  openers: inNone(
    null,
    'public keys of what opens this vault; a restored vault has other ways to open it',
    'the secrets of this vault; as members of the circle they are shared as epochs',
  ),
  medium: inNone(
    null,
    'a vault that is restored exchanges nothing until the person chooses it',
    'whether this device exchanges, and what its person was told and chose',
  ),
  'device-files': inNone(
    null,
    'a vault that is restored is no device, and has made no file',
    'which files of others this device has read, and what its person was told and chose',
  ),
  'removed-devices': inNone(
    null,
    'of removals on one device, until its person has rotated the keys',
  ),
  'member-notes': inNone(
    null,
    'of one device: of whom its person was not told, and of whom it has not heard',
  ),
  deletion: inNone(
    null,
    'a file holds what is to be kept',
    'becomes a part of the shared state, and is removed',
  ),
};

/** The types that commits put, as the sources name them. */
function typesInSources(): Set<string> {
  const sources = ['src/keys', 'src/service'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  const types = sources.flatMap((source) => {
    const names = Array.from(
      source.matchAll(/\btype: ([A-Z][A-Z_]+), value\b/g),
      ([, name]) => name!,
    );
    return names.map((name) => {
      const constant = new RegExp(`\\b${name} = '([^']+)'`);
      return (constant.exec(source) ?? constant.exec(sources.join('\n')))![1]!;
    });
  });
  return new Set([...types, ...USER_KEY_TYPES]);
}

describe('The types of records', () => {
  it('are all listed, as in backups or not', () => {
    expect(typesInSources()).to.deep.equal(new Set(Object.keys(RECORD_TYPES)));
    const inBackups = Object.entries(RECORD_TYPES).filter(([, { inBackups: is }]) => is);
    expect(new Set(inBackups.map(([type]) => type))).to.deep.equal(new Set(BACKED_UP_TYPES));
  });

  it('are all listed, as shared by devices or not', () => {
    const shared = Object.entries(RECORD_TYPES).filter(([, { unshared }]) => unshared === null);
    expect(new Set(shared.map(([type]) => type))).to.deep.equal(new Set(SHARED_TYPES));
  });

  it('are named in the guide, on the side where they are', () => {
    const guide = readFileSync('docs/guide.md', 'utf8').replace(/\s+/g, ' ');
    const [, holds = '', lacks = ''] = /A backup holds (.*?)\. It lacks (.*?)\./.exec(guide)!;
    for (const [type, { inBackups, told }] of Object.entries(RECORD_TYPES)) {
      if (told !== null) expect(inBackups ? holds : lacks, type).to.include(told);
    }
  });
});
