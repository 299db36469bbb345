/* The scripts that complete commands and options in bash, zsh and fish, from the table of commands. */
import { COMMAND_ROWS, optionRow } from './commands.ts';
import type { CommandRow, OptionName, SHELLS } from './commands.ts';

/** The script for a shell. */
export function completionScript(shell: (typeof SHELLS)[number]): string {
  return SCRIPTS[shell]();
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], () => string>> = { bash, zsh, fish };

const NAMES = COMMAND_ROWS.map(([name]) => name);
/** In every shell: after a command, its options and --help. */
const withHelp = ({ options }: CommandRow): readonly OptionName[] => [...options, 'help'];
const operandsOf = ({ operand, choices }: CommandRow): readonly string[] =>
  operand === 'COMMAND' ? NAMES : (choices ?? []);
const valuesOf = (option: OptionName): readonly string[] | 'files' | 'none' | 'any' => {
  const { value, choices } = optionRow(option);
  if (choices !== undefined) return choices;
  if (value === undefined) return 'none';
  return value === 'FILE' || value === 'KEY' ? 'files' : 'any';
};

const ALL_OPTIONS = [...new Set(COMMAND_ROWS.flatMap(([, row]) => withHelp(row)))];

function bash(): string {
  const values = ALL_OPTIONS.filter((option) => valuesOf(option) !== 'none').map((option) => {
    const possible = valuesOf(option);
    const list = typeof possible === 'string' ? '' : words(possible);
    const reply = possible === 'files' ? FILES : list === '' ? 'COMPREPLY=()' : list;
    return `    --${option}) ${reply}; return ;;`;
  });
  const commands = COMMAND_ROWS.map(([name, row]) => {
    const operands = operandsOf(row);
    const rest = operands.length > 0 ? words(operands) : row.operand ? FILES : 'COMPREPLY=()';
    const options = words(withHelp(row).map((option) => `--${option}`));
    return `    ${name}) if [[ $word == -* ]]; then ${options}; else ${rest}; fi ;;`;
  });
  return `# bash completion for sealwright: source <(sealwright completion bash)
_sealwright() {
  local IFS=$'\\n' word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  if (( COMP_CWORD == 1 )); then
    ${words([...NAMES, '--help', '--version'])}
    return
  fi
  case $previous in
${values.join('\n')}
  esac
  case \${COMP_WORDS[1]} in
${commands.join('\n')}
  esac
}
complete -o filenames -F _sealwright sealwright
`;
}

const FILES = 'COMPREPLY=($(compgen -f -- "$word"))';

function words(list: readonly string[]): string {
  return `COMPREPLY=($(compgen -W $'${list.join('\\n')}' -- "$word"))`;
}

function zsh(): string {
  const described = COMMAND_ROWS.map(([name, row]) => `    ${quoted(`${name}:${row.words}`)}`);
  const cases = COMMAND_ROWS.map(([name, row]) => {
    const operands = operandsOf(row);
    const rest = operands.length > 0 ? `:(${operands.join(' ')})` : ':_files';
    const specs = [
      ...withHelp(row).map(zshOption),
      ...(row.operand ? [quoted(`1:${row.operand}${rest}`)] : []),
    ];
    return `    ${name}) _arguments ${specs.join(' ')} ;;`;
  });
  return `#compdef sealwright
_sealwright() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
_sealwright "$@"
`;
}

function zshOption(option: OptionName): string {
  const { value, multiple, words: text } = optionRow(option);
  const possible = valuesOf(option);
  const action =
    typeof possible === 'string'
      ? possible === 'files'
        ? '_files'
        : ' '
      : `(${possible.join(' ')})`;
  const argument = value === undefined ? '' : `:${value}:${action}`;
  const escaped = text.replace(/[[\]:]/g, '\\$&');
  return quoted(`${multiple ? '*' : ''}--${option}[${escaped}]${argument}`);
}

function fish(): string {
  const commands = COMMAND_ROWS.map(
    ([name, row]) =>
      `complete -c sealwright -n __fish_use_subcommand -a ${name} -d ${quoted(row.words)}`,
  );
  const options = COMMAND_ROWS.flatMap(([name, row]) => {
    const when = `complete -c sealwright -n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
    const operands = operandsOf(row);
    return [
      ...withHelp(row).map((option) => `${when} -l ${option}${fishValue(option)}`),
      ...(operands.length > 0 ? [`${when} -a ${quoted(operands.join(' '))}`] : []),
      ...(row.operand === 'FILE' || row.operand === 'PATH' ? [`${when} -F`] : []),
    ];
  });
  return `# fish completion for sealwright\ncomplete -c sealwright -f\n${[...commands, ...options].join('\n')}\n`;
}

function fishValue(option: OptionName): string {
  const possible = valuesOf(option);
  const description = ` -d ${quoted(optionRow(option).words)}`;
  if (possible === 'none') return description;
  if (possible === 'files') return ` -r -F${description}`;
  return typeof possible === 'string'
    ? ` -x${description}`
    : ` -x -a ${quoted(possible.join(' '))}${description}`;
}

/** In single quotes, for all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
