/** Pomcor's operations in whole: signatures and their verification, key agreement, and the private operation of RSA. */
import { utf8 } from '../../src/crypto/bytes.ts';
import { toBigint, toBytes } from '../../src/crypto/bigint/integers.ts';
import { inverse } from '../../src/crypto/bigint/modular.ts';
import { oddPower, type OddPower } from '../../src/crypto/bigint/odd-power.ts';
import { createDh } from '../../src/crypto/classical/dh.ts';
import { createDsa } from '../../src/crypto/classical/dsa.ts';
import { createRsa, type RsaPrivateKey } from '../../src/crypto/classical/rsa.ts';
import { bestVariant } from '../../src/engine/wasm/loader.ts';
import { loadMontgomery } from '../../src/engine/wasm/montgomery/montgomery.ts';
import type { LabEngine, LabMode } from '../result.ts';
import { operationTask, type Operation } from '../tasks.ts';
import { DSA_GROUPS, RSA_PRIMES, type MeasuredGroup, type MeasuredPrimes } from './pomcor-keys.ts';
import { pattern, type Call, type MakeTrial, type Surroundings } from './trial.ts';

const MESSAGE = utf8('a message of 2015');

/** In the place of random bytes, so that the engines compute the same. */
const bytesOf = (lengthBytes: number) => pattern(lengthBytes, 19);

type Runs = Partial<Record<Operation, (power: OddPower) => () => unknown>>;

/** The same runs with each of our arithmetics. */
async function callsOf(runs: Runs, strength: number, { loadWasm }: Surroundings): Promise<Call[]> {
  const engines: (readonly [LabEngine, OddPower])[] = [['js', oddPower]];
  if (bestVariant() !== undefined) engines.push(['wasm-simd', await loadMontgomery(loadWasm)]);
  return Object.entries(runs).flatMap(([operation, withPower]) =>
    engines.map(([engine, power]) => ({
      task: operationTask(operation as Operation, strength),
      engine,
      amount: 1,
      run: withPower(power),
      answer: (result: unknown) => (result === true ? Uint8Array.of(1) : (result as Uint8Array)),
    })),
  );
}

function ofGroup({ p, q, g }: MeasuredGroup): Runs {
  const hash = 'SHA-256';
  const x = pattern(q.length, 13).slice();
  x[0]! &= 0x7f;
  const group = { p, q, g };
  const y = createDh(oddPower, bytesOf).publicKey(group, x);
  const signature = createDsa(oddPower).sign({ ...group, hash, x }, MESSAGE);
  return {
    'DSA signature': (power) => () => createDsa(power).sign({ ...group, hash, x }, MESSAGE),
    'DSA verification': (power) => () =>
      createDsa(power).verify({ ...group, hash, y }, MESSAGE, signature),
    'DH shared secret': (power) => () => createDh(power, bytesOf).sharedSecret(group, x, y),
  };
}

function ofPrimes({ p, q }: MeasuredPrimes): Runs {
  const key = keyOf(toBigint(p), toBigint(q));
  const message = pattern(p.length + q.length, 17).slice();
  message[0] = 0;
  return {
    'RSA private operation': (power) => () =>
      createRsa(power, bytesOf).privateOperation(key, message),
  };
}

function keyOf(p: bigint, q: bigint): RsaPrivateKey {
  const e = 65_537n;
  const d = inverse(e, (p - 1n) * (q - 1n))!;
  const numbers = { n: p * q, e, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p)! };
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, toBytes(value)]),
  ) as unknown as RsaPrivateKey;
}

/** One trial for each key; its size is the strength in bits. */
export function operationTrials(mode: LabMode, quickStrength: number): MakeTrial[] {
  const isWanted = ({ strength }: { readonly strength: number }) =>
    mode === 'full' || strength <= quickStrength;
  const trial =
    (strength: number, runs: () => Runs): MakeTrial =>
    async (surroundings) => ({
      size: strength,
      calls: await callsOf(runs(), strength, surroundings),
    });
  return [
    ...DSA_GROUPS.filter(isWanted).map((group) => trial(group.strength, () => ofGroup(group))),
    ...RSA_PRIMES.filter(isWanted).map((primes) => trial(primes.strength, () => ofPrimes(primes))),
  ];
}
