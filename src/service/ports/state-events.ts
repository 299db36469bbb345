import type { Scope } from '../calls/frame-policy.ts';

/**
 * Events that pages get without a request. They carry no data beside the origin that they concern:
 * a page that gets one asks `status` or `grants`. No call waits for them, and they never fail.
 */
export interface StateEvents {
  lock(): void;
  unlock(): void;
  /**
   * Only frames of this origin under this top page may get it: it would tell others what the user
   * does elsewhere.
   */
  grantchange(scope: Pick<Scope, 'origin' | 'topOrigin'>): void;
}
