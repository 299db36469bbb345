import { expect } from 'chai';
import type { ParamsOf } from '../../../src/rpc/methods/methods.ts';
import { OpeningReserves, withoutReserve } from '../../../src/service/grants/opening-limit.ts';
import { unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';
import { outcomes, packedOf, plainRecord } from '../../support/packed.ts';
import { inDepth } from '../../support/depth.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../support/service-world.ts';
import { chooser } from '../../keys/stress.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const A = pageCaller();
const TEXT = new TextEncoder().encode('a note');

/* How much a grant opens in an hour, whatever the page does. */
describe('A limit of openings in an hour', function () {
  this.timeout(60_000);
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  const seal = () => world.call('seal', { plaintext: TEXT });
  const open = (sealed: Uint8Array) => codeOf(world.call('open', { sealed }));
  const opened = async (sealed: Uint8Array, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => open(sealed)));
    return answers.filter((answer) => answer === 'ok').length;
  };
  const left = async (sealed: Uint8Array) => opened(sealed, 200);
  /** A vault that was not used for an hour has locked itself. */
  const later = async (ms: number) => {
    world.now += ms;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
  };
  const connect = (asked: Partial<ParamsOf<'connect'>>, answer = {}) =>
    world.connect({ capabilities: ['seal', 'open'], ...asked }, A, answer);

  it('refuses what is beyond it with QUOTA, until the time that the error tells', async () => {
    const [grant] = await connect({ maxPerHour: 3 });
    expect(grant).to.include({ maxPerHour: 3, usesLeft: null });
    const sealed = await seal();
    for (let i = 0; i < 3; i++) expect(await open(sealed)).to.equal('ok');
    const error = await errorOf(world.call('open', { sealed }));
    const { retryAfterMs } = error.data as { retryAfterMs: number };
    expect(error).to.include({ code: 'QUOTA', retryable: true });
    expect(retryAfterMs).to.be.within(HOUR, HOUR + MINUTE);
    await later(retryAfterMs - 1);
    expect(await open(sealed)).to.equal('QUOTA');
    world.now += 1;
    expect(await left(sealed)).to.equal(3);
  });

  it('counts no sealing', async () => {
    await connect({ maxPerHour: 1 });
    const sealed = await seal();
    expect(await left(sealed)).to.equal(1);
    expect(await codeOf(seal())).to.equal('ok');
  });

  it('holds for calls that come together', async () => {
    await connect({ maxPerHour: 17 });
    expect(await left(await seal())).to.equal(17);
  });

  it('counts each item of a batch, and refuses the last ones', async () => {
    await connect({ maxPerHour: 5 });
    const message = await seal();
    const items = packedOf(message, message, message);
    expect(outcomes(await world.call('openMany', { items }))).to.deep.equal([TEXT, TEXT, TEXT]);
    expect(outcomes(await world.call('openMany', { items }))).to.deep.equal([TEXT, TEXT, 'QUOTA']);
    const many = await world.call('openMany', { items });
    expect(outcomes(many)).to.deep.equal(['QUOTA', 'QUOTA', 'QUOTA']);
    expect(many.failures[0]!.error.data).to.have.property('retryAfterMs');
  });

  it('counts the keys of single messages, and messages that are sealed anew', async () => {
    await connect({ maxPerHour: 6 });
    const sealed = await seal();
    const head = { head: sealed, totalBytes: sealed.length };
    const { items } = await world.call('rewrapMany', { items: packedOf(sealed, sealed) });
    expect(unpacked(items)).to.have.length(2);
    await world.call('rewrap', { sealed });
    await world.call('releaseOpen', head);
    await world.call('openText', { sealed: await world.call('sealText', { text: TEXT }) });
    expect(await left(sealed)).to.equal(1);
    for (const refused of [
      world.call('releaseOpen', head),
      world.call('rewrap', { sealed }),
      world.call('openText', { sealed: await world.call('sealText', { text: TEXT }) }),
    ]) {
      expect(await errorOf(refused)).to.have.property('code', 'QUOTA');
    }
    const again = await world.call('rewrapMany', { items: packedOf(sealed) });
    expect(outcomes(again)).to.deep.equal(['QUOTA']);
  });

  it('counts records that are decrypted, and none that are encrypted', async () => {
    const key = { kind: 'sync', collections: ['notes'] } as const;
    await world.connect({ key, capabilities: ['sync'], maxPerHour: 2 }, A, { newKeyLabel: 'S' });
    const rows = ['1', '2', '3'].map((id) => ({ id, payload: id }));
    const records = packedOf(...rows.map(plainRecord));
    const encrypted = await world.call('sync.encryptRecords', { collection: 'notes', records });
    expect(encrypted.failures).to.deep.equal([]);
    const texts = unpacked(encrypted.items).map((bytes) => Buffer.from(bytes).toString());
    const sent = rows.map(({ id }, i) => plainRecord({ id, payload: texts[i]! }));
    const params = { collection: 'notes', records: packedOf(...sent) };
    const { failures } = await world.call('sync.decryptRecords', params);
    expect(failures.map(({ at, error }) => [at, error.code]).at(-1)).to.deep.equal([2, 'QUOTA']);
  });

  it('holds beside a limit of uses, whose uses it does not spend', async () => {
    await connect({ maxPerHour: 2, maxUses: 4 });
    const sealed = await seal();
    expect(await opened(sealed, 5)).to.equal(2);
    expect((await world.call('grants', {}))[0]).to.include({ usesLeft: 1 });
    await later(HOUR + MINUTE);
    expect(await opened(sealed, 5)).to.equal(1);
    expect(await open(sealed)).to.equal('EXPIRED');
  });

  it('can be narrowed by the user, and not widened', async () => {
    const limits = async (asked: { maxPerHour?: number }, chosen: { maxPerHour?: number }) => {
      const [grant] = await connect(asked, chosen);
      const { maxPerHour } = grant!;
      await world.call('revoke', {});
      return maxPerHour;
    };
    expect(await limits({}, {})).to.equal(null);
    expect(await limits({}, { maxPerHour: 10 })).to.equal(10);
    expect(await limits({ maxPerHour: 9 }, { maxPerHour: 10 })).to.equal(9);
    expect(await limits({ maxPerHour: 9 }, { maxPerHour: 3 })).to.equal(3);
  });

  it('answers a request for the same limit without a question, and asks for another', async () => {
    const [first] = await connect({ maxPerHour: 9 }, { maxPerHour: 3 });
    const [second] = await world.call('connect', {
      purpose: 'To test',
      capabilities: ['seal', 'open'],
      maxPerHour: 9,
    });
    expect(second).to.deep.equal(first);
    const shown = world.prompter.shown.length;
    await connect({ maxPerHour: 10 });
    expect(world.prompter.shown).to.have.length(shown + 1);
  });

  it('goes on under a new answer for the same key', async () => {
    await connect({ maxPerHour: 5 });
    const sealed = await seal();
    expect(await opened(sealed, 4)).to.equal(4);
    await world.saved();
    await connect({ maxPerHour: 6 });
    expect(await left(sealed)).to.equal(2);
  });

  it('has openings in bulk beside it, which the user is asked for each time', async () => {
    await connect({ maxPerHour: 5, bulk: { records: 40 } });
    const sealed = await seal();
    expect(await opened(sealed, 30)).to.equal(30);
    await world.saved();
    world.restart();
    expect(await left(sealed)).to.equal(15);
    const shown = world.prompter.shown.length;
    await connect({ maxPerHour: 5, bulk: { records: 3 } });
    const promptId = world.prompter.shown[shown]!;
    expect(promptId).to.be.a('string');
    expect(await left(sealed)).to.equal(3);
  });

  it('has those of the bulk first, so that an export leaves the hour as it was', async () => {
    await connect({ maxPerHour: 5, bulk: { records: 40 } });
    const sealed = await seal();
    const items = packedOf(...Array.from({ length: 40 }, () => sealed));
    expect((await world.call('openMany', { items })).failures).to.deep.equal([]);
    await world.saved();
    await later(30 * MINUTE);
    expect(await left(sealed)).to.equal(5);
  });

  it('is alone again an hour after the answer, whatever is left of the bulk', async () => {
    await connect({ maxPerHour: 5, bulk: { records: 40 } });
    const sealed = await seal();
    expect(await opened(sealed, 3)).to.equal(3);
    await world.saved();
    await later(HOUR - 1);
    expect(await opened(sealed, 1)).to.equal(1);
    await world.saved();
    await later(1);
    expect(await left(sealed)).to.equal(5);
  });

  it('shows the number of the bulk in the prompt', async () => {
    const asking = world.call('connect', {
      purpose: 'To export',
      capabilities: ['open'],
      bulk: { records: 5000 },
    });
    while (world.prompter.shown.length === 0) await settled();
    const promptId = world.prompter.shown[0]!;
    expect(await world.surface('ui.prompt', { promptId })).to.deep.include({
      bulk: { records: 5000 },
      maxPerHour: null,
    });
    await world.surface('ui.answerPrompt', { promptId, allow: false });
    expect(await codeOf(asking)).to.equal('USER_REJECTED');
  });

  it('costs no write for most calls', async () => {
    await connect({ maxPerHour: 800 });
    const sealed = await seal();
    await open(sealed);
    const stored = world.stored();
    expect(await opened(sealed, 99)).to.equal(99);
    expect(world.stored()).to.equal(stored);
  });

  it('is the same after the worker has died, and what was not opened is left', async () => {
    await connect({ maxPerHour: 40 });
    const sealed = await seal();
    expect(await opened(sealed, 3)).to.equal(3);
    await world.saved();
    world.restart();
    expect(await left(sealed)).to.equal(37);
    world.restart();
    expect(await left(sealed)).to.equal(0);
  });

  it('is never more, where the worker ends before it has saved anything', async () => {
    await connect({ maxPerHour: 40 });
    const sealed = await seal();
    let all = 0;
    for (let i = 0; i < 20; i++) {
      all += await opened(sealed, 3);
      world.restart();
    }
    expect(all).to.be.within(20, 40);
  });

  it('is what a grant of an earlier version has not got', async () => {
    await connect({});
    await world.vault.commit(async (draft) => {
      const [record] = await draft.list('grant');
      const old = structuredClone(record!.value) as { asked: { maxPerHour?: null } };
      for (const name of ['maxPerHour', 'opened']) Reflect.deleteProperty(old, name);
      delete old.asked.maxPerHour;
      draft.put({ ...record!, value: old });
    });
    expect((await world.call('grants', {}))[0]).to.include({ maxPerHour: null });
    expect(await left(await seal())).to.equal(200);
    const before = world.prompter.shown.length;
    await connect({});
    expect(world.prompter.shown).to.have.length(before);
  });

  it('does not begin anew where the clock is set back', async () => {
    await connect({ maxPerHour: 2 });
    const sealed = await seal();
    expect(await opened(sealed, 2)).to.equal(2);
    await world.saved();
    await later(-48 * HOUR);
    expect(await open(sealed)).to.equal('QUOTA');
    await later(HOUR - MINUTE);
    expect(await open(sealed)).to.equal('QUOTA');
    await later(2 * MINUTE + MINUTE);
    expect(await open(sealed)).to.equal('ok');
  });

  it('is held in every hour, wherever it begins, over deaths, saves and locks', async () => {
    const limit = 30;
    await connect({ maxPerHour: limit });
    const sealed = await seal();
    const choose = chooser(Date.now());
    const times: number[] = [];
    for (let step = 0; step < inDepth(600, 60); step++) {
      world.now += [0, 1_000, 20_000, MINUTE, 7 * MINUTE, 15 * MINUTE][choose(6)]!;
      await world.surface('ui.unlock', { passphrase: PASSPHRASE });
      const count = await opened(sealed, 1 + choose(12));
      times.push(...Array.from({ length: count }, () => world.now));
      if (choose(3) === 0) await world.saved();
      if (choose(6) === 0) world.restart();
    }
    for (const from of times) {
      const within = times.filter((time) => time >= from && time < from + HOUR);
      expect(within.length).to.be.at.most(limit);
    }
    expect(times.length).to.be.above(limit);
  });
});

