import type { Infer, Validator } from '../validate.ts';

/** Who may call: pages (through a content script), or the extension's own pages. */
export type Access = 'page' | 'surface';

/**
 * What must be there before any work begins: nothing; the user's consent, which the call itself
 * asks for; or a grant that covers the call (else NOT_GRANTED or LOCKED at once, never a prompt).
 */
export type Needs = 'nothing' | 'consent' | 'grant';

/**
 * What a repeated request means. `pure`: nothing, it may run again. `counted`: the use is charged
 * once under document and request id, then the work may run again. `effect`: the result is
 * journalled under that id in the same commit as the change, and a repetition gets that result.
 */
export type Replay = 'pure' | 'counted' | 'effect';

export interface Method<P = unknown, R = unknown> {
  readonly access: Access;
  readonly needs: Needs;
  readonly replay: Replay;
  readonly params: Validator<P>;
  readonly result: Validator<R>;
  /** Takes as long as its bytes take: there is no deadline beyond the caller's own. */
  readonly unhurried?: true;
}

/**
 * The longest that a call can honestly take, from asking to answer, by what its repetition means:
 * an unlock on a slow device, or the largest message behind a full queue. It is a backstop for a
 * service that hangs and still answers pings; whoever wants less says so.
 */
const DEADLINES_MS: Readonly<Record<Replay, number>> = {
  pure: 2 * 60_000,
  effect: 5 * 60_000,
  counted: 15 * 60_000,
};

/** Undefined where a person answers, or gigabytes are read: nobody is hurried. */
export function deadlineMs({
  needs,
  replay,
  unhurried,
}: Pick<Method, 'needs' | 'replay' | 'unhurried'>): number | undefined {
  return needs === 'consent' || unhurried ? undefined : DEADLINES_MS[replay];
}

/** Some rows of the table of methods. */
export type Table = Readonly<Record<string, Method>>;
export type NameIn<T extends Table> = keyof T & string;
export type ParamsIn<T extends Table, M extends NameIn<T>> = Infer<T[M]['params']>;
export type ResultIn<T extends Table, M extends NameIn<T>> = Infer<T[M]['result']>;
