import { jsonOf } from '../json.ts';
import { checkOptions, checkProvider } from '../../errors.ts';
import type { Sealwright } from '../../page-api.ts';
import { membersOf, type Fields } from '../content.ts';
import { sealedMessages, type MessageSealer } from '../messages.ts';
import { blindIndexer } from './blind-index.ts';
import { openedCursor, type CoreCursor } from './dexie-cursor.ts';
import { SealedRows, type FieldOptions } from './row.ts';

/** Fields of one table. */
export interface SealedTable {
  /** Fields that are sealed: top-level names, neither the primary key nor indexed. */
  readonly sealed?: readonly string[];
  /**
   * Sealed fields that are indexed: their indexes have keyed hashes in place of the values, so that `equals` finds
   * them, and nothing else. Texts, or lists of texts for a multi-entry index.
   */
  readonly blind?: readonly string[];
}

/** Options of `dexieSealedFields`. */
export interface DexieSealedOptions extends FieldOptions {
  /** By the names of the tables. */
  readonly tables: Readonly<Record<string, SealedTable>>;
  /** Id of the key; default: this origin's app key. */
  readonly key?: string | undefined;
}

/** What is used of a database of Dexie (4). */
export interface DexieDatabase {
  readonly name: string;
  use(middleware: never): unknown;
}

/** Of Dexie's class, which every database has as its constructor. */
interface DexieClass {
  /** Calls a function outside of the current transaction, in which Dexie replaces the global Promise. */
  ignoreTransaction<T>(work: () => T): T;
  readonly currentTransaction: {
    /** Keeps the transaction alive until the promise has settled. */
    waitFor<T>(promise: Promise<T>): PromiseLike<T>;
  } | null;
  readonly dependencies: { readonly indexedDB: Pick<IDBFactory, 'cmp'> };
}

interface CoreIndex {
  readonly name: string | null;
  readonly keyPath: string | readonly string[] | null;
  readonly isPrimaryKey?: boolean;
  readonly extractKey?: (row: unknown) => unknown;
}

interface CoreRange {
  readonly type: number;
  readonly lower: unknown;
  readonly upper: unknown;
}

interface CoreQuery {
  readonly query: { readonly index: CoreIndex; readonly range: CoreRange };
  readonly values?: boolean;
  readonly reverse?: boolean;
}

interface CoreMutation {
  readonly type: 'add' | 'put' | 'delete' | 'deleteRange';
  readonly keys?: readonly unknown[] | null;
  readonly values?: readonly Fields[];
}

/** DBCore of Dexie 4: what all of its methods use of one table. */
interface CoreTable {
  readonly schema: { readonly primaryKey: CoreIndex; readonly indexes: readonly CoreIndex[] };
  mutate(request: CoreMutation): PromiseLike<unknown>;
  get(request: { readonly key: unknown }): PromiseLike<Fields | undefined>;
  getMany(request: { readonly keys: readonly unknown[] }): PromiseLike<(Fields | undefined)[]>;
  query(request: CoreQuery): PromiseLike<{ readonly result: readonly unknown[] }>;
  openCursor(request: CoreQuery): PromiseLike<CoreCursor | null>;
  count(request: CoreQuery): PromiseLike<number>;
}

interface Core {
  table(name: string): CoreTable;
}

/** Above Dexie's virtual indexes (1), live queries and cache (0), which get sealed rows; below its hooks (2). */
const LEVEL = 1.5;
/** DBCoreRangeType.Equal. */
const EQUAL = 1;

const AS_BYTES = {
  stored: (sealed: Uint8Array<ArrayBuffer>) => sealed,
  bytes: (stored: unknown) =>
    stored instanceof Uint8Array ? (stored as Uint8Array<ArrayBuffer>) : undefined,
};

/**
 * Seals fields of a database of Dexie when rows are written and opens them when they are read: all of Dexie's methods,
 * transactions and live queries work as before. Call it before the database is opened. The disk has primary keys,
 * indexes and the other fields in the clear.
 *
 * The sealed fields of a row are bound to database, table and primary key; rows whose key is given at insertion (`++`)
 * are bound to it from their second writing on. A row that does not open comes without its sealed fields
 * and has a quarantine (`quarantineOf`). While the vault is locked, reads and writes reject with LOCKED, and their
 * transaction is aborted.
 *
 * @param db the database
 * @param sealwright needs `seal` and `open`, and `blindIndex` for blind fields
 * @throws TypeError for names of fields that are empty or paths
 *
 * @example
 *   const db = new Dexie('contacts');
 *   db.version(1).stores({ people: 'id, email, city' });
 *   dexieSealedFields(db, sealwright, { tables: { people: { sealed: ['notes'], blind: ['email'] } } });
 *   await db.people.put({ id: 'p1', email: 'ada@example.org', notes: 'likes trains', city: 'London' });
 *   const ada = await db.people.get({ email: 'ada@example.org' });
 */
