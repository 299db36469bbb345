/* The help and the man page, from the table of commands. */
import {
  COMMAND_ROWS,
  EXIT_CODES,
  OPTIONS,
  commandRow,
  optionForm,
  optionRow,
  synopsisParts,
} from './commands.ts';
import type { CommandName, OptionName } from './commands.ts';

const LINE = 96;
const INDENT = 22;

/** The help of all commands, or of one. */
export function helpText(name?: CommandName): string {
  return name === undefined ? wholeHelp() : helpOf(name);
}

function wholeHelp(): string {
  const commands = COMMAND_ROWS.map(([name, { words }]) => entry(name, words, 12));
  return `Usage:
${COMMAND_ROWS.map(([name]) => synopsis(name)).join('\n')}

${commands.join('\n')}

${(Object.keys(OPTIONS) as OptionName[]).map(optionEntry).join('\n')}

FILE may be "-" for standard input.
Exit codes: ${EXIT_CODES.map(([code, words]) => `${code} ${words}`).join(';\n  ')}
`;
}

function helpOf(name: CommandName): string {
  const { words, options, details } = commandRow(name);
  const parts = [
    `Usage:\n${synopsis(name)}`,
    wrapped(`${sentence(words)} ${details}`, LINE).join('\n'),
    ...(options.length === 0 ? [] : [options.map(optionEntry).join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sentence(words: string): string {
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}

function synopsis(name: CommandName): string {
  const start = `  sealwright ${name} `;
  const lines: string[] = [];
  let line = start;
  for (const part of synopsisParts(name)) {
    const isFull = line.trim() !== '' && line.length + part.length > LINE;
    if (isFull) lines.push(line.trimEnd());
    line = `${isFull ? ' '.repeat(start.length) : line}${part} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

function optionEntry(name: OptionName): string {
  const { short, words } = optionRow(name);
  const form = short === undefined ? optionForm(name) : `-${short}, ${optionForm(name)}`;
  return entry(`  ${form}`, words, INDENT);
}

/** A name and its words in two columns. */
function entry(name: string, words: string, indent: number): string {
  const lines = wrapped(words, LINE - indent);
  const fits = name.length + 2 <= indent;
  const column = lines.map((line, at) =>
    at === 0 && fits ? name.padEnd(indent) + line : ' '.repeat(indent) + line,
  );
  return [...(fits ? [] : [name]), ...column].join('\n');
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** The manual page, for `man`: the macros of man(7). */
export function manPage(version: string): string {
  const commands = COMMAND_ROWS.map(([name, { words, details, options }]) => {
    const rows = options.map(
      (option) => `.TP\n.B ${roff(optionForm(option))}\n${roff(optionRow(option).words)}`,
    );
    return [
      `.SS ${roff(name)}`,
      `.B sealwright ${roff(`${name} ${synopsisParts(name).join(' ')}`.trimEnd())}`,
      '.PP',
      roff(`${sentence(words)} ${details}`),
      ...rows,
    ].join('\n');
  });
  return `.TH SEALWRIGHT 1 "" "sealwright ${roff(version)}"
.SH NAME
sealwright \\- seal and open messages without the browser extension
.SH SYNOPSIS
.B sealwright
.I COMMAND
[options] [FILE]
.SH COMMANDS
${commands.join('\n')}
.SH OPTIONS OF ALL COMMANDS
.TP
.B \\-h, \\-\\-help
${roff(OPTIONS.help.words)}
.TP
.B \\-\\-version
${roff(OPTIONS.version.words)}
.SH FILES
FILE may be "\\-" for standard input. Keys and passphrases are read from files, because other users
can see the command line.
.SH EXIT STATUS
${EXIT_CODES.map(([code, words]) => `.TP\n.B ${code}\n${roff(words)}`).join('\n')}
`;
}

/** Text for roff: hyphens that can be copied, and no line that begins as a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1');
}
