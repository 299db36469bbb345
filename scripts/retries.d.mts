export interface KnownFlaky {
  /** As mocha prints it: the titles of its suites and its own, with spaces between. */
  readonly test: string;
  readonly reason?: string;
  /** YYYY-MM-DD */
  readonly since?: string;
}

export function malformed(list: readonly KnownFlaky[]): string[];
export function unlisted(
  repeated: readonly string[],
  failed: readonly string[],
  list: readonly KnownFlaky[],
): string[];