export function dexieSealedFields(
  db: DexieDatabase,
  sealwright: MessageSealer & Pick<Sealwright, 'blindIndex'>,
  options: DexieSealedOptions,
): void {
  checkOptions(options, 'tables', 'key', 'clearRows', 'onQuarantine');
  const tables = new Map(Object.entries(options.tables));
  for (const [name, table] of tables) {
    checkOptions(table, 'sealed', 'blind');
    const { sealed = [], blind = [] } = table;
    for (const field of [...sealed, ...blind]) checkField(name, field);
  }
  checkProvider(sealwright, 'sealMany', 'openMany', 'blindIndex');
  const dexie = (db as unknown as { readonly constructor: DexieClass }).constructor;
  const create = (core: Core) => ({
    table(name: string): CoreTable {
      const table = core.table(name);
      const fields = tables.get(name);
      return fields ? sealedTable({ db, dexie, table, name, fields, sealwright, options }) : table;
    },
  });
  const middleware = { stack: 'dbcore', name: 'sealwright', level: LEVEL, create };
  db.use(middleware as never);
}

interface TableParts {
  readonly db: DexieDatabase;
  readonly dexie: DexieClass;
  readonly table: CoreTable;
  readonly name: string;
  readonly fields: SealedTable;
  readonly sealwright: MessageSealer & Pick<Sealwright, 'blindIndex'>;
  readonly options: DexieSealedOptions;
}

