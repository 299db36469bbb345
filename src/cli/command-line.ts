/* Parses the command line into a command. Pure: no file is read. */
import { parseArgs } from 'node:util';
import { fromHex, utf8 } from '../crypto/bytes.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { BackupSource, KeySource } from './key-source.ts';
import type { OpenArguments } from './open-command.ts';

/** The text of `sealwright help`. */
export const USAGE = `Usage:
  sealwright open (--key-file FILE | --backup FILE --passphrase-file FILE) [--origin https://…]
                  [--context TEXT | --context-hex HEX] [--shared] [--out FILE [--force]] FILE
  sealwright inspect FILE
  sealwright backup --passphrase-file FILE FILE

open      opens a sealed message, binary or armored ("sw1.…"), without the extension
inspect   prints what its header says; needs no key
backup    opens a backup of the key store and prints which keys it holds, without the keys

  --key-file FILE    the exported key (JSON, "sealwright-key/1"); never on the command line
  --backup FILE      a backup that holds the key: the message says which one it needs
  --passphrase-file FILE
                     the backup's passphrase: the file's first line
  --origin URL       the site that a bound message belongs to
  --context TEXT     the context it was sealed with, as UTF-8 text
  --context-hex HEX  the same as bytes
  --shared           open a message to recipients, too: nothing tells who made it
  --out FILE         where the message goes (default: standard output); readable by you alone
  --force            overwrite that file
  --version          prints the version of this package

Exit codes: 0 done, 1 cannot be opened (wrong key, site or context, or altered), 2 wrong usage,
3 not a sealed message, key file or backup, 4 a file cannot be read or written
`;

/** A parsed command line. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'inspect'; readonly file: string }
  | { readonly name: 'backup'; readonly source: BackupSource }
  | { readonly name: 'open'; readonly parameters: OpenArguments };

const OPTIONS = {
  'key-file': { type: 'string' },
  backup: { type: 'string' },
  'passphrase-file': { type: 'string' },
  origin: { type: 'string' },
  context: { type: 'string' },
  'context-hex': { type: 'string' },
  out: { type: 'string' },
  shared: { type: 'boolean' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** @param words the arguments without node and script @throws CommandError with exit code 2 */
export function parseCommandLine(words: readonly string[]): Command {
  const { values, positionals } = parse(words);
  const [name, file, ...more] = positionals;
  if (values.help || name === 'help') return { name: 'help' };
  if (values.version) return { name: 'version' };
  if (name !== 'open' && name !== 'inspect' && name !== 'backup') {
    const unknown = name === undefined ? '' : `There is no command "${name}". `;
    throw usage(`${unknown}Give a command: open, inspect or backup`);
  }
  if (file === undefined || more.length > 0) throw usage('Give one FILE');
  if (name === 'inspect') {
    if (Object.keys(values).length > 0) throw usage('inspect takes a FILE and nothing else');
    return { name, file };
  }
  if (name === 'backup') return { name, source: listedBackup(file, values) };
  const { origin, out, force = false, shared = false } = values;
  const associatedData = contextOf(values.context, values['context-hex']);
  const keySource = keySourceOf(values);
  return { name, parameters: { file, keySource, origin, associatedData, out, force, shared } };
}

type Values = ReturnType<typeof parse>['values'];

function keySourceOf(values: Values): KeySource {
  const { 'key-file': keyFile, backup, 'passphrase-file': passphraseFile } = values;
  if (keyFile !== undefined && backup !== undefined) {
    throw usage('Give --key-file or --backup, not both');
  }
  if (keyFile === undefined && backup === undefined) {
    throw usage('Give the key with --key-file FILE, or with --backup FILE');
  }
  if (keyFile === undefined) return { backup: backup!, passphraseFile: needed(passphraseFile) };
  if (passphraseFile !== undefined) throw usage('--passphrase-file belongs to --backup');
  return { keyFile };
}

function listedBackup(file: string, { 'passphrase-file': path, ...others }: Values): BackupSource {
  if (Object.keys(others).length > 0) throw usage('backup takes --passphrase-file and a FILE');
  return { backup: file, passphraseFile: needed(path) };
}

function needed(passphraseFile: string | undefined): string {
  if (passphraseFile !== undefined) return passphraseFile;
  throw usage("Give the backup's passphrase with --passphrase-file FILE");
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // parseArgs throws TypeError with a sentence about the option.
    throw error instanceof TypeError ? usage(error.message) : error;
  }
}

function contextOf(text: string | undefined, hex: string | undefined): Uint8Array {
  if (text !== undefined && hex !== undefined) throw usage('Give --context or --context-hex');
  if (hex === undefined) return utf8(text ?? '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw usage('--context-hex must be pairs of hex digits');
  return fromHex(hex);
}

function usage(words: string): CommandError {
  return new CommandError(
    EXIT.usage,
    `${words}\n"sealwright help" prints every command and option`,
  );
}
