export interface ReleaseItem {
  readonly name: string;
  readonly needed: string;
  /** May be empty. */
  readonly command: string;
}

export function releaseItems(text?: string): ReleaseItem[];
export function checkedItems(): (ReleaseItem & {
  readonly ok: boolean | undefined;
  readonly note: string;
})[];
