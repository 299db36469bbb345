/* The two estimators of SP 800-90B that look for sequences that occur again: sections 6.3.5 and 6.3.6. */
import { entropyOf, type Samples } from './samples.ts';

/** A tuple must occur so often for the t-Tuple estimate; for the other, less often. */
const CUTOFF = 35;

/** Both estimates, from one order of all sequences. */
export function repeats(samples: Samples): { tTuple: number; longestRepeat: number } {
  const { length } = samples.values;
  const common = commonPrefixes(samples);
  const longest = common.reduce((max, each) => Math.max(max, each), 0);
  let [best, bestRepeat] = [0, 0];
  for (let t = 1; t <= Math.max(longest, 1); t++) {
    const { most, pairs } = runsOf(common, t);
    // 6.3.5, steps 3 and 4: P_max[i] = (Q[i] / (L - i + 1))^(1/i)
    if (most >= CUTOFF) best = Math.max(best, (most / (length - t + 1)) ** (1 / t));
    else {
      // 6.3.6, steps 3 and 4: P_W is how likely two W-tuples are the same.
      const all = ((length - t + 1) * (length - t)) / 2;
      if (pairs > 0) bestRepeat = Math.max(bestRepeat, (pairs / all) ** (1 / t));
    }
  }
  return { tTuple: entropyOf(best, length), longestRepeat: entropyOf(bestRepeat, length) };
}

/** Among sequences in their order, neighbours whose first `t` samples are the same. */
function runsOf(common: Int32Array, t: number): { most: number; pairs: number } {
  let [most, pairs, run] = [1, 0, 1];
  for (let i = 0; i <= common.length; i++) {
    if (i < common.length && common[i]! >= t) {
      run++;
      continue;
    }
    most = Math.max(most, run);
    pairs += (run * (run - 1)) / 2;
    run = 1;
  }
  return { most, pairs };
}

/**
 * How many samples neighbours have in common, in the order of all sequences that end with the last sample (suffix
 * array by doubling, Manber and Myers; common prefixes by Kasai and others).
 */
function commonPrefixes({ values, symbols }: Samples): Int32Array {
  const { length } = values;
  let order = Int32Array.from({ length }, (_, i) => i);
  let rank = Int32Array.from(values);
  let ranks = symbols;
  for (let step = 1; ; step *= 2) {
    const second = (i: number): number => (i + step < length ? rank[i + step]! + 1 : 0);
    const pairs = { first: rank, second };
    order = sortedBy(sortedBy(order, pairs.second, ranks + 1), (i) => pairs.first[i]!, ranks);
    const next = new Int32Array(length);
    for (let i = 1; i < length; i++) {
      const [a, b] = [order[i - 1]!, order[i]!];
      const isSame = rank[a] === rank[b] && second(a) === second(b);
      next[b] = next[a]! + (isSame ? 0 : 1);
    }
    rank = next;
    ranks = rank[order[length - 1]!]! + 1;
    if (ranks === length) break;
  }
  const common = new Int32Array(length - 1);
  for (let i = 0, same = 0; i < length; i++) {
    const at = rank[i]!;
    if (at === length - 1) {
      same = 0;
      continue;
    }
    const j = order[at + 1]!;
    while (i + same < length && j + same < length && values[i + same] === values[j + same]) same++;
    common[at] = same;
    if (same > 0) same--;
  }
  return common;
}

/** Sorted by counting; equal ones stay in their order. */
function sortedBy(
  order: Int32Array,
  key: (i: number) => number,
  keys: number,
): Int32Array<ArrayBuffer> {
  const starts = new Int32Array(keys + 1);
  for (const i of order) starts[key(i) + 1]!++;
  for (let k = 0; k < keys; k++) starts[k + 1]! += starts[k]!;
  const sorted = new Int32Array(order.length);
  for (const i of order) sorted[starts[key(i)]!++] = i;
  return sorted;
}
