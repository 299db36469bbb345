import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { ORIGIN } from './fake-frame.ts';
import { Frame } from './whole-frame.ts';
import { openedByKey, sealingBackground } from './sealing-background.ts';
import { LOOK_EVERY_MS } from '../../extension/content/frame-script.ts';
import type { FrameScript } from '../../extension/content/frame-script.ts';
import { windowChannel } from '../../extension/platform/channels/window-channel.ts';
import { windowChannel as firefoxChannel } from '../../extension/platform/channels/window-channel.firefox.ts';
import { event } from '../../src/rpc/envelope.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';
import { unarmor } from '../../src/format/wire/armor.ts';
import { sealedLength } from '../../src/format/wire/sealed-length.ts';
import { webArmor } from '../../src/format/wire/web-armor.ts';
import type { Implementations } from '../../src/rpc/call.ts';
import { codeOf, outcomeOf } from '../support/outcomes.ts';
import { until } from '../support/turns.ts';

const sealing: Partial<Implementations> = {
  random: ({ length }) => Promise.resolve(new Uint8Array(length).fill(5)),
  ...sealingBackground(),
};

for (const [name, openChannel] of [
  ['Chromium', windowChannel],
  ['Firefox', firefoxChannel],
] as const) {
  describe(`the path of a call, over the channel of ${name}`, () => {
    const scripts: FrameScript[] = [];
    const frames: Frame[] = [];
    function frameWith(given: Partial<Implementations>): Frame {
      const frame = new Frame(openChannel, given);
      frames.push(frame);
      return frame;
    }
    function started(frame: Frame): FrameScript {
      const script = frame.startContent();
      scripts.push(script);
      return script;
    }
    afterEach(async () => {
      for (const frame of frames.splice(0)) frame.close();
      for (const script of scripts.splice(0)) script.isAlive();
      await pause(5);
    });

    for (const first of ['page', 'content script']) {
      it(`works when the ${first} starts first`, async () => {
        const frame = frameWith(sealing);
        if (first === 'content script') {
          started(frame);
          expect(await frame.page.random(3)).to.deep.equal(new Uint8Array([5, 5, 5]));
        } else {
          const call = frame.page.random(3);
          await pause(5);
          started(frame);
          expect(await call).to.deep.equal(new Uint8Array([5, 5, 5]));
        }
      });
    }

    for (const length of [0, 1, 16 * 1024, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 3_000_000]) {
      it(`carries ${length} bytes there and back, and leaves the page's own alone`, async () => {
        const frame = frameWith(sealing);
        started(frame);
        const plaintext = Uint8Array.from({ length }, (_, i) => i);
        const sealed = await frame.page.seal(plaintext);
        expect(Buffer.compare(await openedByKey(sealed), plaintext)).to.equal(0);
        expect(Buffer.compare(await frame.page.open(sealed), plaintext)).to.equal(0);
        expect(plaintext).to.have.length(length);
      });
    }

    it('gives 40 calls at once, large and small, their own answers', async () => {
      const frame = frameWith(sealing);
      started(frame);
      const sizes = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? 70_000 + i : i));
      const results = await Promise.all(
        sizes.map((size, i) => frame.page.seal(new Uint8Array(size).fill(i))),
      );
      for (const [i, sealed] of results.entries()) {
        const plaintext = await openedByKey(sealed);
        expect(plaintext.length).to.equal(sizes[i]);
        expect(plaintext.every((byte) => byte === i)).to.equal(true);
      }
      expect(frame.runtime.connect.callCount).to.equal(1);
    });

    it('has 16 calls of a frame with the background at a time, and no more', async () => {
      const answers: (() => void)[] = [];
      const random = ({ length }: { length: number }) =>
        new Promise<Uint8Array>((resolve) => answers.push(() => resolve(new Uint8Array(length))));
      const frame = frameWith({ random });
      started(frame);
      const calls = Array.from({ length: 17 }, (_, i) => frame.page.random(i));
      await until(() => answers.length >= 16);
      // All 17 left the page as one message, and 16 reached the background as one.
      expect(answers).to.have.length(16);
      answers[5]!();
      await calls[5];
      await until(() => answers.length >= 17);
      for (const answer of answers) answer();
      expect((await Promise.all(calls)).map(({ length }) => length)).to.deep.equal([
        ...Array(17).keys(),
      ]);
    });

    it('has 4 MiB of a frame with the background at a time, or one larger call', async () => {
      const MIB = 2 ** 20;
      const answers: (() => void)[] = [];
      const sizes: number[] = [];
      const mac = ({ data }: { data: Uint8Array }) => {
        sizes.push(data.length);
        return new Promise<Uint8Array>((resolve) =>
          answers.push(() => resolve(new Uint8Array(32))),
        );
      };
      const frame = frameWith({ mac });
      started(frame);
      const calls = [1, 2, 1, 1, 5].map((mib) => frame.page.mac(new Uint8Array(mib * MIB)));
      await until(() => answers.length >= 3);
      await pause(20);
      expect(sizes).to.deep.equal([MIB, 2 * MIB, MIB]);
      answers[0]!();
      await until(() => answers.length >= 4);
      for (const answer of answers) answer();
      await until(() => answers.length >= 5);
      expect(sizes.slice(3)).to.deep.equal([MIB, 5 * MIB]);
      answers[4]!();
      await Promise.all(calls);
    });

    it('answers although the background ends while it works', async () => {
      let calls = 0;
      const frame = frameWith({
        seal: ({ plaintext }) => {
          if (++calls > 1) return Promise.resolve(plaintext);
          queueMicrotask(() => frame.runtime.killBackground());
          return new Promise<never>(() => undefined);
        },
      });
      started(frame);
      // The same server stands in for the next background, so the request joins its own job there.
      const call = frame.page.seal(new Uint8Array(2), { timeoutMs: 300 });
      expect(await outcomeOf(call)).to.include({ name: 'TimeoutError' });
      expect(frame.runtime.connect.callCount).to.equal(2);
    });

    it('brings errors as SealwrightErrors', async () => {
      const frame = frameWith({
        seal: () => Promise.reject(new SealwrightError('NOT_GRANTED', 'No grant')),
      });
      started(frame);
      const error = await outcomeOf(frame.page.seal('text'));
      expect(error).to.be.instanceOf(Error);
      expect(error).to.include({ name: 'SealwrightError', code: 'NOT_GRANTED', retryable: false });
    });

    it('aborts the call in the background when the page aborts it', async () => {
      const aborted = sinon.promise();
      const frame = frameWith({
        seal: (_, { signal }) => {
          signal.addEventListener('abort', () => void aborted.resolve(undefined));
          return new Promise<never>(() => undefined);
        },
      });
      started(frame);
      const controller = new AbortController();
      const call = outcomeOf(frame.page.seal('text', { signal: controller.signal }));
      await pause(30);
      controller.abort();
      expect(await call)
        .to.be.instanceOf(DOMException)
        .and.include({ name: 'AbortError' });
      await aborted;
    });

    it('tells the page of events from the background, and only of those there are', async () => {
      const frame = frameWith(sealing);
      started(frame);
      await frame.page.random(1);
      for (const message of [event('lock'), { kind: 'event', name: 'lock' }, 'lock', null]) {
        frame.runtime.onMessage.fire(message);
      }
      await pause(5);
      expect(frame.heard).to.deep.equal(['lock']);
    });

    it('keeps an event for another origin from the page, and the origin from its own', async () => {
      const frame = frameWith(sealing);
      started(frame);
      await frame.page.random(1);
      frame.runtime.onMessage.fire(event('grantchange', 'https://other.example'));
      await pause(5);
      expect(frame.heard).to.deep.equal([]);
      frame.runtime.onMessage.fire(event('grantchange', ORIGIN));
      await pause(5);
      expect(frame.heard).to.deep.equal(['grantchange']);
    });

    it('sends calls under way again when the page is back from the back/forward cache', async () => {
      let calls = 0;
      const random = ({ length }: { length: number }) =>
        ++calls === 1
          ? new Promise<never>(() => undefined)
          : Promise.resolve(new Uint8Array(length));
      const frame = frameWith({ random });
      started(frame);
      const call = frame.page.random(2);
      await until(() => calls > 0);
      frame.runtime.sender = { ...(frame.runtime.sender as object), documentId: 'D2' };
      frame.restored();
      expect(await call).to.have.length(2);
      expect(frame.runtime.connect.callCount).to.equal(2);
    });

    it('ends calls when the document goes, and fails later ones before their first await', async () => {
      const frame = frameWith({ seal: () => new Promise<never>(() => undefined) });
      started(frame);
      const call = outcomeOf(frame.page.seal('text'));
      await pause(30);
      frame.documentGone();
      expect(await call).to.include({ code: 'DISCONNECTED' });
      expect(() => frame.connection.requireDocument()).to.throw('gone');
      const later = [
        frame.page.seal('text'),
        frame.page.subtle.digest('SHA-256', new Uint8Array(1)),
      ];
      const [sealing, digesting] = await Promise.all(later.map(outcomeOf));
      expect(sealing).to.include({ code: 'DISCONNECTED' });
      expect(digesting).to.include({ name: 'OperationError' });
    });

    it('gets messages of the page after document.open() has taken the listeners', async () => {
      const frame = frameWith(sealing);
      frame.window.openDocument();
      started(frame);
      frame.window.openDocument();
      expect(await frame.page.seal(new Uint8Array(70_000))).to.have.length(sealedLength(70_000));
    });

    it('ends calls DISCONNECTED and says so once when the extension is removed, and then sends nothing', async () => {
      const frame = frameWith({ seal: () => new Promise<never>(() => undefined) });
      const script = started(frame);
      const call = outcomeOf(frame.page.seal('text'));
      await pause(30);
      frame.runtime.id = undefined;
      frame.runtime.killBackground();
      expect(await call).to.include({ code: 'DISCONNECTED', retryable: true });
      await pause(10);
      expect(frame.heard).to.deep.equal(['disconnect']);
      expect(script.isAlive()).to.equal(false);
      expect(await outcomeOf(frame.page.seal('text'))).to.include({ code: 'DISCONNECTED' });
    });

    it('comes back with "reconnect" when a reloaded extension serves the page again', async () => {
      const frame = frameWith(sealing);
      const orphan = started(frame);
      await frame.page.random(1);
      frame.runtime.id = undefined;
      orphan.isAlive();
      await pause(10);
      frame.runtime.id = 'abcdefgh';
      started(frame);
      await pause(10);
      expect(frame.heard).to.deep.equal(['disconnect', 'reconnect']);
      expect(await frame.page.random(2)).to.have.length(2);
      expect(orphan.isAlive()).to.equal(false);
    });

    it('gets "disconnect" from the new script when the old one could not send it', async () => {
      const frame = frameWith({ ...sealing, seal: () => new Promise<never>(() => undefined) });
      started(frame);
      const lost = outcomeOf(frame.page.seal('text'));
      await pause(30);
      started(frame);
      expect(await lost).to.include({ code: 'DISCONNECTED' });
      expect(frame.heard).to.deep.equal(['disconnect', 'reconnect']);
      expect(await frame.page.random(2)).to.have.length(2);
    });

    it('ignores forged messages: of other windows, other origins, other shapes', async () => {
      const frame = frameWith(sealing);
      started(frame);
      await frame.page.random(1);
      const seen = sinon.spy();
      frame.window.addEventListener('message', seen);
      const { port1 } = new MessageChannel();
      const hello = { sealwright: 'page-hello' };
      frame.window.arrive(hello, [], {}, ORIGIN);
      frame.window.arrive(hello, [], frame.window, 'https://evil.example');
      frame.window.arrive(
        { sealwright: 'port', id: crypto.randomUUID() },
        [port1],
        frame.window,
        ORIGIN,
      );
      frame.window.arrive({ sealwright: 'port', id: 'short' }, [port1], frame.window, ORIGIN);
      expect(seen.callCount, 'messages that are left to the page').to.equal(4);
      expect(await frame.page.random(1)).to.have.length(1);
      expect(frame.heard).to.deep.equal([]);
      port1.close();
    });

    it('keeps its line and its calls though the page forges a content script', async () => {
      const answer = sinon.promise<Uint8Array>();
      const frame = frameWith({ ...sealing, seal: () => answer });
      started(frame);
      const call = frame.page.seal('text');
      await pause(30);
      const forged = { sealwright: 'content-hello', id: crypto.randomUUID() };
      frame.window.arrive(forged, [], frame.window, ORIGIN);
      await pause(10);
      expect(await frame.page.random(2)).to.have.length(2);
      void answer.resolve(new Uint8Array(4));
      expect(await call).to.have.length(4);
      expect(frame.heard).to.deep.equal([]);
    });

    it('keeps its own messages from the listeners of the page', async () => {
      const frame = frameWith(sealing);
      started(frame);
      const seen = sinon.spy();
      frame.window.addEventListener('message', seen);
      await frame.page.seal(new Uint8Array(100_000));
      expect(seen.callCount).to.equal(0);
    });
  });
}

