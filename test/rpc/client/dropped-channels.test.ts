import { expect } from 'chai';
import { MethodClient } from '../../../src/rpc/client/method-client.ts';
import { METHODS, type Methods } from '../../../src/rpc/methods/methods.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import { MethodServer } from '../../../src/rpc/server/method-server.ts';
import type { Timers } from '../../../src/rpc/timers.ts';
import { implementations } from '../fake-implementations.ts';
import { memoryChannel, PAGE } from '../memory-channel.ts';
import type { Fate } from '../memory-channel.ts';

/*
 * A call has exactly one right answer and one effect, wherever a channel drops. The service here journals
 * effects by request id, as the real one does.
 */

const SIZES = { inlineBytes: 8, pieceBytes: 4, windowBytes: 8 };
/** Reconnects at once. These tests have no other timers. */
const AT_ONCE: Timers = {
  start: (work, delayMs) => (delayMs <= 100 ? setImmediate(work) : undefined),
  stop: () => undefined,
};

interface Connection {
  readonly client: MethodClient<Methods>;
  readonly effects: string[];
  readonly charges: Set<string>;
  readonly messages: () => number;
  readonly channels: () => number;
}

/** Both ends over a channel with the given fate of its nth message; later channels deliver everything. */
function connected(nth: number, fate: Fate): Connection {
  let messages = 0;
  let channels = 0;
  const effects: string[] = [];
  const charges = new Set<string>();
  const journal = new Map<string, Promise<unknown>>();
  const server = new MethodServer(
    METHODS,
    implementations({
      random: ({ length }) => Promise.resolve(new Uint8Array(length).fill(7)),
      seal: ({ plaintext }, { requestId }) => {
        charges.add(requestId);
        return Promise.resolve(plaintext.map((byte) => byte ^ 0xff));
      },
      revoke: async (_, { requestId }) => {
        await Promise.resolve();
        const known = journal.get(requestId);
        if (!known) effects.push(requestId);
        journal.set(requestId, Promise.resolve({}));
        return {};
      },
    }),
    { timers: AT_ONCE },
  );
  const connect = () => {
    const channel = channels++;
    const [near, far] = memoryChannel(PAGE, () =>
      messages++ === nth && channel === 0 ? fate : 'arrives',
    );
    server.attach(new ChunkingChannel(far, { sizes: SIZES, timers: AT_ONCE }));
    return new ChunkingChannel(near, { sizes: SIZES, timers: AT_ONCE });
  };
  const client = new MethodClient(METHODS, { connect, timers: AT_ONCE, idPrefix: 'c' });
  return { client, effects, charges, messages: () => messages, channels: () => channels };
}

const PLAINTEXT = Uint8Array.from({ length: 30 }, (_, i) => i);

async function threeCalls({ client }: Connection): Promise<void> {
  const [random, sealed, revoked] = await Promise.all([
    client.call('random', { length: 20 }),
    client.call('seal', { plaintext: PLAINTEXT }),
    client.call('revoke', {}),
  ]);
  expect(random).to.deep.equal(new Uint8Array(20).fill(7));
  expect(sealed).to.deep.equal(PLAINTEXT.map((byte) => byte ^ 0xff));
  expect({ ...revoked }).to.deep.equal({});
}

describe('calls over a channel that drops', () => {
  it('take many messages if nothing drops', async () => {
    const quiet = connected(-1, 'arrives');
    await threeCalls(quiet);
    expect(quiet.messages()).to.be.greaterThan(20);
    expect([quiet.channels(), quiet.effects.length, quiet.charges.size]).to.deep.equal([1, 1, 1]);
  });

  for (const fate of ['lost', 'last'] as const) {
    it(`have one right answer and one effect each, for any ${fate} message`, async () => {
      const quiet = connected(-1, 'arrives');
      await threeCalls(quiet);
      let reconnected = 0;
      for (let nth = 0; nth < quiet.messages(); nth++) {
        const broken = connected(nth, fate);
        await threeCalls(broken);
        expect(broken.effects, `effects when message ${nth} is ${fate}`).to.have.length(1);
        expect(broken.charges.size).to.equal(1);
        if (broken.channels() > 1) reconnected++;
      }
      expect(reconnected, 'runs with a repeated request').to.be.greaterThan(15);
    });
  }

  it('survive any number of drops before their deadline', async () => {
    let channels = 0;
    const server = new MethodServer(
      METHODS,
      implementations({ seal: ({ plaintext }) => Promise.resolve(plaintext) }),
      { timers: AT_ONCE },
    );
    const connect = () => {
      const allowed = 3 * channels++;
      let messages = 0;
      const [near, far] = memoryChannel(PAGE, () => (messages++ === allowed ? 'lost' : 'arrives'));
      server.attach(new ChunkingChannel(far, { sizes: SIZES, timers: AT_ONCE }));
      return new ChunkingChannel(near, { sizes: SIZES, timers: AT_ONCE });
    };
    // Pauses end at once; the deadline of the call does not.
    const start = (work: () => void, ms: number) => (ms < 60_000 ? setImmediate(work) : undefined);
    const client = new MethodClient(METHODS, { connect, timers: { ...AT_ONCE, start } });
    expect(await client.call('seal', { plaintext: PLAINTEXT })).to.deep.equal(PLAINTEXT);
    expect(channels).to.be.greaterThan(3);
  });
});
