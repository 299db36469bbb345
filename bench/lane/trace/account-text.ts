import type { Account } from './account.ts';
import type { LaneTrace } from './run-trace.ts';
import { PARTS, STAGES } from './spans.ts';
import { sizeName } from '../../row.ts';

/** One line as soon as an account is made. */
export const accountLine = ({ operation, bytes, totalUs }: Account): string =>
  `${operation}, ${sizeName(bytes)}`.padEnd(16) + ` ${rounded(totalUs)} µs`;

/** The accounts of some browsers as they stand in site/measurements.md: a table for each. */
export const traceText = (traces: readonly LaneTrace[]): string => traces.map(tableOf).join('\n\n');

function tableOf({ platform, machine, date, accounts }: LaneTrace): string {
  const heads = accounts.map(({ operation, bytes }) => `${operation}, ${sizeName(bytes)}`);
  const row = (name: string, of: (account: LaneTrace['accounts'][number]) => string): string =>
    `| ${name} | ${accounts.map(of).join(' | ')} |`;
  const calls = accounts.map((account) => account.calls);
  return [
    `${platform}, ${machine}, ${date}: µs of a warm call, means of ${Math.min(...calls)} to ${Math.max(...calls)} calls.`,
    [
      `| | ${heads.join(' | ')} |`,
      `| --- |${' ---: |'.repeat(heads.length)}`,
      ...STAGES.map(({ name }, i) => row(name, ({ stagesUs }) => rounded(stagesUs[i]!))),
      row('**in all**', ({ totalUs }) => `**${rounded(totalUs)}**`),
      ...PARTS.map(({ name }, i) =>
        row(name, ({ partsUs, partsCounts }) => {
          const count = partsCounts[i]!;
          const times = count > 1.5 ? ` (${Math.round(count)} ×)` : '';
          return count === 0 ? '' : `${rounded(partsUs[i]!)}${times}`;
        }),
      ),
    ].join('\n'),
  ].join('\n\n');
}

const rounded = (microseconds: number): string =>
  microseconds === 0 ? '' : Math.round(microseconds).toLocaleString('en');
