/*
 * The content script of an extension that is there for this measurement alone: for a browser whose protocol
 * does not reach into the real one's world. It marks a page when the page asks for it.
 */
import { PageMarks } from '../../extension/fields/marks/page-marks.ts';

/** What one marking cost; all of it is on the page's main thread. */
export interface Marking {
  /** The walk, with the marks drawn and placed. */
  readonly scriptMs: number;
  /** The same, and the style and layout that it makes the page do. */
  readonly laidOutMs: number;
  readonly count: number;
  readonly elements: number;
  /** Elements of the page that stand elsewhere than before. */
  readonly moved: number;
}

window.addEventListener('message', ({ data, ports: [port] }: MessageEvent<unknown>) => {
  if (data === 'mark this page' && port) port.postMessage(JSON.stringify(marked()));
});

function marked(): Marking {
  const before = places();
  const elements = document.querySelectorAll('*').length;
  const from = performance.now();
  const marks = new PageMarks({ document, label: 'Open', onPress: () => undefined });
  marks.start();
  const scriptMs = performance.now() - from;
  document.documentElement.getBoundingClientRect(); // style and layout happen now
  const laidOutMs = performance.now() - from;
  const moved = places().filter((place, index) => place !== before[index]).length;
  return { scriptMs, laidOutMs, count: marks.count, elements, moved };
}

function places(): string[] {
  return Array.from(document.querySelectorAll('article *'), (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left, top, width, height].join();
  });
}
