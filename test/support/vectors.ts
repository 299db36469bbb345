/**
 * Published test vectors.
 *
 * Large sets are not in the repository. They are looked for in $SEALWRIGHT_VECTORS, then in
 * ../shared/vectors beside the checkout. Without them the tests are skipped with the reason in
 * their title, and fail where $CI is set, because there they ought to be present. Small sets
 * (RFCs, FIPS) are in test/vectors/ and always run.
 *
 *     describe('AES-CMAC', () => {
 *       describeVectors('mac_kdf/cavp_aes128_cmac_tests.txt', parseRsp, (vector) => {
 *         const key = hex(vector, 'key');
 *         …
 *       });
 *     });
 *
 * makes one test, "mac_kdf/cavp_aes128_cmac_tests.txt: 64 vectors", whose failure names the vector.
 *
 * Parsers: `parseRsp` for NIST .rsp and the texts in its manner (OCB, RFC, Botan), `parseFields`
 * for texts whose records hold blank lines, `parseWycheproof` for Wycheproof JSON, `parseSjcl` for
 * SJCL's. Field names come out in lower case; `hex` decodes a field.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { everyNth } from './nightly.ts';

export type Fields = Readonly<Record<string, string>>;

const CHECKOUT = new URL('../../', import.meta.url);

/** The folder of shared vectors, or undefined where there is none. */
export function vectorsFolder(): string | undefined {
  const folder =
    process.env['SEALWRIGHT_VECTORS'] ?? fileURLToPath(new URL('../shared/vectors', CHECKOUT));
  return existsSync(folder) ? folder : undefined;
}

/** The text of a file in the shared folder, or undefined where the folder is absent. */
export function readShared(file: string): string | undefined {
  const folder = vectorsFolder();
  return folder === undefined ? undefined : readFileSync(`${folder}/${file}`, 'utf8');
}

/** A JSON file of test/vectors/, which is part of the repository. */
export function readPublished(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`test/vectors/${file}`, CHECKOUT), 'utf8'));
}

/**
 * One test that checks every vector of a shared file.
 *
 * @param file path below the shared folder
 * @param parse turns the text into vectors
 * @param check throws, or rejects, if a vector does not hold
 * @param nth for vectors that cost much: `npm test` checks each nth, `npm run nightly` all
 */
export function describeVectors<T extends object>(
  file: string,
  parse: (text: string) => readonly T[],
  check: (vector: T) => unknown,
  nth = 1,
): void {
  const text = readShared(file);
  if (text === undefined) {
    reportAbsence(file);
    return;
  }
  const all = parse(text);
  const vectors = everyNth(nth, all);
  const count = vectors === all ? `${all.length}` : `${vectors.length} of ${all.length}`;
  it(`${file}: ${count} vectors`, async () => {
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
  const reason = 'no shared vectors: set SEALWRIGHT_VECTORS';
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

/** @returns the vectors of an SJCL JSON file whose vectors are objects */
export function parseSjcl(text: string): Fields[] {
  return (JSON.parse(text) as { vectors: Fields[] }).vectors;
}
