/*
 * Runs samples of the documents, each a module of its own over the built package, in a world that has what they do not
 * define themselves: the extension in memory, and an app's names. Arguments: a folder below the project, and the file
 * with the samples. Prints what went wrong, by sample.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createTestSealwright as Create } from '../../extension/testing/testing.ts';

export interface Sample {
  readonly title: string;
  readonly code: string;
  /** JavaScript that runs before it. Where it names `note`, the sample has to call that. */
  readonly given: string;
}

const SAMPLE_MS = 10_000;

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
const wrong: Record<string, string> = {};

for (const [at, { title, code, given }] of (
  JSON.parse(readFileSync(list, 'utf8')) as Sample[]
).entries()) {
  const extension = await createTestSealwright();
  const remove = extension.install();
  const calls: unknown[] = [];
  const note = (...values: unknown[]) => void calls.push(values);
  Object.assign(app, { window: { sealwright: extension.sealwright }, note });
  try {
    await runModule(`given-${at}.mjs`, given);
    const isOver = await Promise.race([runModule(`sample-${at}.mjs`, code), within(SAMPLE_MS)]);
    if (isOver === 'over') throw new Error('it does not end');
    // What the sample has begun without waiting.
    await new Promise((done) => setTimeout(done, 50));
    if (given.includes('note') && calls.length === 0) wrong[title] = 'it called nothing of the app';
  } catch (error) {
    wrong[title] = String(error);
  }
  Reflect.deleteProperty(crypto, 'subtle');
  remove();
}
console.log(JSON.stringify(wrong));
process.exit(0);
