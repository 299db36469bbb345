/** The contract for being woken at a time; `extension/platform/lock/alarms.ts` implements it. */
export interface WakeUp {
  /** @param time ms since the epoch; null cancels. A later call replaces an earlier one. */
  at(time: number | null): Promise<void>;
}
