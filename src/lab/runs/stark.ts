import { Aes } from '../../crypto/aes/block.ts';
import { tables } from '../../crypto/aes/run.ts';
import { computeTables, type Tables } from '../../crypto/aes/tables.ts';
import { ecbEncrypt } from '../../crypto/mode/ecb.ts';
import { STARK_BYTES, TABLES_TASK, unrollingTask, type Unrolling } from '../tasks.ts';
import { messageCalls, type MessageTask } from './aes-tasks.ts';
import { pattern, type Call, type MakeTrial, type Plan } from './trial.ts';
import { UNROLLING } from './unrolling.ts';

const MESSAGE_TASKS: readonly MessageTask[] = [
  'AES-128-ECB',
  'SHA-256',
  'Salsa20/12',
  'AES-128-OCB',
  'AES-128-CCM',
];

/** Tables V and VII in one trial, because their ratios are the question. */
const speeds: MakeTrial = async (surroundings) => {
  const calls = await Promise.all(
    MESSAGE_TASKS.map((task) => messageCalls(surroundings, task, STARK_BYTES)),
  );
  const [variants, answer] = unrollingCalls();
  const witness = { name: 'js', answer };
  return {
    size: STARK_BYTES,
    calls: [...calls.flat(), ...variants],
    witnesses: Object.fromEntries(variants.map(({ task }) => [task, witness])),
  };
};

function unrollingCalls(): readonly [calls: Call[], answer: Uint8Array] {
  const aes = new Aes(pattern(16, 7));
  const text = pattern(STARK_BYTES, 3);
  const source = new Int32Array(text.slice().buffer);
  const calls = Object.entries(UNROLLING).map(([variant, encrypt]): Call => {
    const target = new Int32Array(source.length);
    return {
      task: unrollingTask(variant as Unrolling),
      engine: 'js' as const,
      amount: STARK_BYTES,
      run: () => encrypt(tables[0], aes.keys[0], source, target),
      answer: () => new Uint8Array(target.buffer),
    };
  });
  return [calls, ecbEncrypt(aes, text)];
}

/** Table IV. */
const precomputation: MakeTrial = () =>
  Promise.resolve({
    size: 1,
    calls: [
      { task: TABLES_TASK, engine: 'js' as const, amount: 1, run: computeTables, answer: bytesOf },
    ],
    witnesses: { [TABLES_TASK]: { name: 'js', answer: bytesOf(tables) } },
  });

function bytesOf([encrypt, decrypt]: Tables): Uint8Array {
  return new Uint8Array(Int32Array.of(...encrypt, ...decrypt).buffer);
}

/** The work of 2009: AES by tables, unrolling, and what stands beside AES. */
export const STARK_PLAN: Plan = { trials: () => [precomputation, speeds] };
