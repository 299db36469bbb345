import { expect } from 'chai';
// @ts-expect-error The example is plain JavaScript, as its readers will copy it.
import { Rounds as Untyped } from '../../examples/notes/rounds.js';

interface Rounds {
  run(): Promise<string>;
  idle(): Promise<void>;
  readonly isIdle: boolean;
}
const Rounds = Untyped as new (work: () => Promise<string>) => Rounds;

describe('examples/notes, rounds of work', () => {
  /** Rounds that end when the test says so. */
  function world() {
    const rounds: { end: (value: string) => void; fail: (error: Error) => void }[] = [];
    const work = () =>
      new Promise<string>((end, fail) => {
        rounds.push({ end, fail });
      });
    return { rounds, syncs: new Rounds(work) };
  }
  const turns = async () => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };

  it('run one at a time, and one more for all who asked during one', async () => {
    const { rounds, syncs } = world();
    const first = syncs.run();
    const [second, third] = [syncs.run(), syncs.run()];
    await turns();
    expect(rounds).to.have.length(1);
    rounds[0]!.end('first');
    expect(await first).to.equal('first');
    expect(syncs.isIdle, 'who asked first, while others wait').to.equal(false);
    await turns();
    expect(rounds).to.have.length(2);
    rounds[1]!.end('second');
    expect(await Promise.all([second, third])).to.deep.equal(['second', 'second']);
    expect(syncs.isIdle).to.equal(true);
    await turns();
    expect(rounds).to.have.length(2);
  });

  it('go on after one that failed, whose error only its own callers get', async () => {
    const { rounds, syncs } = world();
    const first = syncs.run().catch((error: unknown) => String(error));
    const second = syncs.run();
    rounds[0]!.fail(new Error('no network'));
    expect(await first).to.equal('Error: no network');
    await turns();
    rounds[1]!.end('second');
    expect(await second).to.equal('second');
  });

  it('never run two at a time, however the turns fall', async () => {
    const { rounds, syncs } = world();
    const first = syncs.run();
    const second = syncs.run();
    rounds[0]!.end('first');
    await first;
    const third = syncs.run(); // between the end of one and the beginning of the next
    await turns();
    expect(rounds).to.have.length(2);
    rounds[1]!.end('of the third');
    await turns();
    expect(rounds).to.have.length(3);
    rounds[2]!.end('of the second');
    expect(await Promise.all([second, third])).to.deep.equal(['of the second', 'of the third']);
  });

  it('are idle at once, or when the one that runs is through', async () => {
    const { rounds, syncs } = world();
    await syncs.idle();
    syncs.run().catch(() => undefined);
    let isIdle = false;
    const idle = syncs.idle().then(() => (isIdle = true));
    await turns();
    expect(isIdle).to.equal(false);
    rounds[0]!.fail(new Error('gone'));
    await idle;
  });
});
