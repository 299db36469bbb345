import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  afterEvent,
  afterPress,
  armedAt,
  isArmed,
  mayAct,
  startArming,
  type Arming,
  type ArmingEvent,
} from './arming.ts';

/** What the watch uses of a page's window and document. */
export interface WatchedPage {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  readonly document: Pick<
    Document,
    'addEventListener' | 'removeEventListener' | 'hasFocus' | 'hidden'
  >;
  /** Monotonic, in ms. */
  readonly now: () => number;
}

/** What the page shows. */
export interface ArmingView {
  /** Whether to show the buttons as available. */
  readonly armed: boolean;
  /**
   * Whether a press came too early since the page was opened. It changes only between presses: what
   * is shown then may move a button, which would lose the click of a press that is under way.
   */
  readonly wasEarly: boolean;
}

/** A key that was held down when the page appeared: its repetitions belong to an earlier press. */
const BEFORE_THE_PAGE = -Infinity;

/** Watches the events of a page and decides which acts are accepted (rules: arming.ts). */
export class ArmingWatch {
  readonly #page: WatchedPage;
  readonly #changed: (view: ArmingView) => void;
  #arming: Arming;
  #pressedAt: number | null = null;
  #isDown = false;
  #wasEarly = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: WatchedPage, changed: (view: ArmingView) => void) {
    this.#page = page;
    this.#changed = changed;
    this.#arming = startArming(false, false, page.now());
  }

  /** Begins to listen; accepts nothing before. @returns what ends it */
  start(): () => void {
    const { window, document, now } = this.#page;
    const note = (event: ArmingEvent) => () => this.#note(event);
    const onVisibility = () => this.#note(document.hidden ? 'hide' : 'show');
    const onPress = (event: Event) => this.#press(event);
    const onRelease = () => this.#release();
    // Focus does not bubble: without capture, the window gets its own events and not those of its
    // fields.
    const watched = [
      [window, 'focus', note('focus'), false],
      [window, 'blur', note('blur'), false],
      [window, 'resize', note('resize'), false],
      [document, 'visibilitychange', onVisibility, false],
      [document, 'pointerdown', onPress, true],
      [document, 'keydown', onPress, true],
      [document, 'pointerup', onRelease, true],
      [document, 'pointercancel', onRelease, true],
      [document, 'keyup', onRelease, true],
    ] as const;
    for (const [target, type, listener, capture] of watched) {
      target.addEventListener(type, listener, capture);
    }
    // Read here, not in the constructor: a page that comes to the front between the two sends no event
    // afterwards.
    this.#arming = startArming(document.hasFocus(), !document.hidden, now());
    this.#review();
    return () => {
      clearTimeout(this.#timer);
      for (const [target, type, listener, capture] of watched) {
        target.removeEventListener(type, listener, capture);
      }
    };
  }

  /** Decides for an act, at the time of its event. */
  mayAct(event: Event): boolean {
    const act = { trusted: event.isTrusted, pressedAt: this.#pressedAt };
    // A press counts for one act. An act without a press of its own is judged by its own time.
    this.#pressedAt = null;
    return mayAct(this.#arming, act, this.#page.now());
  }

  #note(event: ArmingEvent): void {
    if (event === 'blur') this.#isDown = false; // the release goes to another window
    this.#arming = afterEvent(this.#arming, event, this.#page.now());
    this.#review();
  }

  #press(event: Event): void {
    if (!event.isTrusted) return;
    const now = this.#page.now();
    this.#isDown = true;
    this.#arming = afterPress(this.#arming, now);
    const isRepeated = 'repeat' in event && event.repeat === true;
    this.#pressedAt = isRepeated ? (this.#pressedAt ?? BEFORE_THE_PAGE) : now;
    this.#review();
  }

  /** The click follows in this task. */
  #release(): void {
    this.#isDown = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#review(), 0);
  }

  /** Tells what to show now, and again when the window will be armed. */
  #review(): void {
    clearTimeout(this.#timer);
    const now = this.#page.now();
    const at = armedAt(this.#arming);
    if (!this.#isDown) this.#wasEarly = this.#arming.earlyPress !== null;
    this.#changed({ armed: isArmed(this.#arming, now), wasEarly: this.#wasEarly });
    if (at !== null && at > now) this.#timer = setTimeout(() => this.#review(), at - now);
  }
}

/** Whether this window accepts acts. */
export interface ArmedWindow extends ArmingView {
  /** Decides for an act, at the time of its event. */
  readonly mayAct: (event: Event) => boolean;
}

/** Watches the events of this window and decides which acts are accepted (rules: arming.ts). */
export function useArming(): ArmedWindow {
  const [armed, setArmed] = useState(false);
  const [wasEarly, setWasEarly] = useState(false);
  const watch = useRef<ArmingWatch>();
  watch.current ??= new ArmingWatch({ window, document, now: () => performance.now() }, (view) => {
    setArmed(view.armed);
    setWasEarly(view.wasEarly);
  });
  useEffect(() => watch.current!.start(), []);
  const mayAct = useCallback((event: Event) => watch.current!.mayAct(event), []);
  return { armed, wasEarly, mayAct };
}
