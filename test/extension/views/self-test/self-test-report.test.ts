import { expect } from 'chai';
import {
  advance,
  callTable,
  IDLE,
  regressions,
  speedsOfRecord,
  speedTable,
  type SelfTestRun,
} from '../../../../extension/views/self-test/self-test-report.ts';
import type {
  CallResult,
  RunEvent,
  SpeedResult,
} from '../../../../extension/views/self-test/self-test-report.ts';

const speed = (engine: string, bytes: number, bytesPerSecond: number): SpeedResult => ({
  type: 'speed',
  engine,
  algorithm: 'AES-GCM',
  constantTime: 'platform',
  bytes,
  bytesPerSecond,
});
const started: SelfTestRun = { ...IDLE, state: 'running' };
const after = (...messages: RunEvent[]) => messages.reduce(advance, started);

describe('a run of the self-test', () => {
  it('collects answers and speeds in the order of the messages', () => {
    const answer = { type: 'answer', engine: 'js', algorithm: 'SHA-256', passed: true } as const;
    const run = after(answer, speed('js', 16, 1), speed('js', 1024, 2));
    expect(run.answers).to.deep.equal([answer]);
    expect(run.speeds.map(({ bytes }) => bytes)).to.deep.equal([16, 1024]);
  });

  it('has its progress as a fraction', () => {
    expect(after({ type: 'progress', done: 3, total: 12 }).progress).to.equal(0.25);
    expect(after({ type: 'progress', done: 0, total: 0 }).progress).to.equal(0);
  });

  it('is complete when finished, with thresholds', () => {
    const thresholds = [{ algorithm: 'AES-GCM', engine: 'native', fromBytes: 1024 }];
    const run = after({ type: 'finished', thresholds });
    expect(run).to.include({ state: 'finished', progress: 1, thresholds });
  });

  it('ignores messages once it has ended', () => {
    const failed = after({ type: 'failed' }, speed('js', 16, 1));
    expect(failed).to.include({ state: 'failed' });
    expect(failed.speeds).to.deep.equal([]);
    const cancelled: SelfTestRun = { ...started, state: 'cancelled' };
    expect(advance(cancelled, { type: 'finished', thresholds: [] })).to.equal(cancelled);
  });
});

describe('table of speeds', () => {
  it('has sizes in order, engines as they occur, and null where nothing was measured', () => {
    const speeds = [speed('native', 1024, 5), speed('native', 16, 1), speed('js', 16, 2)];
    expect(speedTable(speeds, 'AES-GCM')).to.deep.equal({
      algorithm: 'AES-GCM',
      engines: ['native', 'js'],
      rows: [
        { bytes: 16, speeds: [1, 2] },
        { bytes: 1024, speeds: [5, null] },
      ],
    });
  });

  it('excludes other algorithms', () => {
    expect(speedTable([speed('js', 16, 1)], 'SHA-256').rows).to.deep.equal([]);
  });
});

describe('table of calls', () => {
  const call = (operation: CallResult['operation'], name: string, engine: string): CallResult => ({
    ...({ type: 'call', operation, name, engine } as const),
    bytes: operation === 'derive' ? 0 : 65_536,
    seconds: name.length,
  });

  it('groups them by operation, with null where an engine was not measured', () => {
    const run = after(
      ...[call('decrypt', 'A', 'native'), call('decrypt', 'A', 'js'), call('decrypt', 'BB', 'js')],
      call('derive', 'CCC', 'js'),
    );
    expect(callTable(run.calls)).to.deep.equal({
      engines: ['native', 'js'],
      groups: [
        {
          operation: 'decrypt',
          bytes: 65_536,
          rows: [
            { name: 'A', times: [1, 1] },
            { name: 'BB', times: [null, 2] },
          ],
        },
        { operation: 'derive', bytes: 0, rows: [{ name: 'CCC', times: [null, 3] }] },
      ],
    });
  });

  it('is empty before the first call', () => {
    expect(callTable([])).to.deep.equal({ engines: [], groups: [] });
  });
});

describe('comparison with the last run', () => {
  const before = [speed('js', 16, 100), speed('js', 1024, 100)];

  it('reports speeds that dropped by more than a quarter, largest drop first', () => {
    const now = [speed('js', 16, 60), speed('js', 1024, 30)];
    expect(regressions(now, before).map(({ change }) => Math.round(change * 100))).to.deep.equal([
      -70, -40,
    ]);
  });

  it('ignores a drop of exactly a quarter, gains, and new measurements', () => {
    const now = [speed('js', 16, 75), speed('js', 1024, 300), speed('native', 16, 1)];
    expect(regressions(now, before)).to.deep.equal([]);
  });
});

describe('record of the last run', () => {
  it('returns its speeds', () => {
    const speeds = [speed('js', 16, 1)];
    expect(speedsOfRecord(JSON.parse(JSON.stringify({ time: 1, speeds })))).to.deep.equal(speeds);
  });

  for (const [name, stored] of [
    ['absent', undefined],
    ['null', null],
    ['a string', 'x'],
    ['without speeds', {}],
    ['with speeds that are not a list', { speeds: 3 }],
    ['with entries of another shape', { speeds: [null, 1, { engine: 'js' }] }],
  ] as const) {
    it(`has no speeds when it is ${name}`, () => {
      expect(speedsOfRecord(stored)).to.deep.equal([]);
    });
  }
});
