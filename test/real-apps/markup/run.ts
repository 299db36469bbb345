/**
 * `npm run markup [-- --texts N] [--only TEXT]…`: programs that make pages and mail of what people write, installed
 * from their registries into the user's cache. Each gets N sealed texts (10,000) in both forms among other words, and
 * what it makes of them is read as the extension reads a page. Writes bench/results/markup.json and the table of
 * docs/fields.md; with `--only`, the rows of the programs whose title has the text. Texts that were not found are in
 * artifacts/markup.json.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { findSealed, sealedIn } from '../../../extension/fields/find/find-sealed.ts';
import { armorCandidates } from '../../../src/format/wire/find-armor.ts';
import { install, versionOf } from '../install.ts';
import { isFoundOften, markupTable, withTable, type MarkupRow } from '../table.ts';
import { commandOf } from './languages.ts';
import { JSDOM, PROGRAMS, type Program } from './programs.ts';
import { FORMS, sealedTexts, surroundings, type Form } from './texts.ts';

const DOCUMENT = 'docs/fields.md';
const RESULTS = 'bench/results/markup.json';
const LOST = 'artifacts/markup.json';
/** Of each program and form, to look at. */
const LOST_MAX = 5;

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '10000' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const count = Number(values.texts);
const isChosen = ({ title }: Program) =>
  values.only.length === 0 ||
  values.only.some((text) => title.toLowerCase().includes(text.toLowerCase()));

interface Parser {
  fragment(html: string): DocumentFragment;
}
const { JSDOM: parser } = createRequire(join(install(JSDOM), 'package.json'))('jsdom') as {
  JSDOM: Parser;
};

interface Sent {
  readonly form: Form;
  readonly text: string;
  readonly input: string;
}
const lost: (Sent & { readonly program: string; readonly output: string })[] = [];

/** The same for each program: sealing them takes as long as reading what a program makes of them. */
const texts = await sealedTexts(count);

const rows: MarkupRow[] = [];
for (const program of PROGRAMS.filter(isChosen)) {
  const row = await tryProgram(program);
  rows.push(row);
  console.log(markupTable([row]).split('\n').at(-1));
  record(row);
}
const failed = PROGRAMS.filter(({ title, leastOfOld }) => {
  const row = rows.find(({ program }) => program === title);
  return row && !isFoundOften(row, leastOfOld);
});
console.log(`\n${rows.length} programs, ${failed.length} failed: ${RESULTS}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** After each program: all of them take an hour, and two runs may share them. */
function record(row: MarkupRow): void {
  const earlier = existsSync(RESULTS)
    ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as { rows: MarkupRow[] }).rows
    : [];
  const all = PROGRAMS.flatMap(
    ({ title }) => [...earlier, row].findLast(({ program }) => program === title) ?? [],
  );
  writeFileSync(RESULTS, `${JSON.stringify({ rows: all }, null, 2)}\n`);
  const table = markupTable(all);
  writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), 'markup', table));
  mkdirSync('artifacts', { recursive: true });
  writeFileSync(LOST, JSON.stringify(lost, null, 2));
}

async function tryProgram(program: Program): Promise<MarkupRow> {
  const folder = install(program.source);
  const [found, missing] = [
    { swt1: 0, sw1: 0 },
    { swt1: 0, sw1: 0 },
  ];
  const sent: Sent[] = [];
  for await (const output of outputsOf(program, folder, inputs(sent))) {
    const one = sent.shift()!;
    if (isFound(program, output, one.text)) found[one.form]++;
    else if (++missing[one.form] <= LOST_MAX) lost.push({ program: program.title, ...one, output });
  }
  const version = versionOf(program.source, folder, program.package);
  const date = new Date().toISOString().slice(0, 10);
  return { program: program.title, version, texts: count, found, date };
}

/** Each message in both forms, between the same words; notes them in their order. */
function* inputs(sent: Sent[]): Generator<string> {
  for (const message of texts) {
    const [before, after] = surroundings();
    for (const form of FORMS) {
      const text = message[form];
      const input = before + text + after;
      sent.push({ form, text, input });
      yield `${JSON.stringify(input)}\n`;
    }
  }
}

/** What the program makes of each. */
async function* outputsOf(
  program: Program,
  folder: string,
  lines: Iterable<string>,
): AsyncGenerator<string> {
  const data = mkdtempSync(join(tmpdir(), 'sealwright-markup-'));
  try {
    const prepared = program.prepare?.(folder, data) ?? {};
    const command = commandOf(program.language, program, folder, data);
    const { cwd } = command;
    const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
    const child = spawn(command.program, command.args, {
      cwd,
      stdio,
      env: { ...command.env, ...prepared },
    });
    // Where it fails, too few come out.
    const sending = pipeline(Readable.from(lines), child.stdin).catch(() => undefined);
    let outputs = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      yield JSON.parse(line) as string;
      outputs++;
    }
    await sending;
    if (outputs !== 2 * count) throw new Error(`${program.title} ended after ${outputs} texts`);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Whether the text is among those that would be tried to open. */
function isFound({ result }: Program, output: string, text: string): boolean {
  const isIt = (pieces: readonly string[]) =>
    armorCandidates(pieces).some((candidate) => candidate.text === text);
  if (result === 'mail') return sealedIn(output).some(isIt);
  const page = parser.fragment(`<div>${output}</div>`).firstElementChild!;
  return findSealed(page).found.some(({ pieces }) => isIt(pieces));
}
