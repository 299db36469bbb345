/**
 * Assigns the temporaries of a finished function body to as few locals as possible. A temporary is written
 * once (`Body.let`); after its last use its local is reused. Small bodies decode faster, and code of baseline
 * compilers, which clear every local at entry, starts faster.
 */
import type { ValueType } from './expression.ts';

/** A statement: text, or blocks of statements between a head and a tail. */
export interface Statement {
  readonly text: string;
  readonly blocks?: readonly (readonly Statement[])[];
  /** The temporary that this statement writes. */
  readonly defines?: Temporary;
}

/** A value that is used several times and may become a local variable. */
export interface Temporary {
  readonly name: string;
  readonly type: ValueType;
}

/** Local names by type, in the order of their declarations. */
export type Declared = Map<string, ValueType>;

const TEMPORARY = /\$t\d+\b/g;

/**
 * @param body statements in which temporaries are named $t0, $t1, …
 * @param declared receives the remaining locals
 * @returns new names by temporary
 */
export function assignLocals(body: readonly Statement[], declared: Declared): Map<string, string> {
  const names = new Map<string, string>();
  assignBlock(body, { free: new Map(), visible: new Set() }, names, declared);
  return names;
}

/** The state at the beginning of a block. */
interface Scope {
  /** Unused locals, by type. */
  readonly free: ReadonlyMap<ValueType, readonly string[]>;
  /** Temporaries that have a value. */
  readonly visible: ReadonlySet<string>;
}

/**
 * One block. Its definitions can be used in it only. A use within a nested block counts for the whole nested
 * statement, so that values that a loop reads survive all its iterations.
 */
function assignBlock(
  block: readonly Statement[],
  scope: Scope,
  names: Map<string, string>,
  declared: Declared,
): void {
  const pool = new Map([...scope.free].map(([type, list]) => [type, [...list]]));
  const visible = new Set(scope.visible);
  const lastUse = new Map<string, number>();
  block.forEach((statement, index) => {
    for (const name of usesOf(statement)) lastUse.set(name, index);
  });
  const live = new Map<string, ValueType>();
  block.forEach((statement, index) => {
    const own = statement.text.match(TEMPORARY) ?? [];
    const lost = own.find((name) => !visible.has(name) && name !== statement.defines?.name);
    if (lost !== undefined) throw new Error(`${lost} is used outside of its block`);
    const ends = [...live].filter(([name]) => (lastUse.get(name) ?? -1) <= index);
    // A nested block may write while it reads: values that it uses stay until its end.
    if (statement.blocks === undefined) release(ends, names, pool, live);
    for (const nested of statement.blocks ?? []) {
      assignBlock(nested, { free: pool, visible }, names, declared);
    }
    if (statement.blocks !== undefined) release(ends, names, pool, live);
    if (statement.defines !== undefined) {
      const { name, type } = statement.defines;
      names.set(name, take(type, pool, declared));
      visible.add(name);
      live.set(name, type);
    }
  });
}

function usesOf(statement: Statement): Set<string> {
  const uses = new Set(statement.text.match(TEMPORARY) ?? []);
  for (const block of statement.blocks ?? []) {
    for (const nested of block) for (const name of usesOf(nested)) uses.add(name);
  }
  return uses;
}

function release(
  ends: readonly [string, ValueType][],
  names: Map<string, string>,
  pool: Map<ValueType, string[]>,
  live: Map<string, ValueType>,
): void {
  for (const [name, type] of ends) {
    live.delete(name);
    const list = pool.get(type) ?? [];
    list.push(names.get(name)!);
    pool.set(type, list);
  }
}

function take(type: ValueType, pool: Map<ValueType, string[]>, declared: Declared): string {
  const known = pool.get(type)?.pop();
  if (known !== undefined) return known;
  const name = `$r${declared.size}`;
  declared.set(name, type);
  return name;
}
