import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { COMMAND_ROWS, EXIT_CODES, OPTIONS, SHELLS, optionForm } from '../../src/cli/commands.ts';
import type { CommandName, OptionName } from '../../src/cli/commands.ts';
import { completionScript } from '../../src/cli/completions.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { helpText, manPage } from '../../src/cli/manual.ts';
import { runIn } from './terminal.ts';

const NAMES = COMMAND_ROWS.map(([name]) => name);
const ALL = Object.keys(OPTIONS) as OptionName[];
const optionsIn = (text: string) => [
  ...new Set([...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, name]) => name!)),
];

describe('the table of commands', () => {
  it('has every option in a command, or for all of them', () => {
    const used = new Set([
      ...COMMAND_ROWS.flatMap(([, { options }]) => options),
      'help',
      'version',
    ]);
    expect([...used].sort()).to.deep.equal([...ALL].sort());
  });

  it('has the exit codes of the command', () => {
    expect(EXIT_CODES.map(([code]) => code)).to.deep.equal(Object.values(EXIT));
  });

  it('is what the parser takes: each option of each command, and none of the others', async () => {
    for (const [name, { options }] of COMMAND_ROWS) {
      for (const option of ALL.filter((each) => each !== 'help' && each !== 'version')) {
        const { value } = { value: undefined, ...OPTIONS[option] };
        const words = [name, `--${option}`, ...(value === undefined ? [] : ['no/such/x'])];
        const { complaint } = await runIn({}, ...words);
        const refused = complaint.includes(`has no option --${option}`);
        expect(refused, words.join(' ')).to.equal(!options.includes(option));
      }
    }
  });
});

describe('the help', () => {
  it('names every command and option, in lines that fit', async () => {
    const { code, printed } = await runIn({}, '--help');
    const text = printed.toString();
    expect(code).to.equal(0);
    expect(text).to.match(/^Usage:/);
    for (const name of NAMES) expect(text).to.match(new RegExp(`^  sealwright ${name}( |$)`, 'm'));
    expect(optionsIn(text)).to.have.members(ALL);
    for (const line of text.split('\n')) expect(line, line).to.have.length.at.most(100);
    expect((await runIn({}, 'help')).printed.toString()).to.equal(text);
  });

  it('of one command has its options and no others', async () => {
    for (const [name, { options }] of COMMAND_ROWS) {
      const text = helpText(name);
      for (const option of options) expect(text).to.contain(optionForm(option));
      expect((await runIn({}, name, '--help')).printed.toString()).to.equal(text);
      expect((await runIn({}, 'help', name)).printed.toString()).to.equal(text);
    }
  });
});

describe('docs/cli.md', () => {
  const page = readFileSync('docs/cli.md', 'utf8');

  it('has the help as it is printed', () => {
    expect(page).to.contain(`\`\`\`text\n${helpText()}\`\`\``);
  });
});

describe('the man page', () => {
  it('names every command and option, and groff has nothing to say about it', async () => {
    const { printed } = await runIn({}, 'man');
    const text = printed.toString();
    expect(text).to.equal(manPage('1.2.3'));
    const plain = text.replaceAll('\\-', '-');
    for (const name of NAMES) expect(plain).to.match(new RegExp(`^\\.SS ${name}$`, 'm'));
    expect(optionsIn(plain)).to.include.members(ALL);
    const groff = spawnSync('groff', ['-man', '-Tascii', '-ww'], { input: text, encoding: 'utf8' });
    // Where there is no groff, npm's readers have it.
    if (groff.error === undefined) expect(groff.stderr).to.equal('');
  });
});

describe('the completions', () => {
  for (const shell of SHELLS) {
    it(`of ${shell} have every command with its options`, async () => {
      const { printed } = await runIn({}, 'completion', shell);
      const script = printed.toString();
      expect(script).to.equal(completionScript(shell));
      for (const [name, { options }] of COMMAND_ROWS) {
        const own = script
          .split('\n')
          .filter((line) => new RegExp(`\\b${name}\\b`).test(line))
          .join('\n');
        for (const option of options) {
          expect(own, name).to.contain(shell === 'fish' ? `-l ${option}` : `--${option}`);
        }
      }
    });
  }

  function inBash(...words: string[]): string[] {
    const script = `${completionScript('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _sealwright; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['-c', script, 'bash', 'sealwright', ...words], {
      encoding: 'utf8',
    });
    return output.split('\n').filter((line) => line !== '');
  }

  it('of bash complete commands, options, values and files', () => {
    expect(inBash('')).to.deep.equal([...NAMES, '--help', '--version']);
    expect(inBash('in')).to.deep.equal(['inspect']);
    expect(inBash('inspect', '--')).to.deep.equal(['--json', '--help']);
    expect(inBash('seal', '--purpose', '')).to.deep.equal(OPTIONS.purpose.choices);
    expect(inBash('completion', '')).to.deep.equal(SHELLS);
    expect(inBash('help', 'k')).to.deep.equal(['keygen'] satisfies CommandName[]);
    expect(inBash('open', '--key-file', 'package.j')).to.deep.equal(['package.json']);
    expect(inBash('open', 'package.j')).to.deep.equal(['package.json']);
    expect(inBash('open', '--context', '')).to.deep.equal([]);
  });
});
