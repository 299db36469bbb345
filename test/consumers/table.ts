import type { Places } from './project.ts';

export interface ConsumerResult {
  readonly title: string;
  readonly places: Places;
  /** What is not as it should be. */
  readonly problems: readonly string[];
}

const START = '<!-- consumers: written by npm run consumers -->';
const END = '<!-- end of consumers -->';

/** A reason of `engines()`: the module's address, what is wrong, what to do. */
const SAID = /^\S+: ([^:]+)/;

/** The engines of all places and subpaths, each once, and in brackets why wasm-simd is not among them. */
function enginesOf(places: Places): string {
  const all = Object.values(places);
  const engines = [...new Set(all.flatMap((place) => Object.values(place.engines)))];
  if (engines.length === 0) return '–';
  const said = all.flatMap(({ reason = '' }) => SAID.exec(reason)?.[1] ?? []);
  const reasons = said.length === 0 ? '' : ` (${[...new Set(said)].join('; ')})`;
  return engines.sort().join(', ') + reasons;
}

/** As Markdown: a row for each toolchain. */
export function consumersTable(results: readonly ConsumerResult[]): string {
  const rows = results.map(({ title, places, problems }) => {
    const outcome = problems.length === 0 ? 'right' : 'wrong';
    const where = Object.keys(places).join('; ') || '–';
    return `| ${title} | ${where} | ${enginesOf(places)} | ${outcome} |`;
  });
  return [
    '| toolchain | tried in | engines | answers |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The document with the table in its place. */
export function withTable(text: string, table: string): string {
  const [before, rest] = text.split(START) as [string, string];
  return `${before}${START}\n\n${table}\n\n${END}${rest.split(END)[1]!}`;
}
