import { expect } from 'chai';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import type { WireError } from '../../../src/rpc/errors.ts';
import { unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { packedOf } from '../../support/packed.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const PLAINTEXT = new TextEncoder().encode('The quick brown fox');
const CONTEXT = new TextEncoder().encode('note 7');
const SEALING = { kind: 'sealing' } as const;
const headerKeyId = (sealed: Uint8Array) => Buffer.from(sealed.subarray(8, 24)).toString('hex');
const flagsOf = (sealed: Uint8Array) => sealed[6]!;

describe('Rewrapping', () => {
  let world: World;
  let app: string;
  let picked: string;
  let ref: string;

  beforeEach(async () => {
    world = await World.unlocked();
    app = (await world.connect())[0]!.keyId;
    picked = (await world.connect({ key: SEALING }, A, { newKeyLabel: 'Letters' }))[0]!.keyId;
    ref = (await world.surface('ui.keys', {})).at(-1)!.ref;
  });

  it('brings a message to the newest generation of its key; its context stays', async () => {
    const sealed = await world.call('seal', { plaintext: PLAINTEXT, context: CONTEXT, pad: true });
    await world.call('rotateKey', { keyId: app });
    const moved = await world.call('rewrap', { sealed, context: CONTEXT });
    const fresh = await world.call('seal', { plaintext: PLAINTEXT });
    expect(headerKeyId(moved)).to.equal(headerKeyId(fresh)).and.not.equal(headerKeyId(sealed));
    expect(flagsOf(moved), 'padded as it was').to.equal(flagsOf(sealed));
    const opened = await world.call('open', { sealed: moved, context: CONTEXT });
    expect(opened).to.deep.equal(PLAINTEXT);
    expect(await codeOf(world.call('open', { sealed: moved }))).to.equal('AUTH_FAILED');
    expect(await codeOf(world.call('rewrap', { sealed }))).to.equal('AUTH_FAILED');
  });

  it('moves a message to another key and back', async () => {
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    const there = await world.call('rewrap', { sealed, key: picked });
    const native = await world.call('seal', { plaintext: PLAINTEXT, key: picked });
    expect(headerKeyId(there)).to.equal(headerKeyId(native));
    const back = await world.call('rewrap', { sealed: there, key: app });
    expect(headerKeyId(back)).to.equal(headerKeyId(sealed));
    expect(await world.call('open', { sealed: back })).to.deep.equal(PLAINTEXT);
  });

  it('keeps a portable message portable, and never makes one of the app key', async () => {
    const options = { plaintext: PLAINTEXT, key: picked, portable: true };
    const sealed = await world.call('seal', options);
    const moved = await world.call('rewrap', { sealed });
    await world.connect({ key: SEALING, capabilities: ['open'] }, B, { ref });
    expect(await world.call('open', { sealed: moved }, B)).to.deep.equal(PLAINTEXT);
    const bound = await world.call('rewrap', { sealed, portable: false });
    expect(await codeOf(world.call('open', { sealed: bound }, B))).to.equal('AUTH_FAILED');
    const own = await world.call('rewrap', { sealed, key: app });
    expect(flagsOf(own) & 2, 'bound to its origin').to.equal(2);
    const wrong = world.call('rewrap', { sealed, key: app, portable: true });
    expect(await codeOf(wrong)).to.equal('INVALID_ARGUMENT');
  });

  it('needs both permissions', async () => {
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    await world.call('revoke', {});
    expect(await codeOf(world.call('rewrap', { sealed }))).to.equal('NOT_GRANTED');
    await world.connect({ capabilities: ['open'] });
    expect(await codeOf(world.call('rewrap', { sealed }))).to.equal('NOT_GRANTED');
    await world.connect({ key: SEALING, capabilities: ['seal', 'open'] }, A, { ref });
    expect(await world.call('rewrap', { sealed, key: picked })).to.be.an('uint8array');
    await world.call('revoke', {});
    await world.connect({ capabilities: ['seal'] });
    expect(await codeOf(world.call('rewrap', { sealed }))).to.equal('NOT_GRANTED');
    await world.connect({ key: SEALING, capabilities: ['open'] }, A, { ref });
    expect(await codeOf(world.call('rewrap', { sealed, key: app }))).to.equal('NEEDS_KEY');
  });

  it('takes one use of each grant, once for a call, and none where one is refused', async () => {
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    await world.call('revoke', {});
    await world.connect({ maxUses: 3 });
    await world.call('rewrap', { sealed }, A, 'same');
    await world.call('rewrap', { sealed }, A, 'same');
    const left = async () =>
      (await world.call('grants', {})).map(({ usesLeft }) => usesLeft).sort();
    expect(await left()).to.deep.equal([2]);
    expect(await codeOf(world.call('rewrap', { sealed, key: picked }))).to.equal('NOT_GRANTED');
    expect(await left()).to.deep.equal([2]);
    await world.connect({ key: SEALING, maxUses: 9 }, A, { ref });
    await world.call('rewrap', { sealed, key: picked });
    expect(await left()).to.deep.equal([1, 8]);
  });

  it('takes a use of both grants where the user narrowed one to the other capability', async () => {
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    await world.connect({ capabilities: ['open'], maxUses: 1 });
    await world.connect({ capabilities: ['seal'], maxUses: 1 });
    await world.call('rewrap', { sealed }, A, 'same');
    expect(await world.call('rewrap', { sealed }, A, 'same')).to.be.an('uint8array');
    expect(await codeOf(world.call('rewrap', { sealed }))).to.equal('EXPIRED');
  });

  it('finds what is old: keys() names the header key id of what is sealed now', async () => {
    const current = async () =>
      (await world.call('keys', {})).find(({ id }) => id === app)!.headerKeyId;
    const idOf = (sealed: Uint8Array) => inspect(sealed).headerKeyId;
    const first = await current();
    const old = await world.call('seal', { plaintext: PLAINTEXT });
    expect(first).to.equal(idOf(old));
    const rotated = await world.call('rotateKey', { keyId: app });
    expect(rotated.headerKeyId).to.not.equal(idOf(old));
    const moved = await world.call('rewrap', { sealed: old });
    expect(idOf(moved)).to.equal(rotated.headerKeyId);
    expect(await current()).to.equal(rotated.headerKeyId);
    const mail = { newKeyLabel: 'Mail' };
    await world.connect({ key: { kind: 'sharing' }, capabilities: ['publicKey'] }, A, mail);
    const ids = (await world.call('keys', {})).map((key) => [key.kind, key.headerKeyId]);
    expect(Object.fromEntries(ids)).to.include({ sharing: null });
  });

  describe('many', () => {
    const TEXTS = ['a', 'b', 'c'].map((text) => new TextEncoder().encode(text));
    const contexts = packedOf(...TEXTS.map((text) => new Uint8Array([...text, 7])));
    const batch = (items: readonly Uint8Array[]) => ({ items: packedOf(...items), contexts });
    const sealed = async (): Promise<Uint8Array[]> =>
      unpacked((await world.call('sealMany', batch(TEXTS))).items);
    const codes = ({ failures }: { failures: readonly { at: number; error: WireError }[] }) =>
      failures.map(({ at, error }) => `${at} ${error.code}`);

    it('are brought to the newest generation, each under its own context', async () => {
      const old = await sealed();
      await world.call('rotateKey', { keyId: app });
      const { items, failures } = await world.call('rewrapMany', batch(old));
      expect(failures).to.deep.equal([]);
      const newest = headerKeyId(await world.call('seal', { plaintext: PLAINTEXT }));
      for (const [i, moved] of unpacked(items).entries()) {
        expect(headerKeyId(moved)).to.equal(newest);
        const context = unpacked(contexts)[i]!;
        expect(await world.call('open', { sealed: moved, context })).to.deep.equal(TEXTS[i]);
      }
      const wrong = { items: packedOf(old[1]!, old[0]!, PLAINTEXT), contexts };
      const moved = await world.call('rewrapMany', wrong);
      expect(codes(moved)).to.deep.equal(['0 AUTH_FAILED', '1 AUTH_FAILED', '2 BAD_ENVELOPE']);
    });

    it('take one use each of the grants that allow it, and end EXPIRED without', async () => {
      const old = await sealed();
      await world.call('revoke', {});
      await world.connect({ maxUses: 5 });
      const same = async () => codes(await world.call('rewrapMany', batch(old), A, 'same'));
      expect([await same(), await same()]).to.deep.equal([[], []]);
      expect((await world.call('grants', {}))[0]!.usesLeft).to.equal(2);
      expect(codes(await world.call('rewrapMany', batch(old)))).to.deep.equal(['2 EXPIRED']);
      expect(await codeOf(world.call('rewrapMany', batch(old)))).to.equal('EXPIRED');
    });

    it('move to another key together with messages that it has', async () => {
      const [first, second] = await sealed();
      const own = await world.call('seal', {
        plaintext: TEXTS[2]!,
        key: picked,
        context: unpacked(contexts)[2]!,
      });
      await world.call('revoke', {});
      await world.connect({ capabilities: ['open'], maxUses: 2 });
      await world.connect({ key: SEALING, maxUses: 3 }, A, { ref });
      const params = { ...batch([first!, second!, own]), key: picked };
      expect(codes(await world.call('rewrapMany', params))).to.deep.equal([]);
      expect(await world.call('grants', {})).to.deep.equal([]);
    });

    it('say of each what rewrap says: no grant for its key, or none to seal', async () => {
      const old = await sealed();
      await world.call('revoke', {});
      await world.connect({ capabilities: ['open'] });
      const moved = await world.call('rewrapMany', batch(old));
      expect(codes(moved)).to.deep.equal(['0 NOT_GRANTED', '1 NOT_GRANTED', '2 NOT_GRANTED']);
      await world.call('revoke', {});
      await world.connect({ key: SEALING }, A, { ref });
      const others = await world.call('rewrapMany', { ...batch(old), key: picked });
      expect(codes(others)).to.deep.equal(['0 NEEDS_KEY', '1 NEEDS_KEY', '2 NEEDS_KEY']);
      const unknown = { ...batch(old), key: 'no such key' };
      expect(await codeOf(world.call('rewrapMany', unknown))).to.equal('NOT_GRANTED');
    });
  });
});
