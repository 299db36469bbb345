/** Mutual exclusion between contexts; a holder that dies lets go (navigator.locks). */
export interface Locks {
  /** Runs `work` while nobody else holds `name`. Not re-entrant. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
}
