import { expect } from 'chai';
import sinon from 'sinon';
import { sealMessage } from '../../../src/format/message.ts';
import type { Purpose } from '../../../src/format/wire/header.ts';
import { KeyRing } from '../../../src/keys/ring/key-ring.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const PLAINTEXT = new TextEncoder().encode('The quick brown fox');

function flipped(sealed: Uint8Array, at: number): Uint8Array {
  const copy = sealed.slice();
  copy[at]! ^= 1;
  return copy;
}

/** What is asked of the vault, its stores and the session, in order; derivations read records. */
function traced({ vault, primary, copy, session }: World) {
  const steps: string[] = [];
  const box = sinon.createSandbox();
  const spied = [
    [vault, ['read', 'list', 'refresh', 'commit', 'hedgeKey', 'touch']],
    ...[primary, copy].map((store) => [store, ['get', 'keys', 'write']] as const),
    [session, ['get', 'set', 'remove']],
  ] as const;
  for (const [object, names] of spied) {
    for (const name of names) {
      const real = (object as never)[name] as (...args: unknown[]) => unknown;
      box.replace(object as never, name, ((...args: unknown[]) => {
        steps.push(`${name} ${String(args[0])}`);
        return Reflect.apply(real, object, args);
      }) as never);
    }
  }
  return { steps, restore: () => box.restore() };
}

