import { expect } from 'chai';
import { candidatesIn } from '../../../extension/fields-window/candidates.ts';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import { DRAFTS_MAX, MAX_DRAFT_BYTES } from '../../../src/service/fields/drafts.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = 'https://a.example';
const B = 'https://b.example';
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('Drafts of sealed texts', () => {
  let world: World;

  const keep = (text: string, fieldSession: object = { origin: A }) =>
    world.surface('ui.keepDraft', {
      sessionId: world.fieldSessions.add(fieldSession),
      text: utf8(text),
    });
  const shown = async (fieldSession: object = { origin: A }) => {
    const { text } = await world.surface('ui.visit', {
      sessionId: world.fieldSessions.add(fieldSession),
    });
    return new TextDecoder().decode(text);
  };

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('are there at the next window of their site, and at no other', async () => {
    expect(await shown()).to.equal('');
    expect(await keep('Dear Robin, 👩‍👧')).to.deep.equal({ kept: true });
    expect(await shown()).to.equal('Dear Robin, 👩‍👧');
    expect(await shown({ origin: B })).to.equal('');
    expect(await shown({ origin: null })).to.equal('');
  });

  it('outlive the worker and the browser, sealed, and wait behind the lock', async () => {
    await keep('the old mill');
    await keep('by the river', { origin: null });
    expect(world.stored()).to.not.include(Buffer.from('mill').toString('hex'));
    expect(world.stored()).to.not.include('mill');
    expect(JSON.stringify([...world.session.values])).to.not.include('mill');
    world.session.values.clear();
    world.restart();
    expect(await shown()).to.equal('');
    expect(await codeOf(keep('x'))).to.equal('LOCKED');
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await shown()).to.equal('the old mill');
    expect(await shown({ origin: null })).to.equal('by the river');
  });

  it('go when they are used', async () => {
    await keep('the old mill');
    await keep('');
    expect(await shown()).to.equal('');
    expect(await world.vault.list('draft')).to.deep.equal([]);
  });

  it('of an edit belong to the sealed text, and become a new text when that is gone', async () => {
    const sealing = { sessionId: world.fieldSessions.add(), text: utf8('the old mill') };
    const { ref } = await world.surface('ui.createKey', { kind: 'sealing', label: 'Letters' });
    const seal = () => world.surface('ui.sealField', { ...sealing, ref });
    const [one, other] = [await seal(), await seal()];
    const draftOf = async ({ sealed }: typeof one, fieldSession = {}) => {
      const found = utf8(webArmor(sealed));
      const sessionId = world.fieldSessions.add({ kind: 'open', ...fieldSession });
      const opening = { sessionId, found, candidates: candidatesIn(found) };
      const { draft } = await world.surface('ui.openField', opening);
      return { edited: draft.edited, words: new TextDecoder().decode(draft.text) };
    };
    const { edited } = await draftOf(one);
    const changed = { sessionId: world.fieldSessions.add({ kind: 'open' }), edited };
    await keep('a new letter');
    await world.surface('ui.keepDraft', { ...changed, text: utf8('the new mill') });
    expect((await draftOf(one)).words).to.equal('the new mill');
    expect((await draftOf(one, { origin: B })).words).to.equal('');
    expect((await draftOf(one, { incognito: true })).words).to.equal('');
    expect((await draftOf(other)).words).to.equal('');
    expect(await shown()).to.equal('a new letter');
    const detaching = { ...changed, text: utf8('the new mill'), detached: true };
    await world.surface('ui.keepDraft', detaching);
    expect((await draftOf(one)).words).to.equal('');
    expect(await shown()).to.equal('the new mill\na new letter');
  });

  it('are shown where a text is written, not where a field is sealed or read', async () => {
    await keep('the old mill');
    expect(await shown({ origin: A, kind: 'seal' })).to.equal('');
    expect(await shown({ origin: A, kind: 'open' })).to.equal('');
  });

  it('are not kept of private windows, nor beyond what the vault takes', async () => {
    expect(await keep('x', { origin: A, incognito: true })).to.deep.equal({ kept: false });
    expect(await shown()).to.equal('');
    expect(await keep('x'.repeat(MAX_DRAFT_BYTES))).to.deep.equal({ kept: true });
    expect(await keep('x'.repeat(MAX_DRAFT_BYTES + 1))).to.deep.equal({ kept: false });
    expect(await shown({ origin: A, incognito: true })).to.equal('');
  });

  it('are those of the sites written for last', async () => {
    for (let i = 0; i <= DRAFTS_MAX; i++) {
      world.now += 1;
      await keep(`draft ${i}`, { origin: `https://${i}.example` });
    }
    expect(await shown({ origin: 'https://0.example' })).to.equal('');
    expect(await shown({ origin: 'https://1.example' })).to.equal('draft 1');
    expect(await shown({ origin: `https://${DRAFTS_MAX}.example` })).to.equal(
      `draft ${DRAFTS_MAX}`,
    );
  });
});
