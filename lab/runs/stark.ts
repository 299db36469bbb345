import { Aes } from '../../src/crypto/aes/block.ts';
import { tables } from '../../src/crypto/aes/run.ts';
import { computeTables, type Tables } from '../../src/crypto/aes/tables.ts';
import { Ccm } from '../../src/crypto/aead/ccm.ts';
import { nonceBlock, Ocb, OcbMasks, offsetZero } from '../../src/crypto/aead/ocb.ts';
import { concat } from '../../src/crypto/bytes.ts';
import { ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import {
  modeUnrollingTask,
  STARK_BYTES,
  TABLES_TASK,
  unrollingTask,
  type ModeUnrolling,
  type Unrolling,
} from '../tasks.ts';
import { messageCalls, type MessageTask } from './aes-tasks.ts';
import { pattern, type Call, type MakeTrial, type Plan, type Trial } from './trial.ts';
import { MODE_UNROLLING, type ModeInputs } from './unrolled-modes.ts';
import { UNROLLING } from './unrolling.ts';

const MESSAGE_TASKS: readonly MessageTask[] = [
  'AES-128-ECB',
  'SHA-256',
  'Salsa20/12',
  'AES-128-OCB',
  'AES-128-CCM',
];

const KEY = pattern(16, 7);
const NONCE = pattern(12, 5);

/** Tables V to VII in one trial, because their ratios are the question. */
const speeds: MakeTrial = async (surroundings) => {
  const calls = await Promise.all(
    MESSAGE_TASKS.map((task) => messageCalls(surroundings, task, STARK_BYTES)),
  );
  const variants = [unrolledAes(), ...(['OCB', 'CCM'] as const).map(unrolledMode)];
  return {
    size: STARK_BYTES,
    calls: [...calls.flat(), ...variants.flatMap((each) => each.calls)],
    witnesses: Object.assign({}, ...variants.map(({ witnesses }) => witnesses)) as Witnesses,
  };
};

type Witnesses = NonNullable<Trial['witnesses']>;
type Variants = Required<Pick<Trial, 'calls' | 'witnesses'>>;

/**
 * Calls over one message in words, confirmed by an answer of the engine that we ship.
 *
 * @param run by task
 * @param answer what each writes into its target
 */
function variantCalls(
  run: Readonly<Record<string, (source: Int32Array, target: Int32Array) => unknown>>,
  answer: Uint8Array,
): Variants {
  const source = wordsOf(pattern(STARK_BYTES, 3));
  const calls = Object.entries(run).map(([task, each]): Call => {
    const target = new Int32Array(answer.length / 4);
    return {
      task,
      engine: 'js' as const,
      amount: STARK_BYTES,
      run: () => each(source, target),
      answer: () => new Uint8Array(target.buffer),
    };
  });
  const witness = { name: 'js', answer };
  return { calls, witnesses: Object.fromEntries(calls.map(({ task }) => [task, witness])) };
}

const wordsOf = (bytes: Uint8Array): Int32Array => new Int32Array(bytes.slice().buffer);

function unrolledAes(): Variants {
  const aes = new Aes(KEY);
  const run = Object.entries(UNROLLING).map(
    ([variant, encrypt]) =>
      [
        unrollingTask(variant as Unrolling),
        (source: Int32Array, target: Int32Array) => encrypt(tables[0], aes.keys[0], source, target),
      ] as const,
  );
  return variantCalls(Object.fromEntries(run), ecbEncrypt(aes, pattern(STARK_BYTES, 3)));
}

function unrolledMode(mode: 'OCB' | 'CCM'): Variants {
  const inputs = modeInputs();
  const run = Object.entries(MODE_UNROLLING[mode]).map(
    ([variant, seal]) =>
      [
        modeUnrollingTask(mode, variant as ModeUnrolling),
        (source: Int32Array, target: Int32Array) => seal(inputs, source, target),
      ] as const,
  );
  const aead = mode === 'OCB' ? new Ocb(new Aes(KEY)) : new Ccm(new Aes(KEY));
  return variantCalls(Object.fromEntries(run), aead.seal(NONCE, pattern(STARK_BYTES, 3)));
}

/** What the variants of the modes need of the key and the nonce, made by the functions of src/crypto. */
function modeInputs(): ModeInputs {
  const aes = new Aes(KEY);
  const { block, bottom } = nonceBlock(NONCE, 16, 16);
  aes.encryptBlocks(block, block);
  const star = new Uint8Array(16);
  aes.encryptBlocks(star, star);
  const masks = new OcbMasks(star);
  const blocks = STARK_BYTES / 16;
  // SP 800-38C, appendix A: flags of a tag of 16 bytes and a length in 3, the nonce, and the length.
  const lengthBytes = Uint8Array.of(STARK_BYTES >> 16, STARK_BYTES >> 8, STARK_BYTES);
  return {
    table: tables[0],
    keys: aes.keys[0],
    offset: wordsOf(offsetZero(block, bottom)),
    dollar: wordsOf(masks.dollar),
    masks: wordsOf(masks.upTo(blocks)),
    first: wordsOf(concat(Uint8Array.of(0x3a), NONCE, lengthBytes)),
    counter: wordsOf(concat(Uint8Array.of(0x02), NONCE, new Uint8Array(3))),
  };
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
