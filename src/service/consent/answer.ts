import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Locks } from '../../keys/storage/key-value-store.ts';
import type { Vault, VaultDraft } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import type { Activity } from '../audit/activity.ts';
import type { Consent } from './consent.ts';
import type { PendingPrompt, NormalizedRequest } from './consent-state.ts';
import { argumentChecked } from '../errors.ts';
import { siteOf } from '../calls/frame-policy.ts';
import type { Grants } from '../grants/grants.ts';
import type { StateEvents } from '../ports/state-events.ts';
import { rotatedForAll } from '../messages/rotation.ts';
import { offeredKeys } from '../keys/views.ts';

interface Deps {
  readonly vault: Vault;
  readonly consent: Consent;
  readonly grants: Grants;
  readonly keyRing: KeyRing;
  readonly events: StateEvents;
  readonly locks: Locks;
  readonly activity: Pick<Activity, 'record'>;
  readonly now: () => number;
}

type Answer = ParamsOf<'ui.answerPrompt'>;

/** Two clicks, or a click and its replay, are answered one after the other. */
const LOCK = 'sealwright answer';

/** The end of representable time (ECMA-262, section 21.4.1.1): a grant may be long, not endless. */
const LAST_TIME = 8.64e15;

/** The methods of the prompt's window: what is asked, and the user's answer. */
export function promptMethods(deps: Deps): Pick<Implementations, 'ui.prompt' | 'ui.answerPrompt'> {
  const { consent, locks } = deps;
  return {
    async 'ui.prompt'({ promptId }) {
      const prompt = await consent.pending(promptId);
      if (!prompt) throw noSuchPrompt();
      return describe(prompt, deps);
    },
    async 'ui.answerPrompt'(answer) {
      await locks.exclusive(LOCK, () => answered(answer, deps));
      return {};
    },
  };
}

async function describe(
  { id, scope, wish: requested, waiters }: PendingPrompt,
  deps: Deps,
): Promise<ResultOf<'ui.prompt'>> {
  const { state } = await deps.vault.state();
  const { key, purpose, capabilities, expiresInMs, maxUses, maxPerHour, bulk } = requested;
  const rotates = requested.rotates !== undefined;
  const mustPick = key.kind !== 'app' && !rotates && state === 'unlocked';
  return {
    promptId: id,
    origin: scope.origin,
    topOrigin: scope.topOrigin,
    purpose,
    capabilities: [...capabilities],
    key: shownKey(requested),
    keys: mustPick ? await offeredKeys({ kind: key.kind, origin: scope.origin }, deps) : [],
    rotates,
    expiresInMs,
    maxUses,
    maxPerHour,
    bulk: bulk === null ? null : { records: bulk },
    vault: state,
    waiting: waiters.length,
  };
}

function shownKey({ key }: NormalizedRequest): ResultOf<'ui.prompt'>['key'] {
  if (key.kind === 'app') return 'app';
  const { kind, label, collections } = key;
  return {
    kind,
    ...(label !== null && { label }),
    ...(collections && { collections: [...collections] }),
  };
}

async function answered(answer: Answer, deps: Deps): Promise<void> {
  const { consent, activity } = deps;
  const prompt = await consent.pending(answer.promptId);
  if (!prompt) {
    if (await consent.isSettled(answer.promptId)) return;
    throw noSuchPrompt();
  }
  if (!answer.allow) {
    await consent.settle(prompt.id, { kind: 'rejected' });
    activity.record({ operation: 'deny', ...siteOf(prompt.scope) });
    return;
  }
  const { rotates } = prompt.wish;
  if (rotates === undefined) return allowed(prompt, answer, deps);
  await rotated(prompt, rotates, deps);
  activity.record({ operation: 'rotate', ...siteOf(prompt.scope), ref: rotates });
}

async function allowed(prompt: PendingPrompt, answer: Answer, deps: Deps): Promise<void> {
  const { consent, grants, events, activity, now } = deps;
  const { scope, wish: requested } = prompt;
  const duration = smaller(requested.expiresInMs, answer.expiresInMs);
  const expiresAt = duration === null ? null : Math.min(now() + duration, LAST_TIME);
  const uses = smaller(requested.maxUses, answer.maxUses);
  const perHour = smaller(requested.maxPerHour, answer.maxPerHour);
  const approval = { ...requested, scope, expiresAt, uses, perHour };
  const keyIn = await chosenKey({ key: requested.key, origin: scope.origin }, answer, deps);
  const grantId = await argumentChecked(grants.add(approval, keyIn, prompt));
  const granted = (await grants.all()).find(({ id }) => id === grantId);
  activity.record({ operation: 'grant', ...siteOf(scope), ref: granted?.ref ?? null });
  await consent.settle(prompt.id, { kind: 'granted', grantIds: [grantId] });
  events.grantchange(scope);
}

async function rotated(prompt: PendingPrompt, ref: string, deps: Deps): Promise<void> {
  await argumentChecked(rotatedForAll(prompt, ref, deps));
  await deps.consent.settle(prompt.id, { kind: 'granted', grantIds: [] });
}

/** The user may narrow what the site asked for, and widen nothing. Null: no limit. */
function smaller(asked: number | null, chosen: number | null | undefined): number | null {
  const limits = [asked, chosen].filter((limit) => typeof limit === 'number');
  return limits.length === 0 ? null : Math.min(...limits);
}

/**
 * The key the user picked, of those that were offered, or a new one under the name they gave: that
 * one is made in the commit that grants it, so that none is left over.
 */
async function chosenKey(
  { key, origin }: Pick<NormalizedRequest, 'key'> & { readonly origin: string },
  { ref, newKeyLabel }: Answer,
  deps: Deps,
): Promise<(draft: VaultDraft) => string> {
  if (key.kind === 'app') return () => 'app';
  const { keyRing } = deps;
  if (newKeyLabel !== undefined) {
    const wanted = { kind: key.kind, label: newKeyLabel, origin };
    return (draft) => keyRing.addKey(draft, wanted).ref;
  }
  const picked = (await offeredKeys({ kind: key.kind, origin }, deps)).find(
    (each) => each.ref === ref,
  );
  if (!picked) throw new SealwrightError('INVALID_ARGUMENT', 'ref: pick one of the keys offered');
  return () => picked.ref;
}

function noSuchPrompt(): SealwrightError {
  return new SealwrightError('INVALID_ARGUMENT', 'promptId: this question is no longer open');
}
