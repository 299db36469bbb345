import { equal, toHex, wipe } from '../../crypto/bytes.ts';
import { CIRCLE, DELETION, MEDIUM, OPENERS } from '../../keys/annotations/deletions.ts';
import { outranks } from '../../keys/circle/chain.ts';
import { syncKeyOf, type CircleParts } from '../../keys/circle/changes.ts';
import { circleOf, circleRecord, type Circle } from '../../keys/circle/circle-record.ts';
import type { WrappedKey } from '../../keys/circle/epoch.ts';
import { wipePair, type MemberPair, type Signer } from '../../keys/circle/members.ts';
import {
  publicCircleIn,
  withOwnOpenersIn,
  type LeftChanges,
} from '../../keys/circle/membership.ts';
import { SHARED_TYPES } from '../../keys/devices/contents.ts';
import type { SharedState } from '../../keys/devices/shared-state.ts';
import { SharedStateError } from '../../keys/devices/state-text.ts';
import { findCircle, type FoundCircle } from '../../keys/media/found-circle.ts';
import { isHalf, isOfChain, isOfOne, wrappedKeysIn } from '../../keys/media/items.ts';
import {
  circleOf as circleOn,
  ForbiddenMediumError,
  mediumChanges,
  MediumError,
  openItems,
  stateOf,
  type Medium,
  type OpenedItems,
} from '../../keys/media/medium.ts';
import type { Locks, SessionStore } from '../../keys/storage/key-value-store.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import { SHOWN_STATE } from '../../rpc/methods/ui.ts';
import type { Timers } from '../../rpc/timers.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { endOverdueIn } from '../vault/member-notes.ts';
import { commitMerging, type MergingParts } from '../vault/merged-states.ts';
import {
  compareEpoch,
  nameOf,
  refusing,
  takeIn,
  withLeftIn,
  type EpochHindrance,
  type Found,
  type Taken,
} from './taking.ts';

/** What an exchange works with. */
export interface MediumExchangeDeps extends MergingParts {
  readonly medium: Medium;
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly timers: Timers;
  readonly sharing: Pick<Sharing, 'epochParts'>;
}

/**
 * How long a change waits for others, so that they go together, and a failure for another try, in ms. A write that the medium
 * refuses is tried again sooner, and twice as late each time, up to `againMs`: browsers count writes by the minute. For the other
 * half of an epoch it waits `halfMs`: a browser brings both at once, or a few minutes later.
 */
export const EXCHANGE = {
  afterMs: 2_000,
  againMs: 60_000,
  refusedMs: 5_000,
  halfMs: 600_000,
} as const;

/** Why an exchange took and wrote nothing, or took nothing. */
export type Hindrance =
  /** This vault is in no circle: it has not been paired, or was replaced. */
  | 'no-circle'
  /** The medium cannot be read or written. It is tried again. */
  | 'medium'
  /** The person does not allow now that items leave this device: they are read, and not written. It is tried again. */
  | 'forbidden'
  /** An error that no other kind tells of. It is tried again. */
  | 'failed'
  | EpochHindrance
  /** The medium holds entries that no device makes, or the rest of what they need has not come yet. Own changes are written. */
  | 'refused';

/** How the last exchange ended. Kept in the session store: it is about no key. */
export interface LastExchange {
  /** ms since the epoch */
  readonly at: number;
  /** Since when it has been so, ms since the epoch; null where all went well. */
  readonly hindrance: { readonly kind: Hindrance; readonly since: number } | null;
  /** Of the epoch that hinders, its commitment as hex; null unless `late`, `unreached` or `forked`. */
  readonly other: string | null;
  /** Absent where nothing was to be written. */
  readonly room?: {
    readonly usedBytes: number;
    readonly roomBytes: number;
    /** Names of entries that have no room. */
    readonly leftOut: readonly string[];
  };
}

/** Whether this device exchanges, and how it went. */
export interface ExchangeState {
  readonly isOn: boolean;
  readonly last: LastExchange | null;
}

