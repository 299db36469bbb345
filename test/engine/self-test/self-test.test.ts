import { expect } from 'chai';
import { absentEngine } from '../../../src/engine/default-engines.ts';
import type { Algorithms, EngineName } from '../../../src/engine/contract.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { CALLS } from '../../../src/engine/self-test/calls.ts';
import { selfTest } from '../../../src/engine/self-test/self-test.ts';
import type { SelfTestEvent, SelfTestOptions } from '../../../src/engine/self-test/self-test.ts';
import { fakeEngine, jsAlgorithms } from '../fake-engine.ts';

const js = jsAlgorithms();

/** A clock that advances by a millisecond at every reading. */
function ticking(): () => number {
  let now = 0;
  return () => (now += 1);
}

function registryOf(...engines: [EngineName, Algorithms][]): Registry {
  return new Registry(engines.map(([name, algorithms]) => fakeEngine(name, algorithms)));
}

async function collect(options: SelfTestOptions): Promise<SelfTestEvent[]> {
  const events: SelfTestEvent[] = [];
  for await (const event of selfTest(options)) events.push(event);
  return events;
}

function only<T extends SelfTestEvent['type']>(events: readonly SelfTestEvent[], type: T) {
  return events.filter(
    (event): event is Extract<SelfTestEvent, { type: T }> => event.type === type,
  );
}

describe('the self-test', () => {
  const options: SelfTestOptions = {
    registry: registryOf(['native', { 'SHA-256': js['SHA-256']! }], ['js', js]),
    algorithms: ['SHA-256', 'AES-GCM'],
    sizes: [16, 64],
    calls: [],
    rounds: 3,
    minimumMs: 1,
    now: ticking(),
  };

  it('runs every known answer first, then times each algorithm, size and engine', async () => {
    const events = await collect(options);
    const answers = only(events, 'answer');
    expect(answers.length).to.equal(1 + Object.keys(js).length);
    expect(answers.every(({ passed }) => passed)).to.equal(true);
    const speeds = only(events, 'speed');
    const rows = speeds.map(({ algorithm, bytes, engine }) => `${algorithm} ${bytes} ${engine}`);
    expect(rows).to.deep.equal([
      ...['SHA-256 16 native', 'SHA-256 16 js', 'SHA-256 64 native', 'SHA-256 64 js'],
      ...['AES-GCM 16 js', 'AES-GCM 64 js'],
    ]);
    // One call per timing, one millisecond on this clock
    expect(speeds[0]!.bytesPerSecond).to.equal(16_000);
    expect(events.indexOf(speeds[0]!)).to.be.greaterThan(events.lastIndexOf(answers.at(-1)!));
  });

  it('reports absent engines with the reason first', async () => {
    const registry = new Registry([fakeEngine('js', js), absentEngine('webgl', 'no such thing')]);
    const events = await collect({ ...options, registry });
    expect(events[0]).to.deep.equal({ type: 'absent', engine: 'webgl', reason: 'no such thing' });
    expect(only(events, 'absent')).to.have.length(1);
  });

  it('reports progress up to the end', async () => {
    const progress = only(await collect(options), 'progress');
    const total = 1 + Object.keys(js).length + 4;
    expect(progress.map(({ done }) => done)).to.deep.equal(
      Array.from({ length: total }, (_, i) => i + 1),
    );
    expect(progress.every((event) => event.total === total)).to.equal(true);
  });

  it('ends with a result that survives JSON', async () => {
    const events = await collect(options);
    const last = events.at(-1)!;
    expect(last.type).to.equal('result');
    expect(JSON.parse(JSON.stringify(last))).to.deep.equal(last);
    const [{ result }] = only(events, 'result') as [Extract<SelfTestEvent, { type: 'result' }>];
    expect(result.answers).to.deep.equal(only(events, 'answer'));
    expect(result.speeds).to.deep.equal(only(events, 'speed'));
  });

  it('does not time an engine whose known answers are wrong', async () => {
    const faulty: Algorithms = { 'SHA-256': js['SHA-512'] as Algorithms['SHA-256'] & object };
    const registry = registryOf(['native', faulty], ['js', { 'SHA-256': js['SHA-256']! }]);
    const events = await collect({ ...options, registry, algorithms: ['SHA-256'] });
    const [wrong] = only(events, 'answer');
    expect(wrong).to.include({ engine: 'native', passed: false });
    expect(wrong!.reason).to.contain('wrong digest');
    expect(only(events, 'speed').map(({ engine }) => engine)).to.deep.equal(['js', 'js']);
  });

  it('does not time an engine that disagrees with another beyond the known answers', async () => {
    const digest = (data: Uint8Array) => js[data.length === 64 ? 'SHA-1' : 'SHA-256']!.digest(data);
    const odd: Algorithms = { 'SHA-256': { ...js['SHA-256']!, digest } };
    const registry = registryOf(['native', { 'SHA-256': js['SHA-256']! }], ['js', odd]);
    const events = await collect({ ...options, registry, algorithms: ['SHA-256'] });
    const failed = only(events, 'answer').filter(({ passed }) => !passed);
    expect(failed.map(({ engine, reason }) => `${engine} ${reason}`)).to.deep.equal([
      'js disagrees with native at 64 bytes',
    ]);
    expect(only(events, 'speed').length).to.equal(3);
  });

  it('times calls of a fixed size after all speeds, and counts them in its progress', async () => {
    const calls = CALLS.filter(({ algorithm }) => algorithm === 'AES-GCM');
    const events = await collect({ ...options, calls });
    const times = only(events, 'call');
    expect(
      times.map(({ engine, operation, name }) => `${engine} ${operation} ${name}`),
    ).to.deep.equal(['js decrypt AES-128-GCM', 'js encrypt AES-256-GCM']);
    expect(times.every(({ seconds }) => seconds > 0 && Number.isFinite(seconds))).to.equal(true);
    expect(events.indexOf(times[0]!)).to.be.greaterThan(
      events.lastIndexOf(only(events, 'speed').at(-1)!),
    );
    const total = only(events, 'answer').length + 4 + calls.length;
    expect(only(events, 'progress').at(-1)).to.deep.include({ done: total, total });
    expect(only(events, 'result')[0]!.result.calls).to.deep.equal(times);
  });

  it('does not time a call in an engine that disagrees with another', async () => {
    const PBKDF2 = { ...js.PBKDF2!, derive: () => new Uint8Array(32) };
    const registry = registryOf(['native', { PBKDF2: js.PBKDF2! }], ['js', { PBKDF2 }]);
    // The known answers pass: the engine went wrong later.
    registry.test = () => Promise.resolve(undefined);
    const calls = CALLS.filter(({ algorithm }) => algorithm === 'PBKDF2');
    const events = await collect({ ...options, registry, algorithms: [], calls });
    expect(only(events, 'call').map(({ engine }) => engine)).to.deep.equal(['native']);
    expect(only(events, 'answer').at(-1)).to.deep.include({
      engine: 'js',
      passed: false,
      reason: 'disagrees with native in a call (derive PBKDF2, SHA-256, c = 1000)',
    });
  });

  it('stops when it is cancelled, with the reason', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    let reason: unknown;
    try {
      for await (const event of selfTest({ ...options, signal: controller.signal })) {
        seen.push(event.type);
        if (event.type === 'speed') controller.abort(new Error('enough'));
      }
    } catch (error) {
      reason = error;
    }
    expect((reason as Error).message).to.equal('enough');
    expect(seen).to.not.include('result');
  });
});
