import { lastly, rescue, then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import { payloadBytes } from '../../rpc/transport/attachments.ts';
import type { AnswersOf, Call } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { METHODS, type MethodName, type Methods } from '../../rpc/methods/methods.ts';
import { countOf, type ByteList } from '../../rpc/transport/byte-list.ts';
import type { ActivityRecorder } from '../audit/activity-recorder.ts';
import { asCallerError } from '../errors.ts';
import { FrameVerdicts, type PageCaller } from './frame-policy.ts';
import type { Limits } from './rate-limits.ts';
import type { LockKeeper } from '../vault/lock-keeper.ts';
import type { Usage } from '../audit/usage.ts';

/*
 * The checks of every call, whatever the method: the frame, the limits, the lock's deadline. They also
 * record the call in the audit log and map its errors to those of the page API.
 */

/** What admission checks calls with, and where it records them. */
export interface AdmissionDeps {
  readonly limits: Limits;
  readonly lockKeeper: LockKeeper;
  readonly recorder: ActivityRecorder;
  readonly usage: Usage;
}

type GateDeps = AdmissionDeps & { readonly verdicts: FrameVerdicts };

/** The methods that private windows may call: those that need no key and leave no trace. */
const SERVED_IN_PRIVATE: readonly MethodName[] = ['status', 'random', 'inspect'];

/** Methods of our content script, on behalf of the user: served in every frame, also of private windows. */
const FOR_THE_USER: readonly MethodName[] = ['guardedFields', 'sealGuarded', 'formStopped'];

/** Calls of our content script that do not count as calls of the site. */
const NOT_THE_SITES: readonly MethodName[] = ['stirMovements', ...FOR_THE_USER];

/** The same methods, each behind the checks of this file. */
export function withAdmission(
  implementations: AnswersOf<Methods>,
  deps: AdmissionDeps,
): AnswersOf<Methods> {
  const names = Object.keys(METHODS) as MethodName[];
  const verdicts = new FrameVerdicts();
  const gated = names.map((name) => {
    const implementation = implementations[name] as Implementation;
    return [name, gate(name, implementation, { ...deps, verdicts })];
  });
  return Object.fromEntries(gated) as AnswersOf<Methods>;
}

type Implementation = (params: never, call: Call) => Awaitable<unknown>;

/** Answers without a promise where the implementation does and the lock has nothing to check. */
function gate(name: MethodName, implementation: Implementation, deps: GateDeps): Implementation {
  const { lockKeeper, recorder } = deps;
  return (params, call) => {
    const held = bytesHeld(params);
    const items = itemsOf(name, params);
    const what = { method: name, params, bytes: lengthTold(params) ?? held, items };
    const release = admit(name, { ...what, held }, call, deps);
    const work = (): Awaitable<unknown> => implementation(params, call);
    const serve = (): Awaitable<unknown> =>
      then(lockKeeper.check(isActivity(name)), () => recorder.record(what, call, work));
    return lastly(() => rescue(serve, rethrowAsCallerError), release);
  };
}

function rethrowAsCallerError(error: unknown): never {
  throw asCallerError(error);
}

/** Whether a call moves the idle deadline: reading the state does not. */
function isActivity(name: MethodName): boolean {
  const { access, needs, replay } = METHODS[name];
  return access === 'page' ? needs !== 'nothing' : replay === 'effect';
}

interface CallSize {
  /** In memory here, while the call runs. */
  readonly held: number;
  /** Of the messages it is about. */
  readonly bytes: number;
  readonly items: number;
}

/** @returns what must be called when the call has ended */
function admit(
  name: MethodName,
  { held, bytes, items }: CallSize,
  call: Call,
  { limits, usage, verdicts }: GateDeps,
): () => void {
  const { caller } = call;
  if (caller.kind !== METHODS[name].access) {
    throw new SealwrightError('UNSUPPORTED', 'This method is not for this caller');
  }
  if (caller.kind === 'surface') return () => undefined;
  if (!FOR_THE_USER.includes(name)) requireServedFrame(name, caller, verdicts);
  try {
    const release = limits.admit(caller.origin, held, items);
    if (!NOT_THE_SITES.includes(name)) usage.count(caller, { calls: items, bytes });
    return release;
  } catch (error) {
    usage.count(caller, { refused: items });
    throw error;
  }
}

function requireServedFrame(name: MethodName, caller: PageCaller, verdicts: FrameVerdicts): void {
  const verdict = verdicts.of(caller);
  if (!verdict.served) throw new SealwrightError(verdict.code, verdict.reason);
  if (caller.incognito && !SERVED_IN_PRIVATE.includes(name)) {
    throw new SealwrightError('UNSUPPORTED', 'Private windows are not served in this release');
  }
}

/** The parameter that holds a batch's items. */
const ITEMS_IN: Partial<Readonly<Record<MethodName, string>>> = {
  sealMany: 'items',
  openMany: 'items',
  'sync.encryptRecords': 'records',
  'sync.decryptRecords': 'records',
};

/** How many messages a call is about: one, or those of a batch. */
function itemsOf(name: MethodName, params: object): number {
  const field = ITEMS_IN[name];
  return field === undefined ? 1 : countOf((params as Record<string, ByteList>)[field]!);
}

/** Bytes of payloads, which stay in memory until the call has ended; for `random`, of its result. */
function bytesHeld(params: object): number {
  const { length } = params as { length?: unknown };
  return payloadBytes(params) + (typeof length === 'number' ? length : 0);
}

/** The length of a message that the content script seals or opens with a one-message key. */
function lengthTold(params: object): number | undefined {
  const { totalBytes } = params as { totalBytes?: number };
  return totalBytes;
}