/* What becomes of a call that the hour refuses in part. */
describe('A call beyond the hour', function () {
  this.timeout(60_000);
  let world: World;

  beforeEach(async () => {
    world = await World.unlocked();
  });

  const seal = () => world.call('seal', { plaintext: TEXT });
  const connect = (asked: Partial<ParamsOf<'connect'>>) =>
    world.connect({ capabilities: ['seal', 'open'], ...asked });

  it('spends no use of a message that is to be sealed anew and cannot be opened', async () => {
    await connect({ maxPerHour: 2, maxUses: 9 });
    const sealed = await seal();
    const items = packedOf(sealed, sealed, sealed, sealed);
    const moved = outcomes(await world.call('rewrapMany', { items }));
    expect(moved.slice(2)).to.deep.equal(['QUOTA', 'QUOTA']);
    expect((await world.call('grants', {}))[0]).to.include({ usesLeft: 6 });
    const refused = outcomes(await world.call('rewrapMany', { items }));
    expect(new Set(refused)).to.deep.equal(new Set(['QUOTA']));
    expect((await world.call('grants', {}))[0]).to.include({ usesLeft: 6 });
  });

  it('serves the same items to the replay of a call, when the hour is used up', async () => {
    await connect({ maxPerHour: 2, maxUses: 9 });
    const sealed = await seal();
    const params = { items: packedOf(sealed, sealed, sealed) };
    const run = async () => outcomes(await world.call('rewrapMany', params, A, 'the same'));
    const refused = (all: readonly unknown[]) => all.map((one) => one === 'QUOTA');
    expect(refused(await run())).to.deep.equal([false, false, true]);
    expect(refused(await run())).to.deep.equal([false, false, true]);
  });

  it('shows in the log what it has refused: single calls, and items of a batch', async () => {
    await connect({ maxPerHour: 2 });
    const sealed = await seal();
    await world.call('openMany', { items: packedOf(sealed, sealed, sealed, sealed) });
    await codeOf(world.call('open', { sealed }));
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 9 });
    const refused = entries.filter(({ result }) => result === 'QUOTA');
    const told = refused.map(({ operation, uses, origin, key }) =>
      [operation, uses, origin, key?.ref].join(' '),
    );
    expect(told).to.have.members([
      'openMany 2 https://a.example app',
      'open 1 https://a.example app',
    ]);
  });
});

