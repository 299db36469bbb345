import type { LabMode } from '../result.ts';
import { pbkdf2Task, TARR_HASHES } from '../tasks.ts';
import { messageCalls } from './aes-tasks.ts';
import { callsOf, OURS, type MakeTrial, type Plan } from './trial.ts';

/** From 10^0 to 10^`decades`, evenly on a logarithmic axis. */
const spread = (decades: number, steps: number): number[] =>
  Array.from({ length: steps + 1 }, (_, i) => Math.round(10 ** ((decades * i) / steps)));

/** Lengths of messages in bytes, up to Tarr's longest. */
export const sizesOf = (mode: LabMode): number[] =>
  mode === 'quick' ? spread(6, 9) : spread(7, 21);
/** Numbers of iterations, up to Tarr's most. */
export const iterationsOf = (mode: LabMode): number[] =>
  mode === 'quick' ? spread(3, 3) : spread(4, 12);

/** Both hashes of a message. */
const hashes =
  (bytes: number): MakeTrial =>
  async (surroundings) => {
    const calls = await Promise.all(
      TARR_HASHES.map((hash) => messageCalls(surroundings, hash, bytes)),
    );
    return { size: bytes, calls: calls.flat() };
  };

// Tarr's password and salt.
const text = new TextEncoder();
const [SECRET, SALT] = [text.encode('whatever'), text.encode('salty')];

const derivations =
  (iterations: number): MakeTrial =>
  async (surroundings) => {
    const calls = await Promise.all(
      TARR_HASHES.map((hash) => {
        const params = { hash, salt: SALT, iterations };
        const lengthBytes = hash === 'SHA-1' ? 20 : 32;
        const task = { task: pbkdf2Task(hash), amount: iterations };
        return callsOf(
          surroundings,
          OURS,
          task,
          ({ PBKDF2: kdf }) => kdf && { run: () => kdf.derive(SECRET, params, lengthBytes) },
        );
      }),
    );
    return { size: iterations, calls: calls.flat() };
  };

/** The work of 2014: hashes by length, PBKDF2 by iterations. */
export const TARR_PLAN: Plan = {
  // In random order: sizes that only grow cannot be told from a compiler that warms up.
  trials: (mode) =>
    shuffled([...sizesOf(mode).map(hashes), ...iterationsOf(mode).map(derivations)]),
};

function shuffled<T>(items: readonly T[]): T[] {
  const keys = crypto.getRandomValues(new Uint32Array(items.length));
  return items
    .map((item, i) => [keys[i]!, item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
