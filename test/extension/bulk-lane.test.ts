import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { ORIGIN } from './fake-frame.ts';
import { openedByKey, sealingBackground } from './sealing-background.ts';
import type { SealingBackground } from './sealing-background.ts';
import { Frame } from './whole-frame.ts';
import { windowChannel } from '../../extension/platform/channels/window-channel.ts';
import { windowChannel as firefoxChannel } from '../../extension/platform/channels/window-channel.firefox.ts';
import { event } from '../../src/rpc/envelope.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';
import { sealedLength } from '../../src/format/wire/sealed-length.ts';
import { pattern } from '../format/message-vectors.ts';
import { DAMAGES, MESSAGE_BYTES } from '../support/samples/damaged-messages.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { inDepth } from '../support/depth.ts';
import { codeOf } from '../support/outcomes.ts';

const MIB = 2 ** 20;
const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The bytes as a stream of pieces of this length. */
function streamOf(bytes: Uint8Array, pieceBytes: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
      if (at >= bytes.length) controller.close();
    },
  });
}

for (const [name, openChannel] of [
  ['Chromium', windowChannel],
  ['Firefox', firefoxChannel],
] as const) {
  let background: SealingBackground;
  let frame: Frame;

  /** A frame for each test, with its own background. */
  function withFrame(): void {
    beforeEach(() => {
      background = sealingBackground();
      frame = new Frame(openChannel, background);
      frame.startContent();
    });
    afterEach(async () => {
      frame.close();
      await pause(5);
    });
  }

  /** A sealing stream of which the first chunk has come out. */
  async function begun() {
    const { readable, writable } = frame.page.sealStream();
    const [reader, writer] = [readable.getReader(), writable.getWriter()];
    writer.closed.catch(() => undefined);
    void writer.write(pattern(MIB)).catch(() => undefined);
    await reader.read();
    await reader.read();
    const goesOn = async (): Promise<string> => {
      void writer.write(pattern(MIB)).catch(() => undefined);
      return codeOf(reader.read());
    };
    return { goesOn, reader, writer };
  }

  /** How many pieces each message of a stream brings, and how many there were unanswered at most. */
  function countedPieces() {
    const sent: number[] = [];
    let [underWay, most] = [0, 0];
    const lengths = new Map<string, number>();
    interface Message {
      readonly kind: string;
      readonly id: string;
      readonly method?: string;
      readonly params?: { readonly pieces: readonly unknown[] };
    }
    const count = ({ kind, id, method, params }: Message): void => {
      if (method === 'streamPieces') {
        lengths.set(id, params!.pieces.length);
        sent.push(params!.pieces.length);
        most = Math.max(most, (underWay += params!.pieces.length));
      } else if (kind === 'response') underWay -= lengths.get(id) ?? 0;
    };
    frame.close();
    frame = new Frame((...line) => {
      const channel = openChannel(...line);
      const send = channel.send.bind(channel);
      channel.send = (message) => {
        count(message as Message);
        send(message);
      };
      return channel;
    }, background);
    frame.startContent();
    return { sent, most: () => most };
  }

  describe(`the bulk lane, over the channel of ${name}`, function () {
    this.timeout(120_000);
    withFrame();

    it('takes messages from 64 KiB on, and no shorter ones', async () => {
      const { page } = frame;
      await page.open(await page.seal(pattern(1_000)));
      expect(background.asked).to.deep.equal(['seal', 'open']);
      background.asked.length = 0;
      await page.open(await page.seal(pattern(64 * 1024)));
      expect(background.asked).to.deep.equal(['releaseSeal', 'releaseOpen']);
    });

    for (const pad of [false, true]) {
      it(`seals what the background opens, ${pad ? '' : 'not '}padded, and opens it`, async () => {
        const context = pattern(9);
        for (const length of [64 * 1024, MIB, MIB + 1, 3 * MIB]) {
          const message = pattern(length);
          const sealed = await frame.page.seal(message, { pad, context });
          expect(sealed.length).to.equal(sealedLength(length, { pad }));
          expect(isEqual(await openedByKey(sealed, context), message)).to.equal(true);
          expect(isEqual(await frame.page.open(sealed, { context }), message)).to.equal(true);
        }
      });

      it(`streams what the background opens, ${pad ? '' : 'not '}padded, and back`, async () => {
        for (const length of [0, 1, MIB, 2 * MIB + 5]) {
          const message = pattern(length);
          const sealing = streamOf(message, 70_001).pipeThrough(frame.page.sealStream({ pad }));
          const sealed = await collected(sealing);
          expect(isEqual(await openedByKey(sealed), message)).to.equal(true);
          for (const pieceBytes of [33, 70_001, 4 * MIB]) {
            if (sealed.length / pieceBytes > 1_000) continue;
            const opening = streamOf(sealed, pieceBytes).pipeThrough(frame.page.openStream());
            expect(isEqual(await collected(opening), message)).to.equal(true);
          }
        }
      });
    }

    it('opens as a stream what was sealed in one call, and the other way round', async () => {
      for (const length of [0, 20_000, 2 * MIB]) {
        const message = pattern(length);
        const whole = await frame.page.seal(message);
        const opened = streamOf(whole, 99_999).pipeThrough(frame.page.openStream());
        expect(isEqual(await collected(opened), message)).to.equal(true);
        const streamed = await collected(
          streamOf(message, MIB).pipeThrough(frame.page.sealStream()),
        );
        expect(isEqual(await frame.page.open(streamed), message)).to.equal(true);
      }
    });

    it('opens a large message however it is laid, and seals none that is laid wrong', async () => {
      const { client } = frame.connection;
      const message = pattern(2 * MIB + 3);
      const sealed = await frame.page.seal(message);
      for (const border of [0, 1, 80, 200, MIB, sealed.length - 1, sealed.length]) {
        const parts = { lead: sealed.slice(0, border), place: sealed.slice(border) };
        expect(isEqual(await client.call('openInPlace', parts), message)).to.equal(true);
      }
      background.asked.length = 0;
      for (const wrong of [0, MIB, sealedLength(MIB) + 1, sealedLength(MIB, { pad: true })]) {
        const params = { place: new Uint8Array(wrong), messageBytes: MIB };
        expect(await codeOf(client.call('sealInPlace', params))).to.equal('INVALID_ARGUMENT');
      }
      expect(background.asked, 'no use is taken for it').to.deep.equal([]);
    });

    it('seals a message whose beginning is longer than that of its own user, padded or not', async () => {
      const longer = pattern(500);
      const releaseSeal: SealingBackground['releaseSeal'] = async (params, call) => {
        const answer = await background.releaseSeal(params, call);
        return { ...answer, prefix: new Uint8Array([...longer, ...answer.prefix]) };
      };
      frame.close();
      frame = new Frame(openChannel, { ...background, releaseSeal });
      frame.startContent();
      for (const pad of [false, true]) {
        const message = pattern(2 * MIB + 3);
        const sealed = await frame.page.seal(message, { pad });
        expect(isEqual(sealed.subarray(0, 500), longer)).to.equal(true);
        expect(isEqual(await openedByKey(sealed.slice(500)), message)).to.equal(true);
      }
    });

    it('leaves the bytes of its caller alone, and reads them where they are a view', async () => {
      const around = pattern(MIB + 50);
      const before = around.slice();
      const view = around.subarray(7, MIB + 9);
      const sealed = await frame.page.seal(view);
      expect(isEqual(around, before)).to.equal(true);
      const shifted = new Uint8Array(sealed.length + 3);
      shifted.set(sealed, 3);
      expect(isEqual(await frame.page.open(shifted.subarray(3)), view)).to.equal(true);
      expect(isEqual(shifted.subarray(3), sealed)).to.equal(true);
      const taken = pattern(MIB);
      const options = {
        get context() {
          structuredClone(taken, { transfer: [taken.buffer] });
          return undefined;
        },
      };
      expect(await codeOf(frame.page.seal(taken, options))).to.equal('INVALID_ARGUMENT');
    });

    it('opens in the background what comes after too many releases', async () => {
      const sealed = await frame.page.seal(pattern(MIB));
      background.tooMany = true;
      expect(isEqual(await frame.page.open(sealed), pattern(MIB))).to.equal(true);
      expect(background.asked.slice(-2)).to.deep.equal(['releaseOpen', 'open']);
      const stream = streamOf(sealed, MIB).pipeThrough(frame.page.openStream());
      expect(await codeOf(collected(stream))).to.equal('QUOTA');
    });

    it('seals in the background what comes after too many releases', async () => {
      background.tooMany = true;
      for (const pad of [false, true]) {
        const sealed = await frame.page.seal(pattern(MESSAGE_BYTES), { pad });
        expect(background.asked.slice(-2)).to.deep.equal(['releaseSeal', 'seal']);
        expect(isEqual(await openedByKey(sealed), pattern(MESSAGE_BYTES))).to.equal(true);
      }
      const stream = streamOf(pattern(MIB), MIB).pipeThrough(frame.page.sealStream());
      expect(await codeOf(collected(stream))).to.equal('QUOTA');
    });

    it('is refused by the background in its own words, streams included', async () => {
      background.refusal = new SealwrightError('NOT_GRANTED', 'no');
      expect(await codeOf(frame.page.seal(pattern(MIB)))).to.equal('NOT_GRANTED');
      const stream = streamOf(pattern(MIB), MIB).pipeThrough(frame.page.sealStream());
      expect(await codeOf(collected(stream))).to.equal('NOT_GRANTED');
      const idle = frame.page.sealStream();
      expect(await codeOf(idle.readable.getReader().read())).to.equal('NOT_GRANTED');
      await codeOf(idle.writable.getWriter().closed);
    });

    it('refuses altered and cut-off messages, whole or streamed', async () => {
      const sealed = await frame.page.seal(pattern(MESSAGE_BYTES));
      for (const { flip, cut, otherContext, code } of DAMAGES) {
        const damaged = sealed.slice(0, cut);
        if (flip !== undefined) damaged[(flip + damaged.length) % damaged.length]! ^= 1;
        const options = otherContext ? { context: 'other' } : {};
        const label = JSON.stringify({ flip, cut, otherContext });
        expect(await codeOf(frame.page.open(damaged, options)), label).to.equal(code);
        const stream = streamOf(damaged, 300_000).pipeThrough(frame.page.openStream(options));
        expect(await codeOf(collected(stream)), label).to.equal('AUTH_FAILED');
      }
      const nothing = streamOf(new Uint8Array(0), 1).pipeThrough(frame.page.openStream());
      expect(await codeOf(collected(nothing))).to.equal('BAD_ENVELOPE');
    });
  });

  describe(`the bulk lane, when a grant ends, over the channel of ${name}`, function () {
    this.timeout(120_000);
    withFrame();

    it('ends a stream when the vault locks, without another call', async () => {
      const stream = await begun();
      background.asked.length = 0;
      frame.runtime.onMessage.fire(event('lock'));
      expect(await stream.goesOn()).to.equal('LOCKED');
      expect(background.asked).to.deep.equal([]);
    });

    it('asks whether a stream may go on when grants have changed, and follows the answer', async () => {
      const [first, second] = [await begun(), await begun()];
      background.asked.length = 0;
      frame.runtime.onMessage.fire(event('grantchange', 'https://other.example'));
      expect(await first.goesOn()).to.equal('ok');
      expect(background.asked).to.deep.equal([]);
      frame.runtime.onMessage.fire(event('grantchange', ORIGIN));
      expect(await first.goesOn()).to.equal('ok');
      expect(background.asked).to.deep.equal(['holdsGrant', 'holdsGrant']);
      background.refusal = new SealwrightError('NOT_GRANTED', 'revoked');
      frame.runtime.onMessage.fire(event('grantchange', ORIGIN));
      expect(await first.goesOn()).to.equal('NOT_GRANTED');
      expect(await second.goesOn()).to.equal('NOT_GRANTED');
    });

    it('gives nothing out between the call to revoke and the end of the stream', async () => {
      const order: string[] = [];
      const onProgress = () => order.push('chunk');
      const { readable, writable } = frame.page.sealStream({ onProgress });
      const ended = codeOf(readable.pipeTo(new WritableStream())).then(() => order.push('ended'));
      const writer = writable.getWriter();
      writer.closed.catch(() => undefined);
      const write = () => void writer.write(pattern(MIB)).catch(() => undefined);
      write();
      while (!order.includes('chunk')) await pause(1);
      let revoked!: () => void;
      background.revoking = new Promise((resolve) => (revoked = resolve));
      order.length = 0;
      const revoking = frame.page.revoke().then(() => order.push('acknowledged'));
      for (let i = 0; i < 4; i++) write();
      await pause(40);
      expect(order).to.deep.equal([]);
      background.refusal = new SealwrightError('NOT_GRANTED', 'revoked');
      revoked();
      await Promise.all([revoking, ended]);
      expect(order).to.have.members(['ended', 'acknowledged']);
    });

    it('heeds a change that overtakes the very answer with the key', async () => {
      const release = background.releaseSeal;
      const slow: { -readonly [K in keyof SealingBackground]: SealingBackground[K] } = {
        ...background,
      };
      slow.releaseSeal = async (params, call) => {
        const answer = await release(params, call);
        frame.runtime.onMessage.fire(event('grantchange', ORIGIN));
        background.refusal = new SealwrightError('NOT_GRANTED', 'revoked');
        return answer;
      };
      frame.close();
      frame = new Frame(openChannel, slow);
      frame.startContent();
      expect(await codeOf(frame.page.seal(pattern(MIB)))).to.equal('NOT_GRANTED');
    });

    it('keeps the key of no stream and no call that is over, however it ended', async () => {
      const writes = (stream: TransformStream<Uint8Array, Uint8Array>, bytes = pattern(MIB)) => {
        const writer = stream.writable.getWriter();
        writer.closed.catch(() => undefined);
        writer.write(bytes).catch(() => undefined);
        return writer;
      };
      const { page } = frame;
      const sealed = await page.seal(pattern(2 * MIB));
      await page.open(sealed);
      const abort = new AbortController();
      const [aborted, cancelled, failed] = [
        page.sealStream({ signal: abort.signal }),
        page.sealStream(),
        page.sealStream(),
      ];
      const [, , writer] = [aborted, cancelled, failed].map((stream) => writes(stream));
      const altered = page.openStream();
      void writes(
        altered,
        sealed.map((byte, i) => (i === 2_000 ? byte ^ 1 : byte)),
      );
      const readers = [aborted, cancelled, failed].map(({ readable }) => readable.getReader());
      for (const reader of readers) await reader.read();
      expect(await codeOf(altered.readable.getReader().read())).to.equal('AUTH_FAILED');
      frame.runtime.onMessage.fire(event('grantchange', ORIGIN));
      await pause(20);
      expect(background.asked.filter((name) => name === 'holdsGrant')).to.have.lengthOf(3);
      background.asked.length = 0;
      abort.abort();
      await readers[1]!.cancel();
      await writer!.abort();
      await pause(20);
      frame.runtime.onMessage.fire(event('grantchange', ORIGIN));
      await pause(20);
      expect(background.asked).to.deep.equal([]);
    });

    it('drops the keys of streams that their page has dropped', async () => {
      const held: ReadableStreamDefaultReader[] = [];
      for (let i = 0; i < 3; i++) {
        held.push(frame.page.sealStream().readable.getReader());
        await held.at(-1)!.read();
      }
      const kept = await begun();
      const stillAsked = async (): Promise<number> => {
        background.asked.length = 0;
        frame.runtime.onMessage.fire(event('grantchange', ORIGIN));
        await pause(10);
        return background.asked.length;
      };
      expect(await stillAsked()).to.equal(4);
      held.length = 0;
      for (let i = 0; i < 40 && (await stillAsked()) > 1; i++) collectGarbage();
      expect(await stillAsked()).to.equal(1);
      expect(await kept.goesOn()).to.equal('ok');
    });
  });

  describe(`the streams of the bulk lane, over the channel of ${name}`, function () {
    this.timeout(120_000);
    withFrame();

    it('is a TransformStream: what ends one side ends the other, for the same reason', async () => {
      const reason = new Error('enough');
      const told = async (work: Promise<unknown>) => work.catch((error: unknown) => error);
      for (const stream of [frame.page.sealStream(), frame.page.openStream()]) {
        expect(stream).to.be.instanceOf(TransformStream);
        const closed = told(stream.writable.getWriter().closed);
        await stream.readable.cancel(reason);
        expect(await closed).to.equal(reason);
      }
      for (const stream of [frame.page.sealStream(), frame.page.openStream()]) {
        const closed = told(stream.readable.getReader().closed);
        await stream.writable.abort(reason);
        expect(await closed).to.equal(reason);
      }
    });

    it('gives up a write of many pieces when its stream ends in the middle of it', async () => {
      const stream = frame.page.sealStream();
      const writing = codeOf(stream.writable.getWriter().write(pattern(9 * MIB)));
      const reader = stream.readable.getReader();
      await reader.read();
      await reader.read();
      await reader.cancel();
      expect(await writing).to.equal('ok');
    });

    it('sends the pieces together that come while others are under way, three at most', async () => {
      for (const pieces of inDepth([1, 2, 3, 4, 5, 30], [1, 3, 7])) {
        const counted = countedPieces();
        const message = pattern(pieces * MIB);
        const stream = streamOf(message, 300_001).pipeThrough(frame.page.sealStream());
        expect(isEqual(await openedByKey(await collected(stream)), message)).to.equal(true);
        expect(counted.sent.reduce((sum, one) => sum + one)).to.equal(pieces);
        expect(Math.max(...counted.sent)).to.equal(Math.min(3, pieces));
        expect(counted.most()).to.be.at.most(6);
      }
    });

    it('sends a piece at once where none is under way', async () => {
      const counted = countedPieces();
      const { readable, writable } = frame.page.sealStream();
      const [reader, writer] = [readable.getReader(), writable.getWriter()];
      await reader.read();
      for (let i = 1; i <= 3; i++) {
        await writer.write(pattern(MIB));
        expect((await reader.read()).value).to.have.lengthOf(MIB + 16);
        expect(counted.sent).to.deep.equal(Array.from({ length: i }, () => 1));
      }
      await reader.cancel();
    });

    it('takes pieces in their order alone, and no more than three together', async () => {
      const { client } = frame.connection;
      const piece = () => new Uint8Array(9);
      for (const [index, count, code] of [
        [1, 1, 'INTERNAL'],
        [0, 0, 'INVALID_ARGUMENT'],
        [0, 3, 'ok'],
        [0, 4, 'INVALID_ARGUMENT'],
      ] as const) {
        const { stream } = await client.call('beginSealStream', {});
        const params = { stream, index, pieces: Array.from({ length: count }, piece) };
        expect(await codeOf(client.call('streamPieces', params))).to.equal(code);
        await client.call('dropStream', { stream });
      }
    });

    it('takes no more than it may hold while the output is not read', async () => {
      const { readable, writable } = frame.page.sealStream();
      const writer = writable.getWriter();
      let written = 0;
      const write = async (): Promise<void> => {
        for (; written < 40; written++) await writer.write(pattern(MIB));
      };
      void write();
      await pause(300);
      expect(written).to.be.below(12);
      const reader = readable.getReader();
      while (written < 40) await reader.read();
      await reader.cancel();
    });

    it('goes on without a background, until a new chunk needs one', async () => {
      const stream = await begun();
      frame.runtime.killBackground();
      expect(await stream.goesOn()).to.equal('ok');
      expect(background.asked).to.deep.equal(['releaseSeal']);
    });

    it('ends streams DISCONNECTED when the extension goes', async () => {
      const stream = await begun();
      frame.runtime.id = undefined;
      frame.runtime.killBackground();
      await pause(20);
      expect(await stream.goesOn()).to.equal('DISCONNECTED');
    });

    it('fails a stream when its page aborts (AbortError), or its time is over (TimeoutError)', async () => {
      const abort = new AbortController();
      const stream = frame.page.sealStream({ signal: abort.signal });
      const closed = codeOf(stream.writable.getWriter().closed);
      abort.abort();
      expect(await closed).to.equal('AbortError');
      const late = frame.page.openStream({ timeoutMs: 10 });
      void codeOf(late.writable.getWriter().closed);
      expect(await codeOf(late.readable.getReader().read())).to.equal('TimeoutError');
      const before = frame.page.openStream({ signal: AbortSignal.abort() });
      void codeOf(before.writable.getWriter().closed);
      expect(await codeOf(before.readable.getReader().read())).to.equal('AbortError');
    });

    it('refuses what is not bytes as a piece, and the stream has failed then', async () => {
      for (const piece of ['text', 7, null, {}, [1, 2], new Blob(['x'])]) {
        const { readable, writable } = frame.page.sealStream();
        void codeOf(readable.getReader().closed);
        const writer = writable.getWriter();
        void codeOf(writer.closed);
        expect(await codeOf(writer.write(piece as never))).to.equal('INVALID_ARGUMENT');
      }
    });
  });
}
