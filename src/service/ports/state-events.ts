import type { Scope } from '../calls/frame-policy.ts';

/**
 * What pages are told without having asked. Events carry no data beside the origin they concern:
 * a page that hears one asks `status` or `grants`. No call waits for them, and they never fail.
 */
export interface StateEvents {
  lock(): void;
  unlock(): void;
  /**
   * Only frames of this origin under this top page may hear it: it would tell others what the user
   * does elsewhere.
   */
  grantchange(scope: Pick<Scope, 'origin' | 'topOrigin'>): void;
}
