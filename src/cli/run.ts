/* One run of the `sealwright` command, from its arguments to an exit code. */
import { AuthenticationError } from '../crypto/errors.ts';
import { EnvelopeError } from '../format/errors.ts';
import { VaultError } from '../keys/values/errors.ts';
import { backupCommand } from './backup-command.ts';
import { parseCommandLine } from './command-line.ts';
import { completionScript } from './completions.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { groupCommand } from './groups/group-command.ts';
import { inspectCommand } from './inspect-command.ts';
import { nameOf, printable } from './input.ts';
import type { StandardInput } from './input.ts';
import { keygenCommand } from './keygen-command.ts';
import { helpText, manPage } from './manual.ts';
import type { Printer } from './message-target.ts';
import { openCommand } from './open-command.ts';
import { sealCommand } from './seal-command.ts';
import { verifyCommand } from './verify/verify-command.ts';
import { verifyProofCommand } from './verify/verify-proof-command.ts';

/** Standard input, standard output and standard error. */
export interface Terminal extends Printer {
  /** Of this package. */
  readonly version: string;
  readonly input: StandardInput;
  /** The list of the extension's files of this version (src/release/digest-list.ts). */
  ownList(): Promise<string>;
  /** Prints on standard error. */
  complain(words: string): Promise<void>;
}

/** Runs a command. @returns the exit code @throws unexpected errors */
export async function run(words: readonly string[], outside: Terminal): Promise<ExitCode> {
  // Whatever a message quotes: names of files, arguments, errors of the system.
  const complain = (text: string) => outside.complain(printable(text));
  const terminal = { ...outside, complain };
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
  const { input } = terminal;
  switch (command.name) {
    case 'help':
      return terminal.print(helpText(command.of));
    case 'version':
      return terminal.print(`sealwright ${terminal.version}\n`);
    case 'man':
      return terminal.print(manPage(terminal.version));
    case 'completion':
      return terminal.print(completionScript(command.shell));
    case 'inspect':
      return terminal.print(
        await about(command.file, inspectCommand(command.file, command.json, input)),
      );
    case 'backup':
      return terminal.print(await backupCommand(command.source, input));
    case 'verify':
      return verifyCommand(command.parameters, terminal);
    case 'verify-proof':
      return verifyProofCommand(command.parameters, terminal);
    case 'keygen':
      return keygenCommand(command.parameters, terminal);
    case 'group':
      return groupCommand(command.parameters, terminal);
    case 'seal':
      return about(command.parameters.file, sealCommand(command.parameters, terminal, input));
    case 'open':
      return about(
        command.parameters.file,
        openCommand(command.parameters, terminal, (line) => terminal.complain(line), input),
      );
  }
}

/** Says of which file the message is not readable. */
async function about<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    if (error.code === 'NEEDS_KEY') throw new CommandError(EXIT.notVerified, NOT_OF_EPOCH);
    throw new CommandError(EXIT.badInput, `${nameOf(file)}: ${error.message}`);
  }
}

function explain(error: unknown): { exitCode: ExitCode; message: string } {
  if (error instanceof CommandError) return error;
  if (error instanceof AuthenticationError) return { exitCode: EXIT.notVerified, message: FAILED };
  if (error instanceof VaultError) return ofBackup(error);
  if (error instanceof EnvelopeError) return { exitCode: EXIT.badInput, message: error.message };
  throw error;
}

/** The messages of the VaultErrors that opening a backup can throw. */
function ofBackup(error: VaultError): { exitCode: ExitCode; message: string } {
  const isWrong = error.code === 'WRONG_PASSPHRASE';
  if (!isWrong) return { exitCode: EXIT.badInput, message: `Not a backup: ${error.message}` };
  const message = 'Cannot open the backup: the passphrase is another one, or it was altered';
  return { exitCode: EXIT.notVerified, message };
}

const NOT_OF_EPOCH =
  'Cannot open: the message is for an epoch of a group that these keys and epochs do not open. Ask an admin of the group ' +
  'for its newest epochs, and give all of them with --epochs FILE';

const FAILED =
  'Cannot open: the key, the site or the context is another one, or the message was altered';
