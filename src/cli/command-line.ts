/* Parses the command line into a command. Pure: no file is read. The table of commands says what there is. */
import { parseArgs } from 'node:util';
import { fromHex, utf8 } from '../crypto/bytes.ts';
import {
  COMMAND_ROWS,
  GROUP_ACTIONS,
  OPTIONS,
  commandRow,
  isCommandName,
  optionForm,
  optionRow,
} from './commands.ts';
import type { CommandName, OptionName, SHELLS } from './commands.ts';
import type { EpochSource } from './groups/epoch-files.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { STANDARD, printableLine } from './input.ts';
import type { BackupSource, KeySource } from './key-source.ts';
import type { GroupArguments } from './groups/group-command.ts';
import type { KeygenArguments } from './keygen-command.ts';
import type { OpenArguments } from './open-command.ts';
import type { SealArguments } from './seal-command.ts';
import type { VerifyArguments } from './verify/verify-command.ts';
import type { VerifyProofArguments } from './verify/verify-proof-command.ts';

/** A parsed command line. */
export type Command =
  | { readonly name: 'help'; readonly of: CommandName | undefined }
  | { readonly name: 'version' }
  | { readonly name: 'man' }
  | { readonly name: 'completion'; readonly shell: (typeof SHELLS)[number] }
  | { readonly name: 'inspect'; readonly file: string; readonly json: boolean }
  | { readonly name: 'backup'; readonly source: BackupSource }
  | { readonly name: 'verify'; readonly parameters: VerifyArguments }
  | { readonly name: 'verify-proof'; readonly parameters: VerifyProofArguments }
  | { readonly name: 'group'; readonly parameters: GroupArguments }
  | { readonly name: 'keygen'; readonly parameters: KeygenArguments }
  | { readonly name: 'seal'; readonly parameters: SealArguments }
  | { readonly name: 'open'; readonly parameters: OpenArguments };

/** The given options: a text, a list of texts, or true. */
type Values = Partial<Record<OptionName, string | boolean | (string | boolean)[]>>;

/** What a command was given. */
interface Given {
  /** The operand; empty if the command was given no operand. */
  readonly operand: string;
  text(option: OptionName): string | undefined;
  texts(option: OptionName): readonly string[];
  has(option: OptionName): boolean;
}

/** @param words the arguments without node and script @throws CommandError with exit code 2 */
export function parseCommandLine(words: readonly string[]): Command {
  const { values, positionals } = parse(words);
  const [name, ...operands] = positionals;
  if (values.help === true) return { name: 'help', of: isCommandName(name) ? name : undefined };
  if (values.version === true) return { name: 'version' };
  if (!isCommandName(name)) {
    const unknown = name === undefined ? '' : `There is no command "${name}". `;
    const all = COMMAND_ROWS.map(([each]) => each);
    throw usage(`${unknown}Give a command: ${all.slice(0, -1).join(', ')} or ${all.at(-1)!}`);
  }
  checkGiven(name, values, operands);
  return READERS[name]({
    operand: operands[0] ?? '',
    text: (option) => values[option] as string | undefined,
    texts: (option) => (values[option] ?? []) as string[],
    has: (option) => values[option] === true,
  });
}

/** Refuses options that the command does not take, and another number of operands. */
function checkGiven(name: CommandName, values: Values, operands: readonly string[]): void {
  const { options, operand, operandIsOptional, choices } = commandRow(name);
  const other = (Object.keys(values) as OptionName[]).find((option) => !options.includes(option));
  if (other !== undefined) throw usage(`${name} has no option --${other}`);
  if (operand === undefined && operands.length > 0) throw usage(`${name} takes no file`);
  const isMissing = operands.length === 0 && operand !== undefined && !operandIsOptional;
  if (isMissing || operands.length > 1) {
    throw usage(`Give one ${operand!}${choices ? `: ${choices.join(', ')}` : ''}`);
  }
  if (choices && !choices.includes(operands[0]!)) {
    throw usage(`There is no ${operand!} "${operands[0]!}": give ${choices.join(', ')}`);
  }
  const inputs = [
    values['key-file'],
    values.backup,
    values['passphrase-file'],
    values.to,
    values.message,
    values.epochs,
    values.identity,
    values.add,
    values.remove,
    values['admin-key'],
    operands,
  ];
  if (inputs.flat().filter((input) => input === STANDARD).length > 1) {
    throw usage('Only one FILE can be standard input');
  }
}

