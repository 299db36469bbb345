import { SealwrightError } from '../../rpc/errors.ts';
import type { Activity } from '../audit/activity.ts';
import { notGranted } from '../errors.ts';
import type { InFlightCalls } from '../calls/in-flight.ts';
import { sameScope, siteOf, type Scope } from '../calls/frame-policy.ts';
import type { Grant } from './grant-rules.ts';
import type { Grants, Replay } from './grants.ts';
import type { StateEvents } from '../ports/state-events.ts';
import type { Removal, WithheldGrants } from './withheld-grants.ts';

/** What taking back grants needs, and where it is recorded. */
export interface RevokerDeps {
  readonly grants: Grants;
  readonly withheld: WithheldGrants;
  readonly inFlightCalls: InFlightCalls;
  readonly events: StateEvents;
  readonly activity: Pick<Activity, 'record'>;
  /** The user need not be told any more of what was taken back. */
  readonly onTakenBack: () => void;
  /** No call of a page begins until what it returns is called. */
  readonly holdPages: () => () => void;
}

/**
 * Takes grants back. Calls in flight end first, before the change is written, and no other begins
 * meanwhile: what counts for the user is the moment of the click. Where the change cannot be
 * written, the grants stay withheld, and the next commit that succeeds removes them.
 */
export class Revoker {
  readonly #deps: RevokerDeps;

  constructor(deps: RevokerDeps) {
    this.#deps = deps;
  }

  /**
   * What a page gives back.
   *
   * @param replay names a call that may be replayed and must act once
   * @throws what the commit throws; the grants do not count any more, saved or not
   */
  async revoke(concerns: (grant: Grant) => boolean, replay: Replay): Promise<void> {
    const { grants } = this.#deps;
    if ((await grants.resultOf(replay.origin, replay.call)) !== undefined) return;
    const failure = await this.#taking(concerns, () => grants.revoke(concerns, replay));
    if (failure) throw failure.cause;
  }

  /**
   * What the user takes back. Calls of pages that have not begun wait until that is written: a step
   * of a commit comes back as one message among theirs, and behind thousands of them.
   *
   * @returns whether it is saved; it counts in any case
   */
  async takeBack(concerns: (grant: Grant) => boolean): Promise<boolean> {
    return (await this.#holding(concerns, () => this.#deps.grants.revoke(concerns))) === undefined;
  }

  /**
   * The same as a part of a larger change.
   *
   * @param commit what it has taken, of those that `concerns` picks; it may change more
   * @throws what `commit` throws; the grants do not count any more, saved or not
   */
  async takeBackIn(
    concerns: (grant: Grant) => boolean,
    commit: () => Promise<readonly Grant[]>,
  ): Promise<void> {
    const failure = await this.#holding(concerns, commit);
    if (failure) throw failure.cause;
  }

  async #holding(
    concerns: (grant: Grant) => boolean,
    commit: () => Promise<readonly Grant[]>,
  ): Promise<Failure | undefined> {
    const resumePages = this.#deps.holdPages();
    try {
      return await this.#taking(concerns, commit);
    } finally {
      resumePages();
    }
  }

  async #taking(
    concerns: (grant: Grant) => boolean,
    commit: () => Promise<readonly Grant[]>,
  ): Promise<Failure | undefined> {
    const { events, activity, grants, withheld, onTakenBack } = this.#deps;
    const known = (await grants.all()).filter(concerns);
    const ids = known.map(({ id }) => id);
    withheld.begin(ids);
    this.#endCalls(known);
    let gone: readonly Grant[] = known;
    let failure: Failure | undefined;
    try {
      gone = await commit();
      this.#endCalls(gone);
    } catch (cause) {
      failure = { cause };
    }
    const ended = [...ids, ...gone.map(({ id }) => id)];
    const removal = removalOf(failure);
    await withheld.end(ended, removal);
    if (removal === 'refused') return failure;
    // The log is saved some seconds later, and with it what could not be saved now.
    for (const { scope, ref } of gone) {
      activity.record({ operation: 'revoke', ...siteOf(scope), ref });
    }
    for (const scope of distinct(gone.map((grant) => grant.scope))) events.grantchange(scope);
    if (gone.length > 0) onTakenBack();
    return failure;
  }

  #endCalls(grants: readonly Grant[]): void {
    for (const { id, capabilities } of grants) {
      const missing = { capability: capabilities[0]! };
      this.#deps.inFlightCalls.endGrants([id], notGranted(missing));
    }
  }
}

/** Refused is the change itself, not its writing: nothing is taken back. */
function removalOf(failure: Failure | undefined): Removal {
  if (!failure) return 'saved';
  const refusals = [SealwrightError, TypeError, RangeError];
  return refusals.some((refusal) => failure.cause instanceof refusal) ? 'refused' : 'unsaved';
}

/** Why a revocation is not saved. */
interface Failure {
  readonly cause: unknown;
}

function distinct(scopes: readonly Scope[]): Scope[] {
  return scopes.filter(
    (scope, place) => place === scopes.findIndex((each) => sameScope(each, scope)),
  );
}
