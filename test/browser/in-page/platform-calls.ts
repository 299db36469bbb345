/* How long calls that the platform does hold up their thread, for test/browser/engines/platform-calls.test.ts. */
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { MAX_SUBTLE_BYTES } from '../../../src/rpc/limits.ts';
import type { WireAlgorithm } from '../../../src/rpc/methods/subtle-values.ts';
import { HASHES, PlatformCalls } from '../../../src/service/subtle/platform-calls.ts';
import type { StoredKey } from '../../../src/subtle/stored-key.ts';

/** The least of so many tries counts: a busy machine holds threads up as well. */
const TRIES = 5;
const CIPHERS: readonly WireAlgorithm[] = [
  { name: 'AES-GCM', iv: new Uint8Array(12), additionalData: new Uint8Array(65_536) },
  { name: 'AES-CBC', iv: new Uint8Array(16) },
  { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 },
];

const data = new Uint8Array(MAX_SUBTLE_BYTES);
const calls = new PlatformCalls();

function keyOf(algorithm: StoredKey['algorithm'], usages: StoredKey['usages']): StoredKey {
  const content = toBase64url(new Uint8Array(algorithm.length! / 8));
  return { type: 'secret', extractable: false, algorithm, usages, format: 'bytes', content };
}

/** @returns the longest time in ms in which the thread took no other task while the work lasted */
async function heldMs(work: () => Promise<unknown>): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let [longest, last] = [0, performance.now()];
  const note = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  port2.onmessage = () => {
    note();
    port1.postMessage(0);
  };
  port1.postMessage(0);
  await work();
  note();
  port2.close();
  return longest;
}

async function leastHeldMs(
  method: 'encrypt' | 'decrypt' | 'sign' | 'verify' | 'digest',
  algorithm: WireAlgorithm,
  given: { readonly key?: StoredKey; readonly input?: Uint8Array; readonly signature?: Uint8Array },
): Promise<{ ms: number; result: unknown }> {
  const params = { key: '', algorithm, data: given.input ?? data, signature: given.signature };
  let result: unknown;
  let ms = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const once = await heldMs(async () => {
      result = await calls.attempt(`subtle.${method}`, params, given.key);
    });
    ms = Math.min(ms, once);
  }
  if (result === undefined) throw new Error(`${method} ${algorithm.name} is not the platform's`);
  return { ms, result };
}

/** Of each call that the background has the platform do, with the most data: ms by its title. */
async function holdUps(): Promise<Record<string, number>> {
  const held: Record<string, number> = {};
  for (const algorithm of CIPHERS) {
    const key = keyOf({ name: algorithm.name, length: 256 }, ['encrypt', 'decrypt']);
    const sealed = await leastHeldMs('encrypt', algorithm, { key });
    held[`encrypt ${algorithm.name}`] = sealed.ms;
    const opened = await leastHeldMs('decrypt', algorithm, {
      key,
      input: sealed.result as Uint8Array,
    });
    held[`decrypt ${algorithm.name}`] = opened.ms;
  }
  for (const name of HASHES) {
    const key = keyOf({ name: 'HMAC', hash: { name }, length: 512 }, ['sign', 'verify']);
    const signed = await leastHeldMs('sign', { name: 'HMAC' }, { key });
    const signature = signed.result as Uint8Array;
    held[`sign HMAC ${name}`] = signed.ms;
    held[`verify HMAC ${name}`] = (
      await leastHeldMs('verify', { name: 'HMAC' }, { key, signature })
    ).ms;
    held[`digest ${name}`] = (await leastHeldMs('digest', { name }, {})).ms;
  }
  return held;
}

Object.assign(globalThis, { holdUps });
