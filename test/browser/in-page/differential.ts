/* Random cases of `subtle` in a page, for test/browser/engines/differential.test.ts. */
import { fromJson, runCases, subtlesOf, type Run } from '../../cross/differential.ts';
import { loadWasm } from '../../support/wasm.ts';

const [subtles, keys] = await Promise.all([
  subtlesOf(loadWasm),
  fetch('keys.json').then(async (answer) => fromJson(await answer.text())),
]);

Object.assign(globalThis, { differential: (run: Run) => runCases(run, keys, subtles) });
