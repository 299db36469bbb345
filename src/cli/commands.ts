/*
 * The one table of commands and options. The parser, the help, the man page and the completions of the shells
 * are made from it, so that they cannot disagree.
 */

/** An option. */
export interface OptionRow {
  /** The placeholder of its value; absent for an option without one. */
  readonly value?: 'FILE' | 'HEX' | 'KEY' | 'NAME' | 'TEXT' | 'URL';
  /** The possible values, if they are few. */
  readonly choices?: readonly string[];
  /** Whether it may be given more than once. */
  readonly multiple?: true;
  readonly short?: string;
  readonly words: string;
}

/** All options, in the order of the help. */
export const OPTIONS = {
  'key-file': {
    value: 'FILE',
    words: 'a key file (JSON, "sealwright-key/1"): a named key or an identity',
  },
  backup: {
    value: 'FILE',
    words: 'a backup that holds the key: the message says which one it needs',
  },
  'passphrase-file': {
    value: 'FILE',
    words: "the passphrase of the backup, or of the message: the file's first line",
  },
  identity: {
    value: 'FILE',
    words: 'identities of age, "AGE-SECRET-KEY-…", one in each line: they open files of age',
  },
  to: {
    value: 'KEY',
    multiple: true,
    words:
      'a public key, "swp1.…", a group, "swg1.…", a recipient of age, "age1…", or a file with one in ' +
      'each line; may be given again',
  },
  epochs: {
    value: 'FILE',
    multiple: true,
    words: 'the group file of a group, or an epoch itself, "swge1.…"; may be given again',
  },
  trust: {
    value: 'KEY',
    multiple: true,
    words: 'the key of an admin, which you compared: its epochs need not begin with the first',
  },
  name: {
    value: 'TEXT',
    words: 'the name in the group file; absent: as before',
  },
  add: {
    value: 'KEY',
    multiple: true,
    words:
      'a new member: a public key and, for an admin, a space and the key of keygen --admin; or a file with one in ' +
      'each line',
  },
  remove: { value: 'KEY', multiple: true, words: 'a member to remove: the public key, or a file' },
  'admin-key': {
    value: 'FILE',
    words: 'your private key as an admin, of keygen --admin: Ed25519, PKCS #8 in PEM',
  },
  'old-keys': { words: 'let new members read what was sealed before, as --key-file can' },
  origin: { value: 'URL', words: 'the site that the message is bound to' },
  context: { value: 'TEXT', words: 'the context that it is bound to, as UTF-8 text' },
  'context-hex': { value: 'HEX', words: 'the same as bytes' },
  purpose: {
    value: 'NAME',
    choices: ['stream', 'page', 'field'],
    words:
      "what may open it: stream (default; a page's openStream and openBlob, the manager), page (a page's open), " +
      'field (the window for texts)',
  },
  pad: { words: 'hide the length of the message; default for the purpose field' },
  armor: { words: 'write text, "sw1.…", in place of bytes' },
  shared: { words: 'open a message to recipients, too: nothing tells who made it' },
  proof: {
    value: 'FILE',
    words: 'write the proof that its sender signed the message, to be given to others',
  },
  message: {
    value: 'FILE',
    words: 'the opened message, of which the proof is; not needed where the proof holds it',
  },
  signer: {
    value: 'KEY',
    words: 'the public key of the one who should have signed, "swp1.…"',
  },
  named: { words: 'make a named key, which both seals and opens, in place of an identity' },
  admin: { words: 'make the key with which an admin signs the epochs of groups' },
  json: { words: 'print JSON' },
  out: { value: 'FILE', words: 'where the result goes; "-" or absent: standard output' },
  release: {
    value: 'FILE',
    words: 'the list of a release, extension-files.sha256; absent: the list of this package',
  },
  force: { words: 'overwrite that file; print to a terminal what is not text' },
  help: { short: 'h', words: 'print the help of the command' },
  version: { words: 'print the version of this package' },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** The name of an option. */
export type OptionName = keyof typeof OPTIONS;

/** A command. */
export interface CommandRow {
  readonly words: string;
  /** What must be given, as the help shows it; the other options are optional. */
  readonly needs?: string;
  readonly options: readonly OptionName[];
  /** The one operand; absent if the command takes no operand. */
  readonly operand?: 'FILE' | 'PATH' | 'SHELL' | 'COMMAND' | 'ACTION';
  readonly operandIsOptional?: true;
  /** The possible operands, if they are few. */
  readonly choices?: readonly string[];
  /** Whole sentences for the help of the command and the man page. */
  readonly details: string;
}

/** The shells that `sealwright completion` writes for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What `sealwright group` does. */
export const GROUP_ACTIONS = ['create', 'change', 'show'] as const;

const BOUND = ['origin', 'context', 'context-hex'] as const;
const WRITTEN = ['out', 'force'] as const;

/** All commands, in the order of the help. */
export const COMMANDS = {
  open: {
    words: 'opens a sealed message, binary or armored ("sw1.…"), without the extension',
    needs: '(--key-file FILE | [--backup FILE] --passphrase-file FILE | --identity FILE)',
    options: [
      ...(['key-file', 'backup', 'passphrase-file', 'identity', 'epochs', 'trust'] as const),
      ...([...BOUND, 'shared', 'proof', ...WRITTEN] as const),
    ],
    operand: 'FILE',
    details:
      'The message is printed, or gets its name, after its last part has verified; a new file is readable by its owner ' +
      'alone. A message to a group needs its group file. A file of age is opened, too: with --identity, with the ' +
      'key file of an X-Wing identity, or with a passphrase. On a terminal, control characters are shown as U+FFFD, and ' +
      'what is not text is refused. Memory stays bounded for any size with --out.',
  },
  seal: {
    words: 'seals a file to public keys and groups, under a named key, or with a passphrase',
    needs: '(--to KEY … | --key-file FILE | --passphrase-file FILE)',
    options: [
      ...(['to', 'key-file', 'passphrase-file', 'epochs', 'trust', ...BOUND] as const),
      ...(['purpose', 'pad', 'armor', ...WRITTEN] as const),
    ],
    operand: 'FILE',
    details:
      'A message to public keys says nothing about who made it. With both --to and --key-file, the key of the file opens ' +
      'it too. To a group only its members seal: --key-file is then the identity of one, and --epochs has ' +
      'its group file. To recipients of age a file of age is made, without a site, a context, a purpose or padding. A passphrase is for people who have no key: who has the message can guess at it, so take six random words ' +
      'or more. Memory stays bounded for any size with the purpose stream; the others take up to 64 MiB.',
  },
  'verify-proof': {
    words: 'verifies a proof: that the owner of a key signed a message',
    options: ['message', 'signer'],
    operand: 'FILE',
    details:
      'The public key of the signer is printed: compare it with the one that you know from them, or give that with --signer. ' +
      'A proof says neither when the message was signed nor to whom it was sent. Exit code 0 says that the signature is ' +
      'valid, and of this message; 1 that it is not, or by another key.',
  },
  keygen: {
    words: "makes an identity, to which others seal, a named key, or a group admin's key",
    options: ['named', 'admin', ...WRITTEN],
    details:
      'The key file holds the secret half; with --out it is readable by its owner alone. The public half of an identity ' +
      'is printed, to be given to those who seal: on standard output, or on standard error where the key file is there.',
  },
  group: {
    words: 'makes a group, changes its members, or shows its epochs in words',
    options: [
      ...(['key-file', 'admin-key', 'epochs', 'trust', 'name'] as const),
      ...(['add', 'remove', 'old-keys'] as const),
      ...WRITTEN,
    ],
    operand: 'ACTION',
    choices: GROUP_ACTIONS,
    details:
      'create makes the first epoch, with the owner of --key-file and --admin-key as its admin. change makes the next one; ' +
      'without --add and --remove it joins what admins changed at the same time, or has a fresh key alone. Both write the ' +
      'group file: send it to all members. show checks all epochs and tells who signed them and whom they add and remove: by ' +
      'the fingerprints of public keys, and by the keys of admins. An epoch that no admin signed is refused, with all that came with it.',
  },
  inspect: {
    words: 'prints what the header of a sealed message says; needs no key',
    options: ['json'],
    operand: 'FILE',
    details: 'Nothing of it is verified: that takes the key.',
  },
  backup: {
    words: 'opens a backup of the key store and prints which keys it holds, without the keys',
    needs: '--passphrase-file FILE',
    options: ['passphrase-file'],
    operand: 'FILE',
    details: 'The header key ids are those that "sealwright inspect" prints.',
  },
  verify: {
    words: 'compares a copy of the extension, or of the page open.html, with the release',
    options: ['release'],
    operand: 'PATH',
    details:
      'PATH is the profile of a browser, an unpacked folder, a zip, xpi or CRX, or a copy of the page open.html, in which a public ' +
      'key may be written. In a profile, every extension counts that ' +
      'has the name, an id, the key, paths or code of Sealwright. Every file that differs is named. A package that programs ' +
      'could read differently is refused, with exit code 3. ' +
      'What stores and browsers add is known and is not a difference: signatures, the address for updates, the key of the ' +
      'publisher, and pictures and JSON that are written anew with the same content. Signatures are not verified: the browser ' +
      'does that. Exit code 0 says that the files are those of the release. Whose key a copy has they do not say: its id is ' +
      'printed, to be compared with that of the page of Sealwright in the store.',
  },
  completion: {
    words: 'prints a script that completes commands and options in a shell',
    options: [],
    operand: 'SHELL',
    choices: SHELLS,
    details:
      'For bash: source <(sealwright completion bash). For zsh: write it to a file _sealwright in a folder of $fpath. ' +
      'For fish: write it to ~/.config/fish/completions/sealwright.fish.',
  },
  man: {
    words: 'prints the manual page, for man -l',
    options: [],
    details: 'The package has it as a file too, which npm installs where it installs manual pages.',
  },
  help: {
    words: 'prints all commands and options, or those of one command',
    options: [],
    operand: 'COMMAND',
    operandIsOptional: true,
    details: 'The same as --help.',
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

/** The name of a command. */
export type CommandName = keyof typeof COMMANDS;

/** Whether this is a command. */
export function isCommandName(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

/** The row of a command, without its literal types. */
export function commandRow(name: CommandName): CommandRow {
  return COMMANDS[name];
}

/** The row of an option, without its literal types. */
export function optionRow(name: OptionName): OptionRow {
  return OPTIONS[name];
}

/** All commands with their rows. */
export const COMMAND_ROWS = Object.entries<CommandRow>(COMMANDS) as readonly (readonly [
  CommandName,
  CommandRow,
])[];

/** The option with the placeholder of its value: "--out FILE". */
export function optionForm(name: OptionName): string {
  const { value } = optionRow(name);
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** What the exit codes mean. */
export const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'cannot be opened: wrong key, site or context, or altered; not the release; no valid proof'],
  [2, 'wrong usage'],
  [3, 'not a sealed message, key file, public key, epoch, backup, proof or package'],
  [4, 'a file cannot be read or written'],
];

/** The parts of a command's synopsis after its name, each of which stays on one line. */
export function synopsisParts(name: CommandName): string[] {
  const { needs = '', options, operand, operandIsOptional } = commandRow(name);
  const others = options.filter((option) => !needs.includes(`--${option} `) && option !== needs);
  return [
    ...(needs === '' ? [] : [needs]),
    ...others.map((option) => `[${optionForm(option)}]`),
    ...(operand === undefined ? [] : [operandIsOptional ? `[${operand}]` : operand]),
  ];
}
