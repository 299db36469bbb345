import { refused } from '../errors.ts';
import type { JournalEntry } from '../calls/journal.ts';
import {
  charged,
  decide,
  isLimited,
  isSpent,
  mustCharge,
  type Ask,
  type Decision,
  type Grant,
  type Refusal,
} from './grant-rules.ts';
import {
  bulkLeft,
  countedInAdvance,
  nextOpeningInMs,
  openingsLeft,
  withoutReserve,
  withOpenings,
  type Counted,
  type OpeningReserves,
  type TakenReserves,
} from './opening-limit.ts';

/** A capability on a key, and how many uses of it a call asks for. */
export interface Uses extends Ask {
  readonly uses: number;
}

/** Uses that a call gets. */
export interface TakenUses {
  readonly allowed: true;
  readonly grant: Grant;
  /** May be fewer than it asked for. */
  readonly uses: number;
  /** Why it does not get the others. */
  readonly rest?: Refusal;
}

/**
 * What a call asks for, given how many openings the hour leaves to each: work that both opens and seals takes no use to
 * seal what it cannot open.
 *
 * @returns as many asks, in the same order
 */
export type Fit = (left: (ask: Ask) => number) => readonly Uses[];

/** What a call gets. */
export type Taken = TakenUses | Refusal;

/** What a call's entry in the journal says: uses of a grant that it has taken. */
export interface Paid {
  readonly grant: string;
  readonly uses: number;
}

/** The uses that an earlier run of a call has taken. */
export function paidIn(entry: JournalEntry | undefined): readonly Paid[] {
  return Array.isArray(entry?.result) ? [...(entry.result as unknown as readonly Paid[])] : [];
}

/** @throws SealwrightError NOT_GRANTED, EXPIRED, QUOTA, FROZEN */
export function grantTaken(one: Taken): Grant {
  if (!one.allowed) throw refused(one);
  return one.grant;
}

const EXPIRED = { allowed: false, code: 'EXPIRED' } as const;

const quotaOf = (grant: Grant, now: number): Refusal => ({
  allowed: false,
  code: 'QUOTA',
  retryAfterMs: nextOpeningInMs(grant, now),
});

/** What a decision gives of the uses that are asked for, whatever was opened before. */
export function taken(decision: Decision, uses: number): Taken {
  if (!decision.allowed) return decision;
  const { usesLeft } = decision.grant;
  if (usesLeft === null || usesLeft >= uses) return { ...decision, uses };
  return { ...decision, uses: usesLeft, rest: EXPIRED };
}

/** What remains of that in this hour. */
export function withinHour(one: Taken, ask: Ask, now: number): Taken {
  if (!one.allowed || !isLimited(one.grant, ask)) return one;
  const left = openingsLeft(one.grant, now);
  if (left >= one.uses) return one;
  const rest = quotaOf(one.grant, now);
  return left === 0 ? rest : { ...one, uses: left, rest };
}

/**
 * One call's uses, taken from the grants as a commit finds them. The caller writes what has changed, and puts the
 * reserves back where that fails.
 */
export class Charge {
  readonly #now: number;
  readonly #grants: Map<string, Grant>;
  readonly #before: readonly Paid[];
  readonly #reserves: OpeningReserves;
  readonly #takenOut = new Map<string, TakenReserves>();
  readonly #paid: Paid[] = [];
  readonly #changed = new Set<string>();
  /** One call opens with each key once. */
  readonly #inAdvance = new Map<string, Counted>();

  /** @param before what an earlier run of the same call has paid */
  constructor(
    grants: readonly Grant[],
    before: readonly Paid[],
    now: number,
    reserves: OpeningReserves,
  ) {
    this.#grants = new Map(grants.map((grant) => [grant.id, grant]));
    this.#before = before;
    this.#now = now;
    this.#reserves = reserves;
  }

