import { toBase64url } from '../../crypto/bytes.ts';
import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { Json } from '../../keys/values/json.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Capability } from '../../rpc/key-kinds.ts';
import type { NamedCall, PageCall } from '../calls/caller.ts';
import type { ThreadShare } from '../calls/thread-share.ts';
import { refused } from '../errors.ts';
import { sameScope, type Scope } from '../calls/frame-policy.ts';
import {
  areOfOneKey,
  collectionsOf,
  coveringGrant,
  decide,
  decideAnyKey,
  decideKey,
  hasEndedUnused,
  isLimited,
  isOpening,
  isSpent,
  liveGrants,
  movedInTime,
  mustCharge,
  unusedEnd,
  withGrant,
  type Ask,
  type CoveredRequest,
  type Grant,
  type Refusal,
  type Terms,
} from './grant-rules.ts';
import {
  entryOf,
  JOURNAL_ID,
  journalOf,
  recordedIn,
  recordIn,
  ReusedRequestId,
  type RecordedCall,
} from '../calls/journal.ts';
import type { PendingPrompt } from '../consent/consent-state.ts';
import {
  Charge,
  grantTaken,
  paidIn,
  taken,
  withinHour,
  type Fit,
  type Taken,
  type TakenUses,
  type Uses,
} from './charge.ts';
import type { Decoys, KnownDecoys } from './decoys.ts';
import type { GrantClock } from './grant-clock.ts';
import { BULK_MS, openedTogether, type OpeningReserves } from './opening-limit.ts';
import type { OpeningHours } from './opening-hours.ts';
import type { LastUses } from './usage-of-grants.ts';
import type { WithheldGrants } from './withheld-grants.ts';

const TYPE = 'grant';
const GRANT_ID_BYTES = 16;

/** What the grants are built from. */
export interface GrantsDeps {
  readonly vault: Vault;
  readonly random: RandomSource;
  readonly clock: GrantClock;
  /** Called for every use that a page takes, before its work. */
  readonly onUsed: () => Awaitable<void>;
  /** Called for every key that a call asks for, granted or not. */
  readonly onKeysRequested?: (call: string, refs: readonly string[]) => void;
  /** Called for what a call does not get because the grant has opened as much as it may in an hour. */
  readonly onHourUsedUp?: (call: string, ref: string, uses: number) => void;
  readonly lastUses: LastUses;
  readonly openingReserves: OpeningReserves;
  readonly openingHours: OpeningHours<Grant>;
  readonly withheld: WithheldGrants;
  readonly decoys: Decoys;
  readonly threadShare: Pick<ThreadShare, 'turnsOf'>;
  /** Called in each commit that adds or removes grants. */
  readonly onChanged?: (draft: VaultDraft, change: GrantChange) => Promise<void>;
}

/** What a commit does to the grants. */
export interface GrantChange {
  readonly gone: readonly Grant[];
  /** Those after it. */
  readonly left: readonly Grant[];
  /** ms since the epoch, on the clock of grants. */
  readonly at: number;
}

/** Throws for results of which nothing is to be taken. */
type Check = (results: readonly Taken[]) => void;

/** The uses that a call is to get. */
interface Taking {
  readonly asks: readonly Uses[];
  readonly fit: Fit;
  readonly checked: Check;
}

/** A call that may be replayed and must act once. */
export interface Replay {
  readonly origin: string;
  readonly call: NamedCall;
}

/** What the user said yes to. */
export interface Approval extends Terms {
  readonly scope: Scope;
  readonly capabilities: readonly Capability[];
  /** When the grant ends, as the user decided; never later than asked for. */
  readonly expiresAt: number | null;
  /** How often it may be used, as the user decided; never more often than asked for. */
  readonly uses: number | null;
  /** How much it may open in an hour, as the user decided; never more than asked for. */
  readonly perHour: number | null;
  /** Openings beside that, within the next hour; null: none. */
  readonly bulk: number | null;
}

/**
 * The grants, one vault record each: encrypted at rest, and out of reach while locked. Every
 * method rejects with VaultError LOCKED then.
 */
