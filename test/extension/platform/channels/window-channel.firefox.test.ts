import { expect } from 'chai';
import { FakeFrame, ORIGIN } from '../../fake-frame.ts';
import { turns, until } from '../../../support/turns.ts';
import { LOCAL_PAGE } from '../../../../extension/content/frame-script.ts';
import { windowChannel } from '../../../../extension/platform/channels/window-channel.firefox.ts';
import { WindowEvents } from '../../../../extension/platform/channels/window-channel-events.ts';

/** From this length on a message goes over the window. */
const BULK_BYTES = 16 * 1024;

interface Posted {
  readonly sealwright: string;
  readonly id: string;
  readonly turn: number;
  readonly body: unknown;
  readonly paths: unknown;
  readonly buffers: ArrayBuffer[];
}

/** Two ends in one window, which keeps copies of what is posted in it, and may alter that. */
function line(alter: (message: Posted) => object | 'lost' = () => ({})) {
  const posted: Posted[] = [];
  const frame = new (class extends FakeFrame {
    override postMessage(message: unknown, origin: string, transfer?: Transferable[]): void {
      const altered = alter(message as Posted);
      if (altered === 'lost') return;
      const sent = { ...(message as Posted), ...altered };
      posted.push(sent);
      super.postMessage(sent, origin, transfer);
    }
  })();
  const arrived: Posted[] = [];
  frame.addEventListener('message', (event) => arrived.push((event as MessageEvent<Posted>).data));
  const { port1, port2 } = new MessageChannel();
  const restored: (() => void)[] = [];
  const events = () => {
    const one = new WindowEvents(frame);
    one.onRestored = (listener) => {
      restored.push(listener);
      return () => restored.splice(restored.indexOf(listener), 1);
    };
    return one;
  };
  const near = windowChannel(port1, LOCAL_PAGE, events(), 'page');
  const far = windowChannel(port2, LOCAL_PAGE, events(), 'content');
  const heard: unknown[] = [];
  near.onMessage(() => undefined);
  far.onMessage((message) => heard.push(message));
  const close = () => [near, far].forEach((end) => end.close());
  const heardMany = async (count: number): Promise<void> => {
    await until(() => heard.length >= count);
  };
  return { frame, near, far, heard, posted, arrived, restored, close, heardMany };
}

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

