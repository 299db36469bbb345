import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { php } from '../debian.ts';
import { PYTHON, PYTHON_MODULES } from '../install.ts';

/*
 * How a program of each language is called with many texts: each line of its input is a text as JSON, and so is each
 * line of its output.
 */

export type Language = 'javascript' | 'python' | 'perl' | 'ruby' | 'php';

/** What is run, and where. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Code of one language that converts the variable of the name "text". */
export interface Code {
  /** Statements before the first text; in PHP also where CONVERT_ALL stands for all texts. */
  readonly setup: string;
  /** An expression. */
  readonly convert: string;
}

/** @param folder what `install` has returned; @param data a folder for files of the run */
export function commandOf(language: Language, code: Code, folder: string, data: string): Command {
  const [program, args, env = {}] = COMMANDS[language](code, folder, data);
  return { program, args, cwd: folder, env: { ...process.env, ...env } };
}

type Started = readonly [program: string, args: readonly string[], env?: NodeJS.ProcessEnv];

const COMMANDS: Readonly<Record<Language, (code: Code, folder: string, data: string) => Started>> =
  {
    javascript: ({ setup, convert }) => {
      const source = `import { createInterface } from 'node:readline';
      ${setup}
      for await (const line of createInterface({ input: process.stdin })) {
        const text = JSON.parse(line);
        console.log(JSON.stringify(${convert}));
      }`;
      return [process.execPath, ['--input-type=module', '-e', source]];
    },
    python: ({ setup, convert }, folder) => {
      const loop = 'for line in sys.stdin:\n    text = json.loads(line)\n    print(json.dumps(';
      const source = `import json, sys\n${setup}\n${loop}${convert}))`;
      return [PYTHON, ['-c', source], { PYTHONPATH: join(folder, PYTHON_MODULES) }];
    },
    perl: ({ setup, convert }, folder) => {
      const source = `${setup}
      my $json = JSON::PP->new->allow_nonref->ascii;
      while (my $line = <STDIN>) {
        my $text = $json->decode($line);
        print $json->encode(${convert}), "\\n";
      }`;
      return ['perl', [`-I${join(folder, 'usr/share/perl5')}`, '-MJSON::PP', '-e', source]];
    },
    ruby: ({ setup, convert }, folder) => {
      const source = `require 'json'
      ${setup}
      STDIN.each_line do |line|
        text = JSON.parse(line)
        puts JSON.generate(${convert})
      end`;
      const [version = ''] = readdirSync(join(folder, 'usr/lib/ruby/gems'));
      const program = join(folder, `usr/bin/ruby${version.replace(/\.0$/, '')}`);
      return [program, ['-e', source], rubyFolders(folder, version)];
    },
    php: ({ setup, convert }, folder, data) => {
      const file = join(data, 'convert.php');
      const source = `<?php
      function convertAll(callable $convert): void {
        while (($line = fgets(STDIN)) !== false) {
          echo json_encode($convert(json_decode($line))), "\\n";
        }
      }
      ${setup.replace('CONVERT_ALL', () => `convertAll(fn ($text) => ${convert});`)}`;
      writeFileSync(file, source);
      const [program, options] = php(folder);
      const shown = ['-d', 'display_errors=stderr'];
      return [
        program,
        [...options, ...shown, file],
        { APPLICATION: folder, APPLICATION_DATA: data },
      ];
    },
  };

/** An unpacked Ruby of Debian looks for itself in /usr. */
function rubyFolders(folder: string, version: string): NodeJS.ProcessEnv {
  const common = join(folder, 'usr/lib');
  const machine = join(common, 'x86_64-linux-gnu');
  const libraries = [
    ...[common, machine].flatMap((lib) => [
      join(lib, `ruby/vendor_ruby/${version}`),
      join(lib, `ruby/${version}`),
    ]),
    join(common, 'ruby/vendor_ruby'),
  ];
  const gems = [
    join(folder, 'usr/share/rubygems-integration/all'),
    join(machine, `rubygems-integration/${version}`),
    join(common, `ruby/gems/${version}`),
  ];
  return {
    LD_LIBRARY_PATH: machine,
    RUBYLIB: libraries.join(':'),
    GEM_HOME: gems[0],
    GEM_PATH: gems.join(':'),
  };
}