export class Grants {
  readonly #deps: GrantsDeps;
  /** As they were read last; undefined once the vault has changed. */
  #cached: readonly VaultRecord[] | undefined;
  // Grows with every change of the vault: what was read before it is not kept.
  #epoch = 0;
  /** Commits that take uses: calls that come together share what the first of them counts in advance. */
  #charging: Promise<unknown> = Promise.resolve();

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
    deps.vault.onForget(() => {
      this.#cached = undefined;
      this.#epoch++;
    });
  }

  /** Every stored grant, oldest first; at once where nothing has changed since they were read. */
  all(): Awaitable<readonly Grant[]> {
    const cached = this.#cached;
    return cached && this.#deps.vault.isKnownOpen() ? this.#inOrder(cached) : this.#read();
  }

  async #read(): Promise<readonly Grant[]> {
    const epoch = this.#epoch;
    await this.#deps.withheld.recall();
    const records = await this.#deps.vault.list(TYPE);
    await this.#deps.clock.load();
    if (epoch === this.#epoch) this.#cached = records;
    return this.#inOrder(records);
  }

  #inOrder(records: readonly VaultRecord[]): Grant[] {
    const grants = this.#grantsOf(records);
    return grants.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  }

  live(scope: Scope): Awaitable<readonly Grant[]> {
    return then(this.all(), (grants) => liveGrants(grants, scope, this.now()));
  }

  /** @throws SealwrightError NOT_GRANTED, EXPIRED */
  requireAnyKey(ask: Omit<Ask, 'ref'>, call: NamedCall): Awaitable<void> {
    return then(this.all(), (grants) => {
      const decision = decideAnyKey(grants, ask, this.now());
      return decision.allowed ? undefined : this.#requireChargedBefore(ask, call, decision);
    });
  }

  /**
   * A live grant on a key, whatever for. No use of it is taken; the log records the call.
   * @throws SealwrightError NOT_GRANTED, EXPIRED
   */
  async requireKey(ask: Pick<Ask, 'scope' | 'ref'>, call: NamedCall): Promise<Grant> {
    this.#deps.onKeysRequested?.(call.id, [ask.ref]);
    return this.#keyGrant(await this.all(), ask);
  }

  /** The same within a commit. */
  async requireKeyIn(draft: VaultDraft, ask: Pick<Ask, 'scope' | 'ref'>): Promise<Grant> {
    return this.#keyGrant(this.#grantsOf(await draft.list(TYPE)), ask);
  }

  #keyGrant(grants: readonly Grant[], ask: Pick<Ask, 'scope' | 'ref'>): Grant {
    const decision = decideKey(grants, ask, this.now());
    if (!decision.allowed) throw refused(decision);
    return decision.grant;
  }

  async covering(request: CoveredRequest): Promise<Grant | undefined> {
    return coveringGrant(await this.all(), request, this.now());
  }

  /**
   * Takes one use of the grant that allows `ask`, before the work. The same call takes it once,
   * however often it is replayed.
   * @throws SealwrightError NOT_GRANTED, EXPIRED, QUOTA, FROZEN
   */
  use(ask: Ask, call: NamedCall): Awaitable<Grant> {
    return then(this.useMany([{ ...ask, uses: 1 }], call), ([taken]) => grantTaken(taken!));
  }

  /**
   * The same for a whole batch: one look at the grants, one commit, one entry in the journal. A
   * grant with fewer uses left than asked for gives those it has.
   *
   * @param asks of one scope, each for another key
   * @param fit fewer uses of them, by what the hour leaves
   * @returns what became of each, in order
   */
  useMany(
    asks: readonly Uses[],
    call: NamedCall,
    fit: Fit = () => asks,
  ): Awaitable<readonly Taken[]> {
    return this.#take({ asks, fit, checked: () => undefined }, call);
  }

  /**
   * Takes a use for each of several asks, or none at all. Asks that one grant answers are one use.
   * @throws SealwrightError NOT_GRANTED, EXPIRED, QUOTA, FROZEN; for the first that has none
   */
  async useAll(asks: readonly Ask[], call: NamedCall): Promise<readonly Grant[]> {
    const uses = asks.map((ask) => ({ ...ask, uses: 1 }));
    const checked: Check = (results) => void results.map(grantTaken);
    const all = await this.#take({ asks: uses, fit: () => uses, checked }, call);
    return all.map(grantTaken);
  }

  #take(taking: Taking, call: NamedCall): Awaitable<readonly Taken[]> {
    const { asks } = taking;
    const refs = asks.map(({ ref }) => ref);
    this.#deps.onKeysRequested?.(call.id, refs);
    const checked: Check = (all) => {
      this.#tellUsedUp(asks, all, call);
      taking.checked(all);
    };
    const results = then(
      this.#takeAtOnce(asks, checked),
      (seen) => seen ?? this.#takeInOrder({ ...taking, checked }, call),
    );
    return then(results, (each) => this.#reported(each));
  }

  /** One commit after the other. What the call asks for is hashed before, so that none waits for long messages. */
  async #takeInOrder(taking: Taking, call: NamedCall): Promise<readonly Taken[]> {
    await call.asks(this.#deps.threadShare);
    const charged = this.#charging.then(async () => {
      const since = await this.#takeAtOnce(taking.asks, taking.checked);
      return since ?? this.#charge(taking, call);
    });
    this.#charging = charged.catch(() => undefined);
    return charged;
  }

  /** What needs no commit; undefined where one is needed. */
  #takeAtOnce(asks: readonly Uses[], checked: Check): Awaitable<readonly Taken[] | undefined> {
    return this.#withDecoys((grants, known) => {
      const now = this.now();
      const { openingReserves } = this.#deps;
      const seen = asks.map((ask) => {
        const one =
          this.#refusedFrozen(grants, ask, known) ?? taken(decide(grants, ask, now), ask.uses);
        return countsOpenings(one, ask) ? ofReserve(one, ask, openingReserves, now) : one;
      });
      if (!seen.every(needsNoCommit)) return undefined;
      checked(seen);
      seen.forEach((one, i) => {
        if (countsOpenings(one, asks[i]!)) openingReserves.use(one.grant.id, one.uses);
      });
      return this.#recorded(seen, asks);
    });
  }

  #withDecoys<T>(work: (grants: readonly Grant[], known: KnownDecoys) => T): Awaitable<T> {
    return then(this.all(), (grants) =>
      then(this.#deps.decoys.load(), (known) => work(grants, known)),
    );
  }

  /** Whether the grant for what opens is frozen, also for a call that has paid its use before. */
  #refusedFrozen(grants: readonly Grant[], ask: Ask, known: KnownDecoys): Refusal | undefined {
    const { decoys } = this.#deps;
    if (!decoys.areAnyFrozen(known) || !isOpening(ask)) return undefined;
    const frozen = grants.filter((grant) => decoys.isFrozen(known, grant));
    if (frozen.length === 0) return undefined;
    return decide(unspent(frozen), ask, this.now()).allowed ? FROZEN : undefined;
  }

  /** What the limit of an hour refuses is in the log, also of the items of a batch. */
  #tellUsedUp(asks: readonly Uses[], all: readonly Taken[], { id }: NamedCall): void {
    all.forEach((one, i) => {
      const refusal = one.allowed ? one.rest : one;
      if (refusal?.code !== 'QUOTA') return;
      const { ref, uses } = asks[i]!;
      this.#deps.onHourUsedUp?.(id, ref, uses - (one.allowed ? one.uses : 0));
    });
  }

  /** Only a use that was taken counts as one: a page without a grant reports nothing by asking. */
  #reported(results: readonly Taken[]): Awaitable<readonly Taken[]> {
    if (!results.some(({ allowed }) => allowed)) return results;
    return then(this.#deps.onUsed(), () => results);
  }

  /** The keys that a scope has this capability on: live grants first, then those that are spent. */
  async refsFor(scope: Scope, capability: Capability): Promise<ReadonlySet<string>> {
    const held = (await this.all()).filter(
      (grant) => sameScope(grant.scope, scope) && grant.capabilities.includes(capability),
    );
    const now = this.now();
    const spent = held.filter((grant) => isSpent(grant, now));
    const live = held.filter((grant) => !isSpent(grant, now));
    return new Set([...live, ...spent].map(({ ref }) => ref));
  }

  /** Whether there is a grant for it, spent or not. */
  async holds(ask: Ask): Promise<boolean> {
    const decision = decide(await this.all(), ask, this.now());
    return decision.allowed || decision.code === 'EXPIRED';
  }

  /** In a commit, because a grant may have been used up or revoked since it was looked at. */
  async #charge({ asks, fit, checked }: Taking, call: NamedCall): Promise<readonly Taken[]> {
    let charge: Charge | undefined;
    let saved = false;
    const known = await this.#deps.decoys.load();
    try {
      const results = await this.#deps.vault.commit(async (draft) => {
        const now = this.now();
        const { origin } = asks[0]!.scope;
        const recorded = await this.#recordedCall(call);
        const before = paidIn(await recordedIn(draft, origin, recorded));
        const grants = this.#grantsOf(await draft.list(TYPE));
        const taking = new Charge(grants, before, now, this.#deps.openingReserves);
        charge = taking;
        const all = fit((ask) => taking.left(ask)).map(
          (ask) => this.#refusedFrozen(grants, ask, known) ?? taking.take(ask),
        );
        checked(all);
        for (const grant of taking.changed) putGrant(draft, grant);
        const result = taking.paid as unknown as Json | undefined;
        if (result !== undefined) await recordIn(draft, origin, { ...recorded, result });
        return all;
      });
      saved = true;
      return this.#recorded(results, asks);
    } finally {
      charge?.settle(saved);
    }
  }

  /** The clock by which grants end. */
  now(): number {
    return this.#deps.clock.now();
  }

  #grantsOf(records: readonly VaultRecord[]): Grant[] {
    return this.#storedGrants(records).filter(({ id }) => !this.#deps.withheld.has(id));
  }

  #storedGrants(records: readonly VaultRecord[]): Grant[] {
    return records.map((record) => this.#deps.lastUses.latest(grantOf(record)));
  }

  /** Records the last use of grants without a limit of uses, and what is opened. Both are saved later. */
  #recorded(results: readonly Taken[], asks: readonly Ask[]): readonly Taken[] {
    const { lastUses, openingHours } = this.#deps;
    const now = this.now();
    results.forEach((one, i) => {
      if (!one.allowed) return;
      if (!mustCharge(one.grant)) lastUses.note(one.grant, now);
      if (isOpening(asks[i]!)) openingHours.note(one.grant, one.uses, now);
    });
    return results;
  }

  /**
   * For work that has taken its use already: it outlives the last use, not the grant or its time.
   * @throws SealwrightError NOT_GRANTED, EXPIRED, FROZEN
   */
  async requireInTime(ask: Ask): Promise<Grant> {
    return this.#withDecoys((grants, known) => {
      const decision =
        this.#refusedFrozen(grants, ask, known) ?? decide(unspent(grants), ask, this.now());
      if (!decision.allowed) throw refused(decision);
      return decision.grant;
    });
  }

  /**
   * For a key's public data, or before uses are counted: none is taken, but the log records the key.
   * @throws SealwrightError NOT_GRANTED, EXPIRED
   */
  async requireLook(ask: Ask, call: NamedCall): Promise<Grant> {
    this.#deps.onKeysRequested?.(call.id, [ask.ref]);
    return this.requireInTime(ask);
  }

  /** A replayed call is allowed although the call itself took the last use of its grant. */
  async #requireChargedBefore(
    { scope }: Pick<Ask, 'scope'>,
    call: NamedCall,
    refusal: Refusal,
  ): Promise<void> {
    const record = await this.#deps.vault.read(JOURNAL_ID);
    const entry = entryOf(journalOf(record), scope.origin, await this.#recordedCall(call));
    if (entry === undefined) throw refused(refusal);
  }

  async #recordedCall(call: NamedCall): Promise<RecordedCall> {
    return { call: call.id, asks: await call.asks(), at: this.now() };
  }

  /**
   * Stores the user's consent, and records the result for every call that waits for it.
   * The same question is answered once, however often its answer is replayed.
   *
   * @param keyIn chooses the key, or makes it in the same commit
   * @returns the id of the new grant
   */
  async add(
    approval: Approval,
    keyIn: (draft: VaultDraft) => string,
    { id, waiters }: Pick<PendingPrompt, 'id' | 'waiters'>,
  ): Promise<string> {
    await this.#deps.withheld.recall();
    return this.#deps.vault.commit(async (draft) => {
      const { origin } = approval.scope;
      const now = this.now();
      const question = { call: `question ${id}`, at: now };
      const answered = await recordedIn(draft, origin, question);
      if (answered) return (answered.result as readonly string[])[0]!;
      await this.revokeUnsavedIn(draft); // before the new grant keeps what goes with an old one
      const before = this.#grantsOf(await draft.list(TYPE));
      const granted = this.#granted(approval, keyIn(draft), now);
      const ofKey = before.filter((each) => areOfOneKey(each, granted));
      const hours = ofKey.find((each) => each.hours)?.hours;
      // The hour goes on, and so does what is usual.
      const added = { ...granted, opened: openedTogether(ofKey), ...(hours && { hours }) };
      replaceGrants(draft, before, withGrant(before, added, now));
      await this.#changedIn(draft, before);
      const calls = [...waiters.map((waiter) => ({ ...waiter, at: now })), question];
      const entries = calls.map((call) => ({ ...call, result: [added.id] }));
      await recordIn(draft, origin, ...entries);
      return added.id;
    });
  }

  #granted(approval: Approval, ref: string, now: number): Grant {
    const { scope, capabilities, key, expiresInMs, maxUses, maxPerHour } = approval;
    const { expiresAt, uses, perHour, bulk } = approval;
    const collections = collectionsOf(key);
    return {
      id: toBase64url(this.#deps.random.bytes(GRANT_ID_BYTES)),
      scope,
      ref,
      capabilities,
      ...(collections && { collections }),
      asked: { key, expiresInMs, maxUses, maxPerHour },
      created: now,
      expiresAt,
      usesLeft: uses,
      lastUsed: null,
      maxPerHour: perHour,
      opened: [],
      bulk: bulk === null ? null : { left: bulk, until: now + BULK_MS },
    };
  }

  /** The result that a call stored when it ran first; undefined for a new call. */
  async resultOf(origin: string, call: NamedCall): Promise<Json | undefined> {
    const record = await this.#deps.vault.read(JOURNAL_ID);
    return entryOf(journalOf(record), origin, await this.#recordedCall(call))?.result;
  }

  /**
   * For work that gives something else each time it runs: one use pays for its first run alone.
   *
   * @throws ReusedRequestId where the same call has come here before
   */
  async requireFirstRun(page: PageCall): Promise<void> {
    const { origin } = page;
    const charged = await this.#recordedCall(page);
    const run = { ...charged, call: `${charged.call} run` };
    await this.#deps.vault.commit(async (draft) => {
      if (await recordedIn(draft, origin, run)) throw new ReusedRequestId();
      await recordIn(draft, origin, { ...run, result: null });
    });
  }

  /**
   * Removes the grants that `concerns` picks. With `replay`, the same call of a page does it once: grants
   * that came after it stay, and so does the answer that is due where one of them was frozen.
   * @returns those removed
   */
  async revoke(concerns: (grant: Grant) => boolean, replay?: Replay): Promise<readonly Grant[]> {
    const call = replay && (await this.#recordedCall(replay.call));
    return this.#deps.vault.commit(async (draft) => {
      if (call && (await recordedIn(draft, replay.origin, call))) return [];
      const gone = await this.revokeIn(draft, concerns);
      if (!call) await this.#deps.decoys.endIn(draft, gone);
      if (call) await recordIn(draft, replay.origin, { ...call, result: null });
      return gone;
    });
  }

  /** The same within a commit. What could not be removed before is removed too. */
  async revokeIn(
    draft: VaultDraft,
    concerns: (grant: Grant) => boolean,
  ): Promise<readonly Grant[]> {
    const { withheld } = this.#deps;
    const before = this.#storedGrants(await draft.list(TYPE));
    const gone = before.filter((grant) => concerns(grant) || withheld.isUnsaved(grant.id));
    for (const { id } of gone) draft.remove(id);
    await this.#changedIn(draft, before);
    return gone;
  }

  /** Within a commit: what could not be removed before. */
  async revokeUnsavedIn(draft: VaultDraft): Promise<void> {
    await this.revokeIn(draft, () => false);
  }

  async #changedIn(draft: VaultDraft, before: readonly Grant[]): Promise<void> {
    const left = this.#storedGrants(await draft.list(TYPE));
    const ids = new Set(left.map(({ id }) => id));
    const gone = before.filter(({ id }) => !ids.has(id));
    await this.#deps.onChanged?.(draft, { gone, left, at: this.now() });
  }

  /**
   * After the system's clock was set back: moves the times of all grants with it, so that what was over
   * stays over and the rest lasts as long as it would have. To be called after each unlock.
   */
  async followClock(): Promise<void> {
    const { vault, clock, lastUses, decoys } = this.#deps;
    await clock.load();
    const byMs = clock.correction();
    if (byMs === 0) return;
    const unsaved = lastUses.take(); // written here, with the rest of the grants
    await vault.commit(async (draft) => {
      for (const grant of this.#storedGrants(await draft.list(TYPE))) {
        putGrant(draft, movedInTime(grant, byMs));
      }
      await decoys.moveIn(draft, byMs);
      clock.restartIn(draft);
    });
    unsaved.settle(true);
  }

  /** The user has read of an unusual hour of a grant. */
  async readUnusual(id: string): Promise<void> {
    await this.#deps.vault.commit(async (draft) => {
      const grant = this.#grantsOf(await draft.list(TYPE)).find((each) => each.id === id);
      if (grant?.hours) putGrant(draft, { ...grant, hours: { ...grant.hours, told: null } });
    });
  }

  /** Ends the grants that were not used for too long. @returns those */
  async endUnused(): Promise<readonly Grant[]> {
    const grants = await this.all();
    const now = this.now();
    const isOver = (grant: Grant): boolean => hasEndedUnused(grant, now);
    if (!grants.some(isOver)) return [];
    return this.#deps.vault.commit(async (draft) => {
      const over = this.#grantsOf(await draft.list(TYPE)).filter(isOver);
      for (const grant of over) putGrant(draft, { ...grant, expiresAt: unusedEnd(grant) });
      return over;
    });
  }
}

