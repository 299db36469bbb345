import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { replaceBlock } from '../../bench/quote.ts';
import { figureName, printedText, readWorks, worksText } from '../../bench/works/text.ts';
import { measureOf } from '../../src/lab/beside.ts';
import { WORK_IDS } from '../../src/lab/printed/table.ts';
import { printedFigures } from '../../src/lab/printed/works.ts';

describe('bench: the five works in docs/benchmarks.md', () => {
  const document = readFileSync('docs/benchmarks.md', 'utf8');
  const runs = readWorks();
  const figures = WORK_IDS.flatMap(printedFigures);
  const lines = worksText(runs).split('\n');

  it('are what the results say', () => {
    expect(runs.map(({ platform }) => platform.split(/[ /]/)[0])).to.include('Node');
    expect(replaceBlock(document, 'works', worksText(runs)) === document).to.equal(true);
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
