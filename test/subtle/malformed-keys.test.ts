import { expect } from 'chai';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import { subtleOperations } from '../../src/workshop/subtle.ts';
import { errorNameOf } from '../support/outcomes.ts';
import { loadWasm } from '../support/wasm.ts';
import { keyCases, PAIRS, titleOf, type KeyCase } from './malformed-keys.ts';

/*
 * Whatever the platform takes: a key is exactly as its standard writes it, or refused, under every engine, in the
 * workshop of the extension and, by test/browser/in-page, in both browsers.
 */
const registry = defaultRegistry({ loadWasm });
const auto = await createSubtle({ registry });

type Import = (given: KeyCase) => Promise<unknown>;

const { 'subtle.importKey': workshopImport } = subtleOperations(registry);
const WORKSHOP: Import = ({ algorithm, format, keyData, usages }) =>
  workshopImport(
    {
      secrets: { keys: [], seed: undefined },
      params: {
        format,
        algorithm,
        usages,
        extractable: true,
        keyData: keyData instanceof Uint8Array ? keyData : { jwk: keyData },
      },
    } as never,
    {} as never,
  );

const IMPORTS: [string, (algorithm: KeyCase['algorithm']) => boolean, Import][] = [
  ['the workshop', () => true, WORKSHOP],
];
for (const engine of ['auto', 'native', 'wasm-simd', 'js'] as const) {
  const subtle = await createSubtle({ engine, registry });
  IMPORTS.push([
    engine,
    (algorithm) => subtle.supports('importKey', algorithm),
    ({ algorithm, format, keyData, usages }) =>
      subtle.importKey(format, keyData, algorithm, true, usages),
  ]);
}

describe('keys that are not as their standard writes them', function () {
  this.timeout(60_000);

  for (const pair of PAIRS) {
    it(`are refused: ${titleOf(pair.algorithm)}`, async () => {
      const cases = await keyCases(auto, pair);
      expect(cases.filter(({ error }) => error === 'none')).to.have.length.at.least(2);
      expect(cases).to.have.length.at.least(15);
      for (const [title, isServed, importKey] of IMPORTS) {
        const lacks = isServed(pair.algorithm) ? [] : ['NotSupportedError'];
        const wrong: string[] = [];
        for (const given of cases) {
          const name = await errorNameOf(importKey(given));
          if (name !== given.error && !lacks.includes(name)) {
            wrong.push(`${given.title}: ${given.error} is right, not ${name}`);
          }
        }
        if (wrong.length > 0) expect.fail(`${title}: ${wrong.join('; ')}`);
      }
    });
  }
});