const FROZEN = { allowed: false, code: 'FROZEN' } as const;

const unspent = (grants: readonly Grant[]): Grant[] =>
  grants.map((grant) => ({ ...grant, usesLeft: null }));

/** Whether a commit has to come first. A grant whose uses are over may have ended by this very call, before its replay. */
function needsNoCommit(one: Taken | undefined): one is Taken {
  if (one === undefined) return false;
  return one.allowed ? !mustCharge(one.grant) : one.code !== 'EXPIRED';
}

/** What is opened by itself, and not with a use that a commit takes. */
function countsOpenings(one: Taken, ask: Ask): one is TakenUses {
  return one.allowed && !mustCharge(one.grant) && isLimited(one.grant, ask);
}

/** Undefined where the reserve does not suffice, and the hour is not used up. */
function ofReserve(
  one: TakenUses,
  ask: Ask,
  reserves: OpeningReserves,
  now: number,
): Taken | undefined {
  const reserved = reserves.left(one.grant.id, now);
  if (reserved >= one.uses) return one;
  const within = withinHour(one, ask, now);
  return reserved === 0 && !within.allowed ? within : undefined;
}

/** Earlier versions stored grants without a limit of an hour. */
type StoredGrant = Omit<Grant, 'id' | 'opened' | 'bulk'> & Partial<Pick<Grant, 'opened' | 'bulk'>>;

function grantOf({ id, value }: VaultRecord): Grant {
  const { opened, bulk = null, ...stored } = value as unknown as StoredGrant;
  if (opened) return { ...stored, id, opened, bulk };
  return {
    ...stored,
    id,
    opened: [],
    bulk,
    maxPerHour: null,
    asked: { ...stored.asked, maxPerHour: null },
  };
}

function putGrant(draft: VaultDraft, { id, ...value }: Grant): void {
  draft.put({ id, type: TYPE, value: value as unknown as Json });
}

function replaceGrants(draft: VaultDraft, before: readonly Grant[], after: readonly Grant[]) {
  const kept = new Set(after.map(({ id }) => id));
  for (const { id } of before) if (!kept.has(id)) draft.remove(id);
  for (const grant of after) if (!before.includes(grant)) putGrant(draft, grant);
}