  /** The grants that are to be written. */
  get changed(): readonly Grant[] {
    return [...this.#changed].map((id) => this.#grants.get(id)!);
  }

  /** All that the call has paid; undefined where it paid nothing more than before. */
  get paid(): readonly Paid[] | undefined {
    return this.#paid.length > 0 ? [...this.#before, ...this.#paid] : undefined;
  }

  /** How many openings the hour leaves to an ask; Infinity where it does not matter, as for the replay of a call. */
  left(ask: Ask): number {
    if (this.#before.length > 0) return Infinity;
    const decision = decide([...this.#grants.values()], ask, this.#now);
    if (!decision.allowed || !isLimited(decision.grant, ask)) return Infinity;
    const { grant } = decision;
    return openingsLeft(grant, this.#now) + this.#reserves.left(grant.id, this.#now);
  }

  take(ask: Uses): Taken {
    const grants = [...this.#grants.values()];
    const replayed = takenBefore(grants, ask, this.#before, this.#now);
    if (replayed) return replayed;
    const earlier = takenBefore(grants, ask, this.#paid, this.#now);
    const asked = earlier ?? taken(decide(grants, ask, this.#now), ask.uses);
    const one = withinHour(this.#withReserve(asked, ask), ask, this.#now);
    if (!one.allowed) return one;
    if (isLimited(one.grant, ask)) this.#open(one.grant, one.uses);
    if (!earlier && mustCharge(one.grant) && one.uses > 0) this.#pay(one.grant.id, one.uses);
    return { ...one, grant: this.#grants.get(one.grant.id)! };
  }

  /** What was counted in advance is left again. */
  #withReserve(one: Taken, ask: Ask): Taken {
    if (!one.allowed || !isLimited(one.grant, ask) || this.#takenOut.has(one.grant.id)) return one;
    const { grant } = one;
    const reserve = this.#reserves.takeOut([grant.id]);
    this.#takenOut.set(grant.id, reserve);
    return { ...one, grant: withoutReserve(grant, grant.id, reserve) };
  }

  #open(grant: Grant, uses: number): void {
    const left = openingsLeft(grant, this.#now);
    const isAlone = mustCharge(grant); // each of its uses is a commit
    const count = isAlone ? uses : countedInAdvance(grant.maxPerHour!, uses, left);
    const ofBulk = Math.min(count, bulkLeft(grant, this.#now));
    this.#inAdvance.set(grant.id, { left: count - uses, ofBulk: Math.max(0, ofBulk - uses) });
    this.#set(withOpenings(grant, count, this.#now));
  }

  #pay(id: string, uses: number): void {
    this.#set(charged(this.#grants.get(id)!, this.#now, uses));
    this.#paid.push({ grant: id, uses });
  }

  #set(grant: Grant): void {
    this.#grants.set(grant.id, grant);
    this.#changed.add(grant.id);
  }

  /** @param saved whether the changes are stored */
  settle(saved: boolean): void {
    if (saved) {
      for (const [id, counted] of this.#inAdvance) this.#reserves.add(id, counted, this.#now);
    } else {
      for (const reserve of this.#takenOut.values()) this.#reserves.putBack(reserve);
    }
  }
}

/** Uses that were paid for outlive the last use, but not the time limit. */
function takenBefore(
  grants: readonly Grant[],
  ask: Uses,
  paid: readonly Paid[],
  now: number,
): Taken | undefined {
  for (const { grant: id, uses } of paid) {
    const grant = grants.find((each) => each.id === id);
    if (grant?.ref !== ask.ref || !grant.capabilities.includes(ask.capability)) continue;
    if (isSpent({ ...grant, usesLeft: null }, now)) return EXPIRED;
    if (uses >= ask.uses) return { allowed: true, grant, uses };
    return {
      allowed: true,
      grant,
      uses,
      rest: grant.usesLeft === 0 ? EXPIRED : quotaOf(grant, now),
    };
  }
  return undefined;
}
