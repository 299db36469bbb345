/* The study of entropy, a part of site/measurements.md. */

/** One source. */
export interface StudiedSource {
  readonly name: string;
  readonly samples: number;
  /** The low four bits of each difference of times, and the lowest bit. */
  readonly nibble: Judged;
  readonly bit: Judged;
}

interface Judged {
  /** Bits a sample, by the name of the estimator. */
  readonly estimates: Readonly<Record<string, number>>;
  readonly minEntropy: number;
}

/** All sources, where and when. */
export interface Study {
  readonly machine: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly sources: readonly StudiedSource[];
}

/** A table of each source: the estimates of both alphabets. */
export function entropyText({ machine, date, sources }: Study): string {
  const names = [
    ...new Set(
      sources.flatMap(({ nibble, bit }) =>
        [nibble, bit].flatMap((one) => Object.keys(one.estimates)),
      ),
    ),
  ];
  const heads = ['smallest', ...names];
  const rows = sources.flatMap(({ name, nibble, bit }) => [
    row(`${name}, low four bits`, nibble, names),
    row(`${name}, lowest bit`, bit, names),
  ]);
  return [
    `- ${machine}, ${date}; ${Math.min(...sources.map(({ samples }) => samples)).toLocaleString('en')} samples of each source, bits of min-entropy a sample`,
    [`| | ${heads.join(' | ')} |`, `| --- |${' ---: |'.repeat(heads.length)}`, ...rows].join('\n'),
  ].join('\n\n');
}

function row(name: string, judged: Judged, names: readonly string[]): string {
  const cells = [judged.minEntropy, ...names.map((each) => judged.estimates[each])];
  return `| ${name} | ${cells.map((cell) => (cell === undefined ? '–' : cell.toFixed(3))).join(' | ')} |`;
}
