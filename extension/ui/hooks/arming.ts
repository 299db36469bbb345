/*
 * When a window accepts clicks on sensitive buttons. A window that has just appeared, was moved
 * under the pointer or came to the front could receive a click that was meant for what was there
 * before. It is armed only after half a second in which it was focused, visible and of constant
 * size (architecture.md section 6, security.md A11).
 */

/** Long enough to notice the window, and longer than a double click. */
export const ARMING_MS = 500;

/** The state of a window, from which follows whether it is armed. */
export interface Arming {
  readonly focused: boolean;
  readonly visible: boolean;
  /** Since when it has been focused, visible and of constant size; null while it is not. */
  readonly since: number | null;
}

/** What starts the wait again. */
export type ArmingEvent = 'focus' | 'blur' | 'show' | 'hide' | 'resize';

/**
 * The state of a window that has just appeared.
 *
 * @param now - monotonic time in ms, as all times here
 */
export function startArming(focused: boolean, visible: boolean, now: number): Arming {
  return { focused, visible, since: focused && visible ? now : null };
}

/** The state after an event. Every event starts the wait again, even one that changes nothing. */
export function afterEvent(arming: Arming, event: ArmingEvent, now: number): Arming {
  const focused = event === 'focus' || (arming.focused && event !== 'blur');
  const visible = event === 'show' || (arming.visible && event !== 'hide');
  return startArming(focused, visible, now);
}

/** When the window will be armed if there is no further event; null if it will not. */
export function armedAt({ since }: Arming): number | null {
  return since === null ? null : since + ARMING_MS;
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
