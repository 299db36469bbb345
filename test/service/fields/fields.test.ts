import { expect } from 'chai';
import { candidatesIn } from '../../../extension/fields-window/candidates.ts';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import { sealFile } from '../../../extension/manager/files/file-work.ts';
import type { UiClient } from '../../../extension/ui/environment/ui-client.ts';
import { recipientOf, sealedText } from '../../../open-page/sealing.ts';
import { sealBody } from '../../../src/format/chunks/body.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { armor, unarmor } from '../../../src/format/wire/armor.ts';
import { parseProof, verifyProof } from '../../../src/format/recipients/proof.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { IDLE_WORK } from '../../support/age-files.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = 'https://a.example';
const B = 'https://b.example';
const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const openBy = (who: World, armored: string, fieldSession = {}) => {
  const found = utf8(armored);
  const sessionId = who.fieldSessions.add(fieldSession);
  return who.surface('ui.openField', { sessionId, found, candidates: candidatesIn(found) });
};

describe('Fields, sealed and opened by their user', () => {
  let world: World;
  let ref: string;

  const sealWith = async (how: object, words = 'hello', fieldSession = {}): Promise<string> => {
    const sessionId = world.fieldSessions.add(fieldSession);
    const sealing = { sessionId, text: utf8(words), ...how };
    return webArmor((await world.surface('ui.sealField', sealing)).sealed);
  };
  const open = (found: string, fieldSession = {}) => openBy(world, found, fieldSession);
  const newKey = (kind: 'sealing' | 'sharing', label: string) =>
    world.surface('ui.createKey', { kind, label });

  beforeEach(async () => {
    world = await World.unlocked();
    ({ ref } = await newKey('sealing', 'Letters'));
  });

  it('uses the purpose of fields, pads, and binds to no origin', async () => {
    const info = inspect(await sealWith({ ref }));
    expect(info).to.include({ purpose: 'field', padded: true, originBound: false, recipients: 0 });
    const length = (words: string) => sealWith({ ref }, words).then((armored) => armored.length);
    expect(await length('')).to.equal(await length('x'.repeat(31)));
  });

  it('opens on another site what was sealed on one, and says with which key and where', async () => {
    const opened = await open(await sealWith({ ref }, 'Grüße 👩‍👧', { origin: A }), { origin: B });
    expect(text(opened.text)).to.equal('Grüße 👩‍👧');
    expect(opened).to.deep.include({
      key: { kind: 'sealing', label: 'Letters', ref },
      origin: A,
      shared: false,
    });
  });

  it('shows no two sites the same header key id', async () => {
    const ids = [A, B, A].map((origin) => sealWith({ ref }, 'x', { origin }));
    const [one, two, again] = (await Promise.all(ids)).map((it) => inspect(it).headerKeyId);
    expect(one).to.not.equal(two);
    expect(again).to.equal(one);
  });

  it('seals for an opaque page too, which has no site to tell of', async () => {
    const opened = await open(await sealWith({ ref }, 'x', { origin: null }));
    expect(opened).to.include({ origin: null, shared: false });
  });

  it('opens text that is cut into lines, with words after it', async () => {
    const armored = await sealWith({ ref }, 'a'.repeat(500));
    const lines = armored.match(/.{1,76}/g)!.join('\n');
    expect(text((await open(lines)).text)).to.equal('a'.repeat(500));
    expect(text((await open(`${lines}\nRegards\nAda`)).text)).to.equal('a'.repeat(500));
  });

  it('seals for contacts; they, and the writer if so chosen, open it, the sender not proven', async () => {
    const bob = await World.unlocked();
    const { ref: bobRef } = await bob.surface('ui.createKey', { kind: 'sharing', label: 'Bob' });
    const { text: publicKey } = await bob.surface('ui.publicKey', { ref: bobRef });
    const { id } = await world.surface('ui.addContact', { name: 'Bob', publicKey });
    const forBoth = await sealWith({ ref, contacts: [id] });
    for (const [who, label] of [
      [bob, 'Bob'],
      [world, 'Letters'],
    ] as const) {
      const opened = await openBy(who, forBoth);
      expect(text(opened.text)).to.equal('hello');
      expect(opened).to.include({ shared: true, origin: null });
      expect(opened.key?.label).to.equal(label);
    }
    const forBob = await sealWith({ contacts: [id] });
    expect(await openBy(bob, forBob)).to.include({ shared: true, signed: null });
    expect(await codeOf(openBy(world, forBob))).to.equal('AUTH_FAILED');
  });

  it('is signed for others to check where the writer chose it', async () => {
    const bob = await World.unlocked();
    const { ref: bobRef } = await bob.surface('ui.createKey', { kind: 'sharing', label: 'Bob' });
    const { text: publicKey } = await bob.surface('ui.publicKey', { ref: bobRef });
    const { id } = await world.surface('ui.addContact', { name: 'Bob', publicKey });
    const { ref: signer } = await world.surface('ui.createKey', { kind: 'signing', label: 'Me' });
    const found = await sealWith({ contacts: [id], signer }, 'I owe you 5');
    const { signed, text: message } = await openBy(bob, found);
    const proof = parseProof(text(signed!.proof));
    expect(proof.text).to.equal('I owe you 5');
    await verifyProof(proof);
    await verifyProof(proof, message);
    expect(await codeOf(sealWith({ ref, signer }))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(sealWith({ contacts: [id], signer: ref }))).to.equal('INVALID_ARGUMENT');
  });

  it('tells apart what people can do something about', async () => {
    const armored = await sealWith({ ref });
    const other = await World.unlocked();
    expect(await codeOf(openBy(other, armored))).to.equal('NEEDS_KEY');
    const middle = armored.length >> 1;
    const swapped = armored[middle] === 'a' ? 'b' : 'a';
    const altered = armored.slice(0, middle) + swapped + armored.slice(middle + 1);
    expect(await codeOf(open(altered))).to.equal('BAD_ENVELOPE');
    const forged = unarmor(armored);
    forged[forged.length - 1]! ^= 1;
    expect(await codeOf(open(webArmor(forged)))).to.equal('AUTH_FAILED');
    expect(await codeOf(open(armored.slice(0, 90)))).to.equal('BAD_ENVELOPE');
    expect(await codeOf(open('hello'))).to.equal('BAD_ENVELOPE');
    await world.connect();
    const sealed = await world.call('sealText', { text: utf8('of a page') });
    expect(await codeOf(open(armor(sealed)))).to.equal('UNSUPPORTED');
  });

  it('opens what is written in the manager or on open.html, and pasted into a page', async () => {
    const bob = await World.unlocked();
    const { ref: bobRef } = await bob.surface('ui.createKey', { kind: 'sharing', label: 'Bob' });
    const { text: publicKey } = await bob.surface('ui.publicKey', { ref: bobRef });
    const { id } = await world.surface('ui.addContact', { name: 'Bob', publicKey });
    const ui = {
      call: (method: 'ui.releaseSeal', params: object) => world.surface(method, params as never),
    } as unknown as UiClient;
    const written = async (to: Parameters<typeof sealFile>[2]) => {
      const file = await sealFile(new Blob(['Grüße 👩‍👧']), undefined, to, ui, IDLE_WORK);
      return webArmor(new Uint8Array(await file.blob.arrayBuffer()));
    };
    for (const [who, armored, label] of [
      [world, await written({ ref }), 'Letters'],
      [world, await written({ ref, contacts: [id] }), 'Letters'],
      [bob, await written({ contacts: [id] }), 'Bob'],
      [bob, await sealedText(recipientOf(publicKey)!, 'Grüße 👩‍👧', IDLE_WORK), 'Bob'],
    ] as const) {
      const opened = await openBy(who, armored);
      expect(text(opened.text)).to.equal('Grüße 👩‍👧');
      expect(opened.key?.label).to.equal(label);
      expect(opened.origin).to.equal(null);
    }
  });

  it('opens no stream of a site, bound to it or portable', async () => {
    await world.connect({ key: { kind: 'sealing' } }, undefined, { ref });
    const [picked] = (await world.call('keys', {})).filter(({ kind }) => kind === 'sealing');
    for (const portable of [false, true]) {
      const params = { purpose: 'stream', key: picked!.id, portable } as const;
      const release = await world.call('releaseSeal', params);
      const { key, prefix, ...keys } = release;
      const aead = await NATIVE_CRYPTO.aesGcm(key);
      const sealed = await sealBody(
        { aead, ...keys },
        prefix,
        { message: utf8('x'), bodyBytes: 1 },
        {},
      );
      expect(await codeOf(open(webArmor(sealed)))).to.equal('UNSUPPORTED');
    }
  });

  it('is not opened by a page, whatever its grants', async () => {
    const grants = await world.connect({ key: { kind: 'sealing' } }, undefined, { ref });
    expect(grants).to.not.be.empty;
    const sealed = unarmor(await sealWith({ ref }));
    expect(await codeOf(world.call('open', { sealed }))).to.equal('AUTH_FAILED');
  });

  it('seals nothing without a recipient, for an unknown window, or while locked', async () => {
    expect(await codeOf(sealWith({}))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(sealWith({ ref: 'none' }))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(sealWith({ contacts: ['none'] }))).to.equal('INVALID_ARGUMENT');
    const sealing = { sessionId: 'none', text: utf8('x'), ref };
    expect(await codeOf(world.surface('ui.sealField', sealing))).to.equal('INVALID_ARGUMENT');
    const armored = await sealWith({ ref });
    await world.surface('ui.lock', {});
    expect(await codeOf(sealWith({ ref }))).to.equal('LOCKED');
    expect(await codeOf(open(armored))).to.equal('LOCKED');
  });

  it('shows what the page holds, and takes text that is no text as it is', async () => {
    world.fieldSessions.field = {
      field: 'there',
      text: 'half \ud83d of it',
      limit: 9,
      blockedFrame: null,
      name: null,
      unmarkable: null,
      editable: true,
      found: [['sw1.AAAA', 'BBBB'], ['sw1.CC']],
    };
    const shown = await world.surface('ui.visit', {
      sessionId: world.fieldSessions.add({ kind: 'seal' }),
    });
    expect(text(shown.text)).to.equal('half \ufffd of it');
    expect(shown.found.map(text)).to.deep.equal(['sw1.AAAA\nBBBB', 'sw1.CC']);
    expect(shown).to.include({ kind: 'seal', origin: A, field: 'there', limit: 9 });
    expect(shown.editable, 'one of two texts').to.equal(false);
    world.fieldSessions.field = undefined;
    const gone = await world.surface('ui.visit', { sessionId: world.fieldSessions.add() });
    expect(gone.field).to.equal('gone');
  });

  it('notes uses in the audit log with their site, and nothing of private windows', async () => {
    const armored = await sealWith({ ref }, 'hello', { origin: A });
    await open(armored, { origin: B });
    const secret = await sealWith({ ref }, 'x', { origin: 'https://c.example', incognito: true });
    await open(secret, { origin: 'https://c.example', incognito: true });
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 10 });
    const uses = entries.map(({ operation, origin, key }) => [operation, origin, key?.label]);
    expect(uses).to.deep.include.members([
      ['sealField', A, 'Letters'],
      ['openField', B, 'Letters'],
    ]);
    expect(JSON.stringify(entries)).to.not.include('c.example');
  });

  it('passes on what the popup asked for, and what was sealed into the field', async () => {
    await world.surface('ui.beginVisit', { tabId: 3, kind: 'seal' });
    expect(world.fieldSessions.begun).to.deep.equal([{ tabId: 3, kind: 'seal' }]);
    const inserting = { sessionId: world.fieldSessions.add(), armored: utf8('sw1.AAAA') };
    expect(await world.surface('ui.insertSealed', inserting)).to.deep.equal({ inserted: true });
    expect(world.fieldSessions.inserted).to.deep.equal(['sw1.AAAA']);
    world.fieldSessions.outcome = { inserted: false, reason: 'too-long', limit: 5 };
    expect(await world.surface('ui.insertSealed', inserting)).to.deep.equal(
      world.fieldSessions.outcome,
    );
  });

  describe('in a frame that has to be let into', () => {
    const looked = { origin: B, blockedFrame: null, text: '', limit: null } as const;
    const there = { ...looked, field: 'there', name: null, unmarkable: null, found: [] } as const;

    beforeEach(() => {
      world.fieldSessions.field = there;
      world.fieldSessions.reached = { origin: B };
    });

    const reach = async (fieldSession: object) => {
      const sessionId = world.fieldSessions.add({ origin: A, blockedFrame: B, ...fieldSession });
      const told = await world.surface('ui.reachFrame', { sessionId });
      return { sessionId, told };
    };

    it('are told as they are in the frame, and give the permission back once written', async () => {
      const { sessionId, told } = await reach({ kind: 'write' });
      expect(told).to.include({ origin: B, field: 'there', blockedFrame: null });
      expect(world.fieldSessions.givenBack).to.deep.equal([]);
      world.fieldSessions.outcome = { inserted: false, reason: 'refused' };
      await world.surface('ui.insertSealed', { sessionId, armored: utf8('sw1.AAAA') });
      expect(world.fieldSessions.givenBack).to.deep.equal([sessionId]);
    });

    it('give it back at once where there is nothing to write', async () => {
      world.fieldSessions.field = { ...there, found: [['sw1.AAAA']], editable: true };
      const reading = await reach({ kind: 'open' });
      expect(reading.told.editable).to.equal(false);
      world.fieldSessions.field = undefined;
      const gone = await reach({ kind: 'write' });
      expect(gone.told.field).to.equal('gone');
      world.fieldSessions.field = { ...there, text: 'x'.repeat(2 ** 20 + 1) };
      expect(await codeOf(reach({ kind: 'seal' }))).to.equal('TOO_LARGE');
      const ids = [reading.sessionId, gone.sessionId, world.fieldSessions.fieldSessions.at(-1)!.id];
      expect(world.fieldSessions.givenBack).to.deep.equal(ids);
    });

    it('are named with the pattern that the browser is asked for', async () => {
      const sessionId = world.fieldSessions.add({ blockedFrame: 'https://b.example:8443' });
      expect((await world.surface('ui.visit', { sessionId })).blockedFrame).to.deep.equal({
        origin: 'https://b.example:8443',
        pattern: 'https://b.example/*',
      });
    });

    it('are not asked for where no frame is out of reach', async () => {
      expect(await codeOf(reach({ kind: 'write', blockedFrame: null }))).to.equal(
        'INVALID_ARGUMENT',
      );
    });

    it('keep the draft for the page that the window was opened on', async () => {
      const { sessionId } = await reach({ kind: 'write' });
      await world.surface('ui.keepDraft', { sessionId, text: utf8('half a letter') });
      const draftOf = async (origin: string) =>
        text(
          (await world.surface('ui.visit', { sessionId: world.fieldSessions.add({ origin }) }))
            .text,
        );
      expect([await draftOf(A), await draftOf(B)]).to.deep.equal(['half a letter', '']);
    });
  });
});
