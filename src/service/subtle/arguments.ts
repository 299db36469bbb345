import { isHazardous } from '../../crypto/algorithms.ts';
import type { WireAlgorithm, WireParam } from '../../rpc/methods/subtle-values.ts';
import type { SubtleKey } from '../../subtle/key.ts';
import { canonicalName } from '../../subtle/webidl/normalize.ts';
import type { SubtleAlgorithm } from '../../subtle/params.ts';
import { subtleError } from './errors.ts';

/**
 * An algorithm as it came, with the keys in it: src/subtle says what it is worth.
 *
 * @throws NotSupportedError (DOMException) for a hazardous one that does not say so
 */
export async function algorithmOf(
  wire: WireAlgorithm,
  keyOf: (handle: string) => Promise<SubtleKey>,
): Promise<SubtleAlgorithm> {
  if (wire.hazardous !== true && isHazardous(canonicalName(wire))) {
    const message = `${wire.name} is a raw building block: it needs { hazardous: true }`;
    throw subtleError('NotSupportedError', message);
  }
  const entries = Object.entries(wire as Readonly<Record<string, WireParam>>);
  const params = entries.map(async ([name, value]) => [name, await paramOf(value, keyOf)] as const);
  checkEffort(wire);
  return Object.fromEntries(await Promise.all(params)) as unknown as SubtleAlgorithm;
}

async function paramOf(
  value: WireParam,
  keyOf: (handle: string) => Promise<SubtleKey>,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if ('bigint' in value) return BigInt(value.bigint);
  if ('key' in value) return keyOf(value.key);
  return 'items' in value ? value.items : value;
}

const MIB = 1024 * 1024;

/**
 * What one call may cost: the background is one process for all sites, and most of this work can
 * not be stopped once it has begun.
 */
export const MAX_EFFORT = {
  /** PBKDF2: OWASP asks for 1.4 million at most (2023, with SHA-1). */
  iterations: 10_000_000,
  /** Argon2id and scrypt: more than any service asks of its users. */
  memoryBytes: 256 * MIB,
  /** Argon2id: memory × passes. */
  touchedBytes: 2048 * MIB,
  /** scrypt */
  parallelism: 16,
  /** RSA, DH, DSA. */
  modulusBits: 8192,
} as const;

/** @throws OperationError (DOMException) for what no page needs and everybody would wait for */
function checkEffort(wire: WireAlgorithm): void {
  const { iterations, memory, passes, N, r, modulusLength } = wire;
  const kib = Number(memory) * 1024;
  const isTooMuch =
    exceeds(iterations, MAX_EFFORT.iterations) ||
    kib > MAX_EFFORT.memoryBytes ||
    kib * Number(passes) > MAX_EFFORT.touchedBytes ||
    128 * Number(N) * Number(r) > MAX_EFFORT.memoryBytes ||
    (N !== undefined && exceeds(wire.p, MAX_EFFORT.parallelism)) ||
    exceeds(modulusLength, MAX_EFFORT.modulusBits) ||
    bitsOf(wire.p) > MAX_EFFORT.modulusBits;
  if (isTooMuch) {
    throw subtleError('OperationError', `${wire.name}: more work than a page may ask for`);
  }
}

function exceeds(value: WireParam | undefined, limit: number): boolean {
  return Number(value) > limit;
}

/** Of an integer in either form; a decimal digit has 3.3 bits. */
function bitsOf(value: WireParam | undefined): number {
  if (value instanceof Uint8Array) return 8 * value.length;
  const isBigint = typeof value === 'object' && value !== null && 'bigint' in value;
  return isBigint ? 3.32 * value.bigint.length : 0;
}