function sealedTable(parts: TableParts): CoreTable {
  const { db, dexie, table, name, fields, sealwright, options } = parts;
  const { sealed = [], blind = [] } = fields;
  const { primaryKey, indexes } = table.schema;
  checkIndexes(name, { primaryKey, indexes }, fields);

  const context = jsonOf(['sealwright/adapters', 'dexie', db.name, name]);
  const messages = sealedMessages(sealwright, context, options.key);
  const rows = new SealedRows(messages, [...sealed, ...blind], AS_BYTES, options);
  const keyOption = options.key === undefined ? {} : { key: options.key };
  const indexers = new Map(
    blind.map((field) => [
      field,
      blindIndexer(sealwright, `${db.name}/${name}.${field}`, keyOption),
    ]),
  );

  /** Transactions of IndexedDB end while nothing is asked of them: Dexie asks until the extension has answered. */
  const waitFor = <T>(
    work: () => Promise<T>,
    { currentTransaction: transaction }: Pick<DexieClass, 'currentTransaction'> = dexie,
  ): PromiseLike<T> => {
    const promise = dexie.ignoreTransaction(work);
    return transaction ? transaction.waitFor(promise) : promise;
  };
  const keyOf = (row: unknown): unknown => primaryKey.extractKey?.(row);

  const blinded = async (
    value: unknown,
    indexer: (value: string) => Promise<string>,
  ): Promise<unknown> => {
    if (value === undefined || value === null) return undefined;
    if (Array.isArray(value)) return Promise.all(value.map((one) => blinded(one, indexer)));
    if (typeof value !== 'string') throw new TypeError(`${name}: a blind index is of a text`);
    return indexer(value);
  };

  const sealedRow = async (row: Fields, key: unknown): Promise<Fields> => {
    const stored = await rows.sealed(key, row);
    const indexed = Array.from(indexers, async ([field, indexer]) => {
      const value = await blinded(row[field], indexer);
      return value === undefined ? [] : [[field, value] as const];
    });
    return { ...stored, ...Object.fromEntries((await Promise.all(indexed)).flat()) };
  };

  const openedRows = (
    keys: readonly unknown[],
    values: readonly (Fields | undefined)[],
  ): Promise<(Fields | undefined)[]> =>
    Promise.all(values.map(async (row, i) => row && rows.opened(keys[i], row)));

  /** A range of a blind index as a range of hashes. */
  const blindedQuery = <Q extends CoreQuery>(request: Q): PromiseLike<Q> | undefined => {
    const { index, range } = request.query;
    const indexer = indexers.get(String(index.keyPath));
    if (!indexer || index.isPrimaryKey) return undefined;
    if (range.type !== EQUAL) {
      const words = `${name}.${String(index.keyPath)} has a blind index: only equals can be asked for`;
      throw new TypeError(words);
    }
    return waitFor(async () => {
      const value = await blinded(range.lower, indexer);
      return { ...request, query: { index, range: { ...range, lower: value, upper: value } } };
    });
  };
  const withQuery = <Q extends CoreQuery, T>(
    request: Q,
    work: (request: Q) => PromiseLike<T>,
  ): PromiseLike<T> => {
    const waiting = blindedQuery(request);
    return waiting ? waiting.then(work) : work(request);
  };

  return {
    ...table,

    mutate(request) {
      const { type, values, keys } = request;
      if (type !== 'add' && type !== 'put') return table.mutate(request);
      const sealing = () =>
        Promise.all(values!.map((row, i) => sealedRow(row, keys ? keys[i] : keyOf(row))));
      return waitFor(sealing).then((stored) => table.mutate(withoutChanges(request, stored)));
    },

    get: (request) =>
      table.get(request).then((row) => row && waitFor(() => rows.opened(request.key, row))),

    getMany: (request) =>
      table.getMany(request).then((found) => waitFor(() => openedRows(request.keys, found))),

    query: (request) =>
      withQuery(request, (asked) => {
        const reading = table.query(asked);
        if (!asked.values) return reading;
        return reading.then((response) => opened(asked, response));
      }),

    count: (request) => withQuery(request, (asked) => table.count(asked)),

    openCursor: (request) =>
      withQuery(request, (asked) =>
        table.openCursor(asked).then((cursor) => {
          if (!cursor || !asked.values) return cursor;
          const { currentTransaction, dependencies } = dexie;
          return openedCursor(cursor, {
            reverse: asked.reverse === true,
            compare: (a, b) => dependencies.indexedDB.cmp(a, b),
            // Dexie does not know its transaction in later events of a cursor.
            open: (keys, values) =>
              waitFor(() => openedRows(keys, values as Fields[]), { currentTransaction }),
          });
        }),
      ),
  };

  function opened(
    request: CoreQuery,
    response: { readonly result: readonly unknown[] },
  ): PromiseLike<{ readonly result: readonly unknown[] }> {
    const result = response.result as readonly Fields[];
    const open = (keys: readonly unknown[]) =>
      waitFor(() => openedRows(keys, result)).then((values) => ({ ...response, result: values }));
    const keys = result.map(keyOf);
    // The keys are not in the rows.
    if (keys.includes(undefined)) {
      return table.query({ ...request, values: false }).then((other) => open(other.result));
    }
    return open(keys);
  }
}

/**
 * The request with sealed rows. Dexie adds what was changed, in the clear, for add-ons that send changes to servers.
 */
function withoutChanges(request: CoreMutation, values: readonly Fields[]): CoreMutation {
  const rest = membersOf(request, (name) => name !== 'changeSpec' && name !== 'updates');
  return { ...rest, values } as unknown as CoreMutation;
}

function checkField(table: string, field: string): void {
  if (field !== '' && !field.includes('.')) return;
  throw new TypeError(`${table}: ${field} is not the name of a top-level field`);
}

/** @throws TypeError where an index would have what is sealed, or nothing */
function checkIndexes(
  table: string,
  { primaryKey, indexes }: CoreTable['schema'],
  { sealed = [], blind = [] }: SealedTable,
): void {
  const names = new Set([...sealed, ...blind]);
  for (const { keyPath, isPrimaryKey } of [{ ...primaryKey, isPrimaryKey: true }, ...indexes]) {
    const parts = typeof keyPath === 'string' ? [keyPath] : [...(keyPath ?? [])];
    const field = parts.map((part) => part.split('.')[0]!).find((part) => names.has(part));
    if (field === undefined) continue;
    if (isPrimaryKey) throw new TypeError(`${table}: the primary key ${field} cannot be sealed`);
    if (keyPath === field && blind.includes(field)) continue;
    throw new TypeError(
      `${table}: the index ${parts.join('+')} would need ${field}, which is sealed; a field of its own can be blind`,
    );
  }
}
