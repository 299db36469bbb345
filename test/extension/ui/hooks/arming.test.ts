import { expect } from 'chai';
import fc from 'fast-check';
import {
  afterEvent,
  ARMING_MS,
  armedAt,
  isArmed,
  mayAct,
  startArming,
  type ArmingEvent,
} from '../../../../extension/ui/hooks/arming.ts';

const shown = (now = 1000) => startArming(true, true, now);
const EVENTS: readonly ArmingEvent[] = ['focus', 'blur', 'show', 'hide', 'resize'];

describe('arming of the consent window', () => {
  it('waits 500 ms, as architecture.md section 6 says', () => {
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