const READERS: Readonly<Record<CommandName, (given: Given) => Command>> = {
  open: (given) => ({
    name: 'open',
    parameters: {
      file: given.operand,
      keySource: keySourceOf(given),
      shared: given.has('shared'),
      proof: given.text('proof'),
      ...epochsOf(given),
      ...boundOf(given),
      ...writtenOf(given),
    },
  }),
  seal: (given) => ({
    name: 'seal',
    parameters: {
      file: given.operand,
      ...sealedTo(given),
      ...epochsOf(given),
      purpose: purposeOf(given),
      pad: given.has('pad') ? true : undefined,
      armor: given.has('armor'),
      ...boundOf(given),
      ...writtenOf(given),
    },
  }),
  'verify-proof': (given) => ({
    name: 'verify-proof',
    parameters: {
      file: given.operand,
      message: given.text('message'),
      signer: given.text('signer'),
    },
  }),
  keygen: (given) => {
    const [named, admin] = [given.has('named'), given.has('admin')];
    if (named && admin) throw usage('Give --named or --admin, not both');
    return { name: 'keygen', parameters: { named, admin, ...writtenOf(given) } };
  },
  group: (given) => ({ name: 'group', parameters: groupOf(given) }),
  inspect: (given) => ({ name: 'inspect', file: given.operand, json: given.has('json') }),
  backup: (given) => {
    const passphraseFile = needed(given.text('passphrase-file'));
    return { name: 'backup', source: { backup: given.operand, passphraseFile } };
  },
  verify: (given) => ({
    name: 'verify',
    parameters: { path: given.operand, release: given.text('release') },
  }),
  completion: ({ operand }) => ({
    name: 'completion',
    shell: operand as (typeof SHELLS)[number],
  }),
  man: () => ({ name: 'man' }),
  help: ({ operand }) => {
    if (operand === '') return { name: 'help', of: undefined };
    if (isCommandName(operand)) return { name: 'help', of: operand };
    throw usage(`There is no command "${operand}"`);
  },
};

function keySourceOf(given: Given): KeySource {
  const [keyFile, backup] = [given.text('key-file'), given.text('backup')];
  const passphraseFile = given.text('passphrase-file');
  const identityFile = given.text('identity');
  if (identityFile !== undefined) {
    if ([keyFile, backup, passphraseFile].every((each) => each === undefined)) {
      return { identityFile };
    }
    throw usage('Give --identity alone, or another key, not both');
  }
  if (keyFile !== undefined && backup !== undefined) {
    throw usage('Give --key-file or --backup, not both');
  }
  if (backup !== undefined) return { backup, passphraseFile: needed(passphraseFile) };
  if (keyFile !== undefined && passphraseFile !== undefined) {
    throw usage('Give --key-file or --passphrase-file, not both');
  }
  if (keyFile !== undefined) return { keyFile };
  if (passphraseFile !== undefined) return { messagePassphraseFile: passphraseFile };
  throw usage(
    'Give the key with --key-file FILE, --backup FILE, --passphrase-file FILE or --identity FILE',
  );
}

function sealedTo(given: Given): Pick<SealArguments, 'to' | 'keyFile' | 'passphraseFile'> {
  const [to, keyFile] = [given.texts('to'), given.text('key-file')];
  const passphraseFile = given.text('passphrase-file');
  const hasKeys = to.length > 0 || keyFile !== undefined;
  if (hasKeys && passphraseFile !== undefined) {
    throw usage('A passphrase is the only recipient: give --passphrase-file alone');
  }
  if (hasKeys || passphraseFile !== undefined) return { to, keyFile, passphraseFile };
  throw usage('Give --to KEY, a key with --key-file FILE, or --passphrase-file FILE');
}