describe('Openings that were counted in advance', () => {
  it('end with their minute, and add up within it', () => {
    const reserves = new OpeningReserves();
    reserves.add('g', { left: 3, ofBulk: 0 }, 0);
    reserves.add('g', { left: 2, ofBulk: 0 }, MINUTE - 1);
    expect(reserves.left('g', MINUTE - 1)).to.equal(5);
    reserves.use('g', 1);
    expect(reserves.left('g', 0)).to.equal(4);
    expect(reserves.left('g', MINUTE)).to.equal(0);
  });

  it('are used beside the hour’s first, and go back to where they came from', () => {
    const reserves = new OpeningReserves();
    reserves.add('g', { left: 5, ofBulk: 3 }, 0);
    reserves.use('g', 2);
    const bulk = { left: 7, until: MINUTE };
    const grant = { maxPerHour: 9, opened: [[0, 4]] as const, bulk };
    const back = withoutReserve(grant, 'g', reserves.takeOut(['g']));
    expect(back).to.deep.equal({ ...grant, opened: [[0, 2]], bulk: { ...bulk, left: 8 } });
  });

  it('are put back unless others of a later minute have come', () => {
    const reserves = new OpeningReserves();
    reserves.add('g', { left: 3, ofBulk: 0 }, 0);
    const taken = reserves.takeOut(['g']);
    expect(reserves.left('g', 0)).to.equal(0);
    reserves.putBack(taken);
    expect(reserves.left('g', 0)).to.equal(3);
    const early = reserves.takeOut(['g']);
    reserves.add('g', { left: 1, ofBulk: 0 }, MINUTE);
    reserves.putBack(early);
    expect(reserves.left('g', MINUTE)).to.equal(1);
  });
});
