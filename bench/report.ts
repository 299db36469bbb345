import type { Row } from './aes-suite.ts';
import type { AesResult } from './result.ts';

/** 1024 → "1 KiB". */
export function sizeName(bytes: number): string {
  if (bytes >= 1 << 20) return `${bytes >> 20} MiB`;
  return bytes >= 1 << 10 ? `${bytes >> 10} KiB` : `${bytes} B`;
}

export function rowName({ algorithm, keyBits, bytes }: Row): string {
  const name = algorithm === 'key schedule' ? 'AES key schedule' : algorithm;
  return `${name.replace('AES', `AES-${keyBits}`)}${bytes > 0 ? `, ${sizeName(bytes)}` : ''}`;
}

/** Megabytes (10^6) per second, or microseconds per key for the key schedule. */
export function printRow(row: Row, progress: number): void {
  const cells = [...row.results]
    .sort((a, b) => a.median - b.median)
    .map(({ name, median }) =>
      row.bytes > 0
        ? `${name} ${(row.bytes / median / 1e6).toPrecision(3)} MB/s`
        : `${name} ${(median * 1e6).toPrecision(3)} µs`,
    );
  const percent = `${Math.round(100 * progress)} %`.padStart(5);
  console.log(`${percent}  ${rowName(row).padEnd(24)} ${cells.join(' · ')}`);
}

/** How many times faster ours is than the peer in this row, by medians; undefined if not there. */
export function ratio(
  row: Row | undefined,
  peer: string,
  our = 'Sealwright js',
): number | undefined {
  const ours = row?.results.find(({ name }) => name === our)?.median;
  const theirs = row?.results.find(({ name }) => name === peer)?.median;
  return ours === undefined || theirs === undefined ? undefined : theirs / ours;
}

export function findRow(result: AesResult, algorithm: string, keyBits: number, bytes: number) {
  return result.rows.find(
    (row) => row.algorithm === algorithm && row.keyBits === keyBits && row.bytes === bytes,
  );
}

const show = (value: number | undefined, unit = ' ×') =>
  value === undefined ? '–' : `${value.toFixed(2)}${unit}`;

/** The figures that the project holds itself to, in words. */
export function printFigures(result: AesResult): void {
  const row = (algorithm: string, bytes: number) => findRow(result, algorithm, 128, bytes);
  console.log(`\n${result.platform} on ${result.machine}`);
  for (const bytes of [1 << 16, 1 << 20]) {
    const ctr = row('AES-CTR', bytes);
    console.log(
      `AES-128-CTR, ${sizeName(bytes)}: ${show(ratio(ctr, '@noble/ciphers'))} @noble/ciphers, ` +
        `${show(ratio(ctr, 'sjcl'))} sjcl`,
    );
  }
  for (const algorithm of ['AES-CBC', 'AES-GCM', 'AES-CCM', 'AES-OCB']) {
    const best = bestPureJs(row(algorithm, 1 << 16));
    console.log(`${algorithm}, 64 KiB: ${best ?? 'no pure JavaScript peer has it'}`);
  }
  if (result.precomputation) {
    const { coldMs, warmMs } = result.precomputation;
    console.log(`All tables: ${coldMs.toFixed(3)} ms cold, ${warmMs.toFixed(4)} ms warm`);
  }
  for (const { name, minifiedBytes, brotliBytes } of result.codeSize ?? []) {
    console.log(`AES core of ${name}: ${minifiedBytes} bytes minified, ${brotliBytes} with brotli`);
  }
}

function bestPureJs(row: Row | undefined): string | undefined {
  const peers = row?.results.filter(({ kind }) => kind === 'pure js') ?? [];
  const best = [...peers].sort((a, b) => a.median - b.median)[0];
  return best && `${show(ratio(row, best.name))} the fastest pure JavaScript peer, ${best.name}`;
}
