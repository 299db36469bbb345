import { expect } from 'chai';
import { NoWorker, WorkshopFailed, type Workshop } from '../../../src/rpc/workshop.ts';
import { DerivationError, workshopArgon2id } from '../../../src/service/workshop/argon2id.ts';
import { errorOf } from '../../support/outcomes.ts';

const COST = { memoryKiB: 65_536, passes: 3, parallelism: 4 };
const SALT = new Uint8Array(16).fill(7);
const KEY = new Uint8Array(32).fill(9);
const PASSPHRASE = Uint8Array.of(1, 2, 3);

/** Whose call was what, and ends so. */
function workshopThat(ends: () => Promise<Uint8Array>) {
  const calls: unknown[][] = [];
  const call = ((...args: unknown[]) => {
    calls.push(args);
    return ends();
  }) as Workshop['call'];
  return { calls, call };
}

describe('Argon2id in the workshop', () => {
  it('is derived there, for the vault alone', async () => {
    const workshop = workshopThat(() => Promise.resolve(KEY));
    const { signal } = new AbortController();
    const derive = workshopArgon2id(workshop);
    expect(await derive(PASSPHRASE, SALT, COST, signal)).to.deep.equal(KEY);
    const input = { secrets: { passphrase: PASSPHRASE }, params: { salt: SALT, cost: COST } };
    expect(workshop.calls).to.deep.equal([['vault', 'argon2id', input, { signal }]]);
  });

  it('rejects with the reason when aborted', async () => {
    const aborted = AbortSignal.abort(new Error('enough'));
    const workshop = workshopThat(() => Promise.reject(aborted.reason as Error));
    const derive = workshopArgon2id(workshop);
    expect(await errorOf(derive(PASSPHRASE, SALT, COST, aborted))).to.equal(aborted.reason);
  });

  it('tells a failed derivation from one for which no worker starts', async () => {
    const failing = (error: Error) =>
      errorOf(workshopArgon2id(workshopThat(() => Promise.reject(error)))(PASSPHRASE, SALT, COST));
    for (const error of [new WorkshopFailed('why'), new RangeError('out of memory')]) {
      const failure = await failing(error);
      expect(failure).to.be.instanceOf(DerivationError).with.property('message', error.message);
    }
    expect(await failing(new NoWorker())).to.include({ code: 'UNSUPPORTED' });
  });
});
