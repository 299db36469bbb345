import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { FortunaAccumulator } from '../../src/random/accumulator.ts';
import { NotSeededError } from '../../src/random/contract.ts';
import { FortunaGenerator, generateBlocks } from '../../src/random/generator.ts';
import type { ShaDVariant } from '../../src/random/sha-d.ts';
import { ForwardAes } from '../../src/crypto/aes/forward.ts';
import { fromHex, toHex } from '../../src/crypto/bytes.ts';
import { describeVectors } from '../support/vectors.ts';

type Step =
  | { op: 'reseed'; seed: string }
  | { op: 'generate'; n: number; out?: string; outSha256?: string }
  | { op: 'setState'; key: string; counter: string }
  | { op: 'event'; source: number; pool: number; data: string }
  | { op: 'random'; n: number; t_ms: number; out: string | null; reseedCount: number };

interface Script {
  readonly tcId: number;
  readonly comment: string;
  readonly type: string;
  readonly shaD: ShaDVariant;
  readonly steps: readonly Step[];
}

const FILE = 'vectors/own/fortuna.json';

describe('Fortuna, both editions of the book: shared vectors', () => {
  describeVectors(FILE, parse('FortunaGenerator'), ({ shaD, steps }) => {
    const generator = new FortunaGenerator({ shaD });
    let generate = (lengthBytes: number): Uint8Array => generator.generate(lengthBytes);
    for (const step of steps) {
      if (step.op === 'reseed') generator.reseed(fromHex(step.seed));
      else if (step.op === 'setState') generate = generateFrom(step.key, step.counter);
      else if (step.op === 'generate') checkOutput(step, generate(step.n));
      else throw new Error(`unknown step ${step.op}`);
    }
  });

  describeVectors(FILE, parse('FortunaAccumulator'), ({ shaD, steps }) => {
    const accumulator = new FortunaAccumulator({ shaD });
    for (const step of steps) {
      if (step.op === 'event') accumulator.addEvent(step.source, step.pool, fromHex(step.data));
      else if (step.op === 'random') checkRandom(accumulator, step);
      else throw new Error(`unknown step ${step.op}`);
    }
  });
});

function checkRandom(accumulator: FortunaAccumulator, step: Step & { op: 'random' }): void {
  const ask = (): Uint8Array => accumulator.randomData(step.n, step.t_ms);
  if (step.out === null) expect(ask).to.throw(NotSeededError);
  else expect(toHex(ask())).to.equal(step.out);
  expect(accumulator.reseedCount).to.equal(step.reseedCount);
}

function checkOutput(step: Step & { op: 'generate' }, output: Uint8Array): void {
  expect(output).to.have.length(step.n);
  if (step.out !== undefined) expect(toHex(output)).to.equal(step.out);
  else expect(createHash('sha256').update(output).digest('hex')).to.equal(step.outSha256);
}

/** The state cannot be set from outside: this is section 9.4.3 alone. */
function generateFrom(key: string, counter: string): (lengthBytes: number) => Uint8Array {
  const bytes = new Uint8Array(16);
  for (let i = 0, rest = BigInt(counter); i < 16; i++, rest >>= 8n) bytes[i] = Number(rest & 255n);
  const cipher = new ForwardAes(fromHex(key));
  return (lengthBytes) => generateBlocks(cipher, bytes, lengthBytes);
}

function parse(type: string): (text: string) => Script[] {
  return (text) => {
    const { testGroups } = JSON.parse(text) as {
      testGroups: { type: string; variant: string; tests: Script[] }[];
    };
    return testGroups
      .filter((group) => group.type === type)
      .flatMap(({ variant, tests }) =>
        tests.map((test) => ({ ...test, shaD: variant === 'ce2010' ? '2010' : '2003' }) as const),
      );
  };
}
