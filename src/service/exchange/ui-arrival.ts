import { EpochError } from '../../keys/circle/epoch.ts';
import { passkeyPair, wipePair, type MemberPair } from '../../keys/circle/members.ts';
import { arriveIn } from '../../keys/circle/membership.ts';
import { CONTACT } from '../../keys/annotations/contact.ts';
import { SHARED_TYPES } from '../../keys/devices/contents.ts';
import { mergeIn } from '../../keys/devices/device.ts';
import { SharedStateError } from '../../keys/devices/state-text.ts';
import { FoundCircleError } from '../../keys/media/found-circle.ts';
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
import type { MediumExchange } from './medium-exchange.ts';
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
type Opener = ParamsOf<'ui.lookAtMedium'>['by'];
type Fault = Exclude<ResultOf<'ui.restoreFromMedium'>['outcome'], 'arrived'>;

/**
 * A browser without a vault that takes what a medium holds, by a recovery code or a passkey (docs/design/sync.md). Both may be
 * repeated without harm: a vault that the call has made is opened again.
 */
export function uiArrivalMethods(deps: Deps): Pick<Implementations, Methods> {
  const { vault, random } = deps;
  const sharing = () => ({ random, origins: [], at: Math.trunc(deps.now()) });
  return {
    async 'ui.lookAtMedium'({ by }) {
      const work = opened(by, deps, async ({ circle, state }) => {
        const members = circle.epoch.members.map(({ kind, name }) => ({ kind, name }));
        const scratch = scratchDraft();
        await mergeIn(scratch, state, sharing());
        return { outcome: 'opened' as const, members, ...(await countsIn(scratch)) };
      });
      return orFault(argumentChecked(work));
    },
    async 'ui.restoreFromMedium'({ by, passphrase, name }, call) {
      await requireEd25519();
      const signal = deps.lockKeeper.untilLocked(call);
      const isLost = (await vault.state()).state === 'lost';
      const fill = (draft: VaultDraft) =>
        opened(by, deps, async ({ circle, state }) => {
          await mergeIn(draft, state, sharing());
          await arriveIn(draft, circle, name, await deps.sharing.epochParts());
          await deps.exchange!.turnOnIn(draft);
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

/** @throws FoundCircleError; MediumError; MistypedError; what `work` throws */
async function opened<T>(
  by: Opener,
  { exchange }: Deps,
  work: (found: Awaited<ReturnType<MediumExchange['open']>>) => Promise<T>,
): Promise<T> {
  if (!exchange) throw new SealwrightError('UNSUPPORTED', 'This browser has no storage that syncs');
  const pair = pairOf(by);
  try {
    return await work(await exchange.open(pair));
  } finally {
    wipePair(pair);
  }
}

/** The text is no recovery code: a symbol is wrong or missing. */
class MistypedError extends Error {
  override readonly name = 'MistypedError';
}

function pairOf(by: Opener): MemberPair {
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

async function orFault<T>(work: Promise<T>): Promise<T | { outcome: Fault }> {
  try {
    return await work;
  } catch (error) {
    const outcome = faultOf(error);
    if (outcome === undefined) throw error;
    return { outcome };
  }
}

function faultOf(error: unknown): Fault | undefined {
  if (error instanceof FoundCircleError) return error.fault;
  if (error instanceof MistypedError) return 'mistyped';
  if (error instanceof MediumError) return 'unreachable';
  // Each part is sound, and together they are nothing that a vault can hold.
  const isForged = error instanceof SharedStateError || error instanceof EpochError;
  return isForged ? 'refused' : undefined;
}
