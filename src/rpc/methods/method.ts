import type { MethodCapability } from '../key-kinds.ts';
import type { Infer, Validator } from '../validate.ts';

/** Who may call: pages (through a content script), or the extension's own pages. */
export type Access = 'page' | 'surface';

/**
 * What must exist before any work begins: nothing; the user's consent, which the call itself
 * asks for; or a grant that covers the call (else NOT_GRANTED or LOCKED at once, never a prompt).
 */
export type Needs = 'nothing' | 'consent' | 'grant';

/**
 * What a repeated request means. `pure`: nothing, it may run again. `counted`: the use is charged
 * once under document and request id, then the work may run again. `effect`: the result is
 * journalled under that id in the same commit as the change, and a repetition gets that result.
 */
export type Replay = 'pure' | 'counted' | 'effect';

/** The policy columns of a row. All are optional: each says what an absent value means. */
export interface Policy {
  /**
   * The method of the page API that the row serves, where it has another name (`begin…` rows); null
   * where it serves none by itself. Absent: the method of the same name. A dot separates a group
   * (`sync`, `subtle`) from its method. `info.features` lists methods and groups.
   */
  readonly api?: string | null;
  /** How many arguments the page API's method takes before its options. Absent: not for workers. */
  readonly args?: number;
  /** What the grant has to allow. Absent: any grant will do, or the parameters say it. */
  readonly capability?: MethodCapability | readonly MethodCapability[];
  /** Private windows may call it: it needs no key and leaves no trace. Absent: they may not. */
  readonly inPrivateWindows?: true;
  /** The only one of the extension's own pages that may call it. Absent: all of them. */
  readonly page?: 'manager';
  /** `any`: frames that may not use the page API too, for work on the user's behalf. Absent: not. */
  readonly frames?: 'any';
  /** Left out of the usage figures, because the call is not the site's. The rate limit still holds. */
  readonly uncounted?: true;
  /** The parameter with the items of a batch, each of which counts as a call. Absent: one call. */
  readonly batch?: string;
  /** The parameter with the length of a message that is sealed or opened elsewhere, in bytes. */
  readonly bytesIn?: string;
  /** The parameter with the length of the result, which is charged to memory with the payload. */
  readonly bytesOut?: string;
  /**
   * The name in the audit log, by the parameters, and by the result where there is one, if one method does several
   * things. Absent: a page's method has its own name there; one of the extension's own pages is not logged.
   */
  readonly operation?: string | ((params: never, result: never) => string);
  /** Changes a contact, whose id is the member `id` of its parameters or of its result: the audit log has it. */
  readonly isAboutContact?: true;
  /**
   * `once`: a call under which the background has ended is sent once more, and no further time: what
   * it asks for may be the cause. Absent: again and again, within the client's limit.
   */
  readonly resent?: 'once';
  /** Takes as long as its bytes take: there is no deadline but the caller's own. */
  readonly unhurried?: true;
}

/** A row of the table of methods: who may call it under which policy, and the shapes of its data. */
export interface Method<P = unknown, R = unknown> extends Policy {
  readonly access: Access;
  readonly needs: Needs;
  readonly replay: Replay;
  readonly params: Validator<P>;
  readonly result: Validator<R>;
}

/**
 * The longest time in ms that a call may take from request to answer: an unlock on a slow device, or
 * the largest message behind a full queue. It ends calls to a service that hangs and still answers
 * pings; callers with less patience set a timeout of their own.
 */
const DEADLINES_MS: Readonly<Record<Replay, number>> = {
  pure: 2 * 60_000,
  effect: 5 * 60_000,
  counted: 15 * 60_000,
};

/** @returns ms; undefined where a person answers or gigabytes are read, which have no deadline */
export function deadlineMs({
  needs,
  replay,
  unhurried,
}: Pick<Method, 'needs' | 'replay' | 'unhurried'>): number | undefined {
  return needs === 'consent' || unhurried ? undefined : DEADLINES_MS[replay];
}

/** Some rows of the table of methods. */
export type Table = Readonly<Record<string, Method>>;
/** The names of the methods in a table. */
export type NameIn<T extends Table> = keyof T & string;
/** The parameters of a method, as its row validates them. */
export type ParamsIn<T extends Table, M extends NameIn<T>> = Infer<T[M]['params']>;
/** The result of a method, as its row validates it. */
export type ResultIn<T extends Table, M extends NameIn<T>> = Infer<T[M]['result']>;

/** What `info.features` says of the rows: the page API's methods, and the names of its groups once. */
export function featuresOf(table: Table): string[] {
  const methods = Object.entries(table).flatMap(([name, { api = name }]) => api ?? []);
  return [...new Set(methods.map((method) => method.split('.')[0]!))];
}

/** How many arguments come before the options, by the methods of the page API that workers have. */
export function argumentsOf(table: Table): Readonly<Record<string, number>> {
  const counts = Object.entries(table).flatMap(([name, { api = name, args }]) =>
    api === null || args === undefined ? [] : [[api, args] as const],
  );
  return Object.fromEntries(counts);
}

/** The names of the page API's methods in a group, without the group's. */
export function methodsOfGroup(table: Table, group: string): string[] {
  const methods = Object.entries(table).flatMap(([name, { api = name }]) => api ?? []);
  return methods
    .filter((method) => method.startsWith(`${group}.`))
    .map((method) => method.slice(group.length + 1));
}
