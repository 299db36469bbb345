/**
 * The groups of RFC 3526 ("MODP") and RFC 7919 ("ffdhe"), computed as the RFCs define them: safe primes p =
 * 2^n - 2^(n-64) - 1 + 2^64 · (⌊2^(n-130) · c⌋ + offset), where c is π or Euler's e, so that the designers
 * had no free choice. The generator is 2, of order q = (p - 1) / 2.
 */

export interface NamedGroup {
  readonly p: bigint;
  readonly g: bigint;
  readonly q: bigint;
}

type Constant = 'pi' | 'e';

/** Name → bits, constant and offset; RFC 3526, sections 2 to 7, and RFC 7919, appendix A. */
const DEFINITIONS = {
  modp1536: [1536, 'pi', 741804],
  modp2048: [2048, 'pi', 124476],
  modp3072: [3072, 'pi', 1690314],
  modp4096: [4096, 'pi', 240904],
  modp6144: [6144, 'pi', 929484],
  modp8192: [8192, 'pi', 4743158],
  ffdhe2048: [2048, 'e', 560316],
  ffdhe3072: [3072, 'e', 2625351],
  ffdhe4096: [4096, 'e', 5736041],
  ffdhe6144: [6144, 'e', 15705020],
  ffdhe8192: [8192, 'e', 10965728],
} as const satisfies Record<string, readonly [number, Constant, number]>;

/** Names of the groups of RFC 3526 and RFC 7919. */
export type GroupName = keyof typeof DEFINITIONS;
/** All names that `namedGroup` takes, in the order of their definition. */
export const GROUP_NAMES = Object.keys(DEFINITIONS) as readonly GroupName[];

/** IKE's numbers of the groups of RFC 3526, under which Node has them. */
const NUMBERED: ReadonlyMap<string, GroupName> = new Map([
  ['modp5', 'modp1536'],
  ['modp14', 'modp2048'],
  ['modp15', 'modp3072'],
  ['modp16', 'modp4096'],
  ['modp17', 'modp6144'],
  ['modp18', 'modp8192'],
]);

/** The group of a name or of a number of IKE; undefined for all others. */
export function groupNameOf(text: string): GroupName | undefined {
  return NUMBERED.get(text) ?? GROUP_NAMES.find((name) => name === text);
}

/** @throws RangeError if there is no group of that name */
export function namedGroup(name: GroupName): NamedGroup {
  if (!Object.hasOwn(DEFINITIONS, name)) throw new RangeError(`there is no group "${name}"`);
  const [bits, constant, offset] = DEFINITIONS[name];
  const n = BigInt(bits);
  const middle = fractionOf(constant, n - 130n) + BigInt(offset);
  const p = 2n ** n - 2n ** (n - 64n) - 1n + 2n ** 64n * middle;
  return { p, g: 2n, q: (p - 1n) / 2n };
}

/** The order of a group if it is one of the above, else undefined. */
export function knownOrder(p: bigint, g: bigint): bigint | undefined {
  if (g !== 2n || !hasShape(p)) return undefined;
  const bits = p.toString(2).length;
  const names = GROUP_NAMES.filter((name) => DEFINITIONS[name][0] === bits);
  return names.map(namedGroup).find((group) => group.p === p)?.q;
}

/** All groups begin and end with 64 ones. This excludes most other groups without computing these. */
function hasShape(p: bigint): boolean {
  const digits = p.toString(16);
  return digits.startsWith('f'.repeat(16)) && digits.endsWith('f'.repeat(16));
}

/** ⌊2^bits · c⌋ from a series, with 64 more bits for rounding errors of the terms. */
function fractionOf(constant: Constant, bits: bigint): bigint {
  const one = 1n << (bits + 64n);
  return (constant === 'pi' ? pi(one) : e(one)) >> 64n;
}

/** Machin: π = 16 arctan(1/5) - 4 arctan(1/239) */
function pi(one: bigint): bigint {
  return 16n * arctanInverse(5n, one) - 4n * arctanInverse(239n, one);
}

/** one · arctan(1/x) = one · (1/x - 1/(3x³) + 1/(5x⁵) - …) */
function arctanInverse(x: bigint, one: bigint): bigint {
  let sum = 0n;
  let sign = 1n;
  for (let odd = 1n, term = one / x; term !== 0n; odd += 2n, term /= x * x) {
    sum += (sign * term) / odd;
    sign = -sign;
  }
  return sum;
}

/** one · e = one · (1 + 1/1! + 1/2! + …) */
function e(one: bigint): bigint {
  let sum = 0n;
  for (let i = 1n, term = one; term !== 0n; i++) {
    sum += term;
    term /= i;
  }
  return sum;
}
