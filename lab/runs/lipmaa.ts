import { BLOCK_CIPHERS, type BlockCipherName } from '../../src/crypto/ciphers/block-cipher.ts';
import type { BlockBytes, BlockCipher } from '../../src/crypto/contracts.ts';
import { ecbDecrypt, ecbEncrypt } from '../../src/crypto/mode/ecb.ts';
import { ALWAYS_SINGLE } from '../../src/engine/wasm/ciphers/cipher-module.ts';
import { loadCipher } from '../../src/engine/wasm/ciphers/ciphers.ts';
import { bestVariant } from '../../src/engine/wasm/loader.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';
import type { LabEngine } from '../result.ts';
import { cipherTask, LIPMAA_BYTES, LIPMAA_SHORT_BYTES } from '../tasks.ts';
import { clockCall } from './clock.ts';
import { messageCalls, type MessageTask } from './aes-tasks.ts';
import { pattern, type Call, type MakeTrial, type Plan } from './trial.ts';

const MODE_TASKS: readonly MessageTask[] = [
  'AES-128-ECB',
  'AES-128-ECB decryption',
  'AES-128-CBC',
  'AES-128-CBC decryption',
  'AES-128-CBC-MAC',
  'AES-128-OCB',
  'AES-128-OCB decryption',
];

/** All modes in one trial, because their ratios are the question. */
const modes =
  (bytes: number): MakeTrial =>
  async (surroundings) => {
    const calls = await Promise.all(
      MODE_TASKS.map((task) => messageCalls(surroundings, task, bytes)),
    );
    const keys = await messageCalls(surroundings, 'AES-128 key schedule', bytes);
    const clock = clockCall();
    return {
      size: bytes,
      witnesses: clock.witnesses,
      calls: [...calls.flat(), ...keys, ...clock.calls],
    };
  };

const CIPHER_NAMES = Object.keys(BLOCK_CIPHERS) as BlockCipherName[];
const KEY = pattern(16, 7);

/** One of the other ciphers, with 128-bit keys: portable, and several blocks at a time or one by one. */
const cipher =
  (name: BlockCipherName): MakeTrial =>
  async ({ loadWasm }) => {
    const engines: readonly (readonly [LabEngine, BlockCipher<BlockBytes>])[] = [
      ['js', BLOCK_CIPHERS[name].withKey(KEY)],
      ...(await compiled(loadWasm, name)),
    ];
    return { size: LIPMAA_BYTES, calls: engines.flatMap((each) => ecbCalls(name, ...each)) };
  };

/** Several blocks at a time, and one after the other as Lipmaa's one-way code; neither without SIMD. */
async function compiled(
  loadWasm: LoadWasm,
  name: BlockCipherName,
): Promise<(readonly [LabEngine, BlockCipher<BlockBytes>])[]> {
  if (bestVariant() === undefined) return [];
  const [many, single] = await Promise.all([
    loadCipher(loadWasm, name),
    loadCipher(loadWasm, name, ALWAYS_SINGLE),
  ]);
  return [
    ['wasm-simd', many.withKey(KEY)],
    ['wasm-simd, single', single.withKey(KEY)],
  ];
}

function ecbCalls(
  name: BlockCipherName,
  engine: LabEngine,
  keyed: BlockCipher<BlockBytes>,
): Call[] {
  const text = pattern(LIPMAA_BYTES, 3);
  const sealed = ecbEncrypt(keyed, text);
  const [into, opened] = [new Uint8Array(LIPMAA_BYTES), new Uint8Array(LIPMAA_BYTES)];
  const common = { engine, amount: LIPMAA_BYTES };
  const encrypt = {
    task: cipherTask(name),
    ...common,
    run: () => ecbEncrypt(keyed, text, into),
  };
  const decrypt = {
    task: `${cipherTask(name)} decryption`,
    ...common,
    run: () => ecbDecrypt(keyed, sealed, opened),
  };
  return engine === 'wasm-simd, single' ? [encrypt] : [encrypt, decrypt];
}

/** The pages of 2001 and 2008: what modes cost over the block cipher, and the other ciphers. */
export const LIPMAA_PLAN: Plan = {
  trials: () => [modes(LIPMAA_BYTES), modes(LIPMAA_SHORT_BYTES), ...CIPHER_NAMES.map(cipher)],
};
