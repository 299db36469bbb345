/* The estimators of SP 800-90B that predict each sample from those before it: sections 6.3.7 to 6.3.10. */
import { bisect, entropyOf, type Samples } from './samples.ts';

/** A prediction of each sample from `from` on; -1 where there is none. It is told the sample afterwards. */
interface Predictor {
  readonly from: number;
  readonly predict: (i: number) => number;
}

/** The four estimates. */
export function predictors(samples: Samples): Readonly<Record<string, number>> {
  return {
    MultiMCW: judged(samples, multiMcw(samples)),
    Lag: judged(samples, lag(samples)),
    MultiMMC: judged(samples, multiMmc(samples)),
    LZ78Y: judged(samples, lz78y(samples)),
  };
}

/** Steps 4 to 8 of 6.3.7, which the others share: how often it was right, and how often in a row. */
function judged({ values, symbols }: Samples, { from, predict }: Predictor): number {
  const trials = values.length - from;
  let [right, run, longest] = [0, 0, 0];
  for (let i = from; i < values.length; i++) {
    run = predict(i) === values[i] ? run + 1 : 0;
    if (run > 0) right++;
    longest = Math.max(longest, run);
  }
  // The upper limit of 99 % where nothing was predicted
  const global =
    right === 0 ? -Math.log2(1 - 0.01 ** (1 / trials)) : entropyOf(right / trials, trials);
  const local = -Math.log2(localProbability(longest + 1, trials)) + 0;
  return Math.min(global, local, Math.log2(symbols));
}

/** The p of step 6: with it, a run as long as the longest one and one more is not there with 99 %. */
function localProbability(r: number, trials: number): number {
  const isUnlikely = (p: number): boolean => {
    const q = 1 - p;
    let x = 1;
    for (let j = 0; j < 10; j++) x = 1 + q * p ** r * x ** (r + 1);
    const log = Math.log((1 - p * x) / ((r + 1 - r * x) * q)) - (trials + 1) * Math.log(x);
    return log > Math.log(0.99);
  };
  return bisect(0, 1, isUnlikely);
}

/** Of several predictors the one that was right most often is the next one asked (steps 3 of each section). */
class Scoreboard {
  private winner = 0;
  private readonly scores: Float64Array;

  constructor(count: number) {
    this.scores = new Float64Array(count);
  }

  /** @returns the winner's prediction; then counts which of them were right */
  judge(predictions: ArrayLike<number>, value: number): number {
    const prediction = predictions[this.winner]!;
    for (let d = 0; d < this.scores.length; d++) {
      if (predictions[d] !== value) continue;
      this.scores[d]!++;
      if (this.scores[d]! >= this.scores[this.winner]!) this.winner = d;
    }
    return prediction;
  }
}

/** 6.3.7: the most common value of a window, of equally common ones the latest. */
function multiMcw({ values, symbols }: Samples): Predictor {
  const windows = [63, 255, 1023, 4095];
  const counts = windows.map(() => new Int32Array(symbols));
  const latest = new Int32Array(symbols).fill(-1);
  const board = new Scoreboard(windows.length);
  let seen = 0;
  const see = (i: number): void => {
    const value = values[i]!;
    latest[value] = i;
    windows.forEach((window, j) => {
      counts[j]![value]!++;
      if (i >= window) counts[j]![values[i - window]!]!--;
    });
  };
  const mostCommon = (count: Int32Array): number => {
    let best = 0;
    for (let value = 1; value < symbols; value++) {
      const more = count[value]! - count[best]!;
      if (more > 0 || (more === 0 && latest[value]! > latest[best]!)) best = value;
    }
    return best;
  };
  return {
    from: windows[0]!,
    predict: (i) => {
      while (seen < i) see(seen++);
      const predictions = windows.map((window, j) => (i < window ? -1 : mostCommon(counts[j]!)));
      return board.judge(predictions, values[i]!);
    },
  };
}

/** 6.3.8: the value so many samples before. */
function lag({ values }: Samples): Predictor {
  const depth = 128;
  const board = new Scoreboard(depth);
  const predictions = new Int32Array(depth);
  return {
    from: 1,
    predict: (i) => {
      for (let d = 0; d < depth; d++) predictions[d] = d < i ? values[i - d - 1]! : -1;
      return board.judge(predictions, values[i]!);
    },
  };
}

/** How often each value came after a sequence. */
type After = Map<string, Float64Array>;

/** The value that came most often, of equally frequent ones the greatest; -1 if there is none. */
function mostOften(counts: Float64Array | undefined): number {
  if (counts === undefined) return -1;
  let best = -1;
  counts.forEach((count, value) => {
    if (count > 0 && (best < 0 || count >= counts[best]!)) best = value;
  });
  return best;
}

const LONGEST = 16;
const textOf = (values: Uint8Array): string => {
  const parts: string[] = [];
  for (let i = 0; i < values.length; i += 8192) {
    parts.push(String.fromCharCode(...values.subarray(i, i + 8192)));
  }
  return parts.join('');
};

/** 6.3.9: Markov models of one to sixteen samples. */
function multiMmc({ values, symbols }: Samples): Predictor {
  const maxEntries = 100_000;
  const text = textOf(values);
  const models = Array.from({ length: LONGEST }, (): After => new Map());
  const entries = new Int32Array(LONGEST);
  const board = new Scoreboard(LONGEST);
  const learn = (i: number, d: number): void => {
    const model = models[d - 1]!;
    const key = text.slice(i - d - 1, i - 1);
    const isFull = entries[d - 1]! >= maxEntries;
    let counts = model.get(key);
    if (counts === undefined) {
      if (isFull) return;
      model.set(key, (counts = new Float64Array(symbols)));
    }
    const value = values[i - 1]!;
    if (counts[value] === 0) {
      if (isFull) return;
      entries[d - 1]!++;
    }
    counts[value]!++;
  };
  return {
    from: 2,
    predict: (i) => {
      const predictions: number[] = [];
      for (let d = 1; d <= LONGEST; d++) {
        if (d < i) learn(i, d);
        predictions.push(d <= i ? mostOften(models[d - 1]!.get(text.slice(i - d, i))) : -1);
      }
      return board.judge(predictions, values[i]!);
    },
  };
}

/** 6.3.10: a dictionary of sequences, the most frequent continuation of any of them. */
function lz78y({ values, symbols }: Samples): Predictor {
  const maxSequences = 65_536;
  const text = textOf(values);
  const dictionary: After = new Map();
  const learn = (i: number): void => {
    for (let j = LONGEST; j > 0; j--) {
      const key = text.slice(i - j - 1, i - 1);
      let counts = dictionary.get(key);
      if (counts === undefined && dictionary.size < maxSequences) {
        dictionary.set(key, (counts = new Float64Array(symbols)));
      }
      if (counts) counts[values[i - 1]!]!++;
    }
  };
  return {
    from: LONGEST + 1,
    predict: (i) => {
      learn(i);
      let [prediction, most] = [-1, 0];
      for (let j = LONGEST; j > 0; j--) {
        const counts = dictionary.get(text.slice(i - j, i));
        const value = mostOften(counts);
        if (value >= 0 && counts![value]! > most) [prediction, most] = [value, counts![value]!];
      }
      return prediction;
    },
  };
}