describe('Sealing and opening', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('gives back what was sealed, as bytes and as text', async () => {
    await world.connect();
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    expect(await world.call('open', { sealed })).to.deep.equal(PLAINTEXT);
    const ofText = await world.call('sealText', { text: PLAINTEXT, pad: true });
    expect(await world.call('openText', { sealed: ofText })).to.deep.equal(PLAINTEXT);
  });

  it('works after a restart of the worker', async () => {
    await world.connect();
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    world.restart();
    expect(await world.call('open', { sealed })).to.deep.equal(PLAINTEXT);
  });

  it('reads no storage at all once warm', async () => {
    await world.connect();
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    await world.call('open', { sealed });
    const { steps, restore } = traced(world);
    await world.call('seal', { plaintext: PLAINTEXT });
    await world.call('open', { sealed });
    restore();
    const stores = ['get', 'keys', 'write', 'set', 'remove'];
    expect(steps.filter((step) => stores.includes(step.split(' ')[0]!))).to.deep.equal([]);
  });

  it('seals the same plaintext differently each time', async () => {
    await world.connect();
    const once = await world.call('seal', { plaintext: PLAINTEXT });
    expect(await world.call('seal', { plaintext: PLAINTEXT })).to.not.deep.equal(once);
  });

  it('tells neither wrong context, wrong key nor any flipped byte apart: AUTH_FAILED', async () => {
    await world.connect();
    await world.connect({ key: { kind: 'sealing' } }, A, { newKeyLabel: 'Notes' });
    const [other] = (await world.call('keys', {})).filter(({ kind }) => kind === 'sealing');
    const context = new TextEncoder().encode('page 7');
    const sealed = await world.call('seal', { plaintext: PLAINTEXT, context });
    const byOther = await world.call('seal', { plaintext: PLAINTEXT, context, key: other!.id });
    const wrongKey = sealed.slice();
    wrongKey.set(byOther.subarray(8, 24), 8);
    const attempts = [
      { sealed },
      { sealed, context: new Uint8Array(0) },
      { sealed, context: new TextEncoder().encode('page 8') },
      { sealed: wrongKey, context },
    ];
    for (let at = 24; at < sealed.length; at++) {
      attempts.push({ sealed: flipped(sealed, at), context });
    }
    const errors = await Promise.all(attempts.map((each) => errorOf(world.call('open', each))));
    for (const { code, message, data } of errors) {
      expect({ code, message, data }).to.deep.equal({
        code: 'AUTH_FAILED',
        message: errors[0]!.message,
        data: undefined,
      });
    }
  });

  it('answers BAD_ENVELOPE for what is no sealed message, before a use is charged', async () => {
    const [grant] = await world.connect({ maxUses: 1 });
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    expect(await codeOf(world.call('open', { sealed }))).to.equal('EXPIRED');
    await world.connect({ maxUses: 5 });
    const bad = [new Uint8Array(0), sealed.subarray(0, 79)];
    for (const at of [0, 1, 2, 3, 4]) bad.push(flipped(sealed, at));
    bad.push(Uint8Array.of(...sealed.subarray(0, 5), 9, ...sealed.subarray(6)));
    bad.push(Uint8Array.of(...sealed.subarray(0, 6), 0xff, ...sealed.subarray(7)));
    for (const each of bad) {
      expect(await codeOf(world.call('open', { sealed: each }))).to.equal('BAD_ENVELOPE');
    }
    expect((await world.call('grants', {}))[0]).to.include({ usesLeft: 5 });
    expect(grant!.usesLeft).to.equal(1);
  });

  it('opens nothing but what pages seal, though it be sealed under their very key', async () => {
    await world.connect();
    const { vault } = world;
    const keyRing = new KeyRing({ vault, random: systemRandom, now: () => world.now });
    const sealedAs = async (purpose: Purpose) => {
      const { key, keyId } = await keyRing.sealingMaterial('app', A.origin);
      return sealMessage({ key, keyId, purpose, origin: A.origin, pad: false }, PLAINTEXT);
    };
    for (const purpose of ['field', 'vault', 'backup', 'sync'] as const) {
      const sealed = await sealedAs(purpose);
      expect(await codeOf(world.call('open', { sealed }))).to.equal('AUTH_FAILED');
    }
    for (const purpose of ['page', 'stream'] as const) {
      const sealed = await sealedAs(purpose);
      expect(await world.call('open', { sealed })).to.deep.equal(PLAINTEXT);
    }
  });

  it('does the same work for a key that is unknown and one that is not granted', async () => {
    await world.connect({}, A);
    await world.connect({ key: { kind: 'sealing' } }, B, { newKeyLabel: 'Notes' });
    const [picked] = (await world.call('keys', {}, B)).filter(({ kind }) => kind === 'sealing');
    const options = { plaintext: PLAINTEXT, key: picked!.id, portable: true };
    const notGranted = await world.call('seal', options, B);
    const unknown = notGranted.slice();
    unknown.fill(0x55, 8, 24);
    const restarted = () => world.restart();
    for (const prepare of [restarted, () => undefined]) {
      const traces: string[][] = [];
      for (const sealed of [notGranted, unknown]) {
        prepare();
        const trace = traced(world);
        expect((await errorOf(world.call('open', { sealed }, A))).code).to.equal('NEEDS_KEY');
        traces.push(trace.steps);
        trace.restore();
      }
      expect(traces[0]).to.not.have.length(0);
      expect(traces[0]).to.deep.equal(traces[1]);
    }
  });

  it('gives no origin the bytes of another, though both have all grants', async () => {
    await world.connect({}, A);
    await world.connect({}, B);
    const sealed = await world.call('seal', { plaintext: PLAINTEXT }, A);
    const error = await errorOf(world.call('open', { sealed }, B));
    expect(error).to.include({ code: 'NEEDS_KEY' });
    const ofB = await world.call('seal', { plaintext: PLAINTEXT }, B);
    const disguised = sealed.slice();
    disguised.set(ofB.subarray(8, 24), 8);
    expect(await codeOf(world.call('open', { sealed: disguised }, B))).to.equal('AUTH_FAILED');
  });

  it('gives no origin the bytes of another under one picked key, unless they are portable', async () => {
    await world.connect({ key: { kind: 'sealing' } }, A, { newKeyLabel: 'Shared' });
    const [key] = await world.surface('ui.keys', {}).then((all) => all.slice(1));
    await world.connect({ key: { kind: 'sealing' } }, B, { ref: key!.ref });
    const [ofA] = await world.call('keys', {}, A);
    const [ofB] = await world.call('keys', {}, B);
    expect(ofA!.id).to.not.equal(ofB!.id);
    const bound = await world.call('seal', { plaintext: PLAINTEXT, key: ofA!.id }, A);
    expect(await codeOf(world.call('open', { sealed: bound }, B))).to.equal('AUTH_FAILED');
    const portable = { plaintext: PLAINTEXT, key: ofA!.id, portable: true };
    const sealed = await world.call('seal', portable, A);
    expect(await world.call('open', { sealed }, B)).to.deep.equal(PLAINTEXT);
  });

  it('makes portable messages with a picked key only', async () => {
    await world.connect();
    const attempt = world.call('seal', { plaintext: PLAINTEXT, portable: true });
    expect(await codeOf(attempt)).to.equal('INVALID_ARGUMENT');
  });

  it('answers alike for a key that is unknown and one that is not granted', async () => {
    const one = { key: { kind: 'sealing' as const } };
    await world.connect(one, A, { newKeyLabel: 'Mine' });
    const [mine] = await world.call('keys', {}, A);
    const sealed = await world.call('seal', { plaintext: PLAINTEXT, key: mine!.id }, A);
    await world.connect({}, B);
    const unknown = sealed.slice();
    unknown.fill(0x5a, 8, 24);
    const [notGranted, noKey] = await Promise.all(
      [sealed, unknown].map((each) => errorOf(world.call('open', { sealed: each }, B))),
    );
    expect(notGranted).to.include({ code: 'NEEDS_KEY', message: noKey!.message });
    expect(noKey).to.include({ code: 'NEEDS_KEY' });
    expect(notGranted!.data).to.deep.equal({
      headerKeyId: Buffer.from(sealed.subarray(8, 24)).toString('base64url'),
    });
    expect(Object.keys(noKey!.data as object)).to.deep.equal(['headerKeyId']);
    for (const key of [mine!.id, 'no such key']) {
      const attempt = errorOf(world.call('seal', { plaintext: PLAINTEXT, key }, B));
      expect(await attempt).to.include({ code: 'NOT_GRANTED' });
    }
  });

  it('ends a seal in flight when its grant is revoked, and when the vault is locked', async () => {
    // 32 chunks, of which four are at work at a time: five turns cannot end them all.
    const plaintext = new Uint8Array(32 * 2 ** 20);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (const [code, end] of [
      ['NOT_GRANTED', () => world.call('revoke', {})],
      ['LOCKED', () => world.surface('ui.lock', {})],
    ] as const) {
      await world.connect();
      const sealing = world.begin('seal', { plaintext }, A).answer;
      for (let i = 0; i < 5; i++) await turn();
      await end();
      expect(await codeOf(sealing)).to.equal(code);
    }
  });

  it('makes one key when sixteen documents seal for the first time at once', async () => {
    await world.connect();
    const documents = Array.from({ length: 16 }, (_, i) => pageCaller({ documentId: `doc ${i}` }));
    const sealed = await Promise.all(
      documents.map((caller) => world.call('seal', { plaintext: PLAINTEXT }, caller)),
    );
    const ids = new Set(sealed.map((each) => Buffer.from(each.subarray(8, 24)).toString('hex')));
    expect(ids.size).to.equal(1);
    world.restart();
    for (const each of sealed) {
      expect(await world.call('open', { sealed: each })).to.deep.equal(PLAINTEXT);
    }
  });
});