describe('an orphaned content script', () => {
  it('finds out by itself', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout'] });
    const frame = new Frame(windowChannel, {});
    try {
      const script = frame.startContent();
      frame.runtime.id = undefined;
      clock.tick(LOOK_EVERY_MS);
      expect(clock.countTimers()).to.be.at.most(2);
      expect(script.isAlive()).to.equal(false);
      clock.runToLast();
    } finally {
      clock.restore();
    }
    // Whatever port was on its way has arrived by then.
    await pause(20);
    frame.close();
  });
});

describe('Sealed texts of a page', () => {
  it('are written and read in the frame, and inspected without the background', async () => {
    const background = sealingBackground();
    const { seal, open } = background;
    const frame = new Frame(windowChannel, {
      ...background,
      sealText: ({ text, ...options }, call) => seal({ plaintext: text, ...options }, call),
      openText: open,
    });
    const script = frame.startContent();
    const { page } = frame;
    const text = await page.sealText('Grüße', { pad: true });
    expect(text).to.match(/^sw1\.[\w-]+$/);
    for (const armored of [text, webArmor(unarmor(text))]) {
      expect(await page.openText(armored)).to.equal('Grüße');
      const info = await page.inspect(armored);
      expect(info).to.include({
        version: 1,
        purpose: 'page',
        recipients: 0,
        plaintextBytes: null,
      });
      expect(info).to.deep.equal(await page.inspect(unarmor(text)));
    }
    for (const other of ['sw1.not base64', 'sw1.\u00ff', 'hello']) {
      expect(await codeOf(page.openText(other))).to.equal('BAD_ENVELOPE');
      expect(await codeOf(page.inspect(other))).to.equal('BAD_ENVELOPE');
    }
    expect(background.asked).to.deep.equal(['seal', 'open', 'open']);
    frame.close();
    script.isAlive();
    await pause(5);
  });
});
