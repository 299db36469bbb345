/* What the `sealwright` command ends with (docs/format.md section 12). */
export const EXIT = {
  ok: 0,
  /** Wrong key, origin or context, or altered bytes: never told apart. */
  cannotOpen: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The input is no sealed message, or the key file no key file. */
  badInput: 3,
  /** A file cannot be read or written. */
  file: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure with something to say to the person at the terminal. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
