import { lastly, rescue, then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import { payloadBytes } from '../../rpc/transport/attachments.ts';
import type { AnswersOf, Call } from '../../rpc/call.ts';
import { frameRefused, SealwrightError } from '../../rpc/errors.ts';
import { METHODS, type Method, type MethodName, type Methods } from '../../rpc/methods/methods.ts';
import { countOf, type ByteList } from '../../rpc/transport/byte-list.ts';
import type { EnabledOrigins } from './enabled-origins.ts';
import type { ActivityRecorder } from '../audit/activity-recorder.ts';
import { asCallerError } from '../errors.ts';
import { FrameVerdicts, type PageCaller } from './frame-policy.ts';
import { ReusedRequestId } from './journal.ts';
import type { Limits } from './rate-limits.ts';
import type { LockKeeper } from '../vault/lock-keeper.ts';
import type { Usage } from '../audit/usage.ts';

/*
 * What every call passes on its way in, and every error on its way out, whatever the method: the
 * frame, the limits, whether the site is enabled, the lock's deadline, the audit log.
 */

export interface AdmissionDeps {
  readonly limits: Limits;
  readonly lockKeeper: LockKeeper;
  readonly enabledOrigins: EnabledOrigins;
  readonly recorder: ActivityRecorder;
  readonly usage: Usage;
}

type CheckDeps = AdmissionDeps & { readonly verdicts: FrameVerdicts };

/** The same methods, each after the checks of this file. */
export function withAdmission(
  implementations: AnswersOf<Methods>,
  deps: AdmissionDeps,
): AnswersOf<Methods> {
  const names = Object.keys(METHODS) as MethodName[];
  const verdicts = new FrameVerdicts();
  const gated = names.map((name) => {
    const implementation = implementations[name] as Implementation;
    return [name, withChecks(name, implementation, { ...deps, verdicts })];
  });
  return Object.fromEntries(gated) as AnswersOf<Methods>;
}

type Implementation = (params: never, call: Call) => Awaitable<unknown>;

/** Answers without a promise where the implementation does and the lock has nothing to check. */
function withChecks(
  name: MethodName,
  implementation: Implementation,
  deps: CheckDeps,
): Implementation {
  const { lockKeeper, enabledOrigins, recorder } = deps;
  const row: Method = METHODS[name];
  const isUsersAct = row.access === 'surface' && row.replay === 'effect';
  return (params, call) => {
    if (row.access === 'surface') lockKeeper.arrived(call);
    const size = sizeOf(row, params);
    const what = { method: name, params, bytes: size.bytes, items: size.items };
    const release = admit(row, size, call, deps);
    const work = (): Awaitable<unknown> => implementation(params, call);
    const record = (): Awaitable<unknown> => recorder.record(what, call, work);
    const whenOpen = (): Awaitable<unknown> =>
      isUsersAct ? then(lockKeeper.usedByUser(), record) : record();
    const whenEnabled = (): Awaitable<unknown> => then(lockKeeper.check(), whenOpen);
    const serve = (): Awaitable<unknown> => then(enabledOrigins.require(call.caller), whenEnabled);
    const fail = (error: unknown): never => {
      countReusedId(error, call, deps);
      throw asCallerError(error);
    };
    return lastly(() => rescue(serve, fail), release);
  };
}

/** It counts as refused: no client of ours does that. */
function countReusedId(error: unknown, { caller }: Call, { usage }: CheckDeps): void {
  if (error instanceof ReusedRequestId && caller.kind === 'page') {
    usage.count(caller, { refused: 1 });
  }
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
  row: Method,
  { held, bytes, items }: CallSize,
  call: Call,
  { limits, usage, verdicts }: CheckDeps,
): () => void {
  const { caller } = call;
  if (caller.kind !== row.access) {
    throw new SealwrightError('UNSUPPORTED', 'This method is not for this caller');
  }
  if (caller.kind === 'surface') {
    if (row.page === undefined || row.page === caller.page) return () => undefined;
    throw new SealwrightError('UNSUPPORTED', 'This method is not for this page');
  }
  requireServedFrame(row, caller, verdicts);
  try {
    const release = limits.admit(caller.origin, held, items);
    if (!row.uncounted) usage.count(caller, { calls: items, bytes });
    return release;
  } catch (error) {
    usage.count(caller, { refused: items });
    throw error;
  }
}

function requireServedFrame(row: Method, caller: PageCaller, verdicts: FrameVerdicts): void {
  if (row.frames !== 'any') {
    const verdict = verdicts.of(caller);
    if (!verdict.served) throw frameRefused(verdict.reason);
  }
  if (caller.incognito && !row.inPrivateWindows) {
    throw new SealwrightError('UNSUPPORTED', 'Private windows are not served in this release');
  }
}

/**
 * What a call holds and is about, by the columns of its row. Payloads lie in memory until the call
 * has ended, and so does a result whose length is asked for.
 */
function sizeOf({ batch, bytesIn, bytesOut }: Method, params: object): CallSize {
  const fields = params as Readonly<Record<string, unknown>>;
  const asked = bytesOut === undefined ? null : (fields[bytesOut] as number | null);
  const held = payloadBytes(params) + (asked ?? 0);
  const elsewhere = bytesIn === undefined ? undefined : (fields[bytesIn] as number | undefined);
  const items = batch === undefined ? 1 : countOf(fields[batch] as ByteList);
  return { held, bytes: elsewhere ?? held, items };
}
