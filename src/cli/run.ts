/* One run of the `sealwright` command, from its arguments to an exit code. */
import { AuthenticationError } from '../crypto/errors.ts';
import { EnvelopeError } from '../format/errors.ts';
import { VaultError } from '../keys/vault/errors.ts';
import { backupCommand } from './backup-command.ts';
import { USAGE, parseCommandLine } from './command-line.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { inspectCommand } from './inspect-command.ts';
import { codeOf } from './message-target.ts';
import type { Printer } from './message-target.ts';
import { openCommand } from './open-command.ts';

/** Output of the command: standard output and standard error. */
export interface Terminal extends Printer {
  /** Of this package. */
  readonly version: string;
  complain(words: string): Promise<void>;
}

/** Runs a command. @returns the exit code @throws unexpected errors */
export async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await execute(words, terminal);
    return EXIT.ok;
  } catch (error) {
    const { exitCode, message } = explain(error);
    await terminal.complain(`sealwright: ${message.trimEnd()}\n`);
    return exitCode;
  }
}

async function execute(words: readonly string[], terminal: Terminal): Promise<void> {
  const command = parseCommandLine(words);
  if (command.name === 'help') return terminal.print(USAGE);
  if (command.name === 'version') return terminal.print(`sealwright ${terminal.version}\n`);
  if (command.name === 'inspect') return terminal.print(await inspectCommand(command.file));
  if (command.name === 'backup') return terminal.print(await backupCommand(command.source));
  return openCommand(command.parameters, terminal);
}

function explain(error: unknown): { exitCode: ExitCode; message: string } {
  if (error instanceof CommandError) return error;
  if (error instanceof AuthenticationError) return { exitCode: EXIT.cannotOpen, message: FAILED };
  if (error instanceof VaultError) return ofBackup(error);
  if (error instanceof EnvelopeError) return { exitCode: EXIT.badInput, message: error.message };
  const isSystemError = error instanceof Error && 'syscall' in error && codeOf(error) !== '';
  if (isSystemError) return { exitCode: EXIT.file, message: error.message };
  throw error;
}

/** The messages of the VaultErrors that opening a backup can throw. */
function ofBackup(error: VaultError): { exitCode: ExitCode; message: string } {
  const isWrong = error.code === 'WRONG_PASSPHRASE';
  if (!isWrong) return { exitCode: EXIT.badInput, message: `Not a backup: ${error.message}` };
  const message = 'Cannot open the backup: the passphrase is another one, or it was altered';
  return { exitCode: EXIT.cannotOpen, message };
}

const FAILED =
  'Cannot open: the key, the site or the context is another one, or the message was altered';
