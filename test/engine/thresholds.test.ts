import { expect } from 'chai';
import { Registry } from '../../src/engine/registry.ts';
import {
  assertMeant,
  DEFAULT_THRESHOLDS,
  measuredThresholds,
  prefer,
  fromRows,
  toRows,
  type Candidate,
  type ThresholdRow,
} from '../../src/engine/thresholds.ts';
import type { Algorithms, ConstantTime } from '../../src/engine/contract.ts';
import { fakeEngine, jsAlgorithms } from './fake-engine.ts';

const native: Candidate = { engine: 'native', constantTime: 'platform' };
const wasm: Candidate = { engine: 'wasm-simd', constantTime: 'by-construction' };
const leaky: Candidate = { engine: 'js', constantTime: 'no' };
const js: Candidate = { engine: 'js', constantTime: 'by-construction' };
const THRESHOLDS = { 'AES-GCM': { native: 1024, 'wasm-simd': 64 } } as const;

describe('thresholds', () => {
  for (const { title, candidates, bytes, expected } of [
    {
      title: 'at its threshold an engine is used',
      candidates: [native, wasm],
      bytes: 1024,
      expected: native,
    },
    {
      title: 'a byte below, the next one is',
      candidates: [native, wasm],
      bytes: 1023,
      expected: wasm,
    },
    {
      title: 'a single engine is used at any size',
      candidates: [native],
      bytes: 0,
      expected: native,
    },
    {
      title: 'one that leaks never replaces one that does not',
      candidates: [native, leaky],
      bytes: 0,
      expected: native,
    },
    {
      title: 'it is skipped in favour of a later one that does not leak',
      candidates: [native, leaky, wasm],
      bytes: 100,
      expected: wasm,
    },
    { title: 'thresholds chain', candidates: [native, wasm, js], bytes: 63, expected: js },
    {
      title: 'among those that leak the size decides',
      candidates: [{ ...native, constantTime: 'no' as const }, leaky],
      bytes: 5,
      expected: leaky,
    },
  ]) {
    it(title, () => {
      const [first, ...rest] = candidates as [Candidate, ...Candidate[]];
      const chosen = prefer([first, ...rest], 'AES-GCM', bytes, THRESHOLDS);
      expect(chosen).to.deep.equal(expected);
      assertMeant(chosen, candidates, 'AES-GCM', bytes, THRESHOLDS);
    });
  }

  it('the slow path asserts that it was intended', () => {
    const wrong = () => assertMeant(js, [native, js], 'AES-GCM', 1024, THRESHOLDS);
    expect(wrong).to.throw('js runs AES-GCM of 1024 bytes in place of native');
    const meant = () => assertMeant(js, [native, js], 'AES-GCM', 1023, THRESHOLDS);
    expect(meant).to.not.throw();
    const leaks = () => assertMeant(leaky, [native, leaky], 'AES-GCM', 5, THRESHOLDS);
    expect(leaks).to.throw('js leaks where native would not');
  });

  it('the shipped ones use the platform for keys and js to digest short messages', async () => {
    const registry = new Registry([
      fakeEngine('native', platformAlgorithms()),
      fakeEngine('js', jsAlgorithms()),
    ]);
    await registry.ready();
    const threshold = DEFAULT_THRESHOLDS['SHA-256']!.native!;
    expect(registry.choose('SHA-256', threshold - 1, 'auto')).to.equal('js');
    expect(registry.choose('SHA-256', threshold, 'auto')).to.equal('native');
    expect(registry.choose('AES-GCM', 0, 'auto')).to.equal('native');
    expect(registry.choose('HMAC', 0, 'auto')).to.equal('native');
  });

  it('the shipped ones avoid calls to the platform for short messages', async () => {
    const registry = new Registry([
      fakeEngine('native', platformAlgorithms()),
      fakeEngine('wasm-simd', withClaim('by-construction')),
      fakeEngine('js', jsAlgorithms()),
    ]);
    await registry.ready();
    for (const algorithm of ['AES-GCM', 'AES-CTR'] as const) {
      const threshold = DEFAULT_THRESHOLDS[algorithm]!.native!;
      expect(registry.choose(algorithm, threshold - 1, 'auto')).to.equal('wasm-simd');
      expect(registry.choose(algorithm, threshold, 'auto')).to.equal('native');
    }
  });

  it('are those of the self-test after it ran', async () => {
    const registry = new Registry([
      fakeEngine('native', platformAlgorithms()),
      fakeEngine('js', jsAlgorithms()),
    ]);
    await registry.ready();
    registry.useThresholds({ 'SHA-256': { native: 10 } });
    expect(registry.choose('SHA-256', 9, 'auto')).to.equal('js');
    expect(registry.choose('SHA-256', 10, 'auto')).to.equal('native');
  });

  it('are the smallest size from which on no later engine is faster', () => {
    const constantTime = 'platform';
    const speed = (engine: 'native' | 'js' | 'webgl', bytes: number, bytesPerSecond: number) =>
      ({ engine, algorithm: 'AES-CTR', constantTime, bytes, bytesPerSecond }) as const;
    const speeds = [
      ...[speed('native', 16, 1), speed('native', 1024, 90), speed('native', 65_536, 800)],
      ...[speed('js', 16, 30), speed('js', 1024, 100), speed('js', 65_536, 100)],
      ...[speed('webgl', 16, 0.1), speed('webgl', 1024, 1), speed('webgl', 65_536, 70)],
    ];
    const measured = measuredThresholds(speeds);
    expect(measured).to.deep.equal({
      'AES-CTR': { native: 65_536, js: 0, webgl: Number.MAX_SAFE_INTEGER },
    });
    expect(JSON.parse(JSON.stringify(measured))).to.deep.equal(measured);
  });

  it('are not raised by an engine that leaks where the others do not', () => {
    const speed = (candidate: Candidate, bytes: number, bytesPerSecond: number) =>
      ({ ...candidate, algorithm: 'AES-CBC', bytes, bytesPerSecond }) as const;
    const measured = measuredThresholds([
      ...[speed(native, 16, 5), speed(wasm, 16, 3), speed(leaky, 16, 9)],
      ...[speed(native, 1024, 50), speed(wasm, 1024, 30), speed(leaky, 1024, 40)],
    ]);
    expect(measured['AES-CBC']).to.deep.equal({ native: 0, 'wasm-simd': 0, js: 0 });
  });

  it('can be stored as a list, which replaces the shipped ones', () => {
    const measured = { 'SHA-1': { native: 10, js: 0 }, 'AES-CTR': { native: 65_536 } };
    const rows: unknown = JSON.parse(JSON.stringify(toRows(measured)));
    expect(fromRows(rows as ThresholdRow[])).to.deep.equal({ ...DEFAULT_THRESHOLDS, ...measured });
  });

  it('drop engines that this build does not have', () => {
    const rows = [{ algorithm: 'AES-GCM', engine: 'abacus', fromBytes: 0 }];
    expect(fromRows(rows)).to.deep.equal(DEFAULT_THRESHOLDS);
  });
});

const platformAlgorithms = () => withClaim('platform');

/** Engine js with another engine's claim about its timing. */
function withClaim(constantTime: ConstantTime): Algorithms {
  return Object.fromEntries(
    Object.entries(jsAlgorithms()).map(([name, implementation]) => [
      name,
      { ...implementation, constantTime },
    ]),
  );
}