/** In the vault; without the record nothing is read or written. */
interface Kept {
  /** Commitments, as hex, of epochs over which the person has put their own. */
  readonly refused: readonly string[];
}

/** Whose changes other devices have to hear of. */
const TYPES: readonly string[] = [...SHARED_TYPES, DELETION, CIRCLE, OPENERS];

/** What may pass by itself, without a change on the medium. */
const TRIED_AGAIN: readonly Hindrance[] = ['medium', 'forbidden', 'failed', 'late'];

const LOCK = 'sealwright medium';
const LAST = SHOWN_STATE.exchange;
const NOTHING_KEPT: Kept = { refused: [] };

/** How a run ended, without its time. */
type Outcome = Partial<Pick<LastExchange, 'other' | 'room'>> & { readonly kind: Hindrance | null };

/**
 * The exchange of this device with others over a medium (docs/design/devices.md). One run reads the items, follows the
 * epochs, merges in one commit, and writes what the medium lacks. It may end at any await: the commit takes all or nothing,
 * and what was not written is written by the next run. Off until the person chooses it.
 */
export class MediumExchange {
  readonly #deps: MediumExchangeDeps;
  #running: Promise<void> | undefined;
  #isDue = false;
  #timer: Timer | undefined;
  /** Runs in a row that have ended because the medium refused a write. */
  #refusals = 0;

  constructor(deps: MediumExchangeDeps) {
    this.#deps = deps;
    deps.vault.onCommitted((types) => {
      if (TYPES.some((type) => types.has(type))) this.changed();
    });
    // In a new worker: the timer by which a failed run is tried again has ended with the worker before.
    deps.vault.onOpened((types) => {
      if (types.has(MEDIUM)) void this.#resume().catch(() => undefined); // a change or an unlock starts it as well
    });
  }

  /** @throws VaultError LOCKED */
  async state(): Promise<ExchangeState> {
    const kept = keptIn(await this.#deps.vault.read(MEDIUM));
    const last = await this.#last();
    return { isOn: kept !== undefined, last: (kept && last) ?? null };
  }

  /** @throws VaultError as a commit does */
  async turnOn(): Promise<void> {
    await this.#deps.vault.commit((draft) => this.turnOnIn(draft));
    await this.run();
  }

  /** The same within a commit: the next run exchanges. */
  async turnOnIn(draft: VaultDraft): Promise<void> {
    if ((await draft.get(MEDIUM)) === undefined) putKept(draft, NOTHING_KEPT);
  }

  /**
   * What the medium holds, for a recovery code or a passkey in a browser that is in no circle, or to check it. Changes
   * nothing, and needs no vault.
   *
   * @throws FoundCircleError; MediumError where the medium cannot be read
   */
  async open(pair: MemberPair): Promise<FoundCircle> {
    const crypto = await this.#deps.sharing.epochParts();
    return findCircle(await this.#deps.medium.read(), pair, crypto);
  }

  /**
   * Waits for the run under way, so that nothing is written afterwards.
   *
   * @param removesItems from the medium as well. Other devices that exchange over it write theirs again
   * @throws VaultError as a commit does; MediumError where items cannot be removed: then it stays on
   */
  async turnOff(removesItems = false): Promise<void> {
    const { locks, medium, vault, session } = this.#deps;
    await locks.exclusive(LOCK, async () => {
      await vault.read(MEDIUM); // while locked nothing is removed
      if (removesItems) await medium.clear();
      await vault.commit((draft) => draft.remove(MEDIUM));
      await session.remove(LAST);
    });
  }

  /**
   * The person says which epoch holds.
   *
   * @param other the epoch that the last exchange found (`LastExchange.other`)
   * @param holds 'other' takes it, which only one that reaches this device allows; 'own' is written over it
   * @throws VaultError as a commit does
   */
  async choose(other: string, holds: 'own' | 'other'): Promise<void> {
    if (holds === 'own') {
      await this.#deps.vault.commit(async (draft) => {
        const kept = keptIn(await draft.get(MEDIUM));
        if (!kept) return;
        putKept(draft, { refused: refusing(kept.refused, [other]) });
      });
      return this.run();
    }
    await this.#running;
    await this.#once(other);
  }

