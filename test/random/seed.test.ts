import { expect } from 'chai';
import { toHex } from '../../src/crypto/bytes.ts';
import { NotSeededError } from '../../src/random/contract.ts';
import { Random } from '../../src/random/random.ts';
import { restoreSeed, saveSeed, SEED_BYTES, type SeedStore } from '../../src/random/seed.ts';
import { constantSource, streamSource } from './fixed-source.ts';

/** One seed in memory, with a record of the operations on it. */
class MemorySeed implements SeedStore {
  readonly done: string[] = [];
  seed: Uint8Array | undefined;

  constructor(seed?: Uint8Array) {
    this.seed = seed;
  }

  read(): Promise<Uint8Array | undefined> {
    this.done.push('read');
    return Promise.resolve(this.seed?.slice());
  }

  write(seed: Uint8Array): Promise<void> {
    this.done.push('write');
    this.seed = seed.slice();
    return Promise.resolve();
  }
}

const sameRandom = (): Random => new Random({ nowMs: () => 0, platform: streamSource('same') });
const OLD_SEED = new Uint8Array(SEED_BYTES).fill(3);

const reject = async (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => expect.fail('did not reject'),
    (error: unknown) => error,
  );

describe('stored seed', () => {
  it('is read, then overwritten', async () => {
    const store = new MemorySeed(OLD_SEED);
    await restoreSeed(store, sameRandom());
    expect(store.done).to.deep.equal(['read', 'write']);
    expect(store.seed).to.have.length(64);
    expect(toHex(store.seed!)).to.not.equal(toHex(OLD_SEED));
  });

  it('affects later output with every byte', async () => {
    const outputs = new Set<string>();
    for (const changed of [-1, 0, 31, 32, 63]) {
      const random = sameRandom();
      const seed = OLD_SEED.slice();
      if (changed >= 0) seed[changed] = 4;
      await restoreSeed(new MemorySeed(seed), random);
      outputs.add(toHex(random.bytes(32)));
    }
    expect(outputs.size).to.equal(5);
  });

  it('is not needed', async () => {
    const store = new MemorySeed();
    await restoreSeed(store, sameRandom());
    expect(store.seed).to.have.length(SEED_BYTES);
  });

  it('is not sufficient alone: without another source nothing is written or returned', async () => {
    const store = new MemorySeed(OLD_SEED);
    const random = new Random({ nowMs: () => 0, platform: constantSource });
    expect(await reject(restoreSeed(store, random))).to.be.instanceOf(NotSeededError);
    expect(store.done).to.deep.equal(['read']);
    expect(() => random.bytes(1)).to.throw(NotSeededError);
  });

  it('reports to the caller if it could not be overwritten', async () => {
    const failure = new Error('disk full');
    const store = new MemorySeed(OLD_SEED);
    store.write = () => Promise.reject(failure);
    expect(await reject(restoreSeed(store, sameRandom()))).to.equal(failure);
  });

  it('differs each time it is saved', async () => {
    const store = new MemorySeed();
    const random = sameRandom();
    const seen = new Set<string>();
    for (let i = 0; i < 10; i++) {
      await saveSeed(store, random);
      seen.add(toHex(store.seed!));
    }
    expect(seen.size).to.equal(10);
  });
});
