/*
 * When the consent window may act. A window that has just appeared, moved under the pointer or
 * come to the front must not take a click that was meant for what stood there before, so it is
 * armed only after half a second in which it was focused, visible and of one size (architecture.md
 * section 6, security.md A11).
 */

/** Long enough to see that the window is there; a double click is shorter. */
export const ARMING_MS = 500;

export interface Arming {
  readonly focused: boolean;
  readonly visible: boolean;
  /** Since when it has been focused, visible and still; null while it is not. */
  readonly since: number | null;
}

export type ArmingEvent = 'focus' | 'blur' | 'show' | 'hide' | 'resize';

/** @param now - monotonic time in ms, as all times here */
export function startArming(focused: boolean, visible: boolean, now: number): Arming {
  return { focused, visible, since: focused && visible ? now : null };
}

/** Every event begins the wait anew, even one that changes nothing. */
export function afterEvent(arming: Arming, event: ArmingEvent, now: number): Arming {
  const focused = event === 'focus' || (arming.focused && event !== 'blur');
  const visible = event === 'show' || (arming.visible && event !== 'hide');
  return startArming(focused, visible, now);
}

/** When the window will be armed if nothing happens; null if it will not. */
export function armedAt({ since }: Arming): number | null {
  return since === null ? null : since + ARMING_MS;
}

export function isArmed(arming: Arming, now: number): boolean {
  const at = armedAt(arming);
  return at !== null && now >= at;
}

/** A person's act on a button. */
export interface Act {
  /** `event.isTrusted`: the browser says that a person did it, not a script. */
  readonly trusted: boolean;
  /** When the pointer or key that caused it went down; null where only the act itself is seen. */
  readonly pressedAt: number | null;
}

/** Whether an act counts: trusted, and begun as well as ended while the window was armed. */
export function mayAct(arming: Arming, act: Act, now: number): boolean {
  return act.trusted && isArmed(arming, now) && isArmed(arming, act.pressedAt ?? now);
}
