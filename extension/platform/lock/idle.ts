import type { Idle } from 'webextension-polyfill';

/** Calls back when the operating system's screen is locked. */
export function onScreenLock(idle: Idle.Static, listener: () => void): void {
  idle.onStateChanged.addListener((state) => {
    if (state === 'locked') listener();
  });
}
