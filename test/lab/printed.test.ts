import { expect } from 'chai';
import { WORK_IDS } from '../../lab/printed/table.ts';
import { printedFigure, printedFigures, WORKS } from '../../lab/printed/works.ts';

describe('the printed figures', () => {
  it('are 263, of five works', () => {
    const counts = WORK_IDS.map((id) => printedFigures(id).length);
    expect(counts).to.deep.equal([134, 24, 33, 7, 65]);
    expect(counts.reduce((sum, count) => sum + count)).to.equal(263);
  });

  it('have a place of their own each, and a unit', () => {
    const figures = WORK_IDS.flatMap(printedFigures);
    const places = figures.map(({ work, table, row, column }) =>
      [work, table, row, column].join('|'),
    );
    expect(new Set(places).size).to.equal(figures.length);
    expect(figures.filter(({ unit }) => unit === '')).to.deep.equal([]);
    expect(printedFigure('stark', 'III', 'Our code', 'Firefox 3.5b5')).to.deep.equal({
      work: 'stark',
      table: 'III',
      row: 'Our code',
      column: 'Firefox 3.5b5',
      value: 451.6,
      unit: 'kB/s',
    });
    expect(() => printedFigure('stark', 'III', 'Our code', 'Opera')).to.throw('prints no figure');
  });

  it('name rows and columns that exist where they say what cannot be measured', () => {
    for (const { tables } of Object.values(WORKS)) {
      for (const { table, columns, rows, unmeasured } of tables) {
        if (unmeasured === undefined || typeof unmeasured === 'string') continue;
        const firsts = rows.map(([first]) => String(first));
        expect(firsts, table).to.include.members(Object.keys(unmeasured.rows ?? {}));
        const names = columns.map(([name]) => name);
        expect(names, table).to.include.members(Object.keys(unmeasured.columns ?? {}));
      }
    }
  });

  it('say that Internet Explorer, Safari and phones cannot be measured', () => {
    const figures = WORK_IDS.flatMap(printedFigures);
    const count = (reason: string) => figures.filter((it) => it.unmeasured === reason).length;
    const { length: phones } = figures.filter(
      ({ work, table, row }) =>
        work === 'pomcor' && (/^[34]$/.test(table) || row.startsWith('Phone')),
    );
    expect(count('phone')).to.equal(phones).and.equal(23);
    for (const [browser, reason] of [
      ['IE 8b', 'internet-explorer'],
      ['Safari 4', 'safari'],
    ]) {
      const own = figures.filter(({ column }) => column.startsWith(browser!));
      expect(own).to.have.lengthOf(own.filter(({ unmeasured }) => unmeasured).length);
      expect(own.some(({ unmeasured }) => unmeasured === reason)).to.equal(true);
    }
  });
});