function epochsOf(given: Given): EpochSource {
  return { epochs: given.texts('epochs'), trust: given.texts('trust') };
}

/** What each action of `group` must be given, and takes, beside --out and --force. */
const GROUP_OPTIONS: Readonly<Record<GroupArguments['action'], Taken>> = {
  create: { needs: ['key-file', 'admin-key'], takes: ['name', 'add'] },
  change: {
    needs: ['epochs', 'admin-key'],
    takes: ['name', 'trust', 'add', 'remove', 'old-keys', 'key-file'],
  },
  show: { needs: ['epochs'], takes: ['trust'] },
};

interface Taken {
  readonly needs: readonly OptionName[];
  readonly takes: readonly OptionName[];
}

function groupOf(given: Given): GroupArguments {
  const action = GROUP_ACTIONS.find((each) => each === given.operand)!;
  const { needs, takes } = GROUP_OPTIONS[action];
  const isGiven = (option: OptionName) => given.has(option) || given.texts(option).length > 0;
  const missing = needs.find((option) => !isGiven(option));
  if (missing !== undefined) throw usage(`group ${action} needs ${optionForm(missing)}`);
  const known: readonly OptionName[] = [...needs, ...takes, 'out', 'force'];
  const other = commandRow('group').options.find(
    (option) => isGiven(option) && !known.includes(option),
  );
  if (other !== undefined) throw usage(`group ${action} has no option --${other}`);
  const oldKeys = given.has('old-keys');
  if (oldKeys && given.text('key-file') === undefined) {
    throw usage('--old-keys needs the identity of a member: give it with --key-file FILE');
  }
  return {
    action,
    name: given.text('name'),
    ...epochsOf(given),
    add: given.texts('add'),
    remove: given.texts('remove'),
    oldKeys,
    keyFile: given.text('key-file'),
    adminKey: given.text('admin-key'),
    ...writtenOf(given),
  };
}

function purposeOf(given: Given): SealArguments['purpose'] {
  const purpose = given.text('purpose') ?? 'stream';
  if (purpose === 'stream' || purpose === 'page' || purpose === 'field') return purpose;
  throw usage(`--purpose must be ${OPTIONS.purpose.choices.join(', ')}`);
}

function writtenOf(given: Given): { readonly out: string | undefined; readonly force: boolean } {
  const out = given.text('out');
  return { out: out === STANDARD ? undefined : out, force: given.has('force') };
}

function boundOf(given: Given): Pick<OpenArguments, 'origin' | 'associatedData'> {
  const associatedData = contextOf(given.text('context'), given.text('context-hex'));
  return { origin: serialised(given.text('origin')), associatedData };
}

/** The origin of a URL. */
function serialised(origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined;
  const site = URL.canParse(origin) ? new URL(origin).origin : 'null';
  if (site === 'null') throw usage('--origin must look like https://example.org');
  return site;
}

function needed(passphraseFile: string | undefined): string {
  if (passphraseFile !== undefined) return passphraseFile;
  throw usage("Give the backup's passphrase with --passphrase-file FILE");
}

function parse(words: readonly string[]): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(
    (Object.keys(OPTIONS) as OptionName[]).map((name) => {
      const { value, multiple = false, short } = optionRow(name);
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, multiple, ...(short !== undefined && { short }) }];
    }),
  );
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    // parseArgs throws TypeError with a sentence about the option, and for an unknown one another about "--".
    throw error instanceof TypeError ? usage(error.message.split('. ')[0]!) : error;
  }
}

function contextOf(text: string | undefined, hex: string | undefined): Uint8Array {
  if (text !== undefined && hex !== undefined) {
    throw usage('Give --context or --context-hex, not both');
  }
  if (hex === undefined) return utf8(text ?? '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw usage('--context-hex must be pairs of hex digits');
  return fromHex(hex);
}

function usage(words: string): CommandError {
  return new CommandError(
    EXIT.usage,
    `${printableLine(words)}\n"sealwright help" prints every command and option`,
  );
}
