import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountOf } from '../../bench/lane/trace/account.ts';
import { accountLine, traceText } from '../../bench/lane/trace/account-text.ts';
import { marked } from '../../bench/lane/trace/instrument.ts';
import { record, type Recorder, type Trace } from '../../bench/lane/trace/recorder.ts';
import { buildScripts } from '../../bench/lane/trace/run-trace.ts';
import { PARTS, SPANS, STAGES } from '../../bench/lane/trace/spans.ts';

type World = typeof globalThis & { laneTrace?: Recorder };

describe('bench: the account of a call', () => {
  afterEach(() => {
    delete (globalThis as World).laneTrace;
  });

  it('marks functions, methods and nameless functions, and changes no result', async () => {
    const source = `
      export const plain = (n) => n + 1;
      export function twice(n) { return 2 * n; }
      export class Counter {
        #by = (n) => { return n; };
        async add(n) { await null; return this.#by(n); }
        all(list) { return list.map((n) => ({ n })); }
      }`;
    const named = {
      plain: 'a',
      twice: 'b',
      'Counter.#by': 'c',
      'Counter.add': 'd',
      'Counter.all.=>0': 'e',
    };
    const text = marked(source, 'counter.ts', named);
    record(false);
    const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      plain(n: number): number;
      twice(n: number): number;
      Counter: new () => { add(n: number): Promise<number>; all(list: number[]): object[] };
    };
    const counter = new module.Counter();
    expect([module.plain(1), module.twice(4)]).to.deep.equal([2, 8]);
    expect(await counter.add(3)).to.equal(3);
    expect(counter.all([5])).to.deep.equal([{ n: 5 }]);
    const { names, begins, ends } = (globalThis as World).laneTrace!.take();
    expect(names).to.deep.equal(['a', 'b', 'd', 'c', 'e']);
    expect(ends.every((end, i) => end >= begins[i]!)).to.equal(true);
    expect(ends[2], 'the end of an async function').to.be.at.least(ends[3]!);
  });

  it('refuses a name that no function has', () => {
    expect(() => marked('function f() {}', 'x.ts', { g: 'a' })).to.throw('x.ts has no function g');
  });

  for (const browser of ['chromium', 'firefox'] as const) {
    it(`finds all its functions in the scripts for ${browser}`, async function () {
      this.timeout(60_000);
      const folder = mkdtempSync(join(tmpdir(), 'sealwright-trace-test-'));
      try {
        await buildScripts(browser, folder);
        for (const [script, spans] of Object.entries(SPANS)) {
          const text = readFileSync(join(folder, `${script}.js`), 'utf8');
          for (const name of Object.values(spans).flatMap((named) => Object.values(named))) {
            expect(text, `${script}: ${name}`).to.include(`laneTrace.begin("${name}")`);
          }
        }
        const content = readFileSync(join(folder, 'content.js'), 'utf8');
        expect(content.includes('BulkChannel')).to.equal(browser === 'firefox');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  /** Calls of 10 ms, one every 20 ms, of which the last takes longer. */
  function exampleTrace(calls: number): Trace {
    const page = { names: [] as string[], begins: [] as number[], ends: [] as number[] };
    const content = structuredClone(page);
    const background = structuredClone(page);
    const add = (to: typeof page, name: string, begin: number, end: number): void => {
      to.names.push(name);
      to.begins.push(begin);
      to.ends.push(end);
    };
    const times: [number, number][] = [];
    for (let i = 0; i < calls; i++) {
      const at = 20 * i;
      times.push([at, at + (i === calls - 1 ? 19 : 10)]);
      add(page, 'copy', at + 1, at + 2);
      add(page, 'post', at + 2.5, at + 3);
      add(content, 'receive', at + 3.5, at + 4);
      add(content, 'ask', at + 4, at + 4.5);
      add(content, 'answered', at + 7, at + 7.5);
      add(content, 'post', at + 8, at + 8.5);
      add(page, 'receive', at + 9, at + 9.5);
      // Of another clock; and a ping, which is no request.
      add(background, 'answered', 1e6 + at, 1e6 + at + 2);
      add(background, 'method', 1e6 + at + 0.5, 1e6 + at + 1.5);
      add(background, 'answered', 1e6 + at + 3, 1e6 + at + 4);
    }
    add(content, 'receive', 1e9, Number.NaN); // not over when it was taken
    return { page, content, background, calls: times };
  }

  it('cuts a call into stages that add up to it, without the slowest calls', () => {
    const account = accountOf('seal', 1024, exampleTrace(8));
    expect(account.calls).to.equal(4);
    expect(account.totalUs).to.be.closeTo(10_000, 0.1);
    const total = account.stagesUs.reduce((sum, stage) => sum + stage, 0);
    expect(total).to.be.closeTo(account.totalUs, 0.1);
    const stage = (name: string) => account.stagesUs[STAGES.findIndex((one) => one.name === name)]!;
    expect(stage('page: copying the bytes')).to.be.closeTo(1_000, 0.1);
    expect(stage('way to the background and back, and its work')).to.be.closeTo(2_500, 0.1);
    expect(stage('content script: all chunks')).to.equal(0);
    const part = PARTS.findIndex(({ name }) => name === 'of the way: the background, in all');
    expect(account.partsUs[part]).to.be.closeTo(2_000, 0.1);
    expect(account.partsCounts[part]).to.equal(1);
  });

  it('is quoted as a table', () => {
    const account = accountOf('seal', 1024, exampleTrace(8));
    const where = { date: '2026-01-01', machine: 'M', platform: 'P', kind: 'chromium' } as const;
    const text = traceText([{ ...where, accounts: [account] }]);
    expect(text).to.include('| | seal, 1 KiB |').and.include('| **in all** | **10,000** |');
    expect(accountLine(account)).to.match(/^seal, 1 KiB +10,000 µs$/);
  });
});