  /**
   * Something has changed here or on the medium: exchanges soon, also where a failed run waits for its next try. A medium that
   * refuses writes would refuse this one as well: then the change goes with that try.
   */
  changed(): void {
    const isHeldBack = this.#timer?.for === 'changes' || this.#timer?.for === 'writes';
    if (!isHeldBack) this.#wait('changes', EXCHANGE.afterMs);
  }

  #wait(reason: Timer['for'], delayMs: number): void {
    const { timers } = this.#deps;
    this.#stopWaiting();
    const handle = timers.start(() => {
      this.#timer = undefined;
      // Of what fails, `state` tells.
      this.run().catch(() => undefined);
    }, delayMs);
    this.#timer = { for: reason, handle };
  }

  #stopWaiting(): void {
    if (this.#timer) this.#deps.timers.stop(this.#timer.handle);
    this.#timer = undefined;
  }

  /** Plans the next try of a run that has failed, or waits for the rest of an epoch. */
  #tryAgain(error?: unknown): void {
    if (error instanceof RefusedWriteError) {
      const delayMs = Math.min(EXCHANGE.refusedMs * 2 ** this.#refusals, EXCHANGE.againMs);
      this.#refusals++;
      this.#wait('writes', delayMs);
    } else if (this.#timer === undefined) this.#wait('another-try', EXCHANGE.againMs);
  }

  /** A run has ended without an error: what only waited for another try is done. */
  #succeeded(): void {
    this.#refusals = 0;
    if (this.#timer?.for !== 'changes') this.#stopWaiting();
  }

  async #resume(): Promise<void> {
    const kind = (await this.#last())?.hindrance?.kind;
    if (kind !== undefined && TRIED_AGAIN.includes(kind)) this.changed();
  }

  /** Exchanges now, or once more after the run under way. Does nothing while locked or off. @throws what `failed` stands for */
  run(): Promise<void> {
    this.#isDue = true;
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #runAll(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      await this.#once();
    }
  }

  /** @param accepted the epoch that the person has chosen over the own one */
  async #once(accepted?: string): Promise<void> {
    const { locks } = this.#deps;
    let outcome: Outcome | undefined;
    try {
      outcome = await locks.exclusive(LOCK, () => this.#exchange(accepted));
    } catch (error) {
      if (error instanceof VaultError && error.code === 'LOCKED') return;
      this.#tryAgain(error);
      await this.#note({ kind: hindranceBy(error) });
      if (error instanceof MediumError || error instanceof VaultError) return;
      throw error;
    }
    this.#succeeded();
    if (!outcome) return;
    await this.#note(outcome);
    if (outcome.kind === 'late') this.#tryAgain();
  }

  async #exchange(accepted: string | undefined): Promise<Outcome | undefined> {
    const { vault, medium } = this.#deps;
    const kept = keptIn(await vault.read(MEDIUM));
    if (kept === undefined) return undefined;
    const record = await vault.read(CIRCLE);
    if (record === undefined) return { kind: 'no-circle' };
    const own = circleOf(record);
    const keys: Uint8Array[] = [];
    try {
      const crypto = await this.#deps.sharing.epochParts();
      const ownKey = await syncKeyOf(own.epoch, own.pair, crypto);
      keys.push(ownKey);
      const texts = await medium.read();
      const boxes = wrappedKeysIn(texts);
      const { refused } = kept;
      const found = await this.#follow({ own, texts, boxes, crypto, refused, accepted });
      if (found && found.kind !== 'newer') return found;
      const isNewer = found !== undefined;
      const [circle, syncKey] = found ? [found.circle, found.syncKey] : [own, ownKey];
      if (isNewer) keys.push(syncKey);
      const items = await openItems(texts, { ...circle.epoch, syncKey });
      // Changes that came under the epoch before, of a device that has not heard of the newer one.
      const before = isNewer ? [await openItems(texts, { ...own.epoch, syncKey: ownKey })] : [];
      const states = [...before, items].flatMap((each) => readable(each) ?? []);
      const isRefused = states.length < before.length + 1;
      const isOfMedium = isNewer || (boxes.length === 1 && isOfOne(boxes[0]!, own.epoch));
      const isCaughtUp = isOfMedium && !isRefused && items.every((item) => item !== undefined);
      const { present } = circleOn(items, boxes);
      const taking = { states, record, known: own.epoch, circle, present };
      const merged = await this.#take({ ...taking, crypto, isCaughtUp, left: found?.left });
      if (merged === undefined) return undefined; // turned off or paired anew meanwhile
      const { state, isWhole, circle: next } = merged;
      const isNext = !equal(next.epoch.digest, circle.epoch.digest);
      const nextKey = isNext ? await syncKeyOf(next.epoch, next.pair, crypto) : syncKey;
      keys.push(nextKey);
      const { epoch, links, pair } = next;
      const isPresent = ({ id }: Signer) => equal(id, pair.id) || present.includes(toHex(id));
      const known = epoch.members.filter(isPresent).map(({ id }) => id);
      const { writes, ...room } = await mediumChanges(
        { epoch, links, syncKey: nextKey, state, present: known },
        texts,
        isNext ? [] : items,
        this.#deps.random,
      );
      await written(writes, medium);
      return { kind: isRefused || !isWhole ? 'refused' : null, room };
    } finally {
      wipe(...keys);
      wipePair(own.pair);
    }
  }

  /** What the medium shows of an epoch that this device has not followed; undefined where it shows none. */
  async #follow({ own, texts, boxes, ...given }: Following): Promise<Shown | undefined> {
    const { crypto, refused, accepted } = given;
    const others = boxes.filter((box) => !isOfChain(own, box) && !refused.includes(nameOf(box)));
    // While another device replaces the boxes, there may be two.
    const [newest] = others.sort((a, b) => b.number - a.number);
    if (!newest) return undefined;
    if (isHalf(newest)) return this.#followHalf(own, newest);
    const found = await compareEpoch(newest, {
      ...{ own, crypto, accepted },
      async open(key) {
        const items = await openItems(texts, key);
        return { ...circleOn(items, boxes), isWhole: !items.includes(undefined) };
      },
    });
    return found.kind === 'settled' ? undefined : found; // the own one is written over it
  }

  /**
   * One box of an epoch is there: the other one comes, or another device has put its own in its place. Where two devices have written
   * at once, one box of each may stay, and each device would wait for the other one. So the epoch that holds is written over the
   * half of the other, and over any half of which the rest does not come: the devices of that epoch have it, and write it again.
   */
  async #followHalf(own: Circle, half: WrappedKey): Promise<Shown | undefined> {
    if (outranks(own.epoch, half)) return undefined;
    const [other, now] = [nameOf(half), this.#deps.now()];
    const isOver = now - (await this.#since('late', other, now)) >= EXCHANGE.halfMs;
    return isOver ? undefined : { kind: 'late', other };
  }

  /**
   * Takes an epoch and states in one commit, and makes anew what this device had changed of the openers in a chain that holds no
   * more. Where it has all that the medium holds, it makes the next epochs where members were not heard of in time, and where its
   * own openers are to be members, or are to be no more.
   *
   * @returns the state and the circle of this device after it, and whether all was taken; undefined where the circle is another
   *   one now
   */
  async #take({ crypto, isCaughtUp, left, ...taking }: Taking) {
    const commit = (states: readonly SharedState[], isDue: boolean) =>
      commitMerging(this.#deps, async (draft, mergeRevokingIn) => {
        if (keptIn(await draft.get(MEDIUM)) === undefined) return undefined;
        const { now } = this.#deps;
        const device = await takeIn(draft, mergeRevokingIn, { ...taking, states }, now());
        if (!device) return undefined;
        const circle = await withLeftIn(draft, taking.circle, left ? [left] : [], crypto);
        const next = isDue ? await this.#nextIn(draft, circle, crypto) : circle;
        return { circle: next, state: device.state };
      });
    try {
      const taken = await commit(taking.states, isCaughtUp);
      return taken && { ...taken, isWhole: true };
    } catch (error) {
      if (!(error instanceof SharedStateError)) throw error;
      const taken = await commit([], false); // what this device has is written all the same
      return taken && { ...taken, isWhole: false };
    }
  }

  /** The circle of this device within a commit, after the epochs that it has to make by itself. */
  async #nextIn(draft: VaultDraft, { pair }: Circle, making: CircleParts): Promise<Circle> {
    await endOverdueIn(draft, this.#deps.now(), making);
    const { links, epoch } = (await publicCircleIn(draft))!;
    const circle = { pair, links, epoch };
    const next = await withOwnOpenersIn(draft, circle, making);
    if (next !== circle) draft.put(circleRecord(next));
    return next;
  }

  async #note({ kind, other = null, room }: Outcome): Promise<void> {
    const at = Math.trunc(this.#deps.now());
    const last: LastExchange = {
      at,
      hindrance: kind && { kind, since: await this.#since(kind, other, at) },
      other,
      ...(room && { room }),
    };
    await this.#deps.session.set(LAST, last);
  }

  /** Since when the same hinders. @param at the time, where it has not hindered the last run */
  async #since(kind: Hindrance, other: string | null, at: number): Promise<number> {
    const last = await this.#last();
    const isSame = last?.hindrance?.kind === kind && last.other === other;
    return isSame ? last.hindrance.since : at;
  }

  async #last(): Promise<LastExchange | undefined> {
    return (await this.#deps.session.get(LAST)) as LastExchange | undefined;
  }
}

