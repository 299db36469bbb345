import { expect } from 'chai';
import { MAX_SAMPLES, SampleBatch } from '../../../../extension/platform/entropy/sample-batch.ts';
import { MOVEMENTS_EVENTS } from '../../../../src/rpc/methods/movements.ts';

const bytesOf = (...events: [time: number, x?: number, y?: number][]) => {
  const batch = new SampleBatch();
  for (const event of events) batch.add(...event);
  return batch.take();
};

describe('sample batch', () => {
  it('packs time in microseconds and distances, big-endian', () => {
    expect([...bytesOf([10, 100, 100], [10.258, 103, 98])]).to.deep.equal([
      0, 0, 1, 2, 0, 3, 255, 254,
    ]);
  });

  it('keeps differences only: the same movement elsewhere and later packs to the same bytes', () => {
    const here = bytesOf([0, 0, 0], [8, 5, 6], [17, 9, 2]);
    const there = bytesOf([1e6, 700, 300], [1e6 + 8, 705, 306], [1e6 + 17, 709, 302]);
    expect(there).to.deep.equal(here);
  });

  it('holds as many events as the background counts for one digest', () => {
    expect(MAX_SAMPLES).to.equal(MOVEMENTS_EVENTS);
  });

  it('lets the first event only start the clock', () => {
    expect(bytesOf([5, 1, 1])).to.have.length(0);
  });

  it('clamps what does not fit instead of wrapping it', () => {
    const bytes = bytesOf([0, 0, 0], [1e12, 1e6, -1e6]);
    expect([...bytes]).to.deep.equal([255, 255, 255, 255, 127, 255, 128, 0]);
    expect([...bytesOf([5, 0, 0], [1, 0, 0])].slice(0, 4)).to.deep.equal([0, 0, 0, 0]);
  });

  it('is full at 32 events and drops what comes then', () => {
    const batch = new SampleBatch();
    for (let event = 0; event < 32; event++) batch.add(event);
    expect(batch.isFull).to.be.false;
    batch.add(32);
    expect(batch.isFull).to.be.true;
    batch.add(33);
    expect(batch.take()).to.have.length(32 * 8);
  });

  it('is empty after it was taken, and goes on from the last event', () => {
    const batch = new SampleBatch();
    batch.add(0, 0, 0);
    batch.add(1, 1, 1);
    batch.take();
    expect(batch.count).to.equal(0);
    batch.add(2, 4, 4);
    expect([...batch.take()]).to.deep.equal([0, 0, 3, 232, 0, 3, 0, 3]);
  });

  it('leaves what was taken alone afterwards', () => {
    const batch = new SampleBatch();
    batch.add(0);
    batch.add(1);
    const taken = batch.take();
    const copy = taken.slice();
    batch.add(7);
    expect(taken).to.deep.equal(copy);
  });
});
