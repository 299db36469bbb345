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
  const runs = new Runs(common, longest);
  for (let t = Math.max(longest, 1); t > 0; t--) {
    const { most, pairs } = runs.shortenedTo(t);
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

/**
 * Among sequences in their order, the runs of neighbours whose first samples are the same. They only grow while the number of
 * samples falls, so each pair of neighbours is joined once: a slow clock repeats ten thousands of samples.
 */
class Runs {
  /** Sequences in the longest run. */
  most = 1;
  /** Pairs of sequences in the same run. */
  pairs = 0;
  private readonly common: Int32Array;
  /** Places of `common`, by its values. */
  private readonly places: Int32Array;
  private joined = 0;
  /** Of each sequence another one of its run, or itself: the one that stands for the run, whose size is known. */
  private readonly parent: Int32Array;
  private readonly size: Int32Array;

  /** @param common of each sequence and the next one */
  constructor(common: Int32Array, longest: number) {
    this.common = common;
    const all = Int32Array.from(common, (_, i) => i);
    this.places = sortedBy(all, (i) => common[i]!, longest + 1).reverse();
    this.parent = Int32Array.from({ length: common.length + 1 }, (_, i) => i);
    this.size = new Int32Array(common.length + 1).fill(1);
  }

  /** @param t samples that are the same in a run; not more than in the last call */
  shortenedTo(t: number): this {
    for (; this.joined < this.places.length; this.joined++) {
      const place = this.places[this.joined]!;
      if (this.common[place]! < t) break;
      this.join(this.rootOf(place), this.rootOf(place + 1));
    }
    return this;
  }

  private join(a: number, b: number): void {
    const { parent, size } = this;
    this.pairs += size[a]! * size[b]!;
    const [small, large] = size[a]! < size[b]! ? [a, b] : [b, a];
    parent[small] = large;
    size[large]! += size[small]!;
    this.most = Math.max(this.most, size[large]!);
  }

  private rootOf(i: number): number {
    const { parent } = this;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]!]!;
      i = parent[i]!;
    }
    return i;
  }
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
