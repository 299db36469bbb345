import { expect } from 'chai';
import * as awareness from 'y-protocols/awareness.js';
import * as Y from 'yjs';
import { yjsDocument } from '../../../../src/client/adapters/crdt/yjs.ts';
import type { Sealed } from '../../../../src/client/adapters/messages.ts';
import { testPage, type TestPage } from '../test-page.ts';
import { errorOf } from '../../../support/outcomes.ts';

const SECRET = 'the river bends';

/* The real library over the extension in memory. */
describe('yjsDocument', () => {
  let test: TestPage;
  const note = (document = 'note 7', options = {}) =>
    yjsDocument(Y, test.page, { document, ...options });
  const textOf = (doc: Y.Doc) => doc.getText('text').toJSON();

  /** A document with one update for each word, and those updates. */
  function written(words: readonly string[]): {
    readonly doc: Y.Doc;
    readonly updates: Uint8Array[];
  } {
    const doc = new Y.Doc();
    const updates: Uint8Array[] = [];
    doc.on('update', (update: Uint8Array) => updates.push(update));
    for (const word of words) doc.getText('text').insert(doc.getText('text').length, word);
    return { doc, updates };
  }
  const sealedAll = (updates: readonly Uint8Array[]): Promise<Sealed[]> => {
    const writer = note();
    return Promise.all(updates.map((update) => writer.sealUpdate(update)));
  };

  beforeEach(async () => {
    test = await testPage();
  });

  it('seals updates in one call, and applies them in one', async () => {
    const { doc, updates } = written(['the ', 'river ', 'bends']);
    const sealed = await sealedAll(updates);
    for (const one of sealed) {
      expect(Buffer.from(one).toString('latin1')).to.not.match(/the|river|bends/);
    }
    const other = new Y.Doc();
    let events = 0;
    other.on('update', () => events++);
    expect(await note().apply(other, { updates: sealed })).to.deep.equal({
      applied: 3,
      quarantined: [],
    });
    expect(textOf(other)).to.equal(textOf(doc));
    expect(events).to.equal(1);
    expect(test.batches).to.deep.equal({ seal: [3], open: [3] });
  });

  it('takes updates in any order, again, and beside a snapshot that has them', async () => {
    const { doc, updates } = written(['a', 'b', 'c', 'd', 'e', 'f']);
    const sealed = await sealedAll(updates);
    const snapshot = await note().sealSnapshot(doc);
    const other = new Y.Doc();
    await note().apply(other, { updates: [sealed[5]!, sealed[2]!, sealed[4]!] });
    expect(textOf(other)).to.equal('');
    await note().apply(other, { updates: [...sealed].reverse() });
    await note().apply(other, { snapshots: [snapshot], updates: [...sealed, ...sealed] });
    expect(textOf(other)).to.equal('abcdef');
  });

  it('merges updates of two writers to one snapshot, from which a third reads both', async () => {
    const one = written(['one ']);
    const two = written(['two ']);
    const stored = {
      snapshots: [await note().sealSnapshot(one.doc)],
      updates: await sealedAll(two.updates),
    };
    const { stored: less, quarantined } = await note().compact(stored);
    expect(quarantined).to.deep.equal([]);
    expect(less).to.have.property('updates').that.deep.equals([]);
    expect(less.snapshots).to.have.length(1);
    const third = new Y.Doc();
    await note().apply(third, less);
    expect(textOf(third)).to.match(/^(one two |two one )$/);
    // Nothing to merge: nothing is sealed again.
    expect((await note().compact(less)).stored.snapshots[0]).to.equal(less.snapshots[0]);
  });

  it('keeps and reports what does not open, and applies the rest', async () => {
    const { updates } = written(['kept ', 'words']);
    const sealed = await sealedAll(updates);
    const foreign = await note('note 8').sealUpdate(updates[0]!);
    const changed = sealed[1]!.slice();
    changed[90]! ^= 1;
    const noUpdate = await note().sealUpdate(new TextEncoder().encode('not an update'));
    const noMessage = new Uint8Array(200).fill(7);
    const otherUser = await testPage();
    const unknown = await yjsDocument(Y, otherUser.page, { document: 'note 7' }).sealUpdate(
      updates[0]!,
    );
    const bad = [foreign, changed, noUpdate, noMessage, unknown];
    const reported: string[] = [];
    const onQuarantine = ({ code }: { code: string }) => reported.push(code);
    const doc = new Y.Doc();
    const stored = { updates: [...bad, ...sealed] };
    const result = await note('note 7', { onQuarantine }).apply(doc, stored);
    expect(textOf(doc)).to.equal('kept words');
    const codes = ['AUTH_FAILED', 'AUTH_FAILED', 'BAD_RECORD', 'BAD_ENVELOPE', 'NEEDS_KEY'];
    expect(result.quarantined.map(({ code }) => code)).to.deep.equal(codes);
    expect(result.quarantined.map(({ sealed: one }) => one)).to.deep.equal(bad);
    expect(reported).to.deep.equal(codes);
    expect(result.applied).to.equal(2);
    // Merging keeps them too: they may open later.
    const { stored: less } = await note().compact(stored);
    expect(less.updates).to.deep.equal(bad);
    expect(less.snapshots).to.have.length(1);
  });

  it('refuses a snapshot of another document, and one in the place of an update', async () => {
    const { doc, updates } = written([SECRET]);
    const foreign = await note('note 8').sealSnapshot(doc);
    const snapshot = await note().sealSnapshot(doc);
    const update = await note().sealUpdate(updates[0]!);
    const empty = new Y.Doc();
    const stored = { snapshots: [foreign, update], updates: [snapshot] };
    const { applied, quarantined } = await note().apply(empty, stored);
    expect(applied).to.equal(0);
    expect(quarantined.map(({ code }) => code)).to.deep.equal(Array(3).fill('AUTH_FAILED'));
    expect(textOf(empty)).to.equal('');
    const { stored: kept } = await note().compact(stored);
    expect(kept).to.deep.equal(stored);
    // Of another library.
    expect(() => note('')).to.throw(TypeError, 'document must be the id');
  });

  it('applies nothing while the vault is locked, and loses nothing', async () => {
    const { updates } = written([SECRET]);
    const sealed = await sealedAll(updates);
    await test.user.lock();
    const doc = new Y.Doc();
    expect(await errorOf(note().apply(doc, { updates: sealed }))).to.include({ code: 'LOCKED' });
    expect(await errorOf(note().compact({ updates: sealed }))).to.include({ code: 'LOCKED' });
    expect(textOf(doc)).to.equal('');
    await test.user.unlock();
    await note().apply(doc, { updates: sealed });
    expect(textOf(doc)).to.equal(SECRET);
  });

  describe('listen', () => {
    it('sends changes in order, merges those made meanwhile, and sends back nothing that was applied', async () => {
      const doc = new Y.Doc();
      const sent: Sealed[] = [];
      const writer = note();
      const sender = writer.listen(doc, (sealed) => sent.push(sealed));
      for (const letter of 'abcdefgh') {
        doc.getText('text').insert(doc.getText('text').length, letter);
      }
      await sender.flush();
      expect(sent.length).to.be.within(1, 3);
      await writer.apply(doc, { updates: await sealedAll(written(['z']).updates) });
      await sender.flush();
      const before = sent.length;
      sender.stop();
      doc.getText('text').insert(0, 'x');
      await sender.flush();
      expect(sent).to.have.length(before);
      const other = new Y.Doc();
      await note().apply(other, { updates: sent });
      expect(textOf(other)).to.equal('abcdefgh');
    });

    it('keeps changes that could not be sealed or sent, and sends them with the next', async () => {
      const doc = new Y.Doc();
      const sent: Sealed[] = [];
      const errors: unknown[] = [];
      let isOnline = false;
      const send = (sealed: Sealed): void => {
        if (!isOnline) throw new Error('offline');
        sent.push(sealed);
      };
      const sender = note().listen(doc, send, (error) => errors.push(error));
      await test.user.lock();
      doc.getText('text').insert(0, 'locked ');
      expect(await errorOf(sender.flush())).to.include({ code: 'LOCKED' });
      await test.user.unlock();
      doc.getText('text').insert(7, 'offline ');
      expect(await errorOf(sender.flush())).to.include({ message: 'offline' });
      expect(errors.length).to.be.at.least(2);
      isOnline = true;
      doc.getText('text').insert(15, 'sent');
      await sender.flush();
      const other = new Y.Doc();
      await note().apply(other, { updates: sent });
      expect(textOf(other)).to.equal('locked offline sent');
      expect(sent).to.have.length(1);
    });
  });

  it('seals awareness, which opens as nothing else', async () => {
    const here = new awareness.Awareness(new Y.Doc());
    const there = new awareness.Awareness(new Y.Doc());
    try {
      here.setLocalState({ name: 'Ada', cursor: 4 });
      const update = awareness.encodeAwarenessUpdate(here, [here.clientID]);
      const sealed = await note().sealAwareness(update);
      expect(Buffer.from(sealed).toString('latin1')).to.not.include('Ada');
      awareness.applyAwarenessUpdate(there, await note().openAwareness(sealed), 'test');
      expect(there.getStates().get(here.clientID)).to.deep.equal({ name: 'Ada', cursor: 4 });
      const { quarantined } = await note().apply(new Y.Doc(), { updates: [sealed] });
      expect(quarantined[0]).to.include({ code: 'AUTH_FAILED' });
      expect(await errorOf(note('note 8').openAwareness(sealed))).to.include({
        code: 'AUTH_FAILED',
      });
    } finally {
      here.destroy();
      there.destroy();
    }
  });
});