describe('the channel of Firefox', () => {
  it('gives away the buffers of long messages, and copies short ones', async () => {
    const { near, heard, posted, close, heardMany } = line();
    const [short, long] = [bytes(BULK_BYTES - 1, 1), bytes(BULK_BYTES, 2)];
    near.send({ short });
    near.send({ long, deep: { list: [bytes(3, 3), bytes(0, 0)] } });
    await heardMany(2);
    expect(heard).to.deep.equal([
      { short: bytes(BULK_BYTES - 1, 1) },
      { long: bytes(BULK_BYTES, 2), deep: { list: [bytes(3, 3), bytes(0, 0)] } },
    ]);
    expect([short.length, long.length]).to.deep.equal([BULK_BYTES - 1, 0]);
    expect(posted).to.have.lengthOf(1);
    close();
  });

  for (const count of [32, 33, 64, 65, 200]) {
    it(`brings ${count} long messages at once, others between them, in their order`, async () => {
      const { near, heard, posted, close, heardMany } = line();
      for (let i = 0; i < count; i++) {
        near.send({ i, long: bytes(BULK_BYTES, i) });
        near.send({ i });
      }
      await heardMany(2 * count);
      const order = heard.map((message) => (message as { i: number }).i);
      expect(order).to.deep.equal(Array.from({ length: 2 * count }, (_, i) => i >> 1));
      for (const message of heard as { i: number; long?: Uint8Array }[]) {
        expect(message.long?.[0] ?? message.i % 256).to.equal(message.i % 256);
      }
      expect(new Set(posted.map(({ id }) => id)).size, 'each id serves once').to.equal(count);
      close();
    });
  }

  it('brings long and short messages to the page in the same way', async () => {
    const { near, far, close } = line();
    const heard: unknown[] = [];
    near.onMessage((message) => heard.push(message));
    for (let i = 0; i < 3; i++) {
      far.send({ i, deep: { list: [bytes(BULK_BYTES, i)] } });
      far.send({ i, short: bytes(3, i) });
    }
    await until(() => heard.length >= 6);
    const expected = [0, 1, 2].flatMap((i) => [
      { i, deep: { list: [bytes(BULK_BYTES, i)] } },
      { i, short: bytes(3, i) },
    ]);
    expect(heard).to.deep.equal(expected);
    close();
  });

  it('leaves no bytes in the events, which Firefox keeps for seconds', async () => {
    const { near, far, arrived, close, heardMany } = line();
    const inPage: unknown[] = [];
    near.onMessage((message) => inPage.push(message));
    near.send({ long: bytes(BULK_BYTES, 1) });
    far.send({ long: bytes(BULK_BYTES, 2) });
    await heardMany(1);
    await until(() => inPage.length >= 1);
    expect(inPage).to.deep.equal([{ long: bytes(BULK_BYTES, 2) }]);
    const left = arrived.map(({ body, buffers }) => ({ body, bytes: buffers[0]!.byteLength }));
    expect(left).to.deep.equal([1, 2].map(() => ({ body: { long: null }, bytes: 0 })));
    close();
  });

  it('takes nothing under an id that it never told, or that has served', async () => {
    const { frame, near, heard, posted, close, heardMany } = line();
    const left: unknown[] = [];
    near.send(bytes(BULK_BYTES, 1));
    await heardMany(1);
    frame.addEventListener('message', (event) => left.push((event as MessageEvent).data));
    const again = { ...posted[0]!, turn: 1, body: null, paths: [], buffers: [] };
    const forged = [again, { ...again, id: crypto.randomUUID() }, { ...again, id: undefined }];
    for (const data of forged) frame.arrive(data, [], frame, ORIGIN);
    expect(left).to.deep.equal(forged);
    near.send('next');
    await heardMany(2);
    expect(heard[1]).to.equal('next');
    close();
  });

  it('gives out nothing of a message whose parts do not fit, and what comes after it', async () => {
    const wrong: ((message: Posted) => object)[] = [
      () => ({ paths: [] }),
      () => ({ paths: 'none' }),
      () => ({ body: { elsewhere: null } }),
      ({ body }) => ({ body: { ...(body as object), a: 'taken' } }),
    ];
    const { near, heard, close, heardMany } = line(
      (message) => wrong[message.turn]?.(message) ?? {},
    );
    for (let i = 0; i <= wrong.length; i++) near.send({ a: bytes(BULK_BYTES, i) });
    await heardMany(wrong.length + 1);
    const last = { a: bytes(BULK_BYTES, wrong.length) };
    expect(heard).to.deep.equal([...wrong.map(() => undefined), last]);
    close();
  });

  for (const sender of ['near', 'far'] as const) {
    it(`closes both ends after the cache, if a message of the ${sender} one was lost in it`, async () => {
      const ends = line(() => 'lost');
      const closed: string[] = [];
      for (const end of ['near', 'far'] as const) ends[end].onClose(() => closed.push(end));
      ends[sender].send(bytes(BULK_BYTES, 1));
      // The id for it has to come first.
      await turns();
      expect(closed).to.deep.equal([]);
      for (const listener of [...ends.restored]) listener();
      await until(() => closed.length >= 2);
      expect(closed).to.have.members(['near', 'far']);
      expect(ends.restored, 'listeners that are left').to.deep.equal([]);
    });
  }

  it('stays open after the cache, if nothing was lost', async () => {
    const { near, far, heard, restored, close, heardMany } = line();
    near.send(bytes(BULK_BYTES, 1));
    far.send('to the other end');
    await heardMany(1);
    for (const listener of [...restored]) listener();
    near.send('next');
    await heardMany(2);
    expect(heard[1]).to.equal('next');
    close();
  });

  it('is silent once it is closed, also about what was still on its way', async () => {
    const { near, far, heard, close } = line();
    near.send(bytes(BULK_BYTES, 1));
    near.send('short');
    far.close();
    near.send(bytes(BULK_BYTES, 2));
    await turns();
    expect(heard).to.deep.equal([]);
    close();
  });
});
