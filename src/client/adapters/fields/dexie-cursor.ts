/*
 * A cursor of Dexie over rows that are opened: rows are read ahead and opened together, as many as the app has taken
 * already, so that a search through a table needs few calls and the first row of it little work.
 */

/** What Dexie's core gives for a range: a cursor of IndexedDB, and when it is done. */
export interface CoreCursor {
  readonly key: unknown;
  readonly primaryKey: unknown;
  readonly value?: unknown;
  continue(key?: unknown): void;
  continuePrimaryKey(key: unknown, primaryKey: unknown): void;
  advance(count: number): void;
  start(onNext: () => void): PromiseLike<unknown>;
  stop(value?: unknown): void;
  fail(error: Error): void;
}

/** Rows that are opened together, at most. */
const MAX_AHEAD = 256;

interface Row {
  readonly key: unknown;
  readonly primaryKey: unknown;
  value: unknown;
}

/** How the app moves on from a row. */
type Move =
  | { readonly to: 'next'; readonly count: number }
  | { readonly to: 'key'; readonly key: unknown; readonly primaryKey?: unknown };

/** The parts of Dexie that a cursor needs. */
export interface CursorContext {
  readonly reverse: boolean;
  /** Compares keys, as `indexedDB.cmp`. */
  readonly compare: (a: unknown, b: unknown) => number;
  /** Opens rows. The transaction stays alive until it resolves. */
  readonly open: (
    keys: readonly unknown[],
    values: readonly unknown[],
  ) => PromiseLike<readonly unknown[]>;
}

/** The same cursor with opened values. */
export function openedCursor(cursor: CoreCursor, context: CursorContext): CoreCursor {
  let ahead = 1;
  let rows: Row[] = [];
  /** The row that the app sees. */
  let current: Row | undefined;
  let move: Move | undefined;
  let onRow: () => void;
  /** Whether `cursor` is behind its last row; `result` is what the app stopped with. */
  let isDone = false;
  let result: unknown;
  let isStopped = false;

  const forward = (target: Move): void => {
    move = undefined;
    if (target.to === 'next') {
      if (target.count > 1) cursor.advance(target.count);
      else cursor.continue();
    } else if (target.primaryKey === undefined) cursor.continue(target.key);
    else cursor.continuePrimaryKey(target.key, target.primaryKey);
  };

  const isBefore = (row: Row, target: Move & { readonly to: 'key' }): boolean => {
    const sign = context.reverse ? -1 : 1;
    const order = sign * context.compare(row.key, target.key);
    if (order !== 0 || target.primaryKey === undefined) return order < 0;
    return sign * context.compare(row.primaryKey, target.primaryKey) < 0;
  };

  /** The next row that was read ahead and that the app has asked for. */
  const nextRow = (): Row | undefined => {
    if (move?.to === 'key') {
      const target = move;
      rows = rows.slice(rows.findIndex((row) => !isBefore(row, target)) >>> 0);
    } else if (move) {
      const skipped = Math.min(move.count - 1, rows.length);
      rows = rows.slice(skipped);
      move = { to: 'next', count: move.count - skipped };
    }
    return rows.shift();
  };

  /** Shows the app rows until it does not move on by itself, or none are left. */
  const show = (): void => {
    while (!isStopped && move) {
      const row = nextRow();
      if (!row) {
        if (!isDone) forward(move);
        return;
      }
      move = undefined;
      current = row;
      onRow();
    }
  };

  const openAhead = (): PromiseLike<void> => {
    const taken = rows;
    const keys = taken.map(({ primaryKey }) => primaryKey);
    return context
      .open(
        keys,
        taken.map(({ value }) => value),
      )
      .then((values) => {
        values.forEach((value, i) => (taken[i]!.value = value));
        ahead = Math.min(MAX_AHEAD, ahead * 2);
        move = { to: 'next', count: 1 };
        show();
      });
  };

  const readAhead = (): void => {
    const { key, primaryKey, value } = cursor;
    rows.push({ key, primaryKey, value });
    if (rows.length < ahead) cursor.continue();
    else openAhead().then(undefined, (error: unknown) => cursor.fail(error as Error));
  };

  let isShowing = false;
  const moveTo = (next: Move): void => {
    move = next;
    // The app moves on later than in its callback.
    if (isShowing) return;
    isShowing = true;
    show();
    isShowing = false;
  };

  return Object.create(cursor, {
    key: { get: () => current?.key },
    primaryKey: { get: () => current?.primaryKey },
    value: { get: () => current?.value },
    continue: {
      value: (key?: unknown) =>
        moveTo(key === undefined || key === null ? { to: 'next', count: 1 } : { to: 'key', key }),
    },
    continuePrimaryKey: {
      value: (key: unknown, primaryKey: unknown) => moveTo({ to: 'key', key, primaryKey }),
    },
    advance: { value: (count: number) => moveTo({ to: 'next', count }) },
    stop: {
      value(value?: unknown) {
        isStopped = true;
        result = value;
        if (!isDone) cursor.stop(value);
      },
    },
    fail: {
      value(error: Error) {
        isStopped = true;
        if (isDone) throw error;
        cursor.fail(error);
      },
    },
    start: {
      value(callback: () => void) {
        onRow = () => {
          isShowing = true;
          callback();
          isShowing = false;
        };
        const ending = (): unknown => {
          isDone = true;
          if (isStopped || rows.length === 0) return result;
          return openAhead().then(() => result);
        };
        return cursor.start(readAhead).then(ending);
      },
    },
  }) as CoreCursor;
}
