import { expect } from 'chai';
import { runInNewContext } from 'node:vm';
import { everyMeasurement } from '../../bench/quote.ts';
import type { CodeSize } from '../../bench/result.ts';
import {
  HARD_CODED,
  measureBuildSizes,
  measureColdTimes,
  tablesScripts,
} from '../../bench/works/builds.ts';
import { figureName, printedText, readWorks, worksText } from '../../bench/works/text.ts';
import { computeTables } from '../../src/crypto/aes/tables.ts';
import { measureOf } from '../../lab/beside.ts';
import { WORK_IDS } from '../../lab/printed/table.ts';
import { printedFigures } from '../../lab/printed/works.ts';

describe('bench: the builds of Table IV', () => {
  it('have the same tables, whatever is hard-coded', async () => {
    const scripts = await tablesScripts();
    const expected = computeTables();
    for (const [build, script] of Object.entries(scripts)) {
      const context = { made: undefined as unknown };
      runInNewContext(script, context);
      const made = context.made as readonly ArrayLike<number>[];
      for (const [i, table] of expected.entries()) {
        expect(Array.from(made[i]!), build).to.deep.equal(Array.from(table));
      }
    }
  });

  it('grow with what is hard-coded, and functions with what is unrolled', async () => {
    const { tables, unrolled } = await measureBuildSizes();
    const sizes = (all: readonly CodeSize[]) => all.map(({ minifiedBytes }) => minifiedBytes);
    const isGrowing = (list: readonly number[]) =>
      list.every((size, i) => i === 0 || size > list[i - 1]!);
    expect(tables.map(({ name }) => name)).to.deep.equal([...HARD_CODED]);
    expect(isGrowing(sizes(tables))).to.equal(true);
    for (const table of ['V', 'VI', 'CCM']) {
      const own = unrolled.filter(({ name }) => name.startsWith(`${table}: `));
      expect(own).to.have.length.above(1);
      expect(isGrowing(sizes(own)), table).to.equal(true);
    }
  });

  it('are evaluated in turns, and reported by their medians', async () => {
    const lengths: number[] = [];
    const cold = await measureColdTimes((script) => {
      lengths.push(script.length);
      return Promise.resolve(lengths.length);
    });
    expect(new Set(lengths.filter((_, i) => i % 3 === 0)).size).to.equal(1);
    expect(cold).to.deep.equal({ Nothing: 37, 'S-box only': 38, Everything: 39 });
  });
});

describe('bench: the five works on the page of the site', () => {
  const runs = readWorks();
  const figures = WORK_IDS.flatMap(printedFigures);
  const lines = worksText(runs).split('\n');

  it('are what the results say', () => {
    expect(runs.map(({ platform }) => platform.split(/[ /]/)[0])).to.include('Node');
    expect(everyMeasurement()).to.include(worksText(runs));
  });

  it('have a row for every figure that is printed, and each has ours or the reason why not', () => {
    expect(figures).to.have.lengthOf(263);
    // In the same order, because several tables have rows of one name.
    let at = -1;
    for (const figure of figures) {
      const begin = `| ${figureName(figure)} | ${printedText(figure)}`;
      at = lines.findIndex((line, i) => i > at && line.startsWith(begin));
      expect(at, begin).to.not.equal(-1);
      const [, , printed, ...own] = lines[at]!.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const hasReason = printed!.includes(';');
      const hasOurs = own.some((cell) => /\d/.test(cell));
      if (measureOf(figure) === undefined) expect(hasOurs, begin).to.equal(false);
      expect(hasReason || hasOurs, begin).to.equal(true);
    }
  });
});
