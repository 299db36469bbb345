/*
 * Runs one file of the web-platform-tests in this process, over the library: `crypto.subtle`,
 * `CryptoKey` and `SubtleCrypto.supports` are replaced by its own. Writes the report as JSON.
 *
 *     node --import tsx test/browser/wpt/node-file.ts <folder of the tests> <file>
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import { createSubtle } from '../../../src/library/subtle.ts';
import { loadWasm } from '../../support/wasm.ts';
import { scriptsOf } from './pages.ts';
import type { Report } from './verdict.ts';

type Test = { readonly name: string; readonly status: number; readonly message: string | null };
type OnCompletion = (tests: Test[], status: { status: number; message: string | null }) => void;

const [wpt, file, target] = process.argv.slice(2) as [string, string, string];
const subtle = await createSubtle({ registry: defaultRegistry({ loadWasm }) });
const key = await subtle.importKey('raw', new Uint8Array(1), 'HKDF', false, ['deriveBits']);
const replaced = {
  self: globalThis,
  location: { search: '', href: 'https://wpt.invalid/' },
  GLOBAL: { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false },
  CryptoKey: key.constructor,
  SubtleCrypto: { supports: subtle.supports.bind(subtle) },
  crypto: { subtle, getRandomValues: crypto.getRandomValues.bind(crypto) },
};
for (const [name, value] of Object.entries(replaced)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

// Node 20 lacks this method of ECMAScript 2024, which some files call.
if (!('transfer' in ArrayBuffer.prototype)) {
  const transfer = function (this: ArrayBuffer) {
    return structuredClone(this, { transfer: [this] });
  };
  Object.defineProperty(ArrayBuffer.prototype, 'transfer', { value: transfer });
}

const run = (path: string) => {
  const filename = join(wpt, path);
  runInThisContext(readFileSync(filename, 'utf8'), { filename });
};
run('resources/testharness.js');
const harness = globalThis as unknown as {
  setup(options: object): void;
  add_completion_callback(done: OnCompletion): void;
};
harness.setup({ explicit_timeout: true, output: false });
harness.add_completion_callback((tests, { status, message }) => {
  const outcomes = tests.map((test) => [test.name, test.status, test.message] as const);
  const report: Report = { status, message, tests: outcomes };
  writeFileSync(target, JSON.stringify(report));
  process.exit();
});
for (const path of scriptsOf(file, readFileSync(join(wpt, file), 'utf8'))) run(path);
