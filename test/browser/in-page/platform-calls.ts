/*
 * How long calls that the platform does hold up their thread, one and many at once, for
 * test/browser/engines/platform-calls.test.ts.
 */
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { MAX_SUBTLE_BYTES } from '../../../src/rpc/limits.ts';
import type { WireAlgorithm } from '../../../src/rpc/methods/subtle-values.ts';
import { laterByMessages, SYSTEM_TIMERS } from '../../../src/rpc/timers.ts';
import { ThreadShare } from '../../../src/service/calls/thread-share.ts';
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
const nowMs = () => performance.now();
const share = new ThreadShare({ later: laterByMessages(), timers: SYSTEM_TIMERS, nowMs });
const calls = new PlatformCalls(share);
const askingOf = (origin: string) => ({ origin, signal: new AbortController().signal });

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
      result = await calls.attempt(askingOf('a'), `subtle.${method}`, params, given.key);
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

const ORIGINS = ['a', 'b', 'c', 'd'];
const OF_EACH = 4;

/** Of digests of the most data, in ms. */
export interface HeldByMany {
  /** How long one holds its thread up. */
  readonly oneMs: number;
  /** The longest time that `count` of four sites hold it up without a pause, and how long they take in all. */
  readonly longestMs: number;
  readonly allMs: number;
  readonly count: number;
}

async function heldByMany(): Promise<HeldByMany> {
  const algorithm = { name: 'SHA-512' };
  const digest = (origin: string) =>
    calls.attempt(askingOf(origin), 'subtle.digest', { algorithm, data });
  const { ms: oneMs } = await leastHeldMs('digest', algorithm, {});
  const origins = Array.from({ length: OF_EACH }, () => ORIGINS).flat();
  const began = nowMs();
  const longestMs = await heldMs(() => Promise.all(origins.map(digest)));
  return { oneMs, longestMs, allMs: nowMs() - began, count: origins.length };
}

Object.assign(globalThis, { holdUps, heldByMany });
