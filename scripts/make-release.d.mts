export interface ReleasedCommit {
  readonly commit: string;
  /** ISO 8601. */
  readonly date: string;
}

export function releaseProblems(folder: string, tag?: string): string[];
export function releaseFiles(about: ReleasedCommit): Promise<Map<string, Buffer>>;
export function buildRelease(out: string, about: ReleasedCommit): Promise<void>;
