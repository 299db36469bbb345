import type { Activity } from '../audit/activity.ts';
import { notGranted } from '../errors.ts';
import type { InFlightCalls } from '../calls/in-flight.ts';
import { sameScope, siteOf, type Scope } from '../calls/frame-policy.ts';
import type { Grant } from './grant-rules.ts';
import type { Grants, Replay } from './grants.ts';
import type { StateEvents } from '../system/state-events.ts';

/** What taking back grants needs, and where it is recorded. */
export interface RevokerDeps {
  readonly grants: Grants;
  readonly inFlightCalls: InFlightCalls;
  readonly events: StateEvents;
  readonly activity: Pick<Activity, 'record'>;
  /** No call of a page begins until what it returns is called. */
  readonly holdPages: () => () => void;
}

/**
 * Takes grants back. Calls in flight end first, before the change is written, and no other begins
 * meanwhile: what counts for the user is the moment of the click.
 */
export class Revoker {
  readonly #deps: RevokerDeps;

  constructor(deps: RevokerDeps) {
    this.#deps = deps;
  }

  /** What a page gives back. @param replay names a call that may be replayed and must act once */
  async revoke(concerns: (grant: Grant) => boolean, replay: Replay): Promise<void> {
    const { grants } = this.#deps;
    if ((await grants.resultOf(replay.origin, replay.call)) !== undefined) return;
    await this.#taking(concerns, () => grants.revoke(concerns, replay));
  }

  /**
   * What the user takes back. Calls of pages that have not begun wait until that is written: a step
   * of a commit comes back as one message among theirs, and behind thousands of them.
   *
   * @param commit what it has taken, of those that `concerns` picks; it may change more
   */
  async takeBack(
    concerns: (grant: Grant) => boolean,
    commit = () => this.#deps.grants.revoke(concerns),
  ): Promise<void> {
    const letGo = this.#deps.holdPages();
    try {
      await this.#taking(concerns, commit);
    } finally {
      letGo();
    }
  }

  async #taking(
    concerns: (grant: Grant) => boolean,
    commit: () => Promise<readonly Grant[]>,
  ): Promise<void> {
    const { events, activity } = this.#deps;
    const gone = await this.#withheldDuring(concerns, commit);
    for (const { scope, ref } of gone) {
      activity.record({ operation: 'revoke', ...siteOf(scope), ref });
    }
    for (const scope of distinct(gone.map((grant) => grant.scope))) events.grantchange(scope);
  }

  async #withheldDuring(
    concerns: (grant: Grant) => boolean,
    commit: () => Promise<readonly Grant[]>,
  ): Promise<readonly Grant[]> {
    const { grants } = this.#deps;
    const known = (await grants.all()).filter(concerns);
    const release = grants.withhold(known);
    try {
      this.#land(known);
      const gone = await commit();
      this.#land(gone);
      return gone;
    } finally {
      release();
    }
  }

  #land(grants: readonly Grant[]): void {
    this.#deps.inFlightCalls.endGrants(
      grants.map(({ id }) => id),
      notGranted('NOT_GRANTED'),
    );
  }
}

function distinct(scopes: readonly Scope[]): Scope[] {
  return scopes.filter(
    (scope, place) => place === scopes.findIndex((each) => sameScope(each, scope)),
  );
}
