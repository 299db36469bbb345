import { expect } from 'chai';
import fc from 'fast-check';
import { gathering } from '../../../src/client/adapters/gathering.ts';
import { sealedCollection } from '../../../src/client/adapters/collection.ts';
import type { BatchResult, SealwrightError as PageError } from '../../../src/client/page-api.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { FakeProvider } from '../fake-provider.ts';
import { errorOf } from '../../support/outcomes.ts';

const ids = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);

describe('calls of one task', () => {
  let provider: FakeProvider;
  const notes = () => sealedCollection(provider.api, 'notes');
  const sealAll = (names: readonly string[]) => {
    const collection = notes();
    return Promise.all(names.map((id) => collection.seal({ id, payload: { id } })));
  };

  beforeEach(() => {
    provider = new FakeProvider();
  });

  it('are sent as one call, in their order', async () => {
    const sealed = await sealAll(ids(100));
    expect(provider.calls).to.deep.equal([100]);
    expect(sealed.map(({ id }) => id)).to.deep.equal(ids(100));
  });

  it('are sent as one call if each is made some promises later, as in kinto.js', async () => {
    const collection = notes();
    const steps = ids(5).map(async (id) => {
      await Promise.resolve();
      await Promise.resolve();
      return collection.seal({ id, payload: 1 });
    });
    await Promise.all(steps);
    expect(provider.calls).to.deep.equal([5]);
  });

  it('are sent in calls of a thousand', async () => {
    await sealAll(ids(2001));
    expect(provider.calls).to.deep.equal([1000, 1000, 1]);
  });

  it('are halved until each call is accepted', async () => {
    provider.maxRecords = 3;
    const sealed = await sealAll(ids(10));
    expect(sealed.map(({ id }) => id)).to.deep.equal(ids(10));
    expect(Math.max(...provider.calls.slice(-2))).to.be.at.most(3);
  });

  it('reject the refused call and settle all others', async () => {
    provider.refused.set('r6', 'INVALID_ARGUMENT');
    const collection = notes();
    const settled = await Promise.allSettled(
      ids(10).map((id) => collection.seal({ id, payload: 1 })),
    );
    const failed = settled.flatMap((one, i) => (one.status === 'rejected' ? [i] : []));
    expect(failed).to.deep.equal([6]);
  });

  it('all fail without a retry if the vault is locked', async () => {
    provider.locked = true;
    expect(await errorOf(sealAll(ids(10)))).to.include({ code: 'LOCKED' });
    expect(provider.calls).to.deep.equal([10]);
  });

  it('fail by their own results', async () => {
    const collection = notes();
    const [a, b] = await Promise.all(['a', 'b'].map((id) => collection.seal({ id, payload: id })));
    const [first, second] = await Promise.allSettled([
      collection.open({ ...a!, id: 'b' }),
      collection.open(b!),
    ]);
    expect(first).to.deep.include({ status: 'rejected' });
    expect(second).to.deep.include({ status: 'fulfilled' });
  });

  it('settle each with its own outcome, for any pattern', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 40 }),
        async (list) => {
          const one = gathering((items: readonly number[]) => {
            if (items.length > 7) return Promise.reject(new SealwrightError('TOO_LARGE', 'x'));
            return Promise.resolve(items.map(outcome));
          });
          const got = await Promise.all(list.map(one));
          const values = got.map((each) => (each.ok ? each.value : 'none'));
          expect(values).to.deep.equal(list.map((n) => (n < 0 ? 'none' : n * 2)));
        },
      ),
    );
  });
});

function outcome(n: number): BatchResult<number> {
  if (n >= 0) return { ok: true, value: n * 2 };
  return { ok: false, error: new SealwrightError('AUTH_FAILED', 'x') as unknown as PageError };
}
