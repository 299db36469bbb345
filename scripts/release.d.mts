export interface ReleaseItem {
  readonly name: string;
  readonly needed: string;
  /** May be empty. */
  readonly command: string;
}

/** An attack or a fault in docs/threats.md. */
export interface AttackRow {
  readonly id: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
  readonly isLeftOut: boolean;
}

/** Parts of the titles of nightly parts, by the items that ask for their outcome. */
export const NIGHTLY_NAMES: Readonly<Record<string, string>>;
export function attackRows(page?: string): AttackRow[];
/** @param counts how many rows there are of each letter */
export function attackProblems(page?: string, counts?: ReadonlyMap<string, number>): string[];
export function hasChangelogHead(version: string, text: string): boolean;
export function releaseItems(text?: string): ReleaseItem[];
export function checkedItems(): (ReleaseItem & {
  readonly ok: boolean | undefined;
  readonly note: string;
})[];
/** Fields of package.json whose address is still to be set. */
export function placeholders(manifest?: object): readonly string[];
