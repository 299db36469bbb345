import type { Kind } from './contender.ts';
import { JS, WASM, WASM_FRESH } from './names.ts';
import { timeText } from './report.ts';
import type { SuiteResult } from './result.ts';
import { rowName, type Row } from './row.ts';

/*
 * Each engine of ours beside the fastest peer of its kind, in every row that has both: what a user who
 * picked another library would gain or lose. Written from all results, whether a figure asks for it or not.
 */

/** One row, one engine of ours, and the fastest peer of the same kind. */
export interface Comparison {
  readonly platform: string;
  readonly row: Row;
  readonly ours: string;
  readonly peer: string;
  /** Seconds of a call, medians. */
  readonly oursTime: number;
  readonly peerTime: number;
  /** How many times as fast ours is. */
  readonly ratio: number;
}

/**
 * Our engines, and the kind whose fastest they are compared with. Of `wasm-simd` the contender that allocates
 * its result is taken where the row has one, because the peers allocate theirs.
 */
const ENGINES: readonly { readonly names: readonly string[]; readonly kind: Kind }[] = [
  { names: [JS], kind: 'pure js' },
  { names: [WASM_FRESH, WASM], kind: 'wasm' },
];

/**
 * No peer of this suite protects a secret exponent: their windows, and native BigInt's times, depend on it. Its own table
 * shows them; they do not count here.
 */
const UNPROTECTED_SUITE = 'powers';

/** All comparisons that the results allow, those first in which ours leads least. */
export function compareWithPeers(results: readonly SuiteResult[]): Comparison[] {
  return results
    .filter(({ suite }) => suite !== UNPROTECTED_SUITE)
    .flatMap(({ platform, rows }) =>
      rows.flatMap((row) =>
        ENGINES.flatMap(({ names, kind }) => comparisonIn(platform, row, names, kind)),
      ),
    )
    .sort((a, b) => a.ratio - b.ratio);
}

function comparisonIn(
  platform: string,
  row: Row,
  names: readonly string[],
  kind: Kind,
): Comparison[] {
  const ours = names
    .map((name) => row.results.find((result) => result.name === name))
    .find((result) => result !== undefined);
  const [peer] = row.results
    .filter((result) => result.kind === kind)
    .sort((a, b) => a.median - b.median);
  if (ours === undefined || peer === undefined) return [];
  return [
    {
      platform,
      row,
      ours: ours.name,
      peer: peer.name,
      oursTime: ours.median,
      peerTime: peer.median,
      ratio: peer.median / ours.median,
    },
  ];
}

const SHOWN = 10;

/** For docs/benchmarks.md: how many rows ours leads, by platform and engine, and the extremes. */
export function peersText(all: readonly Comparison[]): string {
  const groupOf = (one: Comparison) => `${one.platform} | ${engineOf(one)}`;
  const counts = [...new Set(all.map(groupOf))].map((group) => {
    const list = all.filter((one) => groupOf(one) === group);
    const ahead = list.filter(({ ratio }) => ratio >= 1).length;
    return `| ${group} | ${list.length} | ${ahead} | ${ratioText(list[0]!)} | ${ratioText(list.at(-1)!)} |`;
  });
  return [
    [
      '| platform | engine | rows with a peer of its kind | at least as fast | least | most |',
      '| --- | --- | ---: | ---: | ---: | ---: |',
      ...counts.sort(),
    ].join('\n'),
    `The ${SHOWN} rows in which ours leads least:`,
    comparisonTable(all.slice(0, SHOWN)),
    `The ${SHOWN} in which it leads most:`,
    comparisonTable(all.slice(-SHOWN).reverse()),
  ].join('\n\n');
}

/** For the site: every row. */
export const everyPeerText = (all: readonly Comparison[]): string =>
  [`All ${all.length} rows, those first in which ours leads least:`, comparisonTable(all)].join(
    '\n\n',
  );

/** For README.md: the worst row and the best. */
export function extremesText(all: readonly Comparison[]): string {
  const [least, most] = [all[0]!, all.at(-1)!].map((one) => {
    const place = one.platform.split(/[ /]/)[0]!;
    return `${ratioText(one)} (${rowName(one.row)}, ${engineOf(one)} over ${one.peer}, ${place})`;
  });
  return `Beside the fastest library of its kind in ${all.length.toLocaleString('en')} rows, Sealwright is at worst ${least!} and at best ${most!} as fast.`;
}

const engineOf = ({ ours }: Comparison): string => ours.replace('Sealwright ', '').split(',')[0]!;

function comparisonTable(list: readonly Comparison[]): string {
  const lines = list.map((one) => {
    const times = `${timeText(one.oursTime)} | ${timeText(one.peerTime)}`;
    return `| ${rowName(one.row)} | ${one.platform} | ${one.ours} | ${one.peer} | ${times} | ${ratioText(one)} |`;
  });
  return [
    '| row | platform | ours | fastest of its kind | time of ours | of theirs | ours over theirs |',
    '| --- | --- | --- | --- | ---: | ---: | ---: |',
    ...lines,
  ].join('\n');
}

/** Three digits; what trails is marked, as missed figures are. */
function ratioText({ ratio }: Comparison): string {
  const text = `${ratio >= 100 ? Math.round(ratio) : ratio.toPrecision(3)} ×`;
  return ratio < 1 ? `**${text}**` : text;
}
