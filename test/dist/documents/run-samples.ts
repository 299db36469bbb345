/*
 * Runs samples of the documents, each a module of its own over the built package, in a world that has what they do not
 * define themselves: the extension in memory, and an app's names. Arguments: a folder below the project, and the file
 * with the samples. Prints what went wrong, by sample.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createTestSealwright as Create } from '../../../extension/testing/testing.ts';

export interface Sample {
  readonly title: string;
  readonly code: string;
  /** Whether the code is TypeScript. */
  readonly isTyped: boolean;
  /** JavaScript that runs before it. Where it names `note` and nothing has to hold, the sample has to call that. */
  readonly given: string;
  /** An expression over the sample's names and `calls`, the arguments of each `note`, that has to become true. */
  readonly holds?: string;
}

const SAMPLE_MS = 10_000;
const STEP_MS = 50;

const within = (ms: number) => new Promise((done) => setTimeout(done, ms, 'over'));

async function runModule(name: string, code: string): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, code);
  await import(pathToFileURL(resolve(file)).href);
}

const [folder, list] = process.argv.slice(2) as [string, string];
const testing: string = 'sealwright/testing';
const { createTestSealwright } = (await import(testing)) as { createTestSealwright: typeof Create };
const app = globalThis as typeof globalThis & Record<string, unknown>;
const { fetch } = globalThis;
const wrong: Record<string, string> = {};

/** Until it is true, or gives up. */
async function becomesTrue(): Promise<boolean> {
  for (let left = SAMPLE_MS; left > 0; left -= STEP_MS) {
    if (await (app['sampleHolds'] as () => Promise<boolean>)()) return true;
    await new Promise((done) => setTimeout(done, STEP_MS));
  }
  return false;
}

for (const [at, { title, code, isTyped, given, holds }] of (
  JSON.parse(readFileSync(list, 'utf8')) as Sample[]
).entries()) {
  const extension = await createTestSealwright();
  let remove: (() => void) | undefined = extension.install();
  const uninstall = () => {
    remove?.();
    remove = undefined;
  };
  const calls: unknown[] = [];
  const note = (...values: unknown[]) => void calls.push(values);
  const { sealwright } = extension;
  Object.assign(app, { window: { sealwright }, fetch, note, calls, extension, uninstall });
  try {
    await runModule(`given-${at}.mjs`, given);
    const whole = holds === undefined ? code : `${code}\nglobalThis.sampleHolds = async () => (${holds});`;
    const name = `sample-${at}.${isTyped ? 'mts' : 'mjs'}`;
    const isOver = await Promise.race([runModule(name, whole), within(SAMPLE_MS)]);
    if (isOver === 'over') throw new Error('it does not end');
    // What the sample has begun without waiting.
    await new Promise((done) => setTimeout(done, STEP_MS));
    if (holds !== undefined && !(await becomesTrue())) throw new Error(`it does not hold: ${holds}`);
    if (holds === undefined && given.includes('note') && calls.length === 0) wrong[title] = 'it called nothing of the app';
  } catch (error) {
    wrong[title] = String(error);
  }
  Reflect.deleteProperty(crypto, 'subtle');
  uninstall();
  Reflect.deleteProperty(app, 'sealwright');
}
console.log(JSON.stringify(wrong));
process.exit(0);
