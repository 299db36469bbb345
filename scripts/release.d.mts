export interface ReleaseItem {
  readonly name: string;
  readonly needed: string;
  /** May be empty. */
  readonly command: string;
}

/** An attack or a fault in SECURITY.md. */
export interface AttackRow {
  readonly id: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly isLeftOut: boolean;
}

export function attackRows(page?: string): AttackRow[];
export function attackProblems(page?: string): string[];
export function hasChangelogHead(version: string, text: string): boolean;
export function releaseItems(text?: string): ReleaseItem[];
export function checkedItems(): (ReleaseItem & {
  readonly ok: boolean | undefined;
  readonly note: string;
})[];
