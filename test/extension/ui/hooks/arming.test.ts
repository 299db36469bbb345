import { expect } from 'chai';
import fc from 'fast-check';
import { createSandbox, type SinonFakeTimers } from 'sinon';
import {
  afterEvent,
  afterPress,
  ARMING_MS,
  armedAt,
  isArmed,
  mayAct,
  QUIET_MS,
  startArming,
  type ArmingEvent,
} from '../../../../extension/ui/hooks/arming.ts';
import {
  ArmingWatch,
  type ArmingView,
  type WatchedPage,
} from '../../../../extension/ui/hooks/use-arming.ts';

const shown = (now = 1000) => startArming(true, true, now);
const EVENTS: readonly ArmingEvent[] = ['focus', 'blur', 'show', 'hide', 'resize'];

describe('arming of the consent window', () => {
  it('waits 500 ms, as docs/architecture.md says of consent', () => {
    expect(ARMING_MS).to.equal(500);
  });

  it('is over 500 ms after the window is focused and visible', () => {
    expect(isArmed(shown(), 1499)).to.be.false;
    expect(isArmed(shown(), 1500)).to.be.true;
  });

  for (const [focused, visible] of [
    [false, true],
    [true, false],
    [false, false],
  ] as const) {
    it(`does not end while focused is ${focused} and visible is ${visible}`, () => {
      const arming = startArming(focused, visible, 0);
      expect(armedAt(arming)).to.be.null;
      expect(isArmed(arming, 1e9)).to.be.false;
    });
  }

  for (const [away, back] of [
    ['blur', 'focus'],
    ['hide', 'show'],
  ] as const) {
    it(`starts again after ${away} and ${back}`, () => {
      const gone = afterEvent(shown(), away, 3000);
      expect(isArmed(gone, 9000)).to.be.false;
      const again = afterEvent(gone, back, 4000);
      expect(isArmed(again, 4499)).to.be.false;
      expect(isArmed(again, 4500)).to.be.true;
    });
  }

  it('starts again when the window is resized', () => {
    const resized = afterEvent(shown(), 'resize', 3000);
    expect(isArmed(resized, 3499)).to.be.false;
    expect(isArmed(resized, 3500)).to.be.true;
  });

  it('starts again only when focus and visibility are both back', () => {
    const hidden = afterEvent(afterEvent(shown(), 'blur', 2000), 'hide', 2001);
    expect(isArmed(afterEvent(hidden, 'focus', 2002), 9000)).to.be.false;
    expect(isArmed(afterEvent(afterEvent(hidden, 'focus', 2002), 'show', 2003), 9000)).to.be.true;
  });

  it('ends after a resize that no other event follows', () => {
    expect(armedAt(afterEvent(shown(), 'resize', 5000))).to.equal(5500);
  });

  it('arms exactly if 500 ms passed since the last event, focused and visible', () => {
    const history = fc.array(fc.tuple(fc.constantFrom(...EVENTS), fc.nat(800)), { maxLength: 20 });
    fc.assert(
      fc.property(history, fc.nat(1200), (events, wait) => {
        let now = 0;
        let arming = shown(now);
        let [focused, visible] = [true, true];
        for (const [event, pause] of events) {
          now += pause;
          arming = afterEvent(arming, event, now);
          if (event === 'focus' || event === 'blur') focused = event === 'focus';
          if (event === 'show' || event === 'hide') visible = event === 'show';
        }
        expect(isArmed(arming, now + wait)).to.equal(focused && visible && wait >= ARMING_MS);
      }),
    );
  });
});

describe('acts in the consent window', () => {
  it('count when pressed and released while armed', () => {
    expect(mayAct(shown(), { trusted: true, pressedAt: 1500 }, 1600)).to.be.true;
  });

  it('do not count when a script makes them', () => {
    expect(mayAct(shown(), { trusted: false, pressedAt: 1500 }, 1600)).to.be.false;
  });

  it('do not count when pressed before the window was armed', () => {
    expect(mayAct(shown(), { trusted: true, pressedAt: 1499 }, 1600)).to.be.false;
  });

  it('do not count before the window is armed', () => {
    expect(mayAct(shown(), { trusted: true, pressedAt: null }, 1499)).to.be.false;
  });

  it('count without a press, as from assistive technology', () => {
    expect(mayAct(shown(), { trusted: true, pressedAt: null }, 1500)).to.be.true;
  });
});

describe('presses that come too early', () => {
  it('start a wait of a second, each again', () => {
    const once = afterPress(shown(), 1200);
    expect(armedAt(once)).to.equal(1200 + QUIET_MS);
    expect(armedAt(afterPress(once, 2199))).to.equal(2199 + QUIET_MS);
    expect(armedAt(afterPress(once, 2200))).to.equal(2200, 'a press of an armed window');
  });

  it('count as early also before the window is in focus', () => {
    const behind = afterPress(startArming(false, true, 0), 900);
    expect(armedAt(afterEvent(behind, 'focus', 910))).to.equal(900 + QUIET_MS);
  });

  it('do not count when they are released late', () => {
    const early = afterPress(shown(), 1400);
    expect(mayAct(early, { trusted: true, pressedAt: 1400 }, 60_000)).to.be.false;
  });

  it('approve nothing while they go on, in 1,000 sequences of 2 to 20 Hz', () => {
    const sequence = fc.record({
      hertz: fc.double({ min: 2, max: 20, noNaN: true }),
      before: fc.double({ min: 0, max: 1, noNaN: true }),
      unevenness: fc.array(fc.double({ min: 0.5, max: 1, noNaN: true }), {
        minLength: 60,
        maxLength: 60,
      }),
      holds: fc.double({ min: 0, max: 0.9, noNaN: true }),
    });
    fc.assert(
      fc.property(sequence, ({ hertz, before, unevenness, holds }) => {
        const period = 1000 / hertz;
        let arming = shown(0);
        // The last press before the window was in front.
        let now = -before * period - 0.001;
        for (const part of unevenness) {
          const pause = period * part;
          now += pause;
          if (now < 0) continue;
          arming = afterPress(arming, now);
          const released = now + pause * holds;
          expect(mayAct(arming, { trusted: true, pressedAt: now }, released)).to.be.false;
        }
        const later = now + QUIET_MS;
        expect(mayAct(arming, { trusted: true, pressedAt: later }, later)).to.be.true;
      }),
      { numRuns: 1_000, seed: 14 },
    );
  });
});

