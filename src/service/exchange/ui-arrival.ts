import { EpochError } from '../../keys/circle/epoch.ts';
import { passkeyPair, wipePair, type MemberPair } from '../../keys/circle/members.ts';
import { arriveIn } from '../../keys/circle/membership.ts';
import { CONTACT } from '../../keys/annotations/contact.ts';
import { SHARED_TYPES } from '../../keys/devices/contents.ts';
import { mergeIn } from '../../keys/devices/device.ts';
import { SharedStateError } from '../../keys/devices/state-text.ts';
import type { Circle } from '../../keys/circle/circle-record.ts';
import type { SharedState } from '../../keys/devices/shared-state.ts';
import { findCircleInFiles, FoundCircleError } from '../../keys/media/found-circle.ts';
import { MediumError } from '../../keys/media/medium.ts';
import { userKeyKindOf } from '../../keys/ring/user-key.ts';
import { scratchDraft, type VaultDraft } from '../../keys/vault/draft.ts';
import { readOf } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import { callIdOf } from '../calls/journal.ts';
import { argumentChecked } from '../errors.ts';
import { guardAll, type GuardedSitesDeps } from '../fields/field-settings.ts';
import { settleAfterUnlock, type AfterUnlockDeps } from '../vault/after-unlock.ts';
import type { FirstCode } from '../vault/first-code.ts';
import { keepFoundIn } from './file-exchange.ts';
import type { MediumExchange } from './medium-exchange.ts';
import { within } from './ui-device-files.ts';
import { pairOfCode } from '../vault/openers.ts';
import { requireEd25519, type MembersParts } from '../vault/ui-members.ts';
import { createVaultOnce } from '../vault/vault-creation.ts';

interface Deps extends AfterUnlockDeps, GuardedSitesDeps, Omit<MembersParts, 'slotKeeper'> {
  readonly exchange: MediumExchange | undefined;
  readonly firstCode: Pick<FirstCode, 'allow'>;
  readonly random: RandomSource;
  readonly now: () => number;
}

type Methods = 'ui.lookAtMedium' | 'ui.restoreFromMedium';
type Source = ParamsOf<'ui.lookAtMedium'>;
type Faulty = Exclude<ResultOf<'ui.restoreFromMedium'>, { readonly outcome: 'arrived' }>;

/** What was found, and where. */
interface Found {
  readonly circle: Circle;
  readonly states: readonly SharedState[];
  /** Files of which nothing is taken, by their places. */
  readonly older: readonly number[];
  /** Keeps what the next exchange needs to know, within the commit that makes the vault. */
  readonly keepIn: (draft: VaultDraft) => Promise<void> | void;
}

/**
 * A browser without a vault that takes what a medium or files of devices hold, by a recovery code or a passkey
 * (docs/design/sync.md). Both may be repeated without harm: a vault that the call has made is opened again.
 */
export function uiArrivalMethods(deps: Deps): Pick<Implementations, Methods> {
  const { vault, random } = deps;
  const mergeAllIn = async (draft: VaultDraft, { states }: Found) => {
    const sharing = { random, origins: [], at: Math.trunc(deps.now()) };
    for (const state of states) await mergeIn(draft, state, sharing);
  };
  return {
    async 'ui.lookAtMedium'(source) {
      const work = opened(source, deps, async (found) => {
        const members = found.circle.epoch.members.map(({ kind, name }) => ({ kind, name }));
        const scratch = scratchDraft();
        await mergeAllIn(scratch, found);
        const older = found.older.length > 0 && { older: [...found.older] };
        return { outcome: 'opened' as const, members, ...older, ...(await countsIn(scratch)) };
      });
      return orFault(argumentChecked(work));
    },
    async 'ui.restoreFromMedium'({ passphrase, name, ...source }, call) {
      await requireEd25519();
      const signal = deps.lockKeeper.untilLocked(call);
      const isLost = (await vault.state()).state === 'lost';
      const fill = (draft: VaultDraft) =>
        opened(source, deps, async (found) => {
          await mergeAllIn(draft, found);
          await arriveIn(draft, found.circle, name, await deps.sharing.epochParts());
          await found.keepIn(draft);
        });
      const how = { signal, fill, ...(isLost && { place: 'of-a-lost-one' as const }) };
      const creating = createVaultOnce(deps, passphrase, callIdOf(call), how);
      const failed = await orFault(argumentChecked(creating));
      if (failed) return failed;
      await settleAfterUnlock(deps);
      await guardAll(deps);
      deps.firstCode.allow();
      deps.activity.record({ operation: 'joinDevice' });
      return { outcome: 'arrived', ...(await countsIn(readOf(vault))) };
    },
  };
}

/** @throws MistypedError; what `find` and `work` throw */
async function opened<T>(
  { by, files }: Source,
  deps: Deps,
  work: (found: Found) => Promise<T>,
): Promise<T> {
  const pair = pairOf(by);
  try {
    return await work(await find(files, pair, deps));
  } finally {
    wipePair(pair);
  }
}

/** @throws FoundCircleError; MediumError; SealwrightError TOO_LARGE, before any work, and UNSUPPORTED */
async function find(
  files: Source['files'],
  pair: MemberPair,
  { exchange, sharing, now }: Deps,
): Promise<Found> {
  if (files) {
    const found = await findCircleInFiles(within(files), pair, await sharing.epochParts());
    const states = found.files.map(({ state }) => state);
    return { ...found, states, keepIn: (draft) => keepFoundIn(draft, found, Math.trunc(now())) };
  }
  if (!exchange) throw new SealwrightError('UNSUPPORTED', 'This browser has no storage that syncs');
  const { circle, state } = await exchange.open(pair);
  return { circle, states: [state], older: [], keepIn: (draft) => exchange.turnOnIn(draft) };
}

/** The text is no recovery code: a symbol is wrong or missing. */
class MistypedError extends Error {
  override readonly name = 'MistypedError';
}

function pairOf(by: Source['by']): MemberPair {
  const pair = 'prf' in by ? passkeyPair(by.prf) : pairOfCode(by.recoveryCode);
  if (!pair) throw new MistypedError();
  return pair;
}

async function countsIn(
  draft: Pick<VaultDraft, 'list'>,
): Promise<{ keys: number; contacts: number }> {
  const types = SHARED_TYPES.filter((type) => userKeyKindOf({ type }));
  const keys = await Promise.all(types.map((type) => draft.list(type)));
  return { keys: keys.flat().length, contacts: (await draft.list(CONTACT)).length };
}

async function orFault<T>(work: Promise<T>): Promise<T | Faulty> {
  try {
    return await work;
  } catch (error) {
    const outcome = faultOf(error);
    if (outcome === undefined) throw error;
    const files = error instanceof FoundCircleError ? error.files : [];
    return { outcome, ...(files.length > 0 && { files: [...files] }) };
  }
}

function faultOf(error: unknown): Faulty['outcome'] | undefined {
  if (error instanceof FoundCircleError) return error.fault;
  if (error instanceof MistypedError) return 'mistyped';
  if (error instanceof MediumError) return 'unreachable';
  // Each part is sound, and together they are nothing that a vault can hold.
  const isForged = error instanceof SharedStateError || error instanceof EpochError;
  return isForged ? 'refused' : undefined;
}
