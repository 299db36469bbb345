import { expect } from 'chai';
import fc from 'fast-check';
import { unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { inDepth } from '../../support/depth.ts';
import { outcomes, packedOf } from '../../support/packed.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const ITEMS = ['one', '', 'three', 'four'].map(utf8);

async function usesLeft(world: World): Promise<number | null> {
  return (await world.call('grants', {}, A))[0]?.usesLeft ?? 0;
}

describe('sealMany and openMany', function () {
  this.timeout(120_000);
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  it('give back every item in its place, under context and padding, as open does', async () => {
    await world.connect();
    const context = utf8('list 7');
    const { items, failures } = await world.call('sealMany', {
      items: packedOf(...ITEMS),
      context,
      pad: true,
    });
    expect(failures).to.deep.equal([]);
    const sealed = unpacked(items);
    for (const [i, message] of sealed.entries()) {
      expect(await world.call('open', { sealed: message, context })).to.deep.equal(ITEMS[i]);
    }
    const opened = await world.call('openMany', { items, context });
    expect(outcomes(opened)).to.deep.equal(ITEMS);
  });

  it('bind each item to a context of its own, so that they cannot change places', async () => {
    await world.connect();
    const large = new Uint8Array(1_048_577);
    const plaintexts = [...ITEMS, large];
    const contexts = packedOf(...plaintexts.map((_, i) => utf8(`note ${i}`)));
    const { items } = await world.call('sealMany', { items: packedOf(...plaintexts), contexts });
    const sealed = unpacked(items);
    for (const [i, message] of sealed.entries()) {
      const opened = await world.call('open', { sealed: message, context: utf8(`note ${i}`) });
      expect(Buffer.compare(opened, plaintexts[i]!)).to.equal(0);
    }
    const opened = await world.call('openMany', { items, contexts });
    expect(opened.failures).to.deep.equal([]);
    expect(unpacked(opened.items).map(({ length }) => length)).to.deep.equal(
      plaintexts.map(({ length }) => length),
    );
    const exchanged = { items: packedOf(...sealed.toReversed()), contexts };
    const { failures } = await world.call('openMany', exchanged);
    // The one in the middle of an odd number keeps its place.
    const kept = sealed.length % 2;
    expect(failures.map(({ error }) => error.code)).to.deep.equal(
      Array.from({ length: sealed.length - kept }, () => 'AUTH_FAILED'),
    );
  });

  it('refuse contexts that are not one for each item, or are beside one for all', async () => {
    await world.connect({ maxUses: 9 });
    const { items } = await world.call('sealMany', { items: packedOf(...ITEMS) });
    const few = packedOf(utf8('a'));
    const each = packedOf(...ITEMS.map(() => utf8('a')));
    const long = packedOf(...ITEMS.map((_, i) => new Uint8Array(i === 0 ? 65_537 : 0)));
    for (const method of ['sealMany', 'openMany', 'rewrapMany'] as const) {
      const tried = [{ contexts: few }, { contexts: each, context: utf8('a') }, { contexts: long }];
      const codes = await Promise.all(
        tried.map((more) => codeOf(world.call(method, { items, ...more }))),
      );
      expect(codes).to.deep.equal(['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'TOO_LARGE']);
    }
    expect(await usesLeft(world)).to.equal(9 - ITEMS.length);
  });

  it('open what seal made, large items and small ones', async () => {
    await world.connect();
    const plaintexts = [0, 16, 65_535, 65_537, 1_048_577].map((n) => new Uint8Array(n).fill(n));
    const sealed: Uint8Array[] = [];
    for (const plaintext of plaintexts) sealed.push(await world.call('seal', { plaintext }));
    const { items } = await world.call('openMany', { items: packedOf(...sealed) });
    for (const [i, opened] of unpacked(items).entries()) {
      expect(Buffer.compare(opened, plaintexts[i]!)).to.equal(0);
    }
  });

  it('take no use for a batch whose caller has gone', async () => {
    await world.connect({ maxUses: 9 });
    const { items } = await world.call('sealMany', { items: packedOf(...ITEMS) });
    const opening = async () =>
      world.service.implementations.openMany(
        { items },
        {
          caller: A,
          method: 'openMany',
          params: { items },
          requestId: world.newRequestId(),
          signal: AbortSignal.abort(),
          isAborted: true,
          isFollowed: false,
          onAbort: () => undefined,
          goesOn: () => undefined,
          progress: () => undefined,
        },
      );
    const error: unknown = await opening().catch((thrown: unknown) => thrown);
    expect(error).to.include({ name: 'AbortError' });
    expect(await usesLeft(world)).to.equal(9 - ITEMS.length);
  });

  it('answer a batch of nothing, for those who were granted anything', async () => {
    const nothing = { items: packedOf() };
    expect(await codeOf(world.call('sealMany', nothing))).to.equal('NOT_GRANTED');
    expect(await codeOf(world.call('openMany', nothing))).to.equal('NOT_GRANTED');
    await world.connect({ maxUses: 1 });
    expect(outcomes(await world.call('sealMany', nothing))).to.deep.equal([]);
    expect(outcomes(await world.call('openMany', nothing))).to.deep.equal([]);
    expect(await usesLeft(world)).to.equal(1);
  });

  it('draw a salt for each item: equal items do not look alike', async () => {
    await world.connect();
    const same = Array.from({ length: 1500 }, () => utf8('same'));
    const { items } = await world.call('sealMany', { items: packedOf(...same) });
    const salts = unpacked(items).map((sealed) =>
      Buffer.from(sealed.slice(24, 48)).toString('hex'),
    );
    expect(new Set(salts).size).to.equal(same.length);
  });

  it('tell of each item what open tells of it', async () => {
    await world.connect();
    const sealed = await world.call('seal', { plaintext: utf8('mine') });
    await world.connect({}, B);
    const foreign = await world.call('seal', { plaintext: utf8('theirs') }, B);
    const tampered = sealed.with(-1, sealed.at(-1)! ^ 1);
    const messages = [sealed, tampered, foreign, utf8('no message'), sealed.slice(0, 40), sealed];
    const singly: unknown[] = [];
    for (const message of messages) {
      const call = world.call('open', { sealed: message });
      singly.push(await call.catch((error: unknown) => (error as { code: string }).code));
    }
    const { items, failures } = await world.call('openMany', { items: packedOf(...messages) });
    expect(outcomes({ items, failures })).to.deep.equal(singly);
    expect(failures.map(({ error }) => error.code)).to.deep.equal([
      'AUTH_FAILED',
      'NEEDS_KEY',
      'BAD_ENVELOPE',
      'BAD_ENVELOPE',
    ]);
    const alone = world.call('open', { sealed: foreign }).catch((error: unknown) => error);
    expect(failures[1]!.error.data).to.deep.equal(((await alone) as { data: unknown }).data);
  });

  it('open messages of several keys, each under its own grant', async () => {
    await world.connect();
    const key = { kind: 'sealing' as const };
    const [picked] = await world.connect({ key, maxUses: 4 }, A, { newKeyLabel: 'Two' });
    const own = await world.call('seal', { plaintext: ITEMS[0]! });
    const other = await world.call('seal', { plaintext: ITEMS[2]!, key: picked!.keyId });
    const messages = [own, other, other, own, other, other];
    const opened = await world.call('openMany', { items: packedOf(...messages) });
    expect(outcomes(opened)).to.deep.equal([
      ...[ITEMS[0], ITEMS[2], ITEMS[2], ITEMS[0], ITEMS[2]],
      'EXPIRED',
    ]);
  });

  it('do as the same calls one after the other, whatever the uses left', async () => {
    const kinds = fc.constantFrom('good', 'tampered', 'garbage');
    const batches = fc.record({
      maxUses: fc.integer({ min: 2, max: 6 }),
      items: fc.array(kinds, { maxLength: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(batches, async ({ maxUses, items }) => {
        const prepare = async () => {
          const fresh = await World.unlocked();
          await fresh.connect({ maxUses });
          const good = await fresh.call('seal', { plaintext: ITEMS[0]! });
          const tampered = good.with(-1, good.at(-1)! ^ 1);
          const messages = { good, tampered, garbage: utf8('garbage') };
          return { fresh, messages: items.map((kind) => messages[kind]) };
        };
        const singly = await prepare();
        const expected: unknown[] = [];
        for (const sealed of singly.messages) {
          const call = singly.fresh.call('open', { sealed });
          expected.push(await call.catch((error: unknown) => (error as { code: string }).code));
        }
        const together = await prepare();
        const result = await together.fresh.call('openMany', {
          items: packedOf(...together.messages),
        });
        // A single call that comes when all is used up hears so before its message is looked at.
        const got = outcomes(result).map((one, i) =>
          one === 'BAD_ENVELOPE' && expected[i] === 'EXPIRED' ? 'EXPIRED' : one,
        );
        expect(got).to.deep.equal(expected);
        expect(await usesLeft(together.fresh)).to.equal(await usesLeft(singly.fresh));
      }),
      { numRuns: inDepth(20, 5) },
    );
  });

  it('give the first items what uses there are, and the others EXPIRED', async () => {
    await world.connect({ maxUses: 3 });
    const sealed = outcomes(await world.call('sealMany', { items: packedOf(...ITEMS) }));
    expect(sealed.slice(0, 3).every((one) => one instanceof Uint8Array)).to.equal(true);
    expect(sealed[3]).to.equal('EXPIRED');
    expect(await codeOf(world.call('sealMany', { items: packedOf(...ITEMS) }))).to.equal('EXPIRED');
  });

  it('charge a replayed batch once, and serve the same items again', async () => {
    await world.connect({ maxUses: 6 });
    const { items } = await world.call('sealMany', { items: packedOf(...ITEMS) }, A, 'batch 1');
    for (let i = 0; i < 3; i++) {
      world.restart();
      await world.call('sealMany', { items: packedOf(...ITEMS) }, A, 'batch 1');
      expect(await usesLeft(world)).to.equal(2);
    }
    for (let i = 0; i < 3; i++) {
      world.restart();
      const opened = await world.call('openMany', { items }, A, 'batch 2');
      expect(outcomes(opened)).to.deep.equal([ITEMS[0], ITEMS[1], 'EXPIRED', 'EXPIRED']);
    }
  });

  it('write one generation and one entry of the journal for a whole batch', async () => {
    await world.connect({ maxUses: 5000 });
    const writes = world.primary.values.size;
    const many = Array.from({ length: 1000 }, () => utf8('x'));
    await world.call('sealMany', { items: packedOf(...many) });
    expect(world.primary.values.size - writes).to.be.lessThan(12);
    expect(await usesLeft(world)).to.equal(4000);
  });

  it('end when the grant is revoked, the vault locked, or the caller gone', async () => {
    const many = { items: packedOf(...Array.from({ length: 2000 }, () => utf8('x'))) };
    await world.connect();
    await world.call('sealMany', { items: packedOf(...ITEMS) });
    const revoked = codeOf(world.call('sealMany', many));
    await settled();
    await world.call('revoke', {});
    expect(await revoked).to.equal('NOT_GRANTED');
    await world.connect();
    const locked = codeOf(world.call('sealMany', many));
    await settled();
    await world.surface('ui.lock', {});
    expect(await locked).to.equal('LOCKED');
  });

  it('let others in: a call that comes in the middle is answered first', async () => {
    await world.connect();
    await world.connect({}, B);
    await world.call('seal', { plaintext: ITEMS[0]! }, B);
    const many = { items: packedOf(...Array.from({ length: 5000 }, () => new Uint8Array(64))) };
    const order: string[] = [];
    const batch = world.call('sealMany', many).then(() => order.push('batch'));
    await settled();
    const single = world.call('seal', { plaintext: ITEMS[0]! }, B).then(() => order.push('call'));
    await Promise.all([batch, single]);
    expect(order).to.deep.equal(['call', 'batch']);
  });
});
