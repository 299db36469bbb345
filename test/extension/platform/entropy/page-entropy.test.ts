import { expect } from 'chai';
import sinon from 'sinon';
import {
  PageEntropy,
  type SendEntropy,
} from '../../../../extension/platform/entropy/page-entropy.ts';
import { FakePointerEvent } from '../../fake-pointer-event.ts';

type Sent = Parameters<SendEntropy>[0];

/** A page with something that has the focus. */
class FakeDocument extends EventTarget {
  /** What the element is, as a list of selectors that match it. */
  focused = 'body';
  readonly activeElement = {
    matches: (selectors: string) => selectors.split(', ').includes(this.focused),
  };
}

/** The timer of Node, which the tests replace. */
const start = globalThis.setTimeout;

const STATE = { pools: [], reseeds: 1, events: 7, healthy: true };

describe('entropy of our own pages', () => {
  const globals = globalThis as unknown as Record<string, unknown>;
  const before = { PointerEvent: globals.PointerEvent, KeyboardEvent: globals.KeyboardEvent };
  let clock: sinon.SinonFakeTimers;
  let page: FakeDocument;
  let sent: Sent[];
  let entropy: PageEntropy;
  let stop: () => void;

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    Object.assign(globals, { PointerEvent: FakePointerEvent, KeyboardEvent: FakeKeyboardEvent });
    page = new FakeDocument();
    sent = [];
    entropy = newEntropy(false);
    stop = entropy.start(page as unknown as Document);
  });
  afterEach(() => {
    stop();
    clock.restore();
    Object.assign(globals, before);
  });

  const newEntropy = (isPrivate: boolean): PageEntropy =>
    new PageEntropy((params) => {
      sent.push(params);
      return Promise.resolve(STATE);
    }, isPrivate);

  const move = (events: number): void => {
    for (let step = 0; step <= events; step++) page.dispatchEvent(new FakePointerEvent(step, 0));
  };
  const type = (keys: number): void => {
    for (let key = 0; key <= keys; key++) page.dispatchEvent(new FakeKeyboardEvent('keydown'));
  };
  /** @param wanted what has to have been sent by then; the digests are computed on another thread */
  const after = async (ms: number, wanted = 0): Promise<void> => {
    clock.tick(ms);
    for (let turn = 0; turn < 10 || (turn < 10_000 && sent.length < wanted); turn++) {
      await new Promise((resolve) => start(resolve, 1));
    }
  };

  it('sends a digest of each source, with the number of its events', async () => {
    move(20);
    type(4);
    await after(4_999);
    expect(sent).to.deep.equal([]);
    await after(1, 2);
    // In the order in which the digests were ready.
    expect(sent.map(({ source, events }) => [source, events])).to.have.deep.members([
      ['pointer', 20],
      ['keyboard', 4],
    ]);
    for (const { digest } of sent) expect(digest).to.have.length(32);
    await after(60_000);
    expect(sent, 'without events nothing').to.have.length(2);
  });

  it('counts no event that it dropped: a batch has 32', async () => {
    move(100);
    await after(5_000, 1);
    expect(sent.map(({ events }) => events)).to.deep.equal([32]);
  });

  it('collects on buttons and links, and nothing while anything else has the focus', async () => {
    for (const focused of ['input', 'textarea', 'select', 'pre', '[contenteditable]', 'iframe']) {
      page.focused = focused;
      move(10);
      type(10);
      await after(5_000);
      expect(sent, focused).to.deep.equal([]);
    }
    for (const focused of ['body', 'h1', 'a', 'button', 'summary', '[role="tab"]']) {
      sent = [];
      page.focused = focused;
      move(10);
      await after(5_000, 1);
      expect(sent, focused).to.have.length(1);
    }
  });

  it('collects nothing in a private window, of which nothing may be stored', async () => {
    stop();
    stop = newEntropy(true).start(page as unknown as Document);
    move(40);
    type(10);
    await after(60_000);
    expect(sent).to.deep.equal([]);
  });

  it('sends often while the pools are shown, and tells their state', async () => {
    const told: unknown[] = [];
    const end = entropy.watch((state) => told.push(state));
    move(5);
    await after(120, 1);
    expect(told).to.deep.equal([STATE]);
    end();
    move(5);
    await after(5_000, 2);
    expect(sent).to.have.length(2);
    expect(told).to.have.length(1);
  });

  it('goes on after a background that does not answer', async () => {
    stop();
    entropy = new PageEntropy((params) => {
      sent.push(params);
      return Promise.reject(new Error('gone'));
    }, false);
    stop = entropy.start(page as unknown as Document);
    for (let times = 1; times <= 2; times++) {
      move(3);
      await after(5_000, times);
      expect(sent).to.have.length(times);
    }
  });

  it('sends nothing after its end', async () => {
    move(5);
    stop();
    move(5);
    await after(10_000);
    expect(sent).to.deep.equal([]);
  });
});

/** Of the browser's class, which Node lacks. */
class FakeKeyboardEvent extends Event {
  override readonly isTrusted = true;
  readonly repeat = false;
}
