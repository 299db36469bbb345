/** The figures that the five published works print, and how each is named. */

/** The works, by their first author or company, in the order of their years. */
export const WORK_IDS = ['stark', 'lipmaa', 'yang', 'tarr', 'pomcor'] as const;
/** One of the five works. */
export type WorkId = (typeof WORK_IDS)[number];

/**
 * Why a figure cannot be measured again by us.
 *
 * - `internet-explorer`, `safari`, `phone`: we have no such browser or machine.
 * - `cited`: the work quotes it from others.
 * - `setting`: a choice of the work's method, not a result.
 * - `other-code`: a speed of libraries that are not part of this project, or a comparison with them.
 * - `build`: the size of code, or another build of the work's own code.
 */
export type Unmeasured =
  'internet-explorer' | 'safari' | 'phone' | 'cited' | 'setting' | 'other-code' | 'build';

/** A cell: a figure, a text, or null where the work prints nothing. */
export type Cell = string | number | null;

/** A table, or a list of what the text says (columns What, Value, Unit, Qualifier). */
export interface PrintedTable {
  /** As the work numbers it, or what it is about. */
  readonly table: string;
  readonly caption: string;
  /** How many columns, from the first on, only name the row. */
  readonly keys: number;
  /** Names, each with its unit; no unit for names and texts, and `in the row` for lists. */
  readonly columns: readonly (readonly [name: string, unit?: string])[];
  readonly rows: readonly (readonly Cell[])[];
  /** What cannot be measured: everything, or rows and columns by their names. A row has the last word. */
  readonly unmeasured?:
    Unmeasured | { readonly [E in 'rows' | 'columns']?: Readonly<Record<string, Unmeasured>> };
}

/** A work with all that it prints. */
export interface PrintedWork {
  readonly id: WorkId;
  /** Title and authors in the language of the work, and its year. */
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  /** The machines and browsers of its measurements. */
  readonly machine: string;
  readonly tables: readonly PrintedTable[];
}

/** One printed number. */
export interface PrintedFigure {
  readonly work: WorkId;
  readonly table: string;
  /** The names of the row, joined. */
  readonly row: string;
  readonly column: string;
  readonly value: number;
  readonly unit: string;
  /** "about", "more than"; absent for exact figures. */
  readonly qualifier?: string;
  readonly unmeasured?: Unmeasured;
}

/** The unit of a column whose rows have a unit each. */
export const IN_THE_ROW = 'in the row';

/** The columns of a list of what the text says. */
export const TEXT_COLUMNS: PrintedTable['columns'] = [
  ['What'],
  ['Value', IN_THE_ROW],
  ['Unit'],
  ['Qualifier'],
];

/** Every figure of a table, row by row. */
export function figuresOf(work: WorkId, printed: PrintedTable): PrintedFigure[] {
  const { table, keys, columns, rows } = printed;
  return rows.flatMap((cells) => {
    const row = nameOf(cells.slice(0, keys), columns);
    const named = (name: string) => cells[columns.findIndex(([column]) => column === name)];
    const qualifier = named('Qualifier');
    return columns.flatMap(([column, unit = ''], index): PrintedFigure[] => {
      const value = cells[index];
      if (index < keys || typeof value !== 'number') return [];
      const unmeasured = reasonOf(printed, String(cells[0]), column);
      return [
        {
          work,
          table,
          row,
          column,
          value,
          unit: unit === IN_THE_ROW ? String(named('Unit')) : unit,
          ...(typeof qualifier === 'string' && qualifier !== '' && { qualifier }),
          ...(unmeasured && { unmeasured }),
        },
      ];
    });
  });
}

/** Texts as they are, numbers with the names of their columns. */
function nameOf(cells: readonly Cell[], columns: PrintedTable['columns']): string {
  const names = cells.map((cell, i) =>
    typeof cell === 'number' ? `${columns[i]![0]} ${cell}` : cell,
  );
  return names.filter((name) => name !== null && name !== '').join(' · ');
}

function reasonOf({ unmeasured }: PrintedTable, row: string, column: string) {
  if (unmeasured === undefined || typeof unmeasured === 'string') return unmeasured;
  return unmeasured.rows?.[row] ?? unmeasured.columns?.[column];
}
