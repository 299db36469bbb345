/*
 * The estimators of min-entropy of NIST SP 800-90B (January 2018), section 6.3, for sources that are not independent and
 * identically distributed. An estimate is an upper bound that one attack gives: it can show that a source is bad, and
 * never that it is good.
 *
 * Samples are numbers from 0 to `symbols` - 1, one in each element. Results are bits of min-entropy a sample.
 */
import { predictors } from './predictors.ts';
import { repeats } from './repeats.ts';
import { bisect, entropyOf, Z, type Samples } from './samples.ts';

/** What a source gives by each estimator that can judge it, by its name in the standard. */
export function estimates(samples: Samples): Readonly<Record<string, number>> {
  const { tTuple, longestRepeat } = repeats(samples);
  return {
    'Most Common Value': mostCommonValue(samples),
    // Section 6.3: these three are for binary samples.
    ...(samples.symbols === 2 && {
      Collision: collision(samples),
      Markov: markov(samples),
      Compression: compression(samples),
    }),
    't-Tuple': tTuple,
    LRS: longestRepeat,
    ...predictors(samples),
  };
}

/** Section 3.1.3: the smallest of the estimates. */
export function minEntropy(samples: Samples): number {
  return Math.min(...Object.values(estimates(samples)));
}

/** Section 6.3.1 */
function mostCommonValue({ values, symbols }: Samples): number {
  const counts = new Float64Array(symbols);
  for (const value of values) counts[value]!++;
  return entropyOf(Math.max(...counts) / values.length, values.length);
}

/** Section 6.3.2. Of two values, the third sample repeats one at the latest: t_i is 2 or 3. */
function collision({ values }: Samples): number {
  const times: number[] = [];
  for (let i = 0; i + 1 < values.length;) {
    const t = values[i] === values[i + 1] ? 2 : 3;
    if (i + t > values.length) break;
    times.push(t);
    i += t;
  }
  const { mean, deviation } = momentsOf(times);
  const bound = mean - (Z * deviation) / Math.sqrt(times.length);
  // Step 7's equation is, for two values, bound = 2 + 2 p (1 - p); p is 1/2 where it has no solution.
  const root = 1 - 2 * (bound - 2);
  const p = root <= 0 ? 0.5 : Math.min(1, (1 + Math.sqrt(root)) / 2);
  return -Math.log2(p) + 0;
}

function momentsOf(numbers: readonly number[]): { mean: number; deviation: number } {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const squares = numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (numbers.length - 1)) };
}

/** Section 6.3.3: the most likely of the sequences of 128 samples. */
function markov({ values }: Samples): number {
  const pairs = [
    [0, 0],
    [0, 0],
  ];
  for (let i = 0; i + 1 < values.length; i++) pairs[values[i]!]![values[i + 1]!]!++;
  const ones = values.reduce((sum, value) => sum + value, 0);
  const [p0, p1] = [1 - ones / values.length, ones / values.length].map(Math.log2);
  const [t00, t01, t10, t11] = pairs.flatMap((row) =>
    row.map((count) => Math.log2(row[0]! + row[1]! === 0 ? 0 : count / (row[0]! + row[1]!))),
  );
  const likelihoods = [
    sum([1, p0!], [127, t00!]),
    sum([1, p0!], [64, t01!], [63, t10!]),
    sum([1, p0!], [1, t01!], [126, t11!]),
    sum([1, p1!], [1, t10!], [126, t00!]),
    sum([1, p1!], [64, t10!], [63, t01!]),
    sum([1, p1!], [127, t11!]),
  ];
  return Math.min(-Math.max(...likelihoods) / 128 + 0, 1);
}

const sum = (...terms: readonly (readonly [times: number, log: number])[]): number =>
  terms.reduce((total, [times, log]) => total + times * log, 0);

/** Bits of a block, and blocks that begin the dictionary. */
const BLOCK_BITS = 6;
const DICTIONARY = 1000;

/** Section 6.3.4: Maurer's universal statistic. */
function compression({ values }: Samples): number {
  const blocks = Math.floor(values.length / BLOCK_BITS);
  const last = new Int32Array(1 << BLOCK_BITS);
  const count = blocks - DICTIONARY;
  let [logs, squares] = [0, 0];
  for (let i = 1; i <= blocks; i++) {
    let block = 0;
    for (let bit = 0; bit < BLOCK_BITS; bit++) {
      block = (block << 1) | values[(i - 1) * BLOCK_BITS + bit]!;
    }
    if (i > DICTIONARY) {
      const log = Math.log2(last[block] === 0 ? i : i - last[block]!);
      logs += log;
      squares += log * log;
    }
    last[block] = i;
  }
  const mean = logs / count;
  const deviation = 0.5907 * Math.sqrt(squares / (count - 1) - mean * mean);
  const bound = mean - (Z * deviation) / Math.sqrt(count);
  const others = 2 ** BLOCK_BITS - 1;
  /** The expected mean where one block has the probability p, and the others are alike. It falls with p. */
  const expected = (p: number): number =>
    maurer(p, blocks, count) + others * maurer((1 - p) / others, blocks, count);
  if (expected(2 ** -BLOCK_BITS) <= bound) return 1;
  const p = bisect(2 ** -BLOCK_BITS, 1, (each) => expected(each) > bound);
  return -Math.log2(p) / BLOCK_BITS;
}

/** G(z) of step 7: the sums of log2(u) F(z, t, u) over u, which grow by one term from t to t + 1. */
function maurer(z: number, blocks: number, count: number): number {
  let [total, below, power] = [0, 0, 1];
  for (let t = 1; t <= blocks; t++) {
    const log = Math.log2(t);
    // power = (1 - z)^(t - 1); F is z² (1 - z)^(u - 1) for u < t, and z (1 - z)^(t - 1) for u = t
    if (t > DICTIONARY) total += below + log * z * power;
    below += log * z * z * power;
    power *= 1 - z;
  }
  return total / count;
}