describe('the watch of a window', () => {
  const sandbox = createSandbox();
  let clock: SinonFakeTimers;
  let listeners: Map<string, (event: object) => void>;
  let views: ArmingView[];
  let watch: ArmingWatch;
  let stop: () => void;
  let page: WatchedPage;
  let isInFront: boolean;

  beforeEach(() => {
    isInFront = true;
    clock = sandbox.useFakeTimers({ now: 10_000 });
    listeners = new Map();
    views = [];
    const target = {
      addEventListener: (type: string, listener: (event: object) => void) =>
        listeners.set(type, listener),
      removeEventListener: (type: string) => listeners.delete(type),
    };
    page = {
      window: target,
      document: { ...target, hasFocus: () => isInFront, hidden: false },
      now: () => Date.now(),
    };
    watch = new ArmingWatch(page, (view) => views.push(view));
    stop = watch.start();
  });
  afterEach(() => sandbox.restore());

  const down = (event: object = {}) => listeners.get('pointerdown')!({ isTrusted: true, ...event });
  const key = (event: object = {}) => listeners.get('keydown')!({ isTrusted: true, ...event });
  const click = () => watch.mayAct({ isTrusted: true } as Event);
  const up = () => listeners.get('pointerup')!({});
  const press = () => {
    down();
    up();
    return click();
  };

  for (const hertz of [2, 4, 8, 20]) {
    it(`accepts no click of ${hertz} Hz that goes on, and one after a second of quiet`, () => {
      for (let i = 0; i < 10 * hertz; i++) {
        clock.tick(1000 / hertz - 1);
        expect(press()).to.equal(false);
      }
      expect(views.some(({ armed }) => armed)).to.equal(false);
      expect(views.at(-1)).to.deep.equal({ armed: false, wasEarly: true });
      clock.tick(QUIET_MS);
      expect(views.at(-1)).to.deep.equal({ armed: true, wasEarly: true });
      expect(press()).to.equal(true);
    });
  }

  it('begins with the state of the page at its start: a focus that came before sends no event', () => {
    stop();
    isInFront = false;
    const later = new ArmingWatch(page, (view) => views.push(view));
    clock.tick(100);
    isInFront = true;
    later.start();
    clock.tick(ARMING_MS - 1);
    expect(views.at(-1)!.armed).to.equal(false);
    clock.tick(1);
    expect(views.at(-1)!.armed).to.equal(true);
  });

  it('accepts nothing before its start, however long the page was shown before', () => {
    stop();
    const later = new ArmingWatch(page, (view) => views.push(view));
    clock.tick(5_000);
    expect(later.mayAct({ isTrusted: true } as Event)).to.equal(false);
    later.start();
    expect(later.mayAct({ isTrusted: true } as Event)).to.equal(false);
  });

  it('says that it is armed after half a second without a press', () => {
    expect(views.at(-1)).to.deep.equal({ armed: false, wasEarly: false });
    clock.tick(ARMING_MS - 1);
    expect(views.at(-1)!.armed).to.equal(false);
    clock.tick(1);
    expect(views.at(-1)).to.deep.equal({ armed: true, wasEarly: false });
  });

  it('says that a press was early when it has ended: nothing moves under the pointer', () => {
    down();
    clock.tick(300);
    expect(views.at(-1)!.wasEarly).to.equal(false);
    up();
    expect(views.at(-1)!.wasEarly, 'before the click').to.equal(false);
    clock.tick(0);
    expect(views.at(-1)).to.deep.equal({ armed: false, wasEarly: true });
  });

  it('does not count a press that began before, when it is released', () => {
    clock.tick(100);
    down();
    clock.tick(5_000);
    expect(click()).to.equal(false);
    expect(press(), 'the next one').to.equal(true);
  });

  it('does not count the repetitions of a key that was held down before', () => {
    for (let i = 0; i < 3; i++) {
      clock.tick(QUIET_MS);
      key({ repeat: true });
      expect(click()).to.equal(false);
    }
    key();
    expect(click()).to.equal(true);
    key({ repeat: true });
    expect(click(), 'a repetition of one that counted').to.equal(false);
  });

  it('takes no notice of presses that a script makes', () => {
    clock.tick(400);
    down({ isTrusted: false });
    clock.tick(100);
    expect(views.at(-1)!.armed).to.equal(true);
  });

  it('ends with its page', () => {
    stop();
    expect(listeners.size).to.equal(0);
    const before = views.length;
    clock.tick(5_000);
    expect(views).to.have.length(before);
  });
});
