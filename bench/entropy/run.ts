/*
 * npm run bench:entropy
 *
 * Records a million times of events from sources without a person, in Node and in both browsers, judges them by the
 * estimators of SP 800-90B, and writes bench/results/entropy.json, which the site shows. An illustration: see
 * bench/entropy/README.md for what it shows and what it cannot.
 */
import { writeFileSync } from 'node:fs';
import { describeMachine } from '../../scripts/machine.mjs';
import { launch } from '../../test/browser/drivers/launch.ts';
import { serve } from '../../test/browser/server.ts';
import { resultJson } from '../result.ts';
import { estimates, minEntropy } from './estimators.ts';
import type { Study, StudiedSource } from './text.ts';

/** What SP 800-90B asks for (section 3.1.1). */
const SAMPLES = 1_000_000;
/** Of each difference the low bits: the alphabet is then small enough for all estimators. */
const SYMBOLS = 16;

const sources: StudiedSource[] = [
  study('Node: turns of the event loop, ns', await turnsOfNode(), 1),
  ...(await inBrowser('chromium')),
  ...(await inBrowser('firefox')),
];
const result: Study = {
  machine: describeMachine(),
  date: new Date().toISOString().slice(0, 10),
  sources,
};
writeFileSync('bench/results/entropy.json', resultJson(result));

/** Times of the turns of Node's event loop, in ns. */
async function turnsOfNode(): Promise<Float64Array> {
  const times = new Float64Array(SAMPLES + 1);
  const start = process.hrtime.bigint();
  for (let i = 0; i < times.length; i++) {
    times[i] = Number(process.hrtime.bigint() - start);
    await new Promise((resume) => setImmediate(resume));
  }
  return times;
}

/** In a page: the turns of its event loop, and pointer events that a script makes, both in µs. */
async function inBrowser(name: 'chromium' | 'firefox'): Promise<StudiedSource[]> {
  const server = await serve('test/browser/fixtures');
  const browser = await launch(name);
  try {
    const tab = await browser.newTab(`${server.origin}/blank.html`);
    const found: StudiedSource[] = [];
    for (const kind of ['turns of the event loop', 'pointer events of a script'] as const) {
      const microseconds = await tab.evaluate(record, kind, SAMPLES);
      const times = Float64Array.from(JSON.parse(microseconds) as number[]);
      found.push(study(`${browser.version}: ${kind}, µs`, times, 1));
      console.log(found.at(-1));
    }
    return found;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Runs in the page. @returns differences of times in µs, as JSON */
async function record(kind: string, count: number): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  const times: number[] = [];
  addEventListener('pointermove', ({ timeStamp }) => times.push(timeStamp));
  await new Promise<void>((resolve) => {
    port2.onmessage = () => {
      if (kind.startsWith('pointer')) {
        const [clientX, clientY] = [times.length % 512, times.length % 211];
        dispatchEvent(new PointerEvent('pointermove', { clientX, clientY }));
      } else {
        times.push(performance.now());
      }
      if (times.length > count) resolve();
      else port1.postMessage(null);
    };
    port1.postMessage(null);
  });
  port1.close();
  return JSON.stringify(times.map((time) => Math.round(1000 * time)));
}

/** @param unit what differences are counted in */
function study(name: string, times: Float64Array, unit: number): StudiedSource {
  const values = Uint8Array.from(
    { length: times.length - 1 },
    (_, i) => Math.round((times[i + 1]! - times[i]!) / unit) & (SYMBOLS - 1),
  );
  const samples = { values, symbols: SYMBOLS };
  const bits = { values: values.map((value) => value & 1), symbols: 2 };
  return {
    name,
    samples: values.length,
    nibble: { estimates: estimates(samples), minEntropy: minEntropy(samples) },
    bit: { estimates: estimates(bits), minEntropy: minEntropy(bits) },
  };
}
