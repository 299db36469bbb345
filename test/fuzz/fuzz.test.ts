/*
 * The short run of every target: its seeds, its corpus, the inputs that once showed a defect, and some
 * thousand changes of them, from a seed that is printed. `npm run fuzz` searches longer, guided by
 * coverage.
 */
import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { corpusFile, foundFile, readInputs } from './corpus.ts';
import { Mutator } from './mutator.ts';
import { TARGETS } from './targets.ts';
import { bytesIn } from './target.ts';
import { signatureOf, tryInput } from './trial.ts';

const SEED = process.env['SEALWRIGHT_FUZZ_SEED'] ?? String(Date.now() % 1_000_000);
const SAMPLE = 2_500;
/** `npm test` has another seed each time, and needs fewer. */
const TIMES = IS_NIGHTLY ? 10 : 0.4;
const MAX_BYTES = 2048;

describe(`fuzzing, seed ${SEED}`, function () {
  // A busy machine; an input that never returns is what this is for.
  this.timeout(10 * 60_000);

  for (const target of TARGETS) {
    const { name, maxBytes = MAX_BYTES, sample = SAMPLE, words = [] } = target;

    async function tryAll(inputs: Iterable<Uint8Array>): Promise<void> {
      for (const input of inputs) {
        await tryInput(target, input, false).catch((error: unknown) => {
          const text = Buffer.from(input).toString('base64');
          throw new Error(`${name}, input ${text}: ${signatureOf(error)}`, { cause: error });
        });
      }
    }

    it(`${name}: inputs that once showed a defect`, () => tryAll(readInputs(foundFile(name))));

    it(`${name}: seeds, corpus, and changes of them`, async () => {
      const inputs = [...(await target.seeds()), ...readInputs(corpusFile(name))];
      await tryAll(inputs);
      const mutator = new Mutator(`${SEED} ${name}`, maxBytes, words.map(bytesIn));
      const any = () => inputs[mutator.index(inputs.length)]!;
      const count = TIMES * sample;
      for (let i = 0; i < count; i++) await tryAll([mutator.mutated(any(), any())]);
    });
  }

  it('has a table whose names and files exist', () => {
    const names = TARGETS.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    for (const { files } of TARGETS) {
      expect(files).not.to.be.empty;
      expect(files.filter((file) => !existsSync(file))).to.deep.equal([]);
    }
    for (const folder of ['test/fuzz/corpus', 'test/fuzz/found']) {
      const inputs = existsSync(folder) ? readdirSync(folder) : [];
      const unknown = inputs.filter((file) => !names.includes(file.replace(/\.txt$/, '')));
      expect(unknown, `${folder}: inputs without a target`).to.deep.equal([]);
    }
  });
});
