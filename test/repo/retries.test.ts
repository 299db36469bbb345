import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import Mocha from 'mocha';
import sinon from 'sinon';
import { malformed, unlisted } from '../../scripts/retries.mjs';
import list from '../browser/known-flaky.json' with { type: 'json' };

const entry = { test: 'fields open', reason: 'the browser loses a key', since: '2026-11-22' };

describe('A test that needs its second try', () => {
  it('fails the run', () => {
    expect(unlisted(['fields open'], [], [])).to.deep.equal(['fields open']);
  });

  it('is named once, in however many browsers and files it was repeated', () => {
    expect(unlisted(['a', 'a', 'b'], [], [])).to.deep.equal(['a', 'b']);
  });

  it('is accepted when the list has it with a reason and a date', () => {
    expect(unlisted(['fields open'], [], [entry])).to.deep.equal([]);
    expect(malformed([entry])).to.deep.equal([]);
  });

  it('is not counted twice when its second try failed too', () => {
    expect(unlisted(['fields open'], ['fields open'], [])).to.deep.equal([]);
  });

  it('needs a reason and a date in the list', () => {
    const [test, reason, since] = [entry.test, entry.reason, entry.since];
    for (const bad of [{ test }, { test, reason }, { test, since }, { ...entry, since: 'today' }]) {
      expect(malformed([bad])).to.have.length(1);
    }
  });

  it('finds every entry of the list complete', () => {
    expect(malformed(list)).to.deep.equal([]);
  });
});

describe('The line about a test that failed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-counts-'));
  after(() => rmSync(folder, { recursive: true }));

  /** What the report of a run says about a test. */
  async function whyOf(test: () => unknown): Promise<string> {
    const path = join(folder, 'counts');
    const mocha = new Mocha({ reporter: join(process.cwd(), 'test/support/count-reporter.cjs') });
    mocha.suite.addTest(new Mocha.Test('of a case', test as Mocha.Func));
    const outer = process.env['SEALWRIGHT_COUNTS'];
    process.env['SEALWRIGHT_COUNTS'] = path;
    const log = sinon.stub(Mocha.reporters.Base, 'consoleLog');
    try {
      await new Promise<void>((ended) => void mocha.run(() => ended()));
    } finally {
      log.restore();
      if (outer === undefined) delete process.env['SEALWRIGHT_COUNTS'];
      else process.env['SEALWRIGHT_COUNTS'] = outer;
    }
    const [line] = readFileSync(path, 'utf8').split('\n');
    rmSync(path);
    return (JSON.parse(line!) as { failures: { why: string }[] }).failures[0]!.why;
  }

  it('is the first of its message', async () => {
    expect(await whyOf(() => expect(1, 'one\nand more').to.equal(2))).to.equal('one');
  });

  it('has of a property the seed, the path and what was wrong', async () => {
    const least = fc.nat();
    const check = (value: number) => {
      expect(value, 'value').to.be.below(5);
    };
    const expected =
      /^Property failed after \d+ tests \{ seed: -?\d+, path: "[\d:]+", .*\}: AssertionError: value: expected 5 to be below 5$/;
    expect(await whyOf(() => fc.assert(fc.property(least, check)))).to.match(expected);
    const asynchronous = fc.asyncProperty(least, (value) => Promise.resolve(value).then(check));
    expect(await whyOf(() => fc.assert(asynchronous))).to.match(expected);
  });
});
