/** Calls of AES-128 and of what stands beside it, by task: in every engine with the same key and message. */
import { copyOf } from '../../src/crypto/bytes.ts';
import type { Algorithms, Awaitable, KeyedCipher } from '../../src/engine/contract.ts';
import { callsOf, OURS, pattern, type Call, type Surroundings } from './trial.ts';

const KEY = pattern(16, 7);
const NONCE = pattern(12, 5);
const IV = pattern(16, 5);
const AEAD = { nonce: NONCE, associatedData: new Uint8Array(0), tagBytes: 16 };
const SALSA = { nonce: pattern(8, 5), rounds: 12, counter: 0 } as const;

type Prepared = Omit<Call, 'task' | 'engine' | 'amount'>;
type Prepare = (algorithms: Algorithms, text: Uint8Array) => Awaitable<Prepared | undefined>;

const encrypting =
  <P>(
    withKey: (algorithms: Algorithms) => Awaitable<KeyedCipher<P>> | undefined,
    params: P,
    longer = 0,
  ): Prepare =>
  async (algorithms, text) => {
    const keyed = await withKey(algorithms);
    const into = new Uint8Array(text.length + longer);
    return keyed && { run: () => keyed.encrypt(params, text, into) };
  };

const decrypting =
  <P>(
    withKey: (algorithms: Algorithms) => Awaitable<KeyedCipher<P>> | undefined,
    params: P,
  ): Prepare =>
  async (algorithms, text) => {
    const keyed = await withKey(algorithms);
    if (keyed === undefined) return undefined;
    const sealed = copyOf(await keyed.encrypt(params, text));
    const into = new Uint8Array(sealed.length);
    return { run: () => keyed.decrypt(params, sealed, into) };
  };

const ecb = (algorithms: Algorithms) => algorithms['AES-ECB']?.withKey(KEY);
const cbc = (algorithms: Algorithms) => algorithms['AES-CBC']?.withKey(KEY);
const ocb = (algorithms: Algorithms) => algorithms['AES-OCB']?.withKey(KEY);

/** The tasks; CBC pads, by one block. */
const TASKS = {
  'AES-128-ECB': encrypting(ecb, {}),
  'AES-128-ECB decryption': decrypting(ecb, {}),
  'AES-128-CBC': encrypting(cbc, { iv: IV }, 16),
  'AES-128-CBC decryption': decrypting(cbc, { iv: IV }),
  'AES-128-OCB': encrypting(ocb, AEAD, 16),
  'AES-128-OCB decryption': decrypting(ocb, AEAD),
  'AES-128-CCM': encrypting((algorithms) => algorithms['AES-CCM']?.withKey(KEY), AEAD, 16),
  'AES-128-CBC-MAC': async (algorithms, text) => {
    const keyed = await algorithms['AES-CBC-MAC']?.withKey(KEY);
    return keyed && { run: () => keyed.sign(text) };
  },
  'SHA-256': ({ 'SHA-256': hash }, text) => hash && { run: () => hash.digest(text) },
  'SHA-1': ({ 'SHA-1': hash }, text) => hash && { run: () => hash.digest(text) },
  'Salsa20/12': encrypting((algorithms) => algorithms.Salsa20?.withKey(pattern(32, 7)), SALSA),
  'AES-128 key schedule': ({ 'AES-ECB': cipher }, text) =>
    cipher && {
      run: () => cipher.withKey(KEY),
      answer: async (keyed: Awaitable<KeyedCipher<Record<string, never>>>) =>
        (await keyed).encrypt({}, text),
    },
} as const satisfies Record<string, Prepare>;

/** The name of a task over a message. */
export type MessageTask = keyof typeof TASKS;

/** The calls of a task over a message of so many bytes, in the engines that have it. */
export function messageCalls(
  surroundings: Surroundings,
  task: MessageTask,
  bytes: number,
  engines: Parameters<typeof callsOf>[1] = OURS,
): Promise<Call[]> {
  const text = pattern(bytes, 3);
  // A key schedule is one operation, whatever is encrypted afterwards.
  const amount = task === 'AES-128 key schedule' ? 1 : bytes;
  const prepare: Prepare = TASKS[task];
  return callsOf(surroundings, engines, { task, amount }, (algorithms) =>
    prepare(algorithms, text),
  );
}
