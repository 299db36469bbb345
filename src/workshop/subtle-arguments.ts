import { isHazardous } from '../crypto/subtle/table.ts';
import type { WireAlgorithm, WireParam } from '../rpc/methods/subtle-values.ts';
import type { SubtleKey } from '../subtle/key.ts';
import { canonicalName } from '../subtle/normalize.ts';
import type { SubtleParams } from '../subtle/params.ts';

/**
 * An algorithm as it came, with the keys in it: src/subtle says what it is worth.
 *
 * @throws NotSupportedError (DOMException) for a hazardous one that does not say so
 */
export async function algorithmOf(
  wire: WireAlgorithm,
  keyOf: (handle: string) => Promise<SubtleKey>,
): Promise<SubtleParams> {
  if (wire.hazardous !== true && isHazardous(canonicalName(wire))) {
    const message = `${wire.name} is a raw building block: it needs { hazardous: true }`;
    throw new DOMException(message, 'NotSupportedError');
  }
  const entries = Object.entries(wire as Readonly<Record<string, WireParam>>);
  const params = entries.map(async ([name, value]) => [name, await paramOf(value, keyOf)] as const);
  return Object.fromEntries(await Promise.all(params)) as unknown as SubtleParams;
}

/** Bytes of a message, which are alone in a buffer that no other thread shares. */
export function own(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
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
