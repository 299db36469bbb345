import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import type { ChunkAead } from '../../../src/format/format-crypto.ts';
import { Lease, VERIFY_EVERY_MS } from '../../../extension/content/bulk/lease.ts';

const NONCE = new Uint8Array(12);
const DATA = new Uint8Array(3);

/** A lease over an AEAD that hands back its data, and a background that answers when told to. */
function leased() {
  const state = { now: 0, sealed: 0, asked: 0 };
  const answers: { yes(): void; no(error: Error): void }[] = [];
  const aead: ChunkAead = {
    seal: (_, data) => (state.sealed++, Promise.resolve(data)),
    open: (_, data) => Promise.resolve(data),
  };
  const lease = new Lease({
    aead,
    direct: aead,
    verify: () => {
      state.asked++;
      return new Promise((resolve, reject) => answers.push({ yes: () => resolve({}), no: reject }));
    },
    now: () => state.now,
  });
  return { lease, state, answers };
}

async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
}

describe('Lease', () => {
  it('asks the background nothing while nothing has happened', async () => {
    const { lease, state } = leased();
    expect(await lease.seal(NONCE, DATA)).to.equal(DATA);
    expect(await lease.open(NONCE, DATA)).to.equal(DATA);
    expect(state.asked).to.equal(0);
  });

  it('stands still while in doubt, and goes on when the grant holds', async () => {
    const { lease, state, answers } = leased();
    lease.doubt();
    const sealing = outcome(lease.seal(NONCE, DATA));
    await settled();
    expect(state.sealed).to.equal(0);
    answers[0]!.yes();
    expect(await sealing).to.equal('done');
  });

  it('asks again for a doubt that came after the question', async () => {
    const { lease, state, answers } = leased();
    lease.doubt();
    lease.doubt();
    const sealing = outcome(lease.seal(NONCE, DATA));
    answers[0]!.yes();
    await settled();
    expect([state.asked, state.sealed]).to.deep.equal([2, 0]);
    answers[1]!.no(new Error('revoked'));
    expect(await sealing).to.equal('revoked');
    expect(state.sealed).to.equal(0);
  });

  it('asks after a change that is under way, and is settled then', async () => {
    const { lease, state, answers } = leased();
    let changed!: () => void;
    lease.doubt(new Promise<void>((resolve) => (changed = resolve)));
    const sealing = outcome(lease.seal(NONCE, DATA));
    let isSettled = false;
    void lease.settled().then(() => (isSettled = true));
    await settled();
    expect([state.asked, state.sealed, isSettled]).to.deep.equal([0, 0, false]);
    changed();
    await settled();
    answers[0]!.no(new Error('revoked'));
    expect(await sealing).to.equal('revoked');
    expect(isSettled).to.equal(true);
  });

  it('gives out no result of work during which the grant went', async () => {
    const { lease, answers } = leased();
    const sealing = outcome(lease.seal(NONCE, DATA));
    lease.doubt();
    await settled();
    answers[0]!.no(new Error('revoked'));
    expect(await sealing).to.equal('revoked');
    expect(await outcome(lease.open(NONCE, DATA))).to.equal('revoked');
  });

  it('ends at once, for the first reason, and then asks nothing more', async () => {
    const { lease, state } = leased();
    const sealing = outcome(lease.seal(NONCE, DATA));
    lease.end(new Error('locked'));
    lease.end(new Error('later'));
    lease.doubt();
    expect(await sealing).to.equal('locked');
    expect(await outcome(lease.seal(NONCE, DATA))).to.equal('locked');
    expect(state.asked).to.equal(0);
  });

  it('asks once a minute of work, so that a grant ends in time and the vault stays open', async () => {
    const { lease, state, answers } = leased();
    state.now = VERIFY_EVERY_MS - 1;
    await lease.seal(NONCE, DATA);
    expect(state.asked).to.equal(0);
    state.now = VERIFY_EVERY_MS;
    const sealing = lease.seal(NONCE, DATA);
    answers[0]!.yes();
    await sealing;
    state.now += VERIFY_EVERY_MS - 1;
    await lease.seal(NONCE, DATA);
    expect(state.asked).to.equal(1);
  });

  it('is confirmed at once while its grant holds, and after the answer where it is in doubt', async () => {
    const { lease, answers } = leased();
    expect(lease.confirmed()).to.equal(undefined);
    lease.doubt();
    const confirmed = outcome(lease.confirmed()!);
    answers[0]!.yes();
    expect(await confirmed).to.equal('done');
    expect(lease.confirmed()).to.equal(undefined);
    lease.doubt();
    const refused = outcome(lease.confirmed()!);
    answers[1]!.no(new Error('revoked'));
    expect(await refused).to.equal('revoked');
    expect(await outcome(lease.confirmed()!)).to.equal('revoked');
  });

  it('gives its AEAD directly until its end, and no longer', async () => {
    const { lease, state } = leased();
    expect(await lease.direct.seal(NONCE, DATA)).to.equal(DATA);
    expect(await lease.direct.open(NONCE, DATA)).to.equal(DATA);
    lease.end(new Error('locked'));
    expect(await outcome(lease.direct.seal(NONCE, DATA))).to.equal('locked');
    expect(await outcome(lease.direct.open(NONCE, DATA))).to.equal('locked');
    expect(state.sealed).to.equal(1);
  });
});
