/*
 * When a window accepts clicks on sensitive buttons. A window that has just appeared, was moved
 * under the pointer or came to the front could receive a click that was meant for what was there
 * before. It is armed only after half a second in which it was focused, visible and of constant
 * size, and a second after the last press that came too early: a page can have its user click fast
 * where the window will be, and these clicks go on in the window (T14 of docs/threats.md).
 */

/** Long enough to notice the window, and longer than a double click. */
export const ARMING_MS = 500;

/**
 * The wait after a press that came too early: longer than the pauses of a person who clicks on, two
 * times in a second or faster.
 */
export const QUIET_MS = 1_000;

/** The state of a window, from which follows whether it is armed. */
export interface Arming {
  readonly focused: boolean;
  readonly visible: boolean;
  /** Since when it has been focused, visible and of constant size; null while it is not. */
  readonly since: number | null;
  /** When a pointer or key last went down while the window was not armed; null if none did. */
  readonly earlyPress: number | null;
}

/** What starts the wait again. */
export type ArmingEvent = 'focus' | 'blur' | 'show' | 'hide' | 'resize';

/**
 * The state of a window that has just appeared.
 *
 * @param now - monotonic time in ms, as all times here
 */
export function startArming(focused: boolean, visible: boolean, now: number): Arming {
  return { focused, visible, since: focused && visible ? now : null, earlyPress: null };
}

/** The state after an event. Every event starts the wait again, even one that changes nothing. */
export function afterEvent(arming: Arming, event: ArmingEvent, now: number): Arming {
  const focused = event === 'focus' || (arming.focused && event !== 'blur');
  const visible = event === 'show' || (arming.visible && event !== 'hide');
  return { ...startArming(focused, visible, now), earlyPress: arming.earlyPress };
}

/** The state after a pointer or a key went down. While the window is not armed, the wait restarts. */
export function afterPress(arming: Arming, now: number): Arming {
  return isArmed(arming, now) ? arming : { ...arming, earlyPress: now };
}

/** When the window will be armed if there is no further event; null if it will not. */
export function armedAt({ since, earlyPress }: Arming): number | null {
  if (since === null) return null;
  return Math.max(since + ARMING_MS, earlyPress === null ? since : earlyPress + QUIET_MS);
}

/** Whether the window is armed at this time. */
export function isArmed(arming: Arming, now: number): boolean {
  const at = armedAt(arming);
  return at !== null && now >= at;
}

/** A click or key press on a button. */
export interface Act {
  /** `event.isTrusted`: false for events that a script dispatched. */
  readonly trusted: boolean;
  /** When the pointer or key that caused it went down; null if that was not seen. */
  readonly pressedAt: number | null;
}

/**
 * Whether an act is accepted: trusted, and both pressed and released while the window was armed.
 */
export function mayAct(arming: Arming, act: Act, now: number): boolean {
  return act.trusted && isArmed(arming, now) && isArmed(arming, act.pressedAt ?? now);
}
