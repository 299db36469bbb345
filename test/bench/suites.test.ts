import { expect } from 'chai';
import { usesOf } from '../../bench/figures.ts';
import type { Message } from '../../bench/order.ts';
import type { Row } from '../../bench/row.ts';
import { rowName } from '../../bench/row.ts';
import {
  buildForNode,
  makeModulesForNode,
  needsRelaxedFlag,
  RELAXED_FLAG,
  runInNode,
} from '../../bench/run-in-node.ts';
import { SUITES } from '../../bench/suites.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';

/** Cross-validates every contender and times it for an instant. */
const SMOKE = { rounds: 1, minimumMs: 0 };
/** Small enough for seconds, large enough that something of every kind is run. */
const LARGEST = 1 << 14;
/** A modulus of 1,024 bits; and hashes and their curves without 10,000 iterations of every PBKDF2, and without scrypt. */
const LARGEST_OF: Readonly<Record<string, number>> = IS_NIGHTLY
  ? { powers: 128 }
  : { powers: 128, hashes: 1 << 12, curves: 1 << 10 };

describe('bench', () => {
  // One set for all suites: to assemble them takes seconds.
  before(async function () {
    this.timeout(120_000);
    await makeModulesForNode();
  });

  for (const suite of SUITES) {
    const { name, rows: rowsModule } = suite;
    if (rowsModule === undefined) continue;
    describe(`suite ${name}`, function () {
      this.timeout(120_000);
      const flags = needsRelaxedFlag() ? [RELAXED_FLAG] : [];
      const messages: Message[] = [];
      const tell = (message: Message) => messages.push(message);

      before(() => buildForNode(name, rowsModule));
      beforeEach(() => messages.splice(0));

      it('runs at small sizes, and all contenders agree', async () => {
        const largest = LARGEST_OF[name] ?? LARGEST;
        await runInNode(name, { ...SMOKE, largest }, flags, tell);
        const rows = messages.map((message) => (message as { row: Row }).row);
        expect(rows).not.to.be.empty;
        for (const row of rows) expect(row.results, rowName(row)).to.have.length.greaterThan(1);
      });

      it('has the rows and contenders that its figures ask for', async () => {
        // Few figures ask for longer messages, and preparing those takes seconds.
        const largest = Math.min(suite.largest, 1 << 20);
        const figures = suite.figures.filter(({ uses }) =>
          uses.every(({ row }) => row.size <= largest),
        );
        expect(figures).not.to.be.empty;
        await runInNode(name, { ...SMOKE, largest, list: true }, flags, tell);
        const { listed } = messages[0] as { listed: Record<string, string[]> };
        for (const [row, names] of Object.entries(usesOf(figures))) {
          expect(listed, row).to.have.property(row);
          expect(listed[row], row).to.include.members(names);
        }
      });
    });
  }
});
