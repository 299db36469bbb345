import { setImmediate as settled } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { BatchingChannel } from '../../../src/rpc/transport/batching-channel.ts';
import {
  abort,
  parseMessage,
  PING,
  progress,
  request,
  success,
} from '../../../src/rpc/envelope.ts';
import type { Message } from '../../../src/rpc/envelope.ts';
import { MAX_MANY_BYTES, MAX_MANY } from '../../../src/rpc/envelope.ts';
import { memoryChannel, PAGE } from '../memory-channel.ts';

/** Two batching ends, the messages that each received, and the number of messages sent between them. */
function setUp() {
  const [a, b] = memoryChannel(PAGE);
  const later: (() => void)[] = [];
  const crossed: string[] = [];
  for (const end of [a, b]) {
    const send = end.send.bind(end);
    end.send = (message) => {
      crossed.push(parseMessage(message)!.kind);
      send(message);
    };
  }
  const heard = { client: [] as Message[], server: [] as Message[] };
  const client = new BatchingChannel(a, (work) => later.push(work));
  const server = new BatchingChannel(b, (work) => later.push(work));
  client.onMessage((message) => heard.client.push(message as Message));
  server.onMessage((message) => heard.server.push(message as Message));
  const turn = (): void => later.splice(0).forEach((work) => work());
  return { client, server, heard, crossed, turn };
}

const ids = (messages: readonly Message[]) => messages.map((one) => ('id' in one ? one.id : ''));
const asking = (id: string, bytes = 0) => request(id, 'seal', { plaintext: new Uint8Array(bytes) });

describe('BundledChannel', () => {
  it('sends the requests of one task as one message, in their order', async () => {
    const { client, heard, crossed } = setUp();
    const names = Array.from({ length: 100 }, (_, i) => `r${i}`);
    for (const name of names) client.send(asking(name, 16));
    expect(crossed).to.deep.equal([]);
    await settled();
    expect(crossed).to.deep.equal(['many']);
    expect(ids(heard.server)).to.deep.equal(names);
  });

  it('sends a single request unchanged, and its answer at once', async () => {
    const { client, server, heard, crossed } = setUp();
    client.send(asking('r1'));
    await settled();
    server.send(success('r1', null));
    expect(crossed).to.deep.equal(['request', 'response']);
    await settled();
    expect(ids(heard.client)).to.deep.equal(['r1']);
  });

  it('sends the last outstanding answer together with those that waited for it', async () => {
    const { client, server, crossed, heard } = setUp();
    for (const name of ['r1', 'r2', 'r3']) client.send(asking(name));
    await settled();
    for (const name of ['r2', 'r1']) server.send(success(name, null));
    expect(crossed).to.deep.equal(['many']);
    server.send(success('r3', null));
    expect(crossed).to.deep.equal(['many', 'many']);
    await settled();
    expect(ids(heard.client)).to.deep.equal(['r2', 'r1', 'r3']);
  });

  it('does not delay an answer beyond the task for a slow one', async () => {
    const { client, server, turn, heard } = setUp();
    for (const name of ['long', 'short']) client.send(asking(name));
    await settled();
    server.send(success('short', null));
    turn();
    await settled();
    expect(ids(heard.client)).to.deep.equal(['short']);
  });

  it('keeps the order of messages that are not batched', async () => {
    const { client, server, heard } = setUp();
    client.send(asking('r1'));
    client.send(asking('r2'));
    client.send(abort('r1'));
    client.send(asking('big', MAX_MANY_BYTES + 1));
    client.send(PING);
    await settled();
    expect(heard.server.map(({ kind }) => kind)).to.deep.equal([
      ...['request', 'request', 'abort', 'request', 'ping'],
    ]);
    server.send(success('r2', null));
    server.send(progress('big', 1));
    await settled();
    expect(heard.client.map(({ kind }) => kind)).to.deep.equal(['response', 'progress']);
  });

  it('limits a batch in messages and in bytes', async () => {
    const { client, heard, crossed } = setUp();
    for (let i = 0; i < 2 * MAX_MANY + 1; i++) client.send(asking(`r${i}`));
    await settled();
    expect(crossed).to.deep.equal(['many', 'many', 'request']);
    for (let i = 0; i < 5; i++) client.send(asking(`s${i}`, MAX_MANY_BYTES / 2));
    await settled();
    expect(crossed.slice(3)).to.deep.equal(['many', 'many', 'request']);
    expect(heard.server).to.have.length(2 * MAX_MANY + 6);
  });

  it('ignores a batch within a batch', async () => {
    const [a, b] = memoryChannel(PAGE);
    const heard: unknown[] = [];
    new BatchingChannel(b, setImmediate).onMessage((message) => heard.push(message));
    const inner = { v: 1, kind: 'many', messages: [asking('r1')] };
    a.send({ v: 1, kind: 'many', messages: [inner, 'no message', null] });
    await settled();
    expect(heard).to.have.length(3);
    expect(heard[0]).to.have.property('kind', 'many');
  });

  it('loses and reorders nothing, for any messages', async () => {
    const size = fc.constantFrom(0, 1, 1000, 40_000, 70_000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(size, fc.boolean())), async (sends) => {
        const { client, heard } = setUp();
        for (const [i, [bytes, pause]] of sends.entries()) {
          client.send(asking(`r${i}`, bytes));
          if (pause) await Promise.resolve();
        }
        await settled();
        expect(ids(heard.server)).to.deep.equal(sends.map((_, i) => `r${i}`));
      }),
      { numRuns: 50 },
    );
  });
});
