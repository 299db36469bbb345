/* From the words of the command line to a command. Pure: no file is touched. */
import { parseArgs } from 'node:util';
import { fromHex, utf8 } from '../crypto/bytes.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { OpenArguments } from './open-command.ts';

export const USAGE = `Usage:
  sealwright open --key-file FILE [--origin https://…] [--context TEXT | --context-hex HEX]
                  [--out FILE [--force]] FILE
  sealwright inspect FILE

open      opens a sealed message, binary or armored ("sw1.…"), without the extension
inspect   prints what its header says; needs no key

  --key-file FILE    the exported key (JSON, "sealwright-key/1"); never on the command line
  --origin URL       the site that a bound message belongs to
  --context TEXT     the context it was sealed with, as UTF-8 text
  --context-hex HEX  the same as bytes
  --out FILE         where the message goes (default: standard output); readable by you alone
  --force            overwrite that file

Exit codes: 0 done, 1 cannot be opened (wrong key, site or context, or altered), 2 wrong usage,
3 not a sealed message or not a key file, 4 a file cannot be read or written
`;

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'inspect'; readonly file: string }
  | { readonly name: 'open'; readonly parameters: OpenArguments };

const OPTIONS = {
  'key-file': { type: 'string' },
  origin: { type: 'string' },
  context: { type: 'string' },
  'context-hex': { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws CommandError with exit code 2 */
export function parseCommandLine(words: readonly string[]): Command {
  const { values, positionals } = parse(words);
  const [name, file, ...more] = positionals;
  if (values.help || name === 'help') return { name: 'help' };
  if (name !== 'open' && name !== 'inspect') throw usage('Give a command: open or inspect');
  if (file === undefined || more.length > 0) throw usage('Give one FILE');
  if (name === 'inspect') {
    if (Object.keys(values).length > 0) throw usage('inspect takes a FILE and nothing else');
    return { name, file };
  }
  const keyFile = values['key-file'];
  if (keyFile === undefined) throw usage('Give the key with --key-file FILE');
  const { origin, out, force = false } = values;
  const associatedData = contextOf(values.context, values['context-hex']);
  return { name, parameters: { file, keyFile, origin, associatedData, out, force } };
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
  return new CommandError(EXIT.usage, `${words}\n\n${USAGE}`);
}
