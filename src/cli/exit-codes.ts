/** The exit codes of the `sealwright` command (docs/format.md section 12). */
export const EXIT = {
  ok: 0,
  /**
   * Wrong key, origin or context, or altered bytes: the code is the same for all of them. Also: a copy of the extension
   * is not the release.
   */
  notVerified: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The input is not a sealed message, a key file or a backup. */
  badInput: 3,
  /** A file cannot be read or written. */
  file: 4,
} as const;

/** One of the values of EXIT. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure. Its message is printed for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The code of a system error, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
