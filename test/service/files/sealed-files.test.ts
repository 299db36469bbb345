import { expect } from 'chai';
import { openBody, sealBody } from '../../../src/format/chunks/body.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { parseEnvelope } from '../../../src/format/wire/envelope.ts';
import type { ReleasedOpening } from '../../../src/rpc/methods/ui-files.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const MESSAGE = utf8('Meet at noon');
const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const SHARING = {
  key: { kind: 'sharing' },
  capabilities: ['seal', 'open', 'publicKey'],
} as const;

describe('Sealed files, opened and sealed by their owner', () => {
  let world: World;

  const release = (sealed: Uint8Array, more: object = {}, at = world) =>
    at.surface('ui.releaseOpen', { head: sealed, totalBytes: sealed.length, ...more });

  /** As the manager does it, with the key of this message alone. */
  const body = async (released: ReleasedOpening, sealed: Uint8Array) => {
    const { key, baseNonce, chunkBytes, chunksOffset, padded } = released;
    const keys = { aead: await NATIVE_CRYPTO.aesGcm(key), baseNonce, chunkBytes };
    const { bodyBytes } = parseEnvelope(sealed, sealed.length);
    return openBody(keys, sealed, { chunksOffset, bodyBytes, padded }, {});
  };
  const open = async (sealed: Uint8Array, more: object = {}, at = world) => {
    const released = await release(sealed, more, at);
    expect(await body(released, sealed)).to.deep.equal(MESSAGE);
    const { origin, openedBy, shared } = released;
    return { origin, openedBy, shared };
  };
  const seal = async (params: object) => {
    const { key, prefix, ...keys } = await world.surface('ui.releaseSeal', {
      totalBytes: MESSAGE.length,
      digest: new Uint8Array(32),
      ...params,
    });
    const aead = await NATIVE_CRYPTO.aesGcm(key);
    const whole = { message: MESSAGE, bodyBytes: MESSAGE.length };
    return sealBody({ aead, ...keys }, prefix, whole, {});
  };
  const sharingKey = async (at: World, label: string) => {
    await at.connect({ ...SHARING, capabilities: [...SHARING.capabilities] }, A, {
      newKeyLabel: label,
    });
    const { id } = (await at.call('keys', {})).find(({ kind }) => kind === 'sharing')!;
    return at.call('publicKey', { keyId: id });
  };

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect();
  });

  it('open for the site that sealed them, whose key and name they show', async () => {
    const sealed = await world.call('seal', { plaintext: MESSAGE });
    const app = { kind: 'app', label: 'App key', guest: false };
    expect(await open(sealed)).to.deep.equal({ origin: A.origin, openedBy: app, shared: false });
    await world.connect({}, B);
    const other = await world.call('seal', { plaintext: MESSAGE }, B);
    expect((await open(other)).origin).to.equal('https://b.example');
  });

  it('open when they are streams, fields, or sealed before a key was renewed', async () => {
    const { prefix, key, ...keys } = await world.call('releaseSeal', { purpose: 'stream' });
    const aead = await NATIVE_CRYPTO.aesGcm(key);
    const whole = { message: MESSAGE, bodyBytes: MESSAGE.length };
    const stream = await sealBody({ aead, ...keys }, prefix, whole, {});
    expect((await open(stream)).origin).to.equal(A.origin);
    const { ref } = await world.surface('ui.createKey', { label: 'Letters' });
    const { sealed: field } = await world.surface('ui.sealText', { text: MESSAGE, ref });
    const letters = { kind: 'sealing', label: 'Letters', guest: false };
    const expected = { origin: null, openedBy: letters, shared: false };
    expect(await open(field)).to.deep.equal(expected);
    // The end of a text is not always known: the keys are the same.
    const { key: exact } = await release(field);
    expect((await world.surface('ui.releaseOpen', { head: field })).key).to.deep.equal(exact);
  });

  it('want the context that the site gave, and tell it from a key that is missing', async () => {
    const context = utf8('letter 7');
    const sealed = await world.call('seal', { plaintext: MESSAGE, context });
    expect(await codeOf(release(sealed))).to.equal('AUTH_FAILED');
    expect(await codeOf(release(sealed, { context: utf8('letter 8') }))).to.equal('AUTH_FAILED');
    expect((await open(sealed, { context })).origin).to.equal(A.origin);
    const elsewhere = await World.unlocked();
    expect(await codeOf(release(sealed, { context }, elsewhere))).to.equal('NEEDS_KEY');
  });

  it('shared by others open, for sites that are known and for one that is named', async () => {
    const bob = await World.unlocked();
    const to = [await sharingKey(bob, 'Letters')];
    const sealed = await world.call('seal', { plaintext: MESSAGE, to, toSelf: true });
    const letters = { kind: 'sharing', label: 'Letters', guest: false };
    const expected = { origin: A.origin, openedBy: letters, shared: true };
    expect(await open(sealed, {}, bob)).to.deep.equal(expected);
    expect((await open(sealed)).openedBy?.kind).to.equal('app');
    await world.connect({}, B);
    const elsewhere = await world.call('seal', { plaintext: MESSAGE, to }, B);
    expect(await codeOf(release(elsewhere))).to.equal('NEEDS_KEY');
    expect(await codeOf(release(elsewhere, {}, bob))).to.equal('AUTH_FAILED');
    expect(await codeOf(release(elsewhere, { origin: 'b.example' }, bob))).to.equal(
      'INVALID_ARGUMENT',
    );
    const named = await open(elsewhere, { origin: B.origin }, bob);
    expect(named.origin).to.equal(B.origin);
  });

  it('are refused when they are of the vault, of a backup or of sync, and when they are cut', async () => {
    const sealed = await world.call('seal', { plaintext: MESSAGE });
    for (const purpose of [4, 5, 6]) {
      const other = sealed.with(7, purpose);
      expect(await codeOf(release(other)), String(purpose)).to.equal('UNSUPPORTED');
    }
    expect(await codeOf(release(sealed.slice(0, 90)))).to.equal('BAD_ENVELOPE');
    expect(await codeOf(release(utf8('hello')))).to.equal('BAD_ENVELOPE');
    expect(await codeOf(release(sealed.with(30, sealed[30]! ^ 1)))).to.equal('AUTH_FAILED');
  });

  it('are sealed for a key, for contacts, or both, and open again here and there', async () => {
    const bob = await World.unlocked();
    const publicKey = await sharingKey(bob, 'Letters');
    const { id } = await world.surface('ui.addContact', { name: 'Bob', publicKey });
    const { ref } = await world.surface('ui.createKey', { label: 'Files' });
    const own = await seal({ ref });
    const files = { kind: 'sealing', label: 'Files', guest: false };
    expect(await open(own)).to.deep.equal({ origin: null, openedBy: files, shared: false });
    expect(await codeOf(release(own, {}, bob))).to.equal('NEEDS_KEY');
    const both = await seal({ ref, contacts: [id] });
    expect((await open(both)).openedBy).to.deep.equal(files);
    expect((await open(both, {}, bob)).shared).to.equal(true);
    const theirs = await seal({ contacts: [id] });
    expect(await codeOf(release(theirs))).to.equal('NEEDS_KEY');
    expect((await open(theirs, {}, bob)).origin).to.equal(null);
    expect(await codeOf(seal({}))).to.equal('INVALID_ARGUMENT');
    expect(await codeOf(seal({ contacts: ['gone'] }))).to.equal('INVALID_ARGUMENT');
  });

  it('are in the activity log, with their site, as acts of the user', async () => {
    const sealed = await world.call('seal', { plaintext: MESSAGE });
    const { ref } = await world.surface('ui.createKey', { label: 'Files' });
    await open(sealed);
    await seal({ ref });
    const ofSite = { origin: A.origin, by: 'user', offset: 0, limit: 10 } as const;
    const { entries } = await world.surface('ui.activity', ofSite);
    expect(entries.map(({ operation, origin, of }) => [operation, origin, of])).to.deep.equal([
      ['openFile', null, A.origin],
    ]);
    const all = await world.surface('ui.activity', { by: 'user', offset: 0, limit: 10 });
    const sealing = all.entries.find(({ operation }) => operation === 'sealFile')!;
    expect([sealing.key?.label, sealing.of]).to.deep.equal(['Files', undefined]);
    expect(all.origins).to.deep.equal([A.origin]);
    const key = (await world.surface('ui.keys', {})).find((one) => one.ref === ref)!;
    expect(key.sealed).to.equal(1);
  });

  it('want an open vault, and a caller that is no page', async () => {
    const sealed = await world.call('seal', { plaintext: MESSAGE });
    const params = { head: sealed, totalBytes: sealed.length };
    for (const caller of [A, B]) {
      expect(await codeOf(world.call('ui.releaseOpen', params, caller))).to.equal('UNSUPPORTED');
      const about = { totalBytes: 1, digest: new Uint8Array(32) };
      const sealing = world.call('ui.releaseSeal', { ref: 'app', ...about }, caller);
      expect(await codeOf(sealing)).to.equal('UNSUPPORTED');
    }
    await world.surface('ui.lock', {});
    expect(await codeOf(release(sealed))).to.equal('LOCKED');
    expect(await codeOf(seal({ ref: 'app' }))).to.equal('LOCKED');
  });
});
