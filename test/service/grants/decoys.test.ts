import { expect } from 'chai';
import type { MethodName, ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { toHex } from '../../../src/crypto/bytes.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';
import { outcomes, packedOf } from '../../support/packed.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';

const HOUR = 3_600_000;
const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const TEXT = new TextEncoder().encode('a note');

/* Messages that a site's own code never opens: to open one freezes the grant. */
describe('A decoy', function () {
  this.timeout(60_000);
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
    await world.connect({ capabilities: ['seal', 'open', 'mac'] });
  });

  const seal = (options: Partial<ParamsOf<'seal'>> = {}, caller = A) =>
    world.call('seal', { plaintext: TEXT, ...options }, caller);
  const decoy = () => seal({ decoy: true });
  const open = (sealed: Uint8Array, options: Partial<ParamsOf<'open'>> = {}, caller = A) =>
    codeOf(world.call('open', { sealed, ...options }, caller));
  const grant = async () => (await world.surface('ui.sites', {}))[0]!.grants[0]!;
  const letGoOn = async (forAnHour: boolean) =>
    world.surface('ui.letGoOn', { grantId: (await grant()).id, forAnHour });

  it('looks like any other message', async () => {
    const other = await seal();
    const made = await decoy();
    expect(made.length).to.equal(other.length);
    expect(toHex(made.subarray(0, 24))).to.equal(toHex(other.subarray(0, 24)));
    expect(inspect(made)).to.deep.equal(inspect(other));
  });

  it('freezes what opens, and nothing that seals, once it is opened', async () => {
    const sealed = await seal();
    const made = await decoy();
    expect(await open(sealed)).to.equal('ok');
    const error = await errorOf(world.call('open', { sealed: made }));
    expect(error).to.include({ code: 'FROZEN', retryable: false });
    expect(error).not.to.have.property('data');
    expect(await open(sealed)).to.equal('FROZEN');
    expect(await codeOf(seal())).to.equal('ok');
    expect(await codeOf(decoy())).to.equal('ok');
    expect(await codeOf(world.call('mac', { data: TEXT }))).to.equal('ok');
  });

  const openings: [MethodName, (sealed: Uint8Array) => Promise<object>][] = [
    ['open', (sealed) => Promise.resolve({ sealed })],
    ['openMany', (sealed) => Promise.resolve({ items: packedOf(sealed) })],
    ['rewrap', (sealed) => Promise.resolve({ sealed })],
    ['rewrapMany', (sealed) => Promise.resolve({ items: packedOf(sealed) })],
    ['releaseOpen', (sealed) => Promise.resolve({ head: sealed, totalBytes: sealed.length })],
    ['releaseOpen', (sealed) => Promise.resolve({ head: sealed.subarray(0, 80) })],
    ['openText', (sealed) => Promise.resolve({ sealed })],
  ];

  for (const [method, paramsOf] of openings) {
    it(`freezes by ${method}, and refuses it from then on`, async () => {
      const sealed = await seal();
      const [made, params] = [await paramsOf(await decoy()), await paramsOf(sealed)];
      const call = (given: object) => codeOf(world.begin(method, given, A).answer);
      expect(await call(params)).to.equal('ok');
      expect(await call(made)).to.equal('FROZEN');
      const after = await world.call(method, params as never).catch((error: unknown) => error);
      const refused =
        'items' in params ? outcomes(after as never) : (after as { code: string }).code;
      expect(refused).to.deep.equal('items' in params ? ['FROZEN'] : 'FROZEN');
      expect(await open(sealed)).to.equal('FROZEN');
    });
  }

  const sealings: [string, () => Promise<Uint8Array>][] = [
    ['seal', () => decoy()],
    ['seal with a context', () => seal({ decoy: true, context: TEXT })],
    ['seal with padding', () => seal({ decoy: true, pad: true })],
    ['seal of a long text', () => seal({ decoy: true, plaintext: new Uint8Array(2_000_000) })],
    ['sealText', () => world.call('sealText', { text: TEXT, decoy: true })],
  ];

  for (const [name, make] of sealings) {
    it(`is made by ${name}`, async () => {
      const made = await make();
      const context = name.includes('context') ? { context: TEXT } : {};
      expect(await open(Uint8Array.from(made), context)).to.equal('FROZEN');
    });
  }

  it('is made of a key that a content script seals with', async () => {
    const params = { purpose: 'page', totalBytes: 6, decoy: true } as const;
    const { prefix } = await world.call('releaseSeal', params);
    const head = { head: prefix };
    expect(await codeOf(world.call('releaseOpen', head))).to.equal('FROZEN');
  });

  it('freezes nothing that is forged, or in the place of another message', async () => {
    const sealed = await seal({ context: TEXT });
    const made = await seal({ decoy: true, context: Uint8Array.of(1) });
    const forged = Uint8Array.from(sealed);
    forged.set(made.subarray(24, 48), 24); // the decoy's salt
    expect(await open(forged, { context: TEXT })).to.equal('AUTH_FAILED');
    expect(await open(made, { context: TEXT })).to.equal('AUTH_FAILED');
    expect(await open(sealed, { context: TEXT })).to.equal('ok');
    expect(await open(made, { context: Uint8Array.of(1) })).to.equal('FROZEN');
  });

  it('belongs to the site: not to others, and not to what others could open', async () => {
    await world.connect({}, B);
    const [here, there] = [await decoy(), await seal({}, B)];
    expect(await open(here)).to.equal('FROZEN');
    expect(await open(there, {}, B)).to.equal('ok');
    expect(await codeOf(seal({ decoy: true, portable: true }))).to.equal('INVALID_ARGUMENT');
    const to = ['swp1.x'];
    expect(await codeOf(seal({ decoy: true, to }))).to.equal('INVALID_ARGUMENT');
  });

  it('is one of 64 at most, and the error says what helps', async () => {
    for (let i = 0; i < 64; i++) await decoy();
    const error = await errorOf(decoy());
    expect(error).to.include({ code: 'TOO_LARGE' });
    expect(error.message).to.match(/at most 64; .*forget them/);
    expect((await world.surface('ui.sites', {}))[0]).to.include({ decoys: 64 });
    await world.surface('ui.forgetDecoys', { origin: A.origin });
    expect((await world.surface('ui.sites', {}))[0]).to.include({ decoys: 0 });
    expect(await open(await decoy())).to.equal('FROZEN');
  });

  it('lets no call in flight open anything after it', async () => {
    const sealed = await Promise.all(Array.from({ length: 40 }, () => seal()));
    const [large, made] = [await seal({ plaintext: new Uint8Array(3_000_000) }), await decoy()];
    let frozen = false;
    const late: string[] = [];
    const watched = async (name: string, work: Promise<unknown>) => {
      const code = await codeOf(work);
      if (frozen && code === 'ok') late.push(name);
      return code;
    };
    const batch = packedOf(...sealed.slice(0, 20), made, ...sealed.slice(20));
    const others = [
      watched('openMany', world.call('openMany', { items: packedOf(...sealed) })),
      watched('rewrapMany', world.call('rewrapMany', { items: packedOf(...sealed) })),
      ...sealed.map((each) => watched('open', world.call('open', { sealed: each }))),
      watched('long', world.call('open', { sealed: large })),
      watched('stream', world.call('releaseOpen', { head: large.subarray(0, 80) })),
    ];
    const whole = await codeOf(world.call('openMany', { items: batch }));
    frozen = true;
    others.push(...sealed.map((each) => watched('open', world.call('open', { sealed: each }))));
    const codes = await Promise.all(others);
    expect(whole).to.equal('FROZEN'); // the items before the decoy too
    expect(late).to.deep.equal([]);
    expect(codes.slice(-40)).to.deep.equal(sealed.map(() => 'FROZEN'));
  });

  it('ends the keys of single messages that are in use', async () => {
    const [sealed, made] = [await seal(), await decoy()];
    const { keyId } = await world.call('releaseOpen', { head: sealed });
    const asks = { keyId, capability: 'open' } as const;
    expect(await codeOf(world.call('holdsGrant', asks))).to.equal('ok');
    const told = world.events.log.length;
    await open(made);
    expect(world.events.log.slice(told)).to.include(`grantchange ${A.origin}`);
    expect(await codeOf(world.call('holdsGrant', asks))).to.equal('FROZEN');
    expect(await codeOf(world.call('holdsGrant', { keyId, capability: 'seal' }))).to.equal('ok');
  });

  it('stays so where the worker and the browser end', async () => {
    const [sealed, made] = [await seal(), await decoy()];
    expect(await open(made)).to.equal('FROZEN');
    world.restart();
    expect(await open(sealed)).to.equal('FROZEN');
    for (const key of world.session.values.keys()) await world.session.remove(key);
    world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await open(sealed)).to.equal('FROZEN');
    expect(await codeOf(seal())).to.equal('ok');
  });

  it('freezes where that cannot be stored, and is stored with the log', async () => {
    const [sealed, made] = [await seal(), await decoy()];
    world.primary.write = () => Promise.reject(new Error('full'));
    world.copy.write = () => Promise.reject(new Error('full'));
    expect(await open(made)).to.equal('FROZEN');
    expect(await open(sealed)).to.equal('FROZEN');
    Reflect.deleteProperty(world.primary, 'write');
    Reflect.deleteProperty(world.copy, 'write');
    await world.saved();
    world.restart();
    expect(await open(sealed)).to.equal('FROZEN');
  });

  it('lets the user choose: go on, for an hour, or stop', async () => {
    const [sealed, made] = [await seal(), await decoy()];
    await open(made);
    expect(await grant()).to.include({ frozenFrom: world.now });
    await letGoOn(true);
    expect(await grant()).to.include({ frozenFrom: world.now + HOUR });
    expect(await open(sealed)).to.equal('ok');
    world.now += HOUR;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await open(sealed)).to.equal('FROZEN');
    await letGoOn(false);
    expect(await grant()).to.include({ frozenFrom: null });
    expect(await open(sealed)).to.equal('ok');
    expect(await open(made), 'a decoy for good').to.equal('FROZEN');
    await world.surface('ui.revoke', { grantIds: [(await grant()).id] });
    expect(await open(sealed)).to.equal('NOT_GRANTED');
    await world.connect();
    expect(await open(sealed), 'allowed anew by the user').to.equal('ok');
  });

  it('lets messages of another key be sealed under the frozen one', async () => {
    const key = { kind: 'sealing' } as const;
    const [other] = await world.connect({ key }, A, { newKeyLabel: 'Other' });
    const [sealed, made] = [await seal({ key: other!.keyId }), await decoy()];
    const ofOther = await seal({ key: other!.keyId });
    await open(made);
    expect(await open(sealed)).to.equal('ok');
    const { keyId } = (await world.call('grants', {}))[0]!;
    const moved = await world.call('rewrapMany', { items: packedOf(ofOther), key: keyId });
    expect(moved.failures).to.deep.equal([]);
  });

  it('is not answered by the page: not by giving the grant back, nor by asking for another', async () => {
    const [sealed, made] = [await seal(), await decoy()];
    await open(made);
    await world.connect({ maxUses: 9 });
    expect(await open(sealed)).to.equal('FROZEN');
    await world.call('revoke', {});
    await world.connect();
    expect(await open(sealed)).to.equal('FROZEN');
  });

  it('refuses a replayed call that had paid its use before', async () => {
    await world.connect({ maxUses: 8 });
    const [sealed, made] = [await seal(), await decoy()];
    expect(await codeOf(world.call('open', { sealed }, A, 'paid'))).to.equal('ok');
    await open(made);
    expect(await codeOf(world.call('open', { sealed }, A, 'paid'))).to.equal('FROZEN');
  });

  it('is shown in the log, and at the button in the toolbar', async () => {
    const made = await decoy();
    await open(made);
    await settled();
    expect(world.toolbarButton.shown.at(-1)).to.include({ isFrozen: true });
    await letGoOn(true);
    expect(world.toolbarButton.shown.at(-1)).to.include({ isFrozen: false });
    await open(made);
    expect(await world.surface('ui.state', {})).to.include({ isFrozen: true, isUnusual: false });
    await world.surface('ui.revoke', { grantIds: [(await grant()).id] });
    await settled();
    expect(world.toolbarButton.shown.at(-1)).to.include({ isFrozen: false });
    expect(await world.surface('ui.state', {})).to.include({ isFrozen: false });
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 50 });
    const rows = entries.map(({ operation, result, origin, of }) =>
      [operation, result, origin ?? of].join(' '),
    );
    expect(rows).to.include.members([
      'freeze ok https://a.example',
      'open FROZEN https://a.example',
      'letGoOnForAnHour ok https://a.example',
    ]);
  });

  it('is no longer shown when the page gives the frozen grant back', async () => {
    await open(await decoy());
    await settled();
    expect(world.toolbarButton.shown.at(-1)).to.include({ isFrozen: true });
    await world.call('revoke', { grantIds: [(await grant()).id] });
    await settled();
    expect(world.toolbarButton.shown.at(-1)).to.include({ isFrozen: false });
  });
});