/** What is compared with the own circle. */
interface Following {
  readonly own: Circle;
  /** Of the medium, by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** What they say of sync keys. */
  readonly boxes: readonly WrappedKey[];
  readonly crypto: CircleParts;
  /** Epochs that the person has chosen against, and the one for which the person has chosen. */
  readonly refused: readonly string[];
  readonly accepted: string | undefined;
}

type Shown = Exclude<Found, { readonly kind: 'settled' }>;

/** What a run takes, and makes epochs with. */
interface Taking extends Taken {
  readonly crypto: CircleParts;
  /** Whether nothing of the medium is missing here. */
  readonly isCaughtUp: boolean;
  readonly left: LeftChanges | undefined;
}

/** What the exchange waits for before its next run. */
interface Timer {
  /** For more changes; for another try of a run that failed; or until the medium takes writes again. */
  readonly for: 'changes' | 'another-try' | 'writes';
  readonly handle: unknown;
}

/** The medium has refused a write, as browsers do beyond their rate. */
class RefusedWriteError extends MediumError {}

function hindranceBy(error: unknown): Hindrance {
  if (error instanceof ForbiddenMediumError) return 'forbidden';
  return error instanceof MediumError ? 'medium' : 'failed';
}

/** @throws RefusedWriteError; ForbiddenMediumError */
async function written(writes: ReadonlyMap<string, string>, medium: Medium): Promise<void> {
  try {
    for (const [name, text] of writes) await medium.write(name, text);
  } catch (cause) {
    const isRefused = cause instanceof MediumError && !(cause instanceof ForbiddenMediumError);
    throw isRefused ? new RefusedWriteError(cause.message, { cause }) : cause;
  }
}

const keptIn = (record: VaultRecord | undefined): Kept | undefined =>
  record?.value as unknown as Kept | undefined;

const putKept = (draft: VaultDraft, { refused }: Kept): void =>
  draft.put({ id: MEDIUM, type: MEDIUM, value: { refused: [...refused] } });

/** Undefined for entries that no device makes, and for some whose root has not come yet. */
function readable(items: OpenedItems): SharedState | undefined {
  try {
    return stateOf(items);
  } catch (error) {
    if (error instanceof SharedStateError) return undefined;
    throw error;
  }
}
