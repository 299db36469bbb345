import { expect } from 'chai';
import { candidatesIn } from '../../../extension/fields-window/candidates.ts';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import {
  KNOWN_BY_MAX_CHARACTERS,
  SITE_FIELDS_MAX,
} from '../../../src/keys/annotations/site-fields.ts';
import { MAX_FIELD_NAMES, type FieldName } from '../../../src/rpc/methods/guard.ts';
import { MAX_FIELD_NAME_CHARACTERS } from '../../../src/rpc/limits.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import type { Unmarkable } from '../../../src/rpc/methods/ui-fields.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = 'https://a.example';
const B = 'https://b.example';
const PATTERN = `${A}/*`;
const MESSAGE: FieldName = { tag: 'textarea', by: 'name', value: 'message' };
const SUBJECT: FieldName = { tag: 'input', by: 'id', value: 'subject' };
const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('Fields that are always sealed', () => {
  let world: World;
  let ref: string;

  const always = (field = MESSAGE, on = true, origin = A) =>
    world.surface('ui.alwaysSeal', { origin, field, on });
  const offer = (key: string | null, origin = A) =>
    world.surface('ui.offerKey', { origin, ref: key });
  const settings = (origin = A) =>
    world.surface('ui.fieldSettings', { origin, pattern: `${origin}/*` });
  const seal = (words = 'hello', caller = pageCaller()) =>
    world.call('sealGuarded', { text: utf8(words) }, caller);
  const fieldSession = (
    field: FieldName | null,
    origin = A,
    unmarkable: Unmarkable | null = null,
  ) => {
    world.fieldSessions.field = {
      blockedFrame: null,
      field: 'there',
      text: '',
      limit: null,
      name: field,
      unmarkable,
      found: [],
    };
    return world.surface('ui.visit', { sessionId: world.fieldSessions.add({ origin }) });
  };

  beforeEach(async () => {
    world = await World.unlocked();
    ({ ref } = await world.surface('ui.createKey', { label: 'Letters' }));
  });

  it('are known to their own site’s guard alone, until they are taken away', async () => {
    await always(MESSAGE);
    await always(SUBJECT);
    await always(MESSAGE);
    expect((await world.call('guardedFields', {})).fields).to.deep.equal([SUBJECT, MESSAGE]);
    const elsewhere = world.call('guardedFields', {}, pageCaller({ origin: B }));
    expect((await elsewhere).fields).to.deep.equal([]);
    await always(SUBJECT, false);
    expect((await settings()).alwaysSealed).to.deep.equal([MESSAGE]);
  });

  it('are sealed with the key of their site, which opens them', async () => {
    await always();
    await offer(ref);
    const armored = webArmor((await seal('Grüße')).sealed);
    expect(inspect(armored)).to.include({ purpose: 'field', padded: true, originBound: false });
    const found = utf8(armored);
    const sessionId = world.fieldSessions.add({ origin: B });
    const opening = { sessionId, found, candidates: candidatesIn(found) };
    const opened = await world.surface('ui.openField', opening);
    expect(text(opened.text)).to.equal('Grüße');
    expect(opened).to.deep.include({ origin: A, key: { kind: 'sealing', label: 'Letters', ref } });
  });

  it('are sealed in no other case: no mark, no key, a key that is gone, a locked vault', async () => {
    await offer(ref);
    expect(await codeOf(seal())).to.equal('NOT_GRANTED');
    await always();
    await offer(null);
    expect(await codeOf(seal())).to.equal('NEEDS_KEY');
    await offer(ref);
    await world.vault.commit((draft) => draft.remove(ref));
    expect(await codeOf(seal())).to.equal('INVALID_ARGUMENT');
    expect((await settings()).ref).to.equal(null);
    await world.surface('ui.lock', {});
    expect(await codeOf(seal())).to.equal('LOCKED');
    expect(await codeOf(world.call('guardedFields', {}))).to.equal('LOCKED');
  });

  it('are sealed in frames of other sites and in private windows too; the latter leave no trace', async () => {
    await always();
    await offer(ref);
    expect(await codeOf(seal('x', pageCaller({ topOrigin: B })))).to.equal('ok');
    await world.saved();
    const before = await world.surface('ui.activity', { offset: 0, limit: 10 });
    expect(before.entries.map(({ operation }) => operation)).to.include('sealField');
    expect(await codeOf(seal('x', pageCaller({ incognito: true })))).to.equal('ok');
    await world.saved();
    expect(await world.surface('ui.activity', { offset: 0, limit: 10 })).to.deep.equal(before);
  });

  it('lie in the vault and nowhere in clear', async () => {
    await always({ tag: 'input', by: 'aria-label', value: 'diagnosis-of-patient' });
    await offer(ref);
    const stored = JSON.stringify([...world.notes.values, ...world.session.values]);
    expect(stored).to.not.include('diagnosis');
    const hex = Buffer.from('diagnosis').toString('hex');
    expect(world.stored()).to.not.include('diagnosis').and.not.include(hex);
  });

  it('have their site’s scripts follow them', async () => {
    const port = `${A}:8443`;
    await always(MESSAGE, true, port);
    await always(MESSAGE);
    await always(MESSAGE, false);
    await always(MESSAGE, false, port);
    // A pattern has no port: both origins are one to it.
    expect(world.sites.guarded).to.deep.equal([
      [PATTERN, true],
      [PATTERN, true],
      [PATTERN, true],
      [PATTERN, false],
    ]);
  });

  it('are for enabled sites alone; what is settled stays when one is disabled', async () => {
    await always();
    await offer(ref);
    world.sites.patterns = new Set();
    expect(await codeOf(always(SUBJECT))).to.equal('NOT_GRANTED');
    expect((await world.surface('ui.sites', {})).map(({ origin }) => origin)).to.deep.equal([]);
    world.sites.patterns = new Set([PATTERN]);
    const sites = await world.surface('ui.sites', {});
    expect(sites).to.deep.equal([
      { origin: A, pattern: PATTERN, grants: [], persistentKeys: 0, decoys: 0 },
    ]);
    expect(await settings()).to.deep.equal({ marks: true, ref, alwaysSealed: [MESSAGE] });
  });

  it('are shown opened in their editors: what the same site sealed, for the user alone, and nothing else', async () => {
    await always();
    await offer(ref);
    world.sites.patterns = new Set([PATTERN]);
    const show = async (armored: string, held = armored, name: FieldName | null = MESSAGE) => {
      const before = world.fieldSessions.shown.length;
      await fieldSession(name);
      const sessionId = world.fieldSessions.fieldSessions.at(-1)!.id;
      const { field } = world.fieldSessions;
      world.fieldSessions.field = { ...field!, found: [[held]], inPlace: true };
      const found = utf8(armored);
      const showing = { sessionId, found, candidates: candidatesIn(found) };
      const told = await world.surface('ui.showInField', showing);
      return [told.shown, ...world.fieldSessions.shown.slice(before)];
    };
    const sealedOn = async (origin: string, more = {}): Promise<string> => {
      const sessionId = world.fieldSessions.add({ origin });
      const sealing = { sessionId, text: utf8('Grüße'), ref, ...more };
      return webArmor((await world.surface('ui.sealField', sealing)).sealed);
    };
    const own = webArmor((await seal('Grüße')).sealed);
    expect(await show(own)).to.deep.equal([true, 'Grüße']);
    const sharing = await world.surface('ui.createKey', { kind: 'sharing', label: 'Me' });
    const { text: publicKey } = await world.surface('ui.publicKey', { ref: sharing.ref });
    const { id } = await world.surface('ui.addContact', { name: 'Robin', publicKey });
    for (const other of [await sealedOn(B), await sealedOn(A, { contacts: [id] })]) {
      expect(await show(other)).to.deep.equal([false]);
    }
    expect(await show(own, await sealedOn(A)), 'the field holds another').to.deep.equal([false]);
    expect(await show(own, own, SUBJECT), 'a field without a mark').to.deep.equal([false]);
    world.sites.patterns = new Set();
    expect(await show(own), 'a site that is not enabled any more').to.deep.equal([false]);
  });

  it('come back from a backup, guarded, whether the vault was there or lost', async () => {
    await always();
    await offer(ref);
    const under = { passphrase: 'a passphrase of its own' };
    const { file } = await world.surface('ui.makeBackup', {
      by: { passphrase: PASSPHRASE },
      under,
    });
    const other = await World.unlocked();
    await other.surface('ui.restoreBackup', { file, ...under });
    const restored = await other.surface('ui.fieldSettings', { origin: A, pattern: PATTERN });
    expect(restored).to.deep.include({ ref, alwaysSealed: [MESSAGE] });
    expect(other.sites.guarded).to.deep.equal([[PATTERN, true]]);
    await world.surface('ui.lock', {});
    for (const { values } of [world.primary, world.copy]) {
      for (const name of [...values.keys()]) if (name.includes('/slot/')) values.delete(name);
    }
    world.restart();
    world.sites.guarded.length = 0;
    await world.surface('ui.restoreLost', { file, ...under, newPassphrase: 'of the new vault' });
    expect(world.sites.guarded).to.deep.equal([[PATTERN, true]]);
  });

  it('are as many as a site has at most', async () => {
    expect(MAX_FIELD_NAMES).to.equal(SITE_FIELDS_MAX);
    expect(MAX_FIELD_NAME_CHARACTERS).to.equal(KNOWN_BY_MAX_CHARACTERS);
    for (let i = 0; i < MAX_FIELD_NAMES; i++) await always({ ...MESSAGE, value: `m${i}` });
    expect(await codeOf(always(MESSAGE))).to.equal('TOO_LARGE');
    expect(await codeOf(always({ ...MESSAGE, value: 'm0' }))).to.equal('ok');
  });

  it('can be chosen in the window about a field that its site names, where that is enabled', async () => {
    await always();
    await offer(ref);
    expect(await fieldSession(MESSAGE)).to.deep.include({
      ref,
      always: { field: MESSAGE, on: true },
    });
    expect(await fieldSession(SUBJECT)).to.deep.include({ always: { field: SUBJECT, on: false } });
    expect(await fieldSession(null, A, 'editor')).to.deep.include({
      always: null,
      never: 'editor',
    });
    expect(await fieldSession(MESSAGE)).to.deep.include({ never: null });
    world.sites.patterns = new Set();
    expect(await fieldSession(MESSAGE)).to.deep.include({ ref, always: null });
    expect(await fieldSession(null, A, 'editor')).to.deep.include({ ref, never: null });
  });

  it('can be chosen in that window on a site that is off, unless none can be enabled', async () => {
    expect(await fieldSession(MESSAGE)).to.deep.include({ enabling: null });
    world.sites.patterns = new Set();
    expect(await fieldSession(MESSAGE)).to.deep.include({
      always: null,
      enabling: { pattern: PATTERN, field: MESSAGE },
    });
    for (const [field, origin] of [
      [null, A],
      [MESSAGE, 'http://a.example'],
    ] as const) {
      expect(await fieldSession(field, origin)).to.deep.include({ always: null, enabling: null });
    }
  });

  it('keep what their site calls them, which is not what they are recognised by', async () => {
    const post: FieldName = { tag: 'textarea', by: 'name', value: 'p', label: 'Post' };
    await always(post);
    expect((await settings()).alwaysSealed).to.deep.equal([post]);
    const { label: _, ...renamed } = post;
    expect(await fieldSession(renamed)).to.deep.include({ always: { field: renamed, on: true } });
    await always(renamed, false);
    expect((await settings()).alwaysSealed).to.deep.equal([]);
  });

  it('report a form that was stopped, whether the vault is locked or not', async () => {
    await world.surface('ui.lock', {});
    await world.call('formStopped', { reason: 'locked' }, pageCaller({ tabId: 7 }));
    expect(world.fieldSessions.stopped).to.deep.equal([
      { tabId: 7, origin: A, incognito: false, reason: 'locked' },
    ]);
    const sessionId = world.fieldSessions.add({ kind: 'stopped', reason: 'locked' });
    world.fieldSessions.field = undefined;
    expect(await world.surface('ui.visit', { sessionId })).to.deep.include({
      kind: 'stopped',
      reason: 'locked',
      field: 'gone',
      ref: null,
      always: null,
    });
  });
});
