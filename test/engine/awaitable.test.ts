import { expect } from 'chai';
import { lastly, rescue, then } from '../../src/engine/awaitable.ts';

const FAILURE = new Error('failed');
const fail = (): never => {
  throw FAILURE;
};
const rejected = (): Promise<never> => Promise.reject(FAILURE);

describe('Steps that wait only if necessary', () => {
  it('return no promise while every value is available', () => {
    expect(then(1, (one) => then(one + 1, (two) => two + 1))).to.equal(3);
    expect(rescue(() => 1, fail)).to.equal(1);
    expect(rescue(fail, (error) => error)).to.equal(FAILURE);
    expect(
      lastly(
        () => 1,
        () => undefined,
      ),
    ).to.equal(1);
    expect(() => then(1, fail)).to.throw(FAILURE.message);
  });

  it('wait for a promised value', async () => {
    const two = then(Promise.resolve(1), (one) => one + 1);
    expect(two).to.be.instanceOf(Promise);
    expect(await two).to.equal(2);
    expect(await rescue<unknown>(rejected, (error) => error)).to.equal(FAILURE);
    expect(await rescue(() => Promise.resolve(1), fail)).to.equal(1);
  });

  it('clean up once, when the work has ended or failed', async () => {
    let cleanUps = 0;
    const cleanUp = (): void => {
      cleanUps++;
    };
    expect(lastly(() => 1, cleanUp)).to.equal(1);
    expect(cleanUps).to.equal(1);
    expect(() => lastly(fail, cleanUp)).to.throw(FAILURE.message);
    expect(cleanUps).to.equal(2);
    const waiting = lastly(() => Promise.resolve(1), cleanUp);
    expect(cleanUps).to.equal(2);
    expect(await waiting).to.equal(1);
    expect(cleanUps).to.equal(3);
    await Promise.resolve(lastly(rejected, cleanUp)).catch(() => undefined);
    expect(cleanUps).to.equal(4);
  });
});
