import { toBase64url } from '../../crypto/bytes.ts';
import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { Json } from '../../keys/values/json.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Capability } from '../../rpc/key-kinds.ts';
import type { NamedCall, PageCall } from '../calls/caller.ts';
import { refused } from '../errors.ts';
import { sameScope, type Scope } from '../calls/frame-policy.ts';
import {
  charged,
  collectionsOf,
  coveringGrant,
  decide,
  decideAnyKey,
  decideKey,
  hasEndedUnused,
  isSpent,
  liveGrants,
  movedInTime,
  mustCharge,
  unusedEnd,
  withGrant,
  type Ask,
  type Decision,
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
  type JournalEntry,
  type RecordedCall,
} from '../calls/journal.ts';
import type { PendingPrompt } from '../consent/consent-state.ts';
import type { GrantClock } from './grant-clock.ts';
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
  readonly lastUses: LastUses;
  readonly withheld: WithheldGrants;
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

/** A capability on a key, and how many uses of it a call asks for. */
export interface Uses extends Ask {
  readonly uses: number;
}

/** What a call gets; `uses` may be fewer than it asked for. */
export type Taken =
  { readonly allowed: true; readonly grant: Grant; readonly uses: number } | Refusal;

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

  async covering(
    request: Terms & { readonly scope: Scope; readonly capabilities: readonly Capability[] },
  ): Promise<Grant | undefined> {
    return coveringGrant(await this.all(), request, this.now());
  }

  /**
   * Takes one use of the grant that allows `ask`, before the work. The same call takes it once,
   * however often it is replayed.
   * @throws SealwrightError NOT_GRANTED, EXPIRED
   */
  use(ask: Ask, call: NamedCall): Awaitable<Grant> {
    return then(this.useMany([{ ...ask, uses: 1 }], call), ([taken]) => grantTaken(taken!));
  }

  /**
   * The same for a whole batch: one look at the grants, one commit, one entry in the journal. A
   * grant with fewer uses left than asked for gives those it has.
   *
   * @param asks of one scope, each for another key
   * @returns what became of each, in order
   */
  useMany(asks: readonly Uses[], call: NamedCall): Awaitable<readonly Taken[]> {
    const refs = asks.map(({ ref }) => ref);
    this.#deps.onKeysRequested?.(call.id, refs);
    const results = then(this.all(), (grants): Awaitable<readonly Taken[]> => {
      const now = this.now();
      const seen = asks.map((ask) => taken(decide(grants, ask, now), ask.uses));
      if (seen.every(needsNoCommit)) return this.#recorded(seen);
      return this.#deps.vault.commit((draft) => this.#charge(draft, asks, call));
    });
    return then(results, (each) => this.#reported(each));
  }

  /** Only a use that was taken counts as one: a page without a grant reports nothing by asking. */
  #reported(results: readonly Taken[]): Awaitable<readonly Taken[]> {
    if (!results.some(({ allowed }) => allowed)) return results;
    return then(this.#deps.onUsed(), () => results);
  }

  /**
   * Takes a use for each of several asks, or none at all. Asks that one grant answers are one use.
   * @throws SealwrightError NOT_GRANTED, EXPIRED; for the first that has none
   */
  async useAll(asks: readonly Ask[], call: NamedCall): Promise<readonly Grant[]> {
    const uses = asks.map((ask) => ({ ...ask, uses: 1 }));
    const refs = asks.map(({ ref }) => ref);
    this.#deps.onKeysRequested?.(call.id, refs);
    const grants = await this.all();
    const now = this.now();
    const seen = uses.map((ask) => taken(decide(grants, ask, now), 1));
    const all = seen.every(needsNoCommit)
      ? this.#recorded(seen).map(grantTaken)
      : await this.#deps.vault.commit(async (draft) =>
          (await this.#charge(draft, uses, call)).map(grantTaken),
        );
    await this.#deps.onUsed();
    return all;
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

  /** Inside a commit, because a grant may have been used up or revoked since it was looked at. */
  async #charge(draft: VaultDraft, asks: readonly Uses[], call: NamedCall): Promise<Taken[]> {
    const now = this.now();
    const { origin } = asks[0]!.scope;
    const grants = this.#grantsOf(await draft.list(TYPE));
    const recorded = await this.#recordedCall(call);
    const paid = paidIn(await recordedIn(draft, origin, recorded));
    const before = paid.length;
    const results = asks.map((ask) => {
      const earlier = takenBefore(grants, ask, paid, now);
      if (earlier) return earlier;
      const one = taken(decide(grants, ask, now), ask.uses);
      if (!one.allowed || !mustCharge(one.grant)) return one;
      const grant = charged(one.grant, now, one.uses);
      putGrant(draft, grant);
      paid.push({ grant: grant.id, uses: one.uses });
      return { ...one, grant };
    });
    const entry = { ...recorded, result: paid as unknown as Json };
    if (paid.length > before) await recordIn(draft, origin, entry);
    return this.#recorded(results);
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

  /** Records the last use of grants without a limit of uses, which is saved later. */
  #recorded(results: Taken[]): Taken[] {
    const { lastUses } = this.#deps;
    for (const one of results) {
      if (one.allowed && !mustCharge(one.grant)) lastUses.note(one.grant, this.now());
    }
    return results;
  }

  /**
   * For work that has taken its use already: it outlives the last use, not the grant or its time.
   * @throws SealwrightError NOT_GRANTED, EXPIRED
   */
  async requireInTime(ask: Ask): Promise<Grant> {
    const unspent = (await this.all()).map((grant) => ({ ...grant, usesLeft: null }));
    const decision = decide(unspent, ask, this.now());
    if (!decision.allowed) throw refused(decision);
    return decision.grant;
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
      const added = this.#granted(approval, keyIn(draft), now);
      const before = this.#grantsOf(await draft.list(TYPE));
      replaceGrants(draft, before, withGrant(before, added, now));
      await this.#changedIn(draft, before);
      const calls = [...waiters.map((waiter) => ({ ...waiter, at: now })), question];
      const entries = calls.map((call) => ({ ...call, result: [added.id] }));
      await recordIn(draft, origin, ...entries);
      return added.id;
    });
  }

  #granted(approval: Approval, ref: string, now: number): Grant {
    const { scope, capabilities, key, expiresInMs, maxUses, expiresAt, uses } = approval;
    const collections = collectionsOf(key);
    return {
      id: toBase64url(this.#deps.random.bytes(GRANT_ID_BYTES)),
      scope,
      ref,
      capabilities,
      ...(collections && { collections }),
      asked: { key, expiresInMs, maxUses },
      created: now,
      expiresAt,
      usesLeft: uses,
      lastUsed: null,
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
   * Removes the grants that `concerns` picks. With `replay`, the same call does it once: grants
   * that came after it stay.
   * @returns those removed
   */
  async revoke(concerns: (grant: Grant) => boolean, replay?: Replay): Promise<readonly Grant[]> {
    const call = replay && (await this.#recordedCall(replay.call));
    return this.#deps.vault.commit(async (draft) => {
      if (call && (await recordedIn(draft, replay.origin, call))) return [];
      const gone = await this.revokeIn(draft, concerns);
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
    const { vault, clock, lastUses } = this.#deps;
    await clock.load();
    const byMs = clock.correction();
    if (byMs === 0) return;
    const unsaved = lastUses.take(); // written here, with the rest of the grants
    await vault.commit(async (draft) => {
      for (const grant of this.#storedGrants(await draft.list(TYPE))) {
        putGrant(draft, movedInTime(grant, byMs));
      }
      clock.restartIn(draft);
    });
    unsaved.settle(true);
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

/** What a call's entry in the journal says: uses of a grant that it has taken. */
interface Paid {
  readonly grant: string;
  readonly uses: number;
}

function paidIn(entry: JournalEntry | undefined): Paid[] {
  return Array.isArray(entry?.result) ? [...(entry.result as unknown as readonly Paid[])] : [];
}

function grantTaken(one: Taken): Grant {
  if (!one.allowed) throw refused(one);
  return one.grant;
}

function taken(decision: Decision, uses: number): Taken {
  if (!decision.allowed) return decision;
  const { usesLeft } = decision.grant;
  return { ...decision, uses: usesLeft === null ? uses : Math.min(uses, usesLeft) };
}

/** Uses that were paid for outlive the last use, but not the time limit. */
function takenBefore(
  grants: readonly Grant[],
  ask: Ask,
  paid: readonly Paid[],
  now: number,
): Taken | undefined {
  for (const { grant: id, uses } of paid) {
    const grant = grants.find((each) => each.id === id);
    if (grant?.ref !== ask.ref || !grant.capabilities.includes(ask.capability)) continue;
    const isLate = isSpent({ ...grant, usesLeft: null }, now);
    return isLate ? { allowed: false, code: 'EXPIRED' } : { allowed: true, grant, uses };
  }
  return undefined;
}

/** A grant whose uses are over may have ended by this very call, before it was replayed. */
function needsNoCommit(one: Taken): boolean {
  return one.allowed ? !mustCharge(one.grant) : one.code === 'NOT_GRANTED';
}

function grantOf({ id, value }: VaultRecord): Grant {
  return { ...(value as unknown as Omit<Grant, 'id'>), id };
}

function putGrant(draft: VaultDraft, { id, ...value }: Grant): void {
  draft.put({ id, type: TYPE, value: value as unknown as Json });
}

function replaceGrants(draft: VaultDraft, before: readonly Grant[], after: readonly Grant[]) {
  const kept = new Set(after.map(({ id }) => id));
  for (const { id } of before) if (!kept.has(id)) draft.remove(id);
  for (const grant of after) if (!before.includes(grant)) putGrant(draft, grant);
}
