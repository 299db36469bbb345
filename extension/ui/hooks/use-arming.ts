import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  afterEvent,
  armedAt,
  isArmed,
  mayAct,
  startArming,
  type Arming,
  type ArmingEvent,
} from './arming.ts';

export interface ArmedWindow {
  /** For showing whether the buttons work yet. */
  readonly armed: boolean;
  /** The decision, at the time of the act itself. */
  readonly mayAct: (event: Event) => boolean;
}

/** Watches this window and decides which acts count (arming.ts has the rule). */
export function useArming(): ArmedWindow {
  const arming = useRef<Arming>();
  arming.current ??= startArming(document.hasFocus(), !document.hidden, performance.now());
  const pressedAt = useRef<number | null>(null);
  const [armed, setArmed] = useState(false);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const review = () => {
      clearTimeout(timer);
      const now = performance.now();
      setArmed(isArmed(arming.current!, now));
      const at = armedAt(arming.current!);
      if (at !== null && at > now) timer = setTimeout(review, at - now);
    };
    const record = (event: ArmingEvent) => () => {
      arming.current = afterEvent(arming.current!, event, performance.now());
      review();
    };
    const press = (event: Event) => {
      if (event.isTrusted) pressedAt.current = performance.now();
    };
    const onVisibility = () => record(document.hidden ? 'hide' : 'show')();
    // Focus does not bubble: without capture, the window hears of itself alone, not of its fields.
    const watched = [
      [window, 'focus', record('focus'), false],
      [window, 'blur', record('blur'), false],
      [window, 'resize', record('resize'), false],
      [document, 'visibilitychange', onVisibility, false],
      [document, 'pointerdown', press, true],
      [document, 'keydown', press, true],
    ] as const;
    for (const [target, type, listener, capture] of watched) {
      target.addEventListener(type, listener, capture);
    }
    review();
    return () => {
      clearTimeout(timer);
      for (const [target, type, listener, capture] of watched) {
        target.removeEventListener(type, listener, capture);
      }
    };
  }, []);

  const decide = useCallback((event: Event) => {
    const act = { trusted: event.isTrusted, pressedAt: pressedAt.current };
    // One press makes one act: the next act without a press of its own is judged by its own time.
    pressedAt.current = null;
    return mayAct(arming.current!, act, performance.now());
  }, []);
  return { armed, mayAct: decide };
}
